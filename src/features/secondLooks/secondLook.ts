import { z } from 'zod';
import { minute, second } from '../../ground/durations.ts';
import { looksAfterEnd, stands } from '../../jobs/evidence/standingEnd.ts';
import { isRevocable } from '../../jobs/evidence/takenBack.ts';
import type { EndedJob } from '../../store/jobs/rows/job.ts';
import { type EndHook, newsFor, type ReopenHook } from '../../store/things/endNews.ts';
import { defineKind, type ThingOf } from '../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../store/things/things.ts';
import { takenBackNotice } from './takenBackMessage.ts';

/*
 * The looks at a job after its end. What speaks against the end must stand as the end itself had to, and then Dolly takes the
 * end back. A thing of its own for each job: an older release would take an ended job that is due for a running one.
 */

const SecondLookBody = z.object({
  /** The end that it looks at: the time of that. */
  endOf: z.number(),
  /** Whose sign-in the job ran with. */
  runsAs: z.literal('service').nullable(),
  /** What speaks against the end, since when, and at how many looks. */
  against: z.object({ reason: z.string(), since: z.number(), looks: z.number() }).nullable(),
  /** How many ends of the job were taken back. */
  takenBack: z.number(),
});
export type SecondLook = ThingOf<typeof secondLooks>;

/** A look `waits` for its time. Once it took an end `back`, the plan of the job goes back, too. */
export const secondLooks = defineKind({
  name: 'secondLook',
  body: SecondLookBody,
  states: { waits: ['back', 'over'], back: ['waits', 'over'], over: ['waits'] },
  over: ['over'],
  found: () => ({}),
  about: () => ({}),
});

/** The pause between looks while something speaks against an end. */
const againSoon = 5 * second;
/** The time after an end from which on nobody looks any more, in milliseconds: the service may have been away. */
const latest = 15 * minute;
// A service that changes its word again and again is not followed for ever.
const { times: lookTimes, mostTakenBack } = looksAfterEnd;

/** An end that can be taken back is looked at twice more. */
export const secondLookHook: EndHook = job => {
  if (!isRevocable(job)) return [];
  const begins = (before: SecondLook | undefined) => {
    const takenBack = before?.takenBack ?? 0;
    return takenBack < mostTakenBack ? { as: lookAfter(job, takenBack), dueAt: job.endedAt + lookTimes[0] } : undefined;
  };
  return [newsFor(secondLooks, job.id, begins)];
};

function lookAfter(job: EndedJob, takenBack: number): NewOf<typeof secondLooks> {
  const { id, team, person, runsAs, endedAt } = job;
  const row = { id, team, person, plannedAt: null, waitsFor: null, createdAt: endedAt, endedAt: null };
  return { ...row, state: 'waits', endOf: endedAt, runsAs, against: null, takenBack };
}

/** A job goes on: where its end was taken back, its people are told; else somebody asked to look again. */
export const reopenHook: ReopenHook = job => [
  newsFor(secondLooks, job.id, (look, _, now) => {
    if (look?.state !== 'waits') return undefined;
    if (job.reason === null) return over(now);
    const { takenBack } = look;
    return {
      changes: { state: 'back', takenBack: takenBack + 1 },
      dueAt: now,
      notices: [takenBackNotice(job, `${job.id} ${look.endOf}`, now)],
    };
  }),
];

/** What a look showed: whether the end stands, as far as anybody could look; what speaks against it; or that it was taken back. */
export type EndSight = Readonly<{ is: 'stands' | 'back' } | { is: 'against'; reason: string }>;

/** What speaks against an end after one more look. */
export function againstAfter({ against }: Pick<SecondLook, 'against'>, reason: string, now: number) {
  const known = against?.reason === reason && against.since <= now ? against : { reason, since: now, looks: 0 };
  return { ...known, looks: known.looks + 1 };
}

/** Whether what speaks against an end has stood for as long as the end itself had to. */
export function countsAgainst({ since, looks }: NonNullable<SecondLook['against']>, now: number): boolean {
  return now - since >= stands.for && looks >= stands.absent;
}

/** Says what follows on a look, or that one is due: a pure function. */
export function nextOfSecondLook(
  look: SecondLook,
  { now, sight }: Readonly<{ now: number; sight: EndSight | undefined }>,
): StepOf<typeof secondLooks> | Readonly<{ rest: number | null }> | 'look' {
  if (look.state === 'over') return { rest: null };
  if (look.state === 'waits' && now > look.endOf + latest) return over(now);
  if (!sight) return 'look';
  // The step by which an end was taken back has made it due.
  if (sight.is === 'back') return look.state === 'back' ? over(now) : { rest: now };
  if (sight.is === 'against') {
    const changes = { against: againstAfter(look, sight.reason, now) };
    return { changes, dueAt: now + againSoon };
  }
  const next = lookTimes.find(time => look.endOf + time > now);
  if (next === undefined) return over(now);
  return { changes: { against: null }, dueAt: look.endOf + next };
}

function over(now: number): StepOf<typeof secondLooks> {
  return { changes: { state: 'over', endedAt: now }, dueAt: null };
}
