import { type Identifier, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumptions.ts';
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

/** The name beside a reference: `environmentName` beside `environment` or `environmentId`. */
export function nameBeside(key: string, holder: Tree): string | undefined {
  const isNameBeside = namesBeside(key);
  const beside = Object.keys(holder).find(isNameBeside);
  const name = beside === undefined ? undefined : holder[beside];
  return typeof name === 'string' ? oneLine(name) : undefined;
}

const namesBeside = memoByKey(key => {
  const names = assumed.nameBeside.map(end => key.replace(assumed.referenceEnd, '') + end);
  return memoByKey(other => names.includes(plainKey(other)));
});
