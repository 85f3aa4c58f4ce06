import { memoByObject } from '../../ground/remembered.ts';
import { type Identifier, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { type Leaf, leaves, memoByKey, oneLine, plainKey, ranked, type Tree, textAt } from './jsonTree.ts';
import { isRecord } from './ownIdentifier.ts';

/** The names of records by identifier, from the lists in which the records stand. */
export type Names = ReadonlyMap<string, string>;

/** A visible character: a name of blanks and marks is none. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const nameKeys = memoByKey((noun): readonly string[] => {
  const more: Readonly<Record<string, readonly string[]>> = assumed.nounName;
  return [...(more[noun] ?? []), ...(noun === 'environment' ? assumed.hostName : assumed.name)];
});

/** The best name among the facts of the record `id`. An identifier is no name. */
export function nameIn(facts: readonly Leaf[], id: Identifier): Leaf | undefined {
  return ranked(facts, nameKeys(id.noun ?? '')).find(
    ({ value }) => typeof value === 'string' && visible.test(value) && !parseIdentifier(value)?.noun,
  );
}

/** A record's name, else a text that tells it from others without a name. */
export function labelIn(tree: Tree, id: Identifier): string | undefined {
  const facts = leaves(tree, isRecord);
  return textAt(nameIn(facts, id) ?? ranked(facts, assumed.remainder)[0]);
}

/** The name beside a reference, by the keys of the object around both: `environmentName` beside `environment` or `environmentId`. */
export function nameBeside(key: string, holder: Tree, keys: readonly string[]): string | undefined {
  const names = namesBeside(key);
  const beside = keys.length > fewKeys ? keyAmongMany(keys, names) : keys.find(one => names.includes(plainKey(one)));
  const name = beside === undefined ? undefined : holder[beside];
  return typeof name === 'string' ? oneLine(name) : undefined;
}

const namesBeside = memoByKey(key => assumed.nameBeside.map(end => key.replace(assumed.referenceEnd, '') + end));

/** Max keys of an object that are looked through for each of its references: to note the places of few would take longer. */
const fewKeys = 64;

function keyAmongMany(keys: readonly string[], names: readonly string[]): string | undefined {
  const places = placesOf(keys);
  const [first] = names.flatMap(name => places.get(name) ?? []).sort((one, other) => one - other);
  return first === undefined ? undefined : keys[first];
}

/** The place of the first key of each plain form. */
const placesOf = memoByObject(
  (keys: readonly string[]): ReadonlyMap<string, number> =>
    new Map(keys.map((key, at) => [plainKey(key), at] as const).reverse()),
);
