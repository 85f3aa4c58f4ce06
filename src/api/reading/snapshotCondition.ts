import { day } from '../../ground/durations.ts';
import { readTime } from '../../ground/timeText.ts';
import { assumed } from './assumedKeys.ts';
import { type Leaf, memoByPath } from './jsonTree.ts';
import { deniesErrors, readOutcome } from './outcomes.ts';
import { readPhrase } from './phrases.ts';
import { saysDeleted } from './recordFacts.ts';
import { findState, isYes } from './states.ts';
import { farthestZone } from './times.ts';

/** What the object that stands for a snapshot says of its use; `{}` where nothing stands in its way. */
export type Condition = Readonly<{
  /** Why it is of no use, by its state or by a yes. A word that nobody knows says nothing against it. */
  unfit?: 'failed' | 'partial' | 'making' | 'deleting' | 'deleted' | 'expired';
  /** The time from which on the service need not have it any more, and by how much that may be off, in milliseconds. */
  expires?: Readonly<{ at: number; doubt: number }>;
}>;

/** Reads the condition from the plain values of an object; `undefined` where they say nothing of it. */
export function conditionIn(own: readonly Leaf[]): Condition | undefined {
  // Lists have hundreds of thousands of snapshots, and few keys of these kinds.
  const telling = own.filter(leaf => bearingOf(leaf) !== undefined);
  const unfit = unfitBy(own, telling);
  const expires = expiryIn(telling);
  if (unfit === undefined && expires === undefined) return undefined;
  return { ...(unfit && { unfit }), ...(expires && { expires }) };
}

function unfitBy(own: readonly Leaf[], telling: readonly Leaf[]): Condition['unfit'] {
  const isSaid = (bearing: string) => telling.some(leaf => bearingOf(leaf) === bearing && isYes(leaf.value) === true);
  const { word, class: found } = findState(own, {})?.state ?? { word: '', class: 'unknown' };
  if (assumed.deletedState.test(word) || telling.some(saysDeleted)) return 'deleted';
  if (isSaid('expired')) return 'expired';
  if (isSaid('partial')) return 'partial';
  const isDenied = telling.some(leaf => bearingOf(leaf) === 'whole' && isYes(leaf.value) === false);
  if (isDenied) return 'failed';
  if (found === 'ok') return undefined;
  const { words: parts } = readPhrase(word);
  if (parts.includes('expired')) return 'expired';
  // A snapshot is what work left: its word may be an outcome.
  const outcome = readOutcome(word);
  if (outcome === 'partial') return 'partial';
  if (found === 'busy' || outcome === 'busy') {
    if (parts.some(part => usesIt.test(part))) return undefined;
    return parts.some(part => endsIt.test(part)) ? 'deleting' : 'making';
  }
  const hasError = telling.some(({ value, ...leaf }) => bearingOf(leaf) === 'error' && !deniesErrors(String(value)));
  return found === 'failed' || outcome === 'failed' || hasError ? 'failed' : undefined;
}

/** Beginnings of words for what is done with a snapshot that is there. */
const usesIt = /^(clon|restor|verif|validat|mount|shar|replicat)/;

/** Beginnings of words in the state of a snapshot that is on its way out. */
const endsIt = /^(delet|remov|purg|drop|destroy|eras|expir)/;

/** The expiry of an object's own, and not that of a link or a lock in it. A date alone lasts until its end. */
function expiryIn(telling: readonly Leaf[]): Condition['expires'] {
  for (const leaf of telling) {
    const time = bearingOf(leaf) === 'expiry' ? readTime(leaf.value) : undefined;
    if (!time) continue;
    const isDate = /^\d{4}-\d\d-\d\d$/.test(String(leaf.value));
    return { at: isDate ? time.at + day : time.at, doubt: time.isZoned ? 0 : farthestZone };
  }
  return undefined;
}

/** What a value may tell of the use of a snapshot, by the keys that lead to it. */
const bearingOf = memoByPath((path): 'expiry' | 'expired' | 'deletion' | 'partial' | 'whole' | 'error' | undefined => {
  const [key, whole] = [path.at(-1) ?? '', path.join('')];
  if (/^(is)?expired$/.test(whole)) return 'expired';
  if (/^(is)?partial$/.test(whole)) return 'partial';
  if (/^(is)?(success|successful|succeeded|completed?|valid|usable|ok)$/.test(whole)) return 'whole';
  if (assumed.error.includes(whole)) return 'error';
  if (assumed.deleted.test(key) || assumed.deletedAt.test(key)) return 'deletion';
  return expiryKeys.test(whole) ? 'expiry' : undefined;
});

const expiryKeys =
  /^(snapshot|backup|retention|lifecycle|validity)*(expir(e|es|ed|y|ation)?|(valid|available|usable|retain|retained|retention|keep|kept)(until|till|to|through)|retentionends?|(delete|deletion|remove|removal|purge)s?(after|at|on|due|date|time))(at|on|date|time|datetime|timestamp|ts)*$/;
