import { assumed } from './assumptions.ts';
import { memoByKey, plainKey } from './jsonTree.ts';
import { readOutcome, wentWell } from './outcomes.ts';
import { deniesErrors } from './phrases.ts';
import type { RecordView } from './recordView.ts';
import { isYes } from './states.ts';

/** A time of work as far as what stands beside it goes. */
export type TimeBeside = Readonly<{
  /** Whether it may be the time of such work that was done. */
  counts: boolean;
  /** The word that takes that away, or that says it with a warning. */
  word?: string | undefined;
}>;

/** The work that a time is of: whether a type names other work, and whether the key of an object speaks of it. */
type WorkOfTime = Readonly<Record<'isOther' | 'isAbout', (words: string) => boolean>>;

/**
 * Reads what stands beside a time of work, under keys of the same stem (`lastBackupStatus` beside `lastBackupAt`) or in an
 * object that is about that work (`backup.status` beside `backup.lastRunAt`). An outcome that is not read as done, an error,
 * and a type of other work take its proof away, and a number under the key of a measure is none. A time beside which nothing
 * stands counts.
 */
export function readBeside(
  values: RecordView['values'],
  { path, value }: RecordView['values'][number],
  { isOther, isAbout }: WorkOfTime,
): TimeBeside {
  const [folder, key] = placeOf(path);
  if (/^[\d.]+$/.test(value) && assumed.measure.test(key)) return { counts: false };
  const stem = stemOf(key);
  const isInside = folder !== '' && isAbout(folder.slice(folder.lastIndexOf('.') + 1));
  let warning: string | undefined;
  for (const other of values) {
    if (other.path === path || !other.path.startsWith(folder)) continue;
    const [place, named] = placeOf(other.path);
    if (place !== folder) continue;
    const fact = factOf(named, stem, isInside);
    const against = fact && speaksAgainst(fact, other.value, isOther);
    if (against === true) return { counts: false, word: other.value };
    if (against === 'warns') warning = other.value;
  }
  return { counts: true, word: warning };
}

type Fact = 'outcome' | 'fault' | 'error' | 'type';

/** What a value says against the time beside it. A number may be a code of anything. */
function speaksAgainst(fact: Fact, value: string, isOther: (type: string) => boolean): boolean | 'warns' {
  if (value.trim() === '' || /^[\d.]+$/.test(value)) return false;
  switch (fact) {
    case 'type':
      return isOther(value);
    case 'error':
      return !deniesErrors(value) && isYes(value) !== false;
    case 'fault':
      return isYes(value) === true;
    case 'outcome': {
      if (isYes(value)) return false;
      const outcome = readOutcome(value);
      return outcome === 'warned' ? 'warns' : !wentWell(outcome);
    }
  }
}

/** The folder and the plain key of a dotted path. */
function placeOf(path: string): readonly [folder: string, key: string] {
  const at = path.lastIndexOf('.');
  return [path.slice(0, Math.max(at, 0)), plainKey(path.slice(at + 1))];
}

/** The key of a time without what says that it is one: what it is the time of, or '' where the object around it tells that. */
const stemOf = memoByKey((key): string => {
  const stem = key
    .replace(/^(last|latest|recent|previous|most)+/, '')
    .replace(/(at|on|time|timestamp|datetime|date|ts|utc|millis|ms|epoch)+$/, '')
    .replace(/(completed|completion|finished|finish|ended|end|done|run|ran|start|started|begun|began)+$/, '')
    .replace(/(ed|e)$/, '');
  return stem.length < 3 ? '' : stem;
});

const facts: readonly (readonly [RegExp, Fact])[] = [
  [/^(job|task|run)?(state|status|result|outcome|conclusion|phase|success|successful|succeeded|ok)$/, 'outcome'],
  [/^(has|is)?failed$/, 'fault'],
  [/^(job|task|run)?(error|errormessage|errortext|failure|failurereason|failuremessage)$/, 'error'],
  [/^(job|task|run)?(type|kind|mode|level|method|scope)$/, 'type'],
];

/** What a key tells of the work of a stem; `undefined` where it is about something else, such as `backupPolicy`. */
function factOf(key: string, stem: string, isInside: boolean): Fact | undefined {
  const plain = key.replace(/^(last|latest|recent|previous|most)+/, '');
  const rest = stem !== '' && plain.startsWith(stem) ? plain.slice(stem.length) : undefined;
  // What is said of `restoredAt` stands under `restoreStatus` or `restoredStatus`.
  const wanted = [...(isInside ? [plain] : []), ...(rest === undefined ? [] : [rest, rest.replace(/^ed?/, '')])];
  return facts.find(([names]) => wanted.some(name => names.test(name)))?.[1];
}
