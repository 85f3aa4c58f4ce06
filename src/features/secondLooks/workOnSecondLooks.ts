import type { Loop } from '../../ground/loop.ts';
import { advance } from '../../jobs/advance.ts';
import { lookAfterEnd } from '../../jobs/evidence/gather.ts';
import { isRevocable, type RevocableEnd } from '../../jobs/evidence/takenBack.ts';
import { isSender } from '../../jobs/followUp.ts';
import type { Mover, Parts } from '../../jobs/parts.ts';
import { takeBackPlan } from '../../jobs/plans/takeBackPlan.ts';
import { type LookMoment, type ThingWorker, workOnThings } from '../../jobs/workOnThings.ts';
import { runnerOf } from '../../store/jobs/rows/job.ts';
import {
  againstAfter,
  countsAgainst,
  type EndSight,
  nextOfSecondLook,
  type SecondLook,
  secondLooks,
} from './secondLook.ts';

/** Looks at ended jobs, and takes back ends that hold no more. */
export type EndLooker = Mover & Parts<'vocabulary' | 'stateAnswers' | 'policy'>;

/** Looks once more at each end, one minute and five minutes after it, with the sign-in of the job. */
export function workOnSecondLooks(worker: ThingWorker, parts: EndLooker): Loop {
  return workOnThings(worker, {
    kind: secondLooks,
    runner: runnerOf,
    look: (thing, at) => lookAtEnd(parts, thing, at),
    next: nextOfSecondLook,
  });
}

const toldAs: Readonly<Record<RevocableEnd, string>> = {
  succeeded: 'it was confirmed',
  finished: 'it had finished',
  failed: 'it had failed',
};

async function lookAtEnd(parts: EndLooker, thing: SecondLook, { now, session }: LookMoment): Promise<EndSight> {
  const job = await parts.jobs.find(thing.id);
  if (thing.state === 'back') {
    if (job && job.state !== 'unreadable') await takeBackPlan(parts, job);
    return { is: 'back' };
  }
  // It has gone on since, or ended anew.
  if (!job || job.state === 'unreadable' || !isRevocable(job) || job.endedAt !== thing.endOf) return { is: 'stands' };
  const open = await session();
  const running = await parts.jobs.asRunning(job.id);
  if (!open || !running || !isSender(open.credential, job)) return { is: 'stands' };
  const reason = await lookAfterEnd(parts, job, running, open.records);
  if (reason === undefined) return { is: 'stands' };
  if (!countsAgainst(againstAfter(thing, reason, now), now)) return { is: 'against', reason };
  const told = `I said that ${toldAs[job.state]}. That no longer holds: ${reason} I am looking again.`;
  await advance(parts, job, { type: 'takenBack', reason: told });
  return { is: 'back' };
}
