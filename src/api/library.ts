import type { Clock } from '../clock.ts';
import type { Call } from './call.ts';
import type { Service } from './client.ts';
import { isTree } from './tree.ts';

/** How long an answer serves pickers and names, in milliseconds. Follow-ups never read from here. */
const freshFor = 15_000;
const mostAnswers = 64;
/** Fifty thousand records take about 100 MB of memory. */
const mostEntries = 100_000;

/** Who reads: the person, and the sign-in, after whose renewal nothing of before is shown. */
export type Reader = Readonly<{ team: string; person: string }>;
export type SignIn = Readonly<{ token: string; since: number }>;

/** Recent answers of the service, kept apart for each person: nobody sees what another may see. */
export type Library = {
  /** The answer to a GET, at most 15 s old. Those who ask at the same time share one request. */
  read(reader: Reader, signIn: SignIn, call: Call): Promise<unknown>;
};

type Kept = { at: number; answer: Promise<unknown>; entries: number };

/** A library over the service, bounded in number of answers and of list entries in them: the oldest go first. */
export function openLibrary(service: Service, clock: Clock): Library {
  const answers = new Map<string, Kept>();
  const sweep = () => {
    let entries = [...answers.values()].reduce((sum, kept) => sum + kept.entries, 0);
    for (const [key, kept] of answers) {
      const isOld = clock.now() - kept.at >= freshFor;
      const isTooMuch = answers.size > mostAnswers || (entries > mostEntries && answers.size > 1);
      if (!isOld && !isTooMuch) break;
      answers.delete(key);
      entries -= kept.entries;
    }
  };
  return {
    read({ team, person }, { token, since }, call) {
      sweep();
      const key = JSON.stringify([team, person, since, call.path]);
      const known = answers.get(key);
      if (known) return known.answer;
      const kept: Kept = { at: clock.now(), answer: service.fetch(token, call), entries: 0 };
      answers.set(key, kept);
      kept.answer.then(
        body => {
          kept.entries = entriesIn(body);
          sweep();
        },
        () => answers.delete(key),
      );
      return kept.answer;
    },
  };
}

/** How many entries the longest list near the top of an answer has: what it takes of memory, roughly. */
function entriesIn(body: unknown, depth = 0): number {
  if (Array.isArray(body)) return body.length;
  if (!isTree(body) || depth > 3) return 0;
  const inner = Object.values(body);
  return Math.max(depth === 0 ? 1 : inner.length, ...inner.slice(0, 100).map(value => entriesIn(value, depth + 1)));
}
