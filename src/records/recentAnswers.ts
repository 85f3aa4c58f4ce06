import { LRUCache } from 'lru-cache';
import type { Call } from '../api/call.ts';
import { type Clock, isOlder, type Moment, thisMoment } from '../ground/clock.ts';
import type { Owner } from '../store/vault.ts';

/** The lifetime of an answer for pickers and names, in milliseconds. Follow-ups never read from here. */
const freshFor = 15_000;
/** The maximum length of all remembered answers as text, in characters. In memory they take a few times as much. */
const maxText = 64 * 1024 * 1024;
/** What even an empty answer takes, in characters. */
const leastSize = 4 * 1024;

/** Recent answers of the service, remembered for each person apart: nobody sees the records of another. */
type RecentAnswers<SignIn> = {
  /**
   * The answer to a GET, at most 15 s old and asked for no earlier than `notBefore` (milliseconds since the epoch).
   * Simultaneous callers share one request. After a new sign-in, no older answer is used.
   */
  read(owner: Owner, signIn: SignIn, call: Call, notBefore?: number): Promise<unknown>;
};

/** Sends a GET with a person's sign-in; `measured` receives the length of the answer's text in characters. */
type Fetch<SignIn> = (owner: Owner, signIn: SignIn, call: Call, measured: (size: number) => void) => Promise<unknown>;

type Remembered = Readonly<{ at: Moment; answer: Promise<unknown> }>;

/** Opens a memory for the answers of `fetch`, bounded in their size: the oldest go first. */
export function openRecentAnswers<SignIn extends Readonly<{ since: number }>>(
  clock: Clock,
  fetch: Fetch<SignIn>,
): RecentAnswers<SignIn> {
  // The cache's own age limit knows only one clock, and reads real time in between. So age is checked here, by both
  // readings.
  const answers = new LRUCache<string, Remembered>({ maxSize: maxText });
  const isOld = ({ at }: Remembered) => isOlder(clock, at, freshFor);
  return {
    read({ team, person }, signIn, call, notBefore = 0) {
      for (const oldest of answers.rkeys()) {
        const kept = answers.peek(oldest);
        if (kept && !isOld(kept)) break;
        answers.delete(oldest);
      }
      const key = JSON.stringify([team, person, signIn.since, call.path]);
      // `peek` does not make an answer younger: the oldest goes first, however often it was read.
      const known = answers.peek(key);
      if (known && known.at.now >= notBefore && !isOld(known)) return known.answer;
      let size = leastSize;
      let kept: Remembered | undefined;
      const measured = (characters: number) => {
        // The newest answer is needed at once, so it is kept however large it is. It may leave no room for others.
        size = Math.min(Math.max(characters, leastSize), maxText);
        if (kept && answers.peek(key)?.answer === kept.answer) answers.set(key, { ...kept }, { size });
      };
      kept = { at: thisMoment(clock), answer: fetch({ team, person }, signIn, call, measured) };
      const { answer } = kept;
      answers.set(key, kept, { size });
      answer.catch(() => answers.peek(key)?.answer === answer && answers.delete(key));
      return answer;
    },
  };
}
