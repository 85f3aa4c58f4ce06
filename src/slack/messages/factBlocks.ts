import type { SectionBlock } from '@slack/types';
import type { Job } from '../../store/jobs/job.ts';
import { mrkdwn } from '../blocks/blocks.ts';
import { limits, plain } from '../blocks/limits.ts';

/** Max characters for facts: on a card, and for each job of a list. */
const room = { card: 4_500, list: 1_200 } as const;

/** Shows every fact of the target that an approver has to see. If there are many, their values are cut. */
export function factSections(job: Job, place: keyof typeof room): SectionBlock[] {
  const facts = (job.approval?.facts ?? []).slice(0, 2 * limits.fields);
  const shown = (max: number) => facts.map(({ label, value }) => `*${plain(label, 40)}*\n${plain(value, max)}`);
  const texts = [400, 200, 100, 60, 40].map(shown).find(some => some.join('').length <= room[place]) ?? shown(20);
  const fields = texts.map(mrkdwn);
  // Slack shows ten fields a section.
  return [fields.slice(0, limits.fields), fields.slice(limits.fields)]
    .filter(some => some.length > 0)
    .map(some => ({ type: 'section', fields: some }));
}

/** Lists the facts of a job in one line, as they were at the time of the request. */
export function factsAsAsked(job: Job): string {
  const facts = (job.approval?.facts ?? []).map(({ label, value }) => `${plain(label, 40)}: ${plain(value, 150)}`);
  return `As it was when it was asked: ${facts.join('  ·  ')}`;
}
