import { type Leaf, memoByPath, plainKey } from './jsonTree.ts';
import { deniesErrors, type Outcome } from './outcomes.ts';
import { isYes } from './states.ts';
import { timeOf } from './times.ts';

/* Whether what stands together says that its work goes on after the end of one try, or waits in a queue. */

/** A plain value under its keys, with dots between them. */
type PlainFact = Readonly<{ path: string; value: unknown }>;

/** The ends of keys, without marks and blanks, that count tries, or tell when the next one comes. */
const keys = {
  now: /(?:(?:attempt|retry|retries)(?:s?no|s?number|s?count)?|^tr(?:y|ies))$/,
  share: /(?:attempts?|tr(?:y|ies)|retry|retries)$/,
  most: /(?:(?:max(?:imum)?|total|allowed)(?:attempts?|tries|retries)|(?:attempts?|retry|retries)(?:max(?:imum)?|total|limit|allowed))$/,
  left: /(?:(?:attempts?|tries|retries)(?:left|remaining)|(?:left|remaining)(?:attempts?|tries|retries))$/,
  next: /(?:(?:next|will)(?:attempt|retry|try)|retrynext|retry(?=at|on|in|time|scheduled|pending))(?:at|on|in|time|date|scheduled|pending)*$/,
  queue: /(?:queue(?:d)?(?:position|place|no|number)|positioninqueue)$/,
} as const;
/** Words by which a text tells which try of how many it speaks of. */
const counted = /\b(?:attempt|try|retry)\s*#?\s*(\d{1,6})\s*(?:of|\/|out of)\s*(\d{1,6})\b/i;
/** The same as the value of a key that counts tries: “1 of 2”. */
const share = /^#?(\d{1,6})\s*(?:of|\/|out of)\s*(\d{1,6})$/i;
/** Words by which it announces the next one. */
const announced =
  /(?<!\bno )\b(?:will (?:be retried|retry|try again)|next (?:attempt|try|retry)|(?:retry|attempt) (?:scheduled|pending|follows)|retry(?:ing)? (?:at|in)|waiting for (?:a |the |its )?(?:next )?(?:attempt|retry))\b/i;

/** Which try a report tells of, and the most that there can be. */
export type Attempts = Readonly<{ now: number; most: number | undefined }>;

export function attemptsIn(own: readonly Leaf[], outcome: Outcome): Readonly<{ attempts?: Attempts }> {
  const { attempt, attempts } = outcome === 'done' ? {} : attemptPlaces(own);
  return attempt ? { attempts: { now: Number(attempt.value), most: attempts && Number(attempts.value) } } : {};
}

/** Where a report counts its tries. */
export function attemptPlaces(
  own: readonly Leaf[],
): Readonly<Partial<Record<'attempt' | 'attempts', Leaf | undefined>>> {
  const counts = own.filter(leaf => countsTries(leaf) && /^\d{1,6}$/.test(String(leaf.value)));
  const countAt = (pattern: RegExp) => counts.find(({ path }) => pattern.test(path.join('')));
  return { attempt: countAt(keys.now), attempts: countAt(keys.most) };
}

const countsTries = memoByPath(path => [keys.now, keys.most].some(pattern => pattern.test(path.join(''))));

/** The bare number of a try announces nothing: it may be the only one. */
export function announcesMore(facts: readonly PlainFact[]): boolean {
  const all = facts.map(({ path, value }) => ({ key: path.split('.').map(plainKey).join(''), value }));
  const numberAt = (keys: RegExp) => {
    const found = all.find(({ key, value }) => keys.test(key) && /^\d{1,6}$/.test(String(value)));
    return found && Number(found.value);
  };
  if ((numberAt(keys.queue) ?? 0) > 0) return true;
  const left = numberAt(keys.left);
  if (left !== undefined) return left > 0;
  const [now, most] = [numberAt(keys.now), numberAt(keys.most)];
  if (now !== undefined && most !== undefined) return now < most;
  const says = ({ key, value }: (typeof all)[number]) => {
    if (keys.next.test(key)) return isToCome(value);
    return (keys.share.test(key) ? isEarlier(share, value) : undefined) ?? saysMore(value);
  };
  return all.some(says);
}

function isToCome(value: unknown): boolean {
  return isYes(value) ?? (timeOf(value) !== undefined || /^(?:scheduled|pending|planned)$/i.test(String(value).trim()));
}

function saysMore(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return isEarlier(counted, value) ?? (announced.test(value) && !deniesErrors(value));
}

/** Whether a text counts a try that is not the last one; `undefined` where it counts none. */
function isEarlier(words: RegExp, value: unknown): boolean | undefined {
  const [, now, most] = words.exec(String(value).trim()) ?? [];
  return most === undefined ? undefined : Number(now) < Number(most);
}
