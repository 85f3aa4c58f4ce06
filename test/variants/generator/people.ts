import type { Draw } from './draw.ts';
import type { Work } from './estate.ts';
import type { Journey } from './journeys.ts';
import type { Said } from './verdicts.ts';

/** How people answer when Dolly asks whether a record is ready: nobody does, each as it is, or each wrongly. */
export type Answers = 'never' | 'truly' | 'wrongly';

export const drawAnswers = (draw: Draw): Answers => draw('never', 'never', 'truly', 'truly', 'wrongly');

/** What was asked for, what its message said, and which buttons its person pressed on it. */
export type Asked = Readonly<{ journey: Journey; said: Said[]; answered: string[] }>;

const asked = /Yes, it is (ready|stopped|disabled)/;
/** So long a person takes to look, in milliseconds. */
const looks = 15_000;

/** The button that the person of a job presses now on the question in its message; `undefined` where there is nothing to press. */
export function answerTo(
  { said, answered }: Asked,
  answers: Answers,
  work: Work | undefined,
  now: number,
): string | undefined {
  const last = said.at(-1);
  const questions = said.filter(({ text }) => asked.test(text)).length;
  const [ready] = asked.exec(last?.text ?? '') ?? [];
  if (answers === 'never' || !last || ready === undefined || answered.length >= questions) return undefined;
  const buttons = { ready, working: 'No, still working', failed: 'It failed' } as const;
  if (now - last.at < looks) return undefined;
  const truth = !work || now < work.endsAt ? 'working' : work.ending === 'succeeded' ? 'ready' : 'failed';
  if (answers === 'truly') return buttons[truth];
  return buttons[truth === 'ready' ? 'failed' : 'ready'];
}
