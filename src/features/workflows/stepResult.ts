import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { legible, withoutHidden } from '../../records/legible.ts';
import { plain } from '../../slack/blocks/limits.ts';
import { connectionIn } from '../../slack/messages/jobMessage.ts';
import { sentenceOf } from '../../slack/messages/jobSentence.ts';
import { nameOf } from '../../slack/messages/jobWords.ts';
import type { EndedJob } from '../../store/jobs/job.ts';
import type { StepResult } from './execution.ts';

/** Max characters of an output and of an error. */
const longest = 1_000;

/**
 * The outcome of a step by the end of its job. Only what the records confirmed counts as done: a later step of the
 * workflow rests on it. `link` is the address of the job's message.
 */
export function resultOfJob(job: EndedJob, link: string | undefined): StepResult {
  if (job.state !== 'succeeded') return { error: plain(sentenceOf(job), longest) };
  const { evidence } = job;
  const connection = evidence && connectionIn(job, evidence);
  return {
    outputs: {
      outcome: 'confirmed',
      name: legible(evidence?.name ?? nameOf(job)),
      identifier: job.claimed ?? evidence?.id ?? job.target,
      connection: connection === undefined ? '' : withoutHidden(maskSurePasswords(connection)),
      link: link ?? '',
    },
  };
}
