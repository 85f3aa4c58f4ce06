import { z } from 'zod';
import { advance } from '../../jobs/advance.ts';
import { rejectNonRequester } from '../../jobs/approval/click.ts';
import { surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import type { Clerk, Judge, Mover, Parts } from '../../jobs/parts.ts';
import { lookAgain } from '../../jobs/requesterActions.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, message, said, wordsFor } from '../../slack/blocks/message.ts';
import { mustBeSignedIn } from '../../slack/desk/admission.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { saidInstead } from '../../slack/messages/jobMessage.ts';
import { describeJob, quoteOf } from '../../slack/messages/jobWords.ts';
import { whomItRings } from '../../slack/messages/ringing.ts';
import { type Objection, objections } from '../../store/jobs/rows/data.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';
import { fileForMakers } from './fileForMakers.ts';
import type { FilledObjection } from './objectionForm.ts';

/** The kind of message that tells, in the thread of a job, what somebody says of its end. */
export const objectionKind = 'objection';

const Told = z.object({
  by: z.string(),
  /** Whom it mentions: whoever asked for the job, where somebody else says it. */
  person: z.string().nullable(),
  /** The job in a few words, as mrkdwn. */
  title: z.string(),
  says: z.enum(objections),
  text: z.string(),
});

/** What somebody says of the end of a job. */
export const objectionMessage = wordsFor(
  Told,
  ({ by, person, title, says, text }) => {
    const called = person === null ? '' : `${mentionOf(person)} `;
    const quote = text.trim() === '' ? '' : `\n${quoteOf(text)}`;
    return message([
      section(`:speech_balloon: ${called}*${title}*: ${mentionOf(by)} disagrees: ${saidInstead[says]}.${quote}`),
    ]);
  },
  ({ person }) => whomItRings('correction', person === null ? [] : [person]),
);

/** The answer to a click about an end that was taken back meanwhile. */
export const wentOnSince = 'This job has moved on since. The message shows its status.';

/** Takes what people say of ends. */
export type Objector = Mover & Clerk & Judge & Parts<'outbox' | 'service'> & Desk<'log' | 'slack'>;

/**
 * Does what a person asks for who says that the end of a job is not so: the one who asked for it, or who approves. Another word
 * changes no end, which rests on records: it is told beside it.
 */
export async function objectTo(
  desk: Objector,
  interaction: Interaction,
  job: Job,
  filled: FilledObjection,
): Promise<Content> {
  const { team, person, channel } = interaction;
  if (person !== job.person && !(await surelyApproves(desk, interaction))) {
    await rejectNonRequester(desk, { job, click: { team, person, channel, digest: '' }, act: 'object' });
    return said(`Only ${mentionOf(job.person)}, who asked for it, and approvers can say this.`);
  }
  const { username: login } = await mustBeSignedIn(desk, interaction);
  if (job.endedAt === null || job.sentAt === null) return said(wentOnSince);
  const by = { actor: person, login, channel };
  const { answer } = filled;
  const done =
    answer === 'look' ? await looksAgain(desk, job, by) : await tells(desk, job, by, { ...filled, says: answer });
  return said(filled.wantsFile ? `${done} ${await fileForMakers(desk, interaction, job)}` : done);
}

/** Looks again; an end that its own look would not be asked for again is taken back first. */
async function looksAgain(desk: Objector, job: Job, by: Actor): Promise<string> {
  const isFirm = !isPlan(job) && (job.state === 'succeeded' || job.state === 'failed');
  if (!isFirm) return lookAgain(desk, job, by.channel ?? job.channel);
  const reason = `${by.login} disagrees, so I am looking again.`;
  const moved = await advance(desk, job, { type: 'takenBack', reason });
  return moved ? 'I’m checking again.' : wentOnSince;
}

async function tells(
  desk: Objector,
  job: Job,
  by: Actor,
  { says, text }: Readonly<{ says: Objection['says']; text: string }>,
): Promise<string> {
  const { objection: known } = job.evidence ?? {};
  if (known?.by === by.actor && known.says === says) return 'You have already said so.';
  if (!(await advance(desk, job, { type: 'objected', by, says }))) return wentOnSince;
  const now = desk.clock.now();
  const { title } = describeJob(job);
  const data: z.infer<typeof Told> = {
    by: by.actor,
    // Who changes their word rings nobody again.
    person: by.actor === job.person || known ? null : job.person,
    title,
    says,
    text,
  };
  const id = JSON.stringify([objectionKind, job.id, by.actor, now]);
  const about = { id, subject: job.id, team: job.team, kind: objectionKind, createdAt: now, isNews: true };
  await desk.outbox.add([{ ...about, data, to: { job: job.id } }]);
  return 'I noted it on the message and in the thread.';
}
