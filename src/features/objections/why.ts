import type { Button, ModalView } from '@slack/types';
import { looksAfterEnd } from '../../jobs/evidence/standingEnd.ts';
import { revokedBy } from '../../jobs/evidence/takenBack.ts';
import { asText, defineAction } from '../../slack/blocks/action.ts';
import { bareModal, section } from '../../slack/blocks/blocks.ts';
import { tookWords } from '../../slack/blocks/durationWords.ts';
import { moment } from '../../slack/blocks/moments.ts';
import { describeJob } from '../../slack/messages/jobWords.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/** The button on a job's message that shows what its end rests on. */
export const whyButton = defineAction('job.why', asText);

const basisOf = ({ endedAt, evidence }: Job) => (endedAt === null ? undefined : evidence?.basis);

/** The button of an end that a look told: of any other nobody knows what it rests on. */
export function buttonToAskWhy(job: Job): Button | undefined {
  return basisOf(job) && whyButton.button('Why?', job.id);
}

/** Shows what the end of a job rests on, and what would take it back; `undefined` where no look told one. */
export function whyView(job: Job): ModalView | undefined {
  const basis = basisOf(job);
  if (!basis) return undefined;
  const { title, word, told } = describeJob(job);
  const { row, caveat, others } = basis;
  const lines = [
    [job.state === 'unconfirmed' ? 'The last look showed' : 'What decided', `the rule “${row}”. ${told(700)}`],
    ['What speaks against it', caveat && `“${caveat}”.`],
    ['Since when', sinceWhen(job, basis)],
    ['Later looks', laterLooks(job)],
    ['Lower rules that also see something', others.length > 0 && `“${others.join('”, “')}”. The first one counts.`],
    ['All rules', '“What counts as evidence” in docs/jobs.md.'],
  ] as const;
  const shown = lines.flatMap(([label, text]) => (text ? [section(`*${label}:* ${text}`)] : []));
  return bareModal('Why this end', [section(`*${title}* · ${word}`), ...shown]);
}

function sinceWhen({ endedAt }: Job, { since }: NonNullable<Evidence['basis']>): string {
  const at = (time: number) => moment(time, '{time_secs}');
  const counted = endedAt === null ? '' : at(endedAt);
  if (since === undefined) return `My time to look ran out at ${counted}.`;
  return since === endedAt
    ? `I counted it at the first look that showed it, at ${counted}.`
    : `My looks have shown it since ${at(since)}; I counted it at ${counted}.`;
}

function laterLooks(job: Job): string {
  const revoked = revokedBy(job);
  if (revoked.length === 0)
    return 'None: nothing that I could find takes this end back. *That’s wrong…* makes me look again.';
  const times = looksAfterEnd.times.map(tookWords).join(' and ');
  const most = `up to ${looksAfterEnd.mostTakenBack} times`;
  return `${times} after that, with the sign-in of this job. I take the end back, ${most}, if ${revoked.join(', or ')}.`;
}
