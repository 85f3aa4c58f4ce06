import { rejectNonRequester } from '../../jobs/approval/click.ts';
import { leftOutNotes } from '../../jobs/approval/facts/secretValues.ts';
import type { Clerk, Mover } from '../../jobs/parts.ts';
import { goOn } from '../../jobs/plans/planActions.ts';
import { takeBackOf } from '../../jobs/plans/remedy.ts';
import { nothingLeft, retryBatch } from '../../jobs/plans/retryBatch.ts';
import { stepJobs } from '../../jobs/plans/turn.ts';
import { isBatch, operationOf } from '../../jobs/request.ts';
import { lookAgain, stopLooking, withdraw } from '../../jobs/requesterActions.ts';
import { writeValues } from '../../operations/fields.ts';
import { scheduleRequest } from '../../operations/requests/scheduleRequest.ts';
import { workflowRequest } from '../../operations/requests/workflowRequest.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import { mustBeAllowed } from '../desk/admission.ts';
import type { Desk, Doorkeeper, Greeter } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { reactTo } from '../desk/reaction.ts';
import { commandOf, type FormOpener, openAgain, openForm } from '../forms/openForm.ts';
import { signInOffer } from '../signIn/signIn.ts';
import { writeCommand } from '../words/commandText.ts';
import { jobActions } from './jobActions.ts';
import { complaintsOf } from './jobWords.ts';
import { unreadableJob } from './unreadable.ts';

/**
 * Reacts to the buttons of a job's message. Anybody who sees it may ask for the same again; the others are the
 * requester's.
 */
export const jobReactions = [
  reactTo(jobActions.look, steers('look', itself, lookAgain)),
  reactTo(jobActions.stop, steers('stop', itself, stopLooking)),
  reactTo(jobActions.withdraw, steers('withdraw', itself, withdraw)),
  reactTo(
    jobActions.retry,
    steers('retry', itself, async (parts, job, channel) =>
      isPlan(job) && isBatch(job) ? retryBatch(parts, job, channel) : nothingLeft,
    ),
  ),
  reactTo(
    jobActions.goOn,
    steers(
      'go on',
      ({ j }) => j,
      (parts, job, channel, { n }) => goOn(parts, job, channel, n),
    ),
  ),
  reactTo(jobActions.again, {
    perform: (desk: FormAsker, interaction, id) =>
      onJob(desk, interaction, id, job => askAgain(desk, interaction, job)),
  }),
  reactTo(jobActions.takeBack, {
    perform: (desk: FormAsker, interaction, id) =>
      onJob(desk, interaction, id, job => takeBack(desk, interaction, job)),
  }),
  reactTo(jobActions.signIn, {
    perform: (desk: Clerk & Greeter & Desk<'jobs'>, interaction, id) =>
      onOwnJob(desk, interaction, id, 'signin', () => signInOffer(desk, interaction, null)),
  }),
];

/** Asks for something more, by the form of an earlier job. */
type FormAsker = Doorkeeper & Desk<'jobs' | 'names'> & Readonly<{ forms: FormOpener & Readonly<{ greeter: Greeter }> }>;

/** Changes Dolly's work on a job. */
type Steerer = Mover & Desk<'audit' | 'records'>;

/** A click that changes Dolly's work on a job of the person's own; `act` is its name in the trail. */
function steers<V>(
  act: string,
  idOf: (value: V) => string,
  steer: (desk: Steerer, job: Job, channel: string, value: V) => Promise<string>,
) {
  return {
    acts: () => true,
    perform: (desk: Steerer, interaction: Interaction, value: V) =>
      onOwnJob(desk, interaction, idOf(value), act, async job =>
        said(await steer(desk, job, interaction.channel, value)),
      ),
  };
}

function itself(id: string): string {
  return id;
}

type OnJob = (job: Job) => Promise<Content | undefined>;

/** Does something with a job that this workspace has and this release can read. */
export async function onJob(
  desk: Desk<'jobs'>,
  interaction: Interaction,
  id: string,
  answer: OnJob,
): Promise<Content | undefined> {
  const job = await desk.jobs.find(id);
  if (job?.team !== interaction.team) return said('I can’t find this job; it may have been deleted.');
  return job.state === 'unreadable' ? said(unreadableJob) : answer(job);
}

/** Lets only the requester go on, since the job runs with their sign-in. Attempts of others go to the trail. */
function onOwnJob(desk: Clerk & Desk<'jobs'>, interaction: Interaction, id: string, act: string, answer: OnJob) {
  return onJob(desk, interaction, id, async job => {
    if (job.person === interaction.person) return answer(job);
    const { team, person, channel } = interaction;
    await rejectNonRequester(desk, { job, click: { team, person, channel, digest: '' }, act });
    const why = job.runsAs === 'service' ? 'it belongs to their schedule' : 'it runs with their sign-in';
    return said(`Only ${mentionOf(job.person)} can do this: ${why}.`);
  });
}

/** What is asked for by the message of a job in somebody's thread stays in that thread. */
function placeOfJob({ channel, thread }: Interaction, job: Job) {
  return { thread: thread ?? (job.channel === channel ? (job.thread ?? undefined) : undefined) };
}

/** Opens the form with the job's inputs. The policy may have changed since. */
async function askAgain(desk: FormAsker, interaction: Interaction, job: Job): Promise<Content | undefined> {
  if (job.operation === scheduleRequest.name)
    return said(`The schedule asks for this by itself. ${code(`${desk.names.db} schedules`)} lists it.`);
  if (job.operation === workflowRequest.name)
    return said('The workflow asks for this by itself. The Home tab lists what you allowed.');
  const credential = await desk.credentials.find(interaction);
  if (!credential) {
    const { command, left } = commandOf(job, interaction);
    const why = ['You are not signed in.', ...leftOutNotes(left)].join(' ');
    return signInOffer(desk.forms.greeter, interaction, command, why);
  }
  await mustBeAllowed(desk, interaction, operationOf(job));
  await openAgain(desk, job, {
    ...interaction,
    ...placeOfJob(interaction, job),
    complaints: complaintsOf(job, operationOf(job)),
  });
  return undefined;
}

/** Opens the form of the restore that takes back what a plan restored, filled with the snapshot that was made before. */
async function takeBack(desk: FormAsker, interaction: Interaction, plan: Job): Promise<Content | undefined> {
  const found = takeBackOf((await stepJobs(desk, plan.id)) ?? []);
  if (!found) return said('I can’t find the snapshot that was made before the restore.');
  const { operation } = found;
  const inputs = writeValues(found.values);
  const credential = await desk.credentials.find(interaction);
  if (!credential) {
    const command = writeCommand({ words: operation.words, inputs });
    return signInOffer(desk.forms.greeter, interaction, command, 'You are not signed in.');
  }
  await mustBeAllowed(desk, interaction, operation);
  await openForm(desk.forms, operation, { ...interaction, ...placeOfJob(interaction, plan), inputs });
  return undefined;
}
