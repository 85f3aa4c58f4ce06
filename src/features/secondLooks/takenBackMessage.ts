import { z } from 'zod';
import { section } from '../../slack/blocks/blocks.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { message, wordsFor } from '../../slack/blocks/message.ts';
import { localTimes } from '../../slack/blocks/moments.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import { describeJob } from '../../slack/messages/jobWords.ts';
import { whomItRings } from '../../slack/messages/ringing.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';

/** The kind of message that tells, in the thread of a job, that its end was taken back. */
export const takenBackKind = 'taken back';

const TakenBack = z.object({
  /** Whom it mentions; `null` for a run by the calendar, whose next end rings where it is a bad one. */
  person: z.string().nullable(),
  /** The job in a few words, as mrkdwn. */
  title: z.string(),
  reason: z.string(),
});

/** The message that the end of a job was taken back, for its thread or that of its plan. */
export function takenBackNotice(job: Job, id: string, now: number): NewNotice {
  const { team, person, schedule, plan, reason } = job;
  const { title } = describeJob(job);
  const data: z.infer<typeof TakenBack> = { person: schedule === null ? person : null, title, reason: reason ?? '' };
  const about = { id: `${takenBackKind} ${id}`, subject: job.id, team, kind: takenBackKind, createdAt: now };
  return { ...about, data, isNews: true, to: { job: plan ?? job.id } };
}

/** Says that an end was taken back. */
export const takenBackMessage = wordsFor(
  TakenBack,
  ({ person, title, reason }) => {
    const called = person === null ? '' : `${mentionOf(person)} `;
    return message([
      section(
        `:leftwards_arrow_with_hook: ${called}*${title}*: ${localTimes(plain(reason, 1000))} I’ll say how it ends.`,
      ),
    ]);
  },
  ({ person }) => whomItRings('correction', person === null ? [] : [person]),
);
