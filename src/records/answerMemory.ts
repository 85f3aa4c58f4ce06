import type { Call } from '../api/call.ts';
import type { Service } from '../api/connection/serviceClient.ts';
import { ageOf, type Clock, type Moment, thisMoment, wasSetSince } from '../ground/clock.ts';

/** How long an answer serves pickers and names, in milliseconds. Follow-ups never read from here. */
const freshFor = 15_000;
const mostAnswers = 64;
/** How much text the kept answers may have come as, in characters; in memory they take a few times as much. */
const mostText = 64 * 1024 * 1024;

/** Who reads: the person, and the sign-in, after whose renewal nothing of before is shown. */
export type Reader = Readonly<{ team: string; person: string }>;
export type SignIn = Readonly<{ token: string; since: number }>;

/** Recent answers of the service, kept apart for each person: nobody sees what another may see. */
export type Library = {
  /**
   * The answer to a GET, at most 15 s old and not asked for before `notBefore` (milliseconds since the epoch). Those who
   * ask at the same time share one request.
   */
  read(reader: Reader, signIn: SignIn, call: Call, notBefore?: number): Promise<unknown>;
};

/** A library over the service, bounded in the number and the size of answers: the oldest go first, as do the old. */
export function openLibrary(service: Service, clock: Clock): Library {
  const answers = new Map<string, { at: Moment; size: () => number; answer: Promise<unknown> }>();
  const isOld = (at: Moment) => ageOf(clock, at) >= freshFor || wasSetSince(clock, at);
  const tidy = (): void => {
    let size = [...answers.values()].reduce((sum, kept) => sum + kept.size(), 0);
    for (const [key, kept] of answers) {
      const isOver = isOld(kept.at) || answers.size > mostAnswers || size > mostText;
      // The newest is needed at once, however large it is.
      if (!isOver || answers.size === 1) break;
      answers.delete(key);
      size -= kept.size();
    }
  };
  return {
    read({ team, person }, { token, since }, call, notBefore = 0) {
      const key = JSON.stringify([team, person, since, call.path]);
      const known = answers.get(key);
      if (known && known.at.now >= notBefore && !isOld(known.at)) return known.answer;
      let size = 0;
      const answer = service.fetch(token, call, characters => {
        size = characters;
        tidy();
      });
      const kept = { at: thisMoment(clock), size: () => size, answer };
      answers.delete(key);
      answers.set(key, kept);
      tidy();
      answer.catch(() => answers.get(key) === kept && answers.delete(key));
      return answer;
    },
  };
}
