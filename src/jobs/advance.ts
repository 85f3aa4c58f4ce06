import type { TrailNote, Transition } from '../store/jobs/changing.ts';
import { type Job, type JobChange, type JobState, runnerOf } from '../store/jobs/rows/job.ts';
import { writeBasis } from './evidence/rows.ts';
import { type EffectOf, effects } from './machine/effects.ts';
import { type EventType, type JobEvent, type JobFor, transitions } from './machine/transitions.ts';
import { noteOfMade } from './memory/past.ts';
import type { Mover } from './parts.ts';

/**
 * Takes the step of a job that follows from an event. Gives the changed job, or `undefined` where the event comes too
 * late: it does not apply to the job's state, or another process changed that state meanwhile. With `applyAlong`, the
 * store may write it together with the steps of other jobs.
 */
export async function advance<Type extends EventType>(
  parts: Mover,
  job: Job,
  event: JobEvent<Type>,
  how: 'apply' | 'applyAlong' = 'apply',
): Promise<Job | undefined> {
  const { jobs, credentials, clock } = parts;
  const now = clock.now();
  const transition = transitionOf(job, event, now);
  const next = transition && (await jobs[how](job, transition, now));
  // The person may have signed in anew while the old token was being refused, when no job was waiting for that yet. The
  // service account signs in here.
  const runner = runnerOf(job);
  if (next && event.type === 'signedOut' && (await credentials.find(runner))) await jobs.resume(runner, now);
  return next;
}

/**
 * The step that an event is for a job: the state that follows, all that changes with it, the entry in the trail, and
 * whether readers are told. `undefined` where the event does not apply to the job as it is: it comes too late.
 */
export function transitionOf<Type extends EventType>(
  job: Job,
  event: JobEvent<Type>,
  now: number,
): Transition | undefined {
  if (!mayHappen<Type>(event.type, job)) return undefined;
  const effect: EffectOf<Type> = effects[event.type];
  const done = effect(job, event, now);
  if (!done) return undefined;
  const [only] = statesAfter(event.type, job.state);
  const state = done.state ?? only ?? job.state;
  const isMoved = state !== job.state;
  return {
    state,
    changes: done.changes,
    news: isMoved || done.isNews === true,
    trail: done.trail ?? (isMoved ? { event: state, ...detailOf(state, done.changes, job) } : undefined),
    claims: done.claims,
    ...(done.restsOnRevision ? { revision: job.revision } : {}),
    ...(done.restsOnSignIn === undefined ? {} : { signIn: { owner: runnerOf(job), since: done.restsOnSignIn } }),
  };
}

/**
 * The detail of an end that a look told: what that rests on comes first, since what was read may be long; and at last the
 * record that it made, which the trail tells for longer than the job is kept.
 */
function detailOf(state: JobState, changes: JobChange, job: Job): Pick<TrailNote, 'detail'> {
  const { evidence, reason, claimed = job.claimed } = changes;
  const made = state === 'succeeded' && claimed != null ? noteOfMade(claimed) : '';
  if (!evidence?.basis && made === '') return {};
  const basis = evidence?.basis ? writeBasis(evidence.basis) : '';
  return { detail: [basis, reason, made].filter(Boolean).join(' ') };
}

function mayHappen<Type extends EventType>(type: Type, job: Job): job is JobFor<Type> {
  return statesAfter(type, job.state).length > 0;
}

/** The states that may follow when an event happens to a job in this state; none where it may not happen. */
export function statesAfter(type: EventType, state: JobState): readonly JobState[] {
  const after: Partial<Record<JobState, JobState | readonly JobState[]>> = transitions[type];
  return [after[state] ?? []].flat();
}
