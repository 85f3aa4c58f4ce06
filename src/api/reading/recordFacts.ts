import type { Identifier } from '../identifiers.ts';
import { maskPasswords } from '../secrets/passwords.ts';
import { assumed } from './assumedKeys.ts';
import { type Leaf, memoByKey, memoByPath, oneLine, ranked, type Tree, textAt } from './jsonTree.ts';
import { nameIn } from './labels.ts';
import { pathsOf } from './mappedPaths.ts';
import { deniesErrors } from './outcomes.ts';
import type { Mapping, Paths } from './recordMapping.ts';
import { isReported } from './reportKeys.ts';
import { findState, isYes, toldState } from './states.ts';
import { usualClass } from './stateWords.ts';
import { timeOf } from './times.ts';
import { isWords, leafAt, toldOr } from './toldFacts.ts';

/** The facts of a record by which fifty thousand are searched. */
export function searchedFactsOf(tree: Tree, own: readonly Leaf[], id: Identifier, mapping: Mapping) {
  const facts = own.filter(isPlainFact);
  const paths = pathsOf(mapping, id.noun);
  const state = stateAt(tree, own, id, mapping)?.state;
  const created = creationPlace(facts);
  return {
    name: textAt(namePlace(tree, facts, id, paths)),
    createdAt: timeOf(created?.value),
    createdFrom: created && { path: created.shown, value: String(created.value) },
    state,
    isPhysical: isPhysical(facts),
    isTombstone: (state !== undefined && assumed.deletedState.test(state.word)) || facts.some(saysDeleted),
  };
}

/** Those that are asked of a few. */
export function otherFactsOf(tree: Tree, own: readonly Leaf[], id: Identifier, mapping: Mapping) {
  const { error, port } = placesOf(tree, own, id, mapping);
  const number = Number(port?.value);
  return {
    error: error && oneLine(maskPasswords(String(error.value))),
    port: Number.isInteger(number) && number > 0 ? number : undefined,
  };
}

function creationPlace(facts: readonly Leaf[]): Leaf | undefined {
  return ranked(facts, assumed.time)[0];
}

/** The place of each fact: the mapping's, else one among the record's own values, as far as these are open to a guess. */
export function placesOf(tree: Tree, own: readonly Leaf[], id: Identifier, mapping: Mapping) {
  const paths = pathsOf(mapping, id.noun);
  const plainly = own.filter(leaf => !isReported(leaf));
  const facts = own.filter(isPlainFact);
  const state = stateAt(tree, own, id, mapping);
  const remark = () => {
    if (state?.state.class === 'failed') return textOf(plainly, assumed.remark);
    // Where no word says how the record is, a remark that speaks of a failure does.
    if (state && !/^\d+$/.test(state.state.word)) return undefined;
    const said = textOf(plainly, assumed.remark);
    return said && usualClass(String(said.value)) === 'failed' ? said : undefined;
  };
  return {
    name: namePlace(tree, facts, id, paths),
    state,
    error: toldOr(
      paths.error,
      path => leafAt(tree, path, value => isWords(value) && !deniesErrors(String(value))),
      () => textOf(plainly, assumed.error) ?? remark(),
    ),
    port: ranked(facts, assumed.port)[0],
    created: creationPlace(facts),
  };
}

function namePlace(tree: Tree, facts: readonly Leaf[], id: Identifier, { name }: Paths): Leaf | undefined {
  return toldOr<Leaf | undefined>(
    name,
    path => leafAt(tree, path, isWords),
    () => nameIn(facts, id),
  );
}

function stateAt(tree: Tree, own: readonly Leaf[], id: Identifier, mapping: Mapping) {
  // A snapshot is what work left: its word may be an outcome.
  const words = id.noun === 'snapshot' ? 'outcomes' : 'works';
  return toldOr(
    pathsOf(mapping, id.noun).state,
    path => toldState(leafAt(tree, path), words, mapping),
    () => findState(own, mapping),
  );
}

/** Whether a leaf is a fact of the record itself: it stands in no report, state or error (`state: {name}`). */
function isPlainFact(leaf: Leaf): boolean {
  return !isReported(leaf) && !isAside(leaf);
}

const isAside = memoByPath(path => path.slice(0, -1).some(part => assumed.aside.includes(part)));

/** Whether a leaf says that its record is deleted: a yes (`deleted: true`), or the time at which that was done. */
export function saysDeleted({ key, path, value }: Leaf): boolean {
  if (path.length > 2 || !mayTellDeletion(key)) return false;
  return assumed.deleted.test(key) ? isYes(value) === true : timeOf(value) !== undefined;
}

const mayTellDeletion = memoByKey(key => assumed.deleted.test(key) || assumed.deletedAt.test(key));

/** Whether a record is physical, told by a word (`cloneType: "PHYSICAL"`) or by yes or no (`isVirtual: false`). */
function isPhysical(facts: readonly Leaf[]): boolean | undefined {
  for (const { key, value } of facts) {
    if (!mayTellKind(key)) continue;
    const yes = isYes(value);
    if (yes !== undefined && assumed.isVirtual.test(key)) return !yes;
    if (yes !== undefined && assumed.isPhysical.test(key)) return yes;
    if (assumed.kindOfClone.includes(key) && assumed.virtual.test(String(value))) return false;
    if (assumed.kindOfClone.includes(key) && assumed.physical.test(String(value))) return true;
  }
  return undefined;
}

const mayTellKind = memoByKey(
  key => assumed.isVirtual.test(key) || assumed.isPhysical.test(key) || assumed.kindOfClone.includes(key),
);

/** The text at the best of the names, directly or as the message inside an object of that name. */
function textOf(own: readonly Leaf[], names: readonly string[]): Leaf | undefined {
  const texts = own.filter(({ value }) => typeof value === 'string' && !deniesErrors(value));
  const inside = texts.filter(leaf => leaf.path.slice(0, -1).some(part => names.includes(part)));
  return ranked(texts, names)[0] ?? ranked(inside, assumed.explanation)[0];
}
