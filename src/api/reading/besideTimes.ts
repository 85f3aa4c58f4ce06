import { withoutMeaning } from '../../ground/wording.ts';
import { assumed } from './assumedKeys.ts';
import { memoByKey, plainKey } from './jsonTree.ts';
import { deniesErrors, readOutcome } from './outcomes.ts';
import type { RecordView } from './recordView.ts';
import { isYes } from './states.ts';
import { usualClass } from './stateWords.ts';

type Value = RecordView['values'][number];

/** A time of work as far as what stands beside it goes. */
export type TimeBeside = Readonly<{
  /** Whether it may be the time of such work that was done. */
  counts: boolean;
  /** The word that takes that away, or that says it with a warning; with its key where it is a yes, a no or a number. */
  word?: string | undefined;
}>;

/** The work that a time is of: whether a type names other work, and whether the keys of an object speak of it. */
type WorkOfTime = Readonly<Record<'isOther' | 'isAbout', (words: string) => boolean>>;

/**
 * Reads what stands beside a time of work, under keys of the same stem (`lastBackupStatus` or `backup.status` beside
 * `lastBackupAt`) or in an object that is about that work (`backup.status` beside `backup.lastRunAt`). An outcome that is not
 * read as done, an error, and a type of other work take its proof away, and a number under the key of a measure is none. A time
 * beside which nothing stands counts.
 */
export function readBeside(values: readonly Value[], { path, value }: Value, work: WorkOfTime): TimeBeside {
  const at = path.lastIndexOf('.');
  const [folder, key] = [path.slice(0, at + 1), plainKey(withoutMeaning(path.slice(at + 1)))];
  if (isNumber(value) && assumed.measure.test(key)) return { counts: false };
  const stem = stemOf(key);
  const isInside = folder !== '' && work.isAbout(folder);
  let warning: string | undefined;
  for (const other of values) {
    if (other.path === path || !other.path.startsWith(folder)) continue;
    const fact = factOf(other.path.slice(folder.length), stem, isInside);
    const against = fact && speaksAgainst[fact](other.value, work);
    if (against === true) return { counts: false, word: sayingOf(other) };
    if (against === 'warns') warning = other.value;
  }
  return { counts: true, word: warning };
}

const isNumber = (value: string) => /^-?[\d.]+$/.test(value);
const isCount = (value: string) => isNumber(value) && Number(value) !== 0;

/** What a value of each kind says against the time beside it. A number may be a code of anything, unless its key counts errors. */
const speaksAgainst = {
  outcome(value) {
    if (value.trim() === '' || isNumber(value) || isYes(value)) return false;
    const outcome = readOutcome(value);
    // AVAILABLE and VALID are states of what was made.
    if (outcome === 'unknown') return usualClass(value) !== 'ok';
    return outcome === 'warned' ? 'warns' : outcome !== 'done';
  },
  fault: value => isYes(value) === true,
  error: value => isCount(value) || (!isNumber(value) && !deniesErrors(value) && isYes(value) !== false),
  remark: value => ['failed', 'partial'].includes(readOutcome(value)),
  type: (value, { isOther }) => isOther(value),
} as const satisfies Record<string, (value: string, work: WorkOfTime) => boolean | 'warns'>;
type TimeDoubt = keyof typeof speaksAgainst;

function sayingOf({ path, value }: Value): string {
  return isYes(value) === undefined && !isNumber(value) ? value : `${path.slice(path.lastIndexOf('.') + 1)}: ${value}`;
}

/** The key of a time without what says that it is one: what it is the time of, or '' where the object around it tells that. */
const stemOf = memoByKey((key): string => {
  const stem = withoutOrder(key)
    .replace(/(at|on|time|timestamp|datetime|date|ts|utc|millis|ms|epoch)+$/, '')
    .replace(/(completed|completion|finished|finish|ended|end|done|run|ran|start|started|begun|began)+$/, '')
    .replace(/(ed|e)$/, '');
  return stem.length < 3 ? '' : stem;
});

function withoutOrder(key: string): string {
  return key.replace(/^(is|was|has|last|latest|recent|previous|most)+/, '');
}

const facts: readonly (readonly [RegExp, TimeDoubt])[] = [
  [
    /^(job|task|run|final|completion)?(state|status|result|outcome|conclusion|phase)(name|word|text|value|code|state|status)?$/,
    'outcome',
  ],
  [/^(was|is)?(success|successful|succeeded|ok)$/, 'outcome'],
  [/^(has|is|was)?(failed|unsuccessful)$/, 'fault'],
  [/^(job|task|run)?(errors?|failures?|exception)(message|text|reason|code|count)?$|^(exit|return)code$/, 'error'],
  [/^(status|result)?(message|msg|remark|reason|details?|summary)$/, 'remark'],
  [/^(job|task|run)?(type|kind)$/, 'type'],
];

/** What keys tell of the work of a stem; `undefined` where they are about something else, such as `backupPolicy`. */
function factOf(path: string, stem: string, isInside: boolean): TimeDoubt | undefined {
  const plain = withoutOrder(plainKey(path));
  const rest = stem !== '' && plain.startsWith(stem) ? plain.slice(stem.length) : undefined;
  // What is said of `restoredAt` stands under `restoreStatus` or `restoredStatus`.
  const wanted = [...(isInside ? [plain] : []), ...(rest === undefined ? [] : [rest, rest.replace(/^ed?/, '')])];
  return wanted.length === 0 ? undefined : facts.find(([names]) => wanted.some(name => names.test(name)))?.[1];
}
