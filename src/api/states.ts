import { assumed } from './assumptions.ts';
import type { Mapping } from './mapping.ts';
import { type Leaf, ofKey, oneLine, ranked, words } from './tree.ts';

/**
 * How a state word is understood, which the specification does not show (spec §3). The first row with a word that occurs
 * decides: what goes on outweighs what is.
 */
const stateWords = [
  [
    'failed',
    words(
      'failed failure error errors errored broken crashed aborted cancelled canceled rejected timeout timedout corrupt corrupted invalid unhealthy nothealthy unusable faulted fatal',
    ),
  ],
  [
    'busy',
    words(
      'creating provisioning cloning pending queued waiting starting stopping shutting running_job inprogress progress processing preparing initializing initialising building copying restoring recovering refreshing resetting converting switching sharing mounting deleting disabling enabling backingup syncing synchronizing scheduled submitted working busy notready notavailable unavailable unreachable loading updating new accepted being creation deletion transition transitioning ongoing underway executing',
    ),
  ],
  ['disabled', words('disabled disable inactive deactivated suspended blocked locked')],
  [
    'stopped',
    words('stopped down offline shutdown closed terminated halted off paused notrunning notstarted notonline dormant'),
  ],
  [
    'ok',
    words(
      'running active online up ready open opened available ok okay enabled healthy normal started mounted completed complete done success successful succeeded finished created provisioned restored deployed live good green valid connected idle',
    ),
  ],
] as const;

/** Yes-or-no keys that say a state where no word does, or that add "disabled" to one. */
const stateFlags = [
  ['failed', true, 'failed'],
  ['iserror', true, 'failed'],
  ['disabled', true, 'disabled'],
  ['isdisabled', true, 'disabled'],
  ['enabled', false, 'disabled'],
  ['isenabled', false, 'disabled'],
  ['inprogress', true, 'busy'],
  ['busy', true, 'busy'],
  ['running', false, 'stopped'],
  ['isrunning', false, 'stopped'],
  ['online', false, 'stopped'],
  ['active', false, 'stopped'],
  ['running', true, 'ok'],
  ['isrunning', true, 'ok'],
  ['online', true, 'ok'],
  ['active', true, 'ok'],
  ['isactive', true, 'ok'],
  ['ready', true, 'ok'],
  ['enabled', true, 'ok'],
  ['isenabled', true, 'ok'],
  ['disabled', false, 'ok'],
] as const;

export type StateClass = 'ok' | 'busy' | 'failed' | 'stopped' | 'disabled' | 'unknown';
const classes: readonly string[] = ['ok', 'busy', 'failed', 'stopped', 'disabled'];

function isClass(text: string): text is StateClass {
  return classes.includes(text);
}

/** A state as the record says it, and how it is understood. */
export type State = Readonly<{ word: string; class: StateClass }>;
type Found = Readonly<{ state: State; path: string }>;

const negations = ['not', 'no'];

/** How a state word is understood: `RUNNING` is ok, `CREATE_FAILED` is failed; unknown words stay unknown. */
export function stateClass(word: string, mapping: Mapping = {}): StateClass {
  const mapped = Object.entries(mapping.states ?? {}).find(([, known]) =>
    known?.some(entry => entry.toLowerCase() === word.toLowerCase()),
  );
  return mapped && isClass(mapped[0]) ? mapped[0] : usualClass(word);
}

const usualClass = ofKey((word): StateClass => {
  const parts = word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  // "NOT RUNNING" and "un-available" are words of their own, not the word behind them.
  const joined = parts.flatMap((part, at) =>
    negations.includes(part)
      ? [`${part}${parts[at + 1] ?? ''}`]
      : negations.includes(parts[at - 1] ?? '')
        ? []
        : [part],
  );
  const all = new Set([...joined, parts.join('')]);
  return stateWords.find(([, known]) => known?.some(entry => all.has(entry)))?.[0] ?? 'unknown';
});

/** The state in a record's own values, and where it was read. `path` is the mapping's, if there is one. */
export function stateOf(own: readonly Leaf[], mapping: Mapping, path: string | undefined): Found | undefined {
  const mapped = path === undefined ? undefined : own.find(leaf => leaf.shown === path);
  if (mapped) {
    const word = oneLine(String(mapped.value)) ?? '';
    return { state: { word, class: stateClass(word, mapping) }, path: mapped.shown };
  }
  const said = own.filter(leaf => isYes(leaf.value) !== undefined);
  const flags = stateFlags.flatMap(([name, value, found]) => {
    const leaf = said.find(entry => entry.key === name && isYes(entry.value) === value);
    return leaf ? [{ leaf, name, value, found }] : [];
  });
  const [flag] = flags;
  const candidates = own.filter(
    leaf =>
      typeof leaf.value !== 'boolean' &&
      String(leaf.value).trim() &&
      !leaf.path.slice(0, -1).some(part => assumed.error.includes(part) || assumed.otherState.includes(part)),
  );
  const direct = ranked(candidates, assumed.state)[0];
  // `state: {name: "RUNNING", code: 3}`: the word inside stands for the state, one level deeper.
  const inside = ranked(
    candidates.filter(leaf => assumed.state.includes(leaf.path.at(-2) ?? '')),
    assumed.stateWord,
  )[0];
  const nearest = direct && inside ? (inside.path.length <= direct.path.length ? inside : direct) : (direct ?? inside);
  const leaf = (nearest && inWords(nearest, candidates)) ?? nearest;
  if (!leaf)
    return (
      flag && {
        state: { word: `${flag.leaf.shown.split('.').at(-1)}: ${flag.value}`, class: flag.found },
        path: flag.leaf.shown,
      }
    );
  const word = oneLine(String(leaf.value)) ?? '';
  const found = stateClass(word, mapping);
  const disabled = flag?.found === 'disabled' && found !== 'failed' && found !== 'busy';
  return { state: { word, class: disabled ? 'disabled' : found }, path: leaf.shown };
}

/** `stateText: "Running"` beside `state: 3`. */
function inWords(state: Leaf, candidates: readonly Leaf[]): Leaf | undefined {
  if (!/^\d+$/.test(String(state.value))) return undefined;
  const beside = candidates.filter(leaf => leaf.path.length === state.path.length && !/^\d+$/.test(String(leaf.value)));
  return beside.find(leaf => assumed.stateWord.some(word => leaf.key === state.key + word));
}

/** `true`, `"yes"`, `"N"` and the like; `undefined` for what is neither. */
export function isYes(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || value.length > 5) return undefined;
  return /^(true|yes|y)$/i.test(value) ? true : /^(false|no|n)$/i.test(value) ? false : undefined;
}
