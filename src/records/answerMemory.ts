import { LRUCache } from 'lru-cache';
import type { Call } from '../api/call.ts';
import { ageOf, type Clock, type Moment, thisMoment, wasSetSince } from '../ground/clock.ts';
import type { Owner } from '../store/vault.ts';

/** How long an answer serves pickers and names, in milliseconds. Follow-ups never read from here. */
const freshFor = 15_000;
const maxAnswers = 64;
/** The most text that the remembered answers came as, in characters; in memory they take a few times as much. */
const maxText = 64 * 1024 * 1024;

/** Recent answers of the service, remembered apart for each person: nobody sees what another may see. */
export type AnswerMemory<SignIn> = {
  /**
   * The answer to a GET, at most 15 s old and not asked for before `notBefore` (milliseconds since the epoch). Those who
   * ask at the same time share one request. After a new sign-in nothing of before is shown.
   */
  read(owner: Owner, signIn: SignIn, call: Call, notBefore?: number): Promise<unknown>;
};

/** Sends a GET with a person's sign-in; `measured` is told the length of the answer's text. */
type Fetch<SignIn> = (owner: Owner, signIn: SignIn, call: Call, measured: (size: number) => void) => Promise<unknown>;

type Remembered = Readonly<{ at: Moment; answer: Promise<unknown> }>;

/** A memory of what `fetch` gives, bounded in the number and the size of answers: the oldest go first. */
export function openAnswerMemory<SignIn extends Readonly<{ since: number }>>(
  clock: Clock,
  fetch: Fetch<SignIn>,
): AnswerMemory<SignIn> {
  // Its own age limit knows one clock only, and reads real time in between: age is checked here, by both readings.
  const answers = new LRUCache<string, Remembered>({ max: maxAnswers, maxSize: maxText });
  const isOld = ({ at }: Remembered) => ageOf(clock, at) >= freshFor || wasSetSince(clock, at);
  return {
    read({ team, person }, signIn, call, notBefore = 0) {
      for (const oldest of answers.rkeys()) {
        const kept = answers.peek(oldest);
        if (kept && !isOld(kept)) break;
        answers.delete(oldest);
      }
      const key = JSON.stringify([team, person, signIn.since, call.path]);
      // A look at it does not make it younger: the oldest goes first, however often it was read.
      const known = answers.peek(key);
      if (known && known.at.now >= notBefore && !isOld(known)) return known.answer;
      let size = 1;
      let kept: Remembered | undefined;
      const measured = (characters: number) => {
        // The newest is needed at once, however large it is; it may be all that there is room for.
        size = Math.min(Math.max(characters, 1), maxText);
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
