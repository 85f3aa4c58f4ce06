import { keyOf } from '../../jobs/approval/facts/fact.ts';
import { nameOfStep } from '../../jobs/plans/stepWords.ts';
import { isPlan, type Job, type Plan } from '../../store/jobs/rows/job.ts';
import { cut, limits, localTimes, plain } from '../blocks/limits.ts';

/** Max characters for facts: on a card, and for each job of a list. */
const room = { card: 2_800, list: 1_200 } as const;

/** The facts that stand in sentences of their own. */
const told: readonly string[] = ['dependents', 'beware'];

/** Every other fact of the target that an approver has to see, as a small line of mrkdwn. Many facts have short values. */
export function factNotes(job: Job, place: keyof typeof room): string[] {
  // The message of a plan shows its steps with their targets; a list names the steps. A request without steps has facts.
  if (isPlan(job) && job.steps.length > 0) return place === 'card' ? [] : [stepsOf(job, room.list)];
  const facts = (job.approval?.facts ?? []).filter(fact => !told.includes(keyOf(fact)));
  if (facts.length === 0) return [];
  const shown = (max: number) => facts.map(({ label, value }) => `${plain(label, 40)}: ${plain(value, max)}`);
  const texts =
    [2_500, 400, 200, 100, 60, 40].map(shown).find(some => some.join('  ·  ').length <= room[place]) ?? shown(20);
  return [localTimes(cut(texts.join('  ·  '), limits.sectionText - 500))];
}

/** Lists the facts of a job in one line, as they were at the time of the request. */
export function factsAsAsked(job: Job): string {
  if (isPlan(job) && job.steps.length > 0) return stepsOf(job, room.card);
  const facts = (job.approval?.facts ?? []).map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return localTimes(cut(`As it was when it was asked: ${facts.join('  ·  ')}`, limits.sectionText - 500));
}

/** The steps of a plan in one line, as many as there is room for. */
function stepsOf({ steps }: Plan, most: number): string {
  const names = steps.map((step, at) => `${at + 1}. ${plain(nameOfStep(step), 80)}`);
  return cut(`${names.length === 1 ? '1 step' : `${names.length} steps`}: ${names.join('  ·  ')}`, most);
}
