import { rejectNonRequester } from '../../jobs/approval/click.ts';
import { operationOf } from '../../jobs/parts.ts';
import { lookAgain, stopLooking, withdraw } from '../../jobs/requesterActions.ts';
import type { Job } from '../../store/jobs/job.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { mustBeAdmitted, mustBeAllowed } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { Use } from '../desk/use.ts';
import { commandOf, openAgain } from '../forms/forms.ts';
import { signInOffer } from '../signIn/signIn.ts';
import { unreadableJob } from './unreadable.ts';

/** Whether a button of a job's message does something, rather than open a form or offer a sign-in. */
export function actsOnJob(action: string): boolean {
  return ['job.look', 'job.stop', 'job.withdraw'].includes(action);
}

/** A click on a job's message. */
export async function onJob(desk: Desk, click: Use): Promise<Content | undefined> {
  const { action } = click;
  await mustBeAdmitted(desk, click);
  const job = await desk.jobs.find(click.value);
  if (!job || job.team !== click.team) return said('I do not know this job any more.');
  if (job.state === 'unreadable') return said(unreadableJob);
  if (action === 'job.again') {
    const credential = await desk.credentials.find(click);
    if (!credential) return signInOffer(desk, click, click.channel, commandOf(job), 'You are not signed in.');
    await mustBeAllowed(desk, click, operationOf(job));
    await openAgain(desk, job, click);
    return undefined;
  }
  if (job.person !== click.person) {
    const attempt = { job, click: { ...click, digest: '' }, act: action.replace('job.', '') };
    await rejectNonRequester(desk, attempt);
    return said(`Only <@${job.person}> can do this: the job runs with their sign-in.`);
  }
  const content = await steer(desk, job, action, click.channel);
  desk.wake();
  desk.tell();
  return content;
}

async function steer(desk: Desk, job: Job, action: string, channel: string): Promise<Content> {
  switch (action) {
    case 'job.look':
      return said(await lookAgain(desk, job, channel));
    case 'job.stop':
      return said(await stopLooking(desk, job, channel));
    case 'job.withdraw':
      return said(await withdraw(desk, job, channel));
    default:
      return signInOffer(desk, job, channel, null);
  }
}
