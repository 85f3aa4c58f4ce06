import type { ContextBlock } from '@slack/types';
import { keyOf } from '../../jobs/approval/fact.ts';
import type { Job } from '../../store/jobs/job.ts';
import { context } from '../blocks/blocks.ts';
import { cut, limits, localTimes, plain } from '../blocks/limits.ts';

/** Max characters for facts: on a card, and for each job of a list. */
const room = { card: 2_800, list: 1_200 } as const;

/** The facts that stand in sentences of their own. */
const told: readonly string[] = ['dependents', 'beware'];

/** Shows every other fact of the target that an approver has to see, in a small line. Many facts have short values. */
export function factNotes(job: Job, place: keyof typeof room): ContextBlock[] {
  const facts = (job.approval?.facts ?? []).filter(fact => !told.includes(keyOf(fact)));
  if (facts.length === 0) return [];
  const shown = (max: number) => facts.map(({ label, value }) => `${plain(label, 40)}: ${plain(value, max)}`);
  const texts = [400, 200, 100, 60, 40].map(shown).find(some => some.join('  ·  ').length <= room[place]) ?? shown(20);
  return [context(localTimes(cut(texts.join('  ·  '), limits.sectionText - 500)))];
}

/** Lists the facts of a job in one line, as they were at the time of the request. */
export function factsAsAsked(job: Job): string {
  const facts = (job.approval?.facts ?? []).map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return localTimes(cut(`As it was when it was asked: ${facts.join('  ·  ')}`, limits.sectionText - 500));
}
