import { assumed } from './assumedKeys.ts';
import { type Leaf, memoByPath, oneLine, ranked } from './jsonTree.ts';
import { isOutcome } from './outcomes.ts';
import type { Mapping } from './recordMapping.ts';
import { isReported } from './reportKeys.ts';
import { type StateClass, saysThatItRuns, stateClass } from './stateWords.ts';
import { withTold } from './toldFacts.ts';

/** Yes-or-no keys that say a state where no word does, or more than the word of one in which all is well. */
const stateFlags = [
  [/^((is|has)(failed|errors?)|failed)$/, true, 'failed'],
  [
    /^(is)?(inprogress|busy|underway|intransition|transitioning|updating|processing|creating|provisioning)$/,
    true,
    'busy',
  ],
  [/^(is)?(disabled|suspended|deactivated)$/, true, 'disabled'],
  [/^(is)?enabled$/, false, 'disabled'],
  [/^(is)?(ready|available|provisioned)$/, false, 'busy'],
  [/^(is)?(stopped|paused|offline)$/, true, 'stopped'],
  [/^(is)?(running|online|active|up|started)$/, false, 'stopped'],
  [/^(is)?(running|online|active|up|started)$/, true, 'ok'],
  [/^(is)?(ready|available)$/, true, 'ok'],
  [/^(is)?enabled$/, true, 'ok'],
  [/^(is)?(disabled|suspended|stopped|paused)$/, false, 'ok'],
] as const;

/** A state: the record's own word, and its class. `isVague` says that the word tells only that all is well. */
export type State = Readonly<{ word: string; class: StateClass; isVague?: true }>;
type StateAt = Readonly<{ state: State; path: string }>;
type Flag = Readonly<{ leaf: Leaf; value: boolean; found: StateClass }>;

/** The state at the place that the mapping gives. */
export function toldState(leaf: Leaf | undefined, words: 'works' | 'outcomes', mapping: Mapping): StateAt | undefined {
  const word = leaf && withTold(words, oneLine(String(leaf.value)) ?? '', mapping);
  return leaf && word !== undefined ? { state: stateIn(word, stateClass(word, mapping)), path: leaf.shown } : undefined;
}

/** The state in a record's own values, and its place. */
export function findState(own: readonly Leaf[], mapping: Mapping): StateAt | undefined {
  const said = own.filter(leaf => isYes(leaf.value) !== undefined && !isReported(leaf));
  const flags = (said.length > 0 ? stateFlags : []).flatMap(([name, value, found]) => {
    const leaf = said.find(entry => name.test(entry.key) && isYes(entry.value) === value);
    return leaf ? [{ leaf, value, found }] : [];
  });
  const [flag] = flags;
  const weak = (leaf: Leaf | undefined) => (leaf && assumed.well.test(String(leaf.value)) ? undefined : leaf);
  const nearest = nearestState(own, assumed.state) ?? (flag ? undefined : weak(nearestState(own, assumed.weakState)));
  const leaf = (nearest && inWords(nearest, own)) ?? nearest;
  if (!leaf) return flag && flagged(flag);
  const word = withTold('works', oneLine(String(leaf.value)) ?? '', mapping);
  const found = stateClass(word, mapping);
  // `status: "SUCCEEDED"` beside `running: true` is the outcome of the last work.
  if (flag && found === 'ok' && isOutcome(word)) return flagged(flag);
  if (flag && found === 'ok' && saysMore(flag, word)) return flagged(flag);
  const disabled = flag?.found === 'disabled' && found !== 'failed' && found !== 'busy';
  return { state: stateIn(word, disabled ? 'disabled' : found), path: leaf.shown };
}

/** A state in a word of its own. One that is stopped or disabled may be "available", too. */
export function stateIn(word: string, found: StateClass): State {
  const isVague = found === 'ok' && (assumed.well.test(word) || assumed.there.test(word));
  return { word, class: found, ...(isVague ? { isVague } : {}) };
}

/** Whether a yes-or-no key tells what a word such as "Available" leaves open: that something is at work, or does not run. */
function saysMore({ leaf, value, found }: Flag, word: string): boolean {
  return (found === 'busy' && value) || (found === 'stopped' && /running$/.test(leaf.key) && !saysThatItRuns(word));
}

/** Whether a leaf may be a state: it is no yes or no, not blank, and no fact of a report, an error or another thing. */
function mayBeState(leaf: Leaf): boolean {
  return typeof leaf.value !== 'boolean' && String(leaf.value).trim() !== '' && !isReported(leaf) && !isOfOther(leaf);
}

const isOfOther = memoByPath(path =>
  path.slice(0, -1).some(part => assumed.error.includes(part) || assumed.otherState.test(part)),
);

/** The place of a state under one of the keys, directly or inside an object of that name. */
function nearestState(own: readonly Leaf[], keys: readonly string[]): Leaf | undefined {
  const direct = ranked(own, keys).find(mayBeState);
  // `state: {name: "RUNNING", code: 3}`: the word inside stands for the state, one level deeper.
  const inside = ranked(
    own.filter(({ path }) => path.length > 1 && keys.includes(path.at(-2) ?? '')),
    assumed.stateWord,
  ).find(mayBeState);
  return direct && inside ? (inside.path.length <= direct.path.length ? inside : direct) : (direct ?? inside);
}

/** The state that a yes-or-no key says. */
function flagged({ leaf, value, found }: Flag): StateAt {
  return { state: { word: `${leaf.shown.split('.').at(-1)}: ${value}`, class: found }, path: leaf.shown };
}

/** The word beside a state that is a number: `stateText: "Running"` beside `state: 3`. */
function inWords(state: Leaf, own: readonly Leaf[]): Leaf | undefined {
  if (!/^\d+$/.test(String(state.value))) return undefined;
  const beside = own.filter(
    leaf => mayBeState(leaf) && leaf.path.length === state.path.length && !/^\d+$/.test(String(leaf.value)),
  );
  return beside.find(leaf => assumed.stateWord.some(word => leaf.key === state.key + word));
}

/** Reads `true`, `"yes"`, `"N"` and the like; `undefined` for any other value. */
export function isYes(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || value.length > 5) return undefined;
  return /^(true|yes|y)$/i.test(value) ? true : /^(false|no|n)$/i.test(value) ? false : undefined;
}
