import type { Clock } from '../clock.ts';
import type { Call } from './call.ts';
import type { Service } from './client.ts';

/** How long an answer serves pickers and names, in milliseconds. Follow-ups never read from here. */
const freshFor = 15_000;
const mostAnswers = 64;

/** Who reads: the person, and the sign-in, after whose renewal nothing of before is shown. */
export type Reader = Readonly<{ team: string; person: string }>;
export type SignIn = Readonly<{ token: string; since: number }>;

/** Recent answers of the service, kept apart for each person: nobody sees what another may see. */
export type Library = {
  /** The answer to a GET, at most 15 s old. Those who ask at the same time share one request. */
  read(reader: Reader, signIn: SignIn, call: Call): Promise<unknown>;
};

/** A library over the service, bounded in number of answers: the oldest go first. */
export function openLibrary(service: Service, clock: Clock): Library {
  const answers = new Map<string, { at: number; answer: Promise<unknown> }>();
  return {
    read({ team, person }, { token, since }, call) {
      const key = JSON.stringify([team, person, since, call.path]);
      const kept = answers.get(key);
      if (kept && clock.now() - kept.at < freshFor) return kept.answer;
      const answer = service.fetch(token, call);
      answers.delete(key);
      answers.set(key, { at: clock.now(), answer });
      for (const oldest of answers.keys()) {
        if (answers.size <= mostAnswers) break;
        answers.delete(oldest);
      }
      answer.catch(() => answers.delete(key));
      return answer;
    },
  };
}
