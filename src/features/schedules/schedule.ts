import { z } from 'zod';
import { JobValues, Labels } from '../../store/jobs/rows/data.ts';
import { defineKind, type ThingOf } from '../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../store/things/things.ts';

/*
 * Work by the calendar. A `waiting` schedule waits for approval, and one that is `on` runs: its `plannedAt` is the next
 * time by its calendar. While it is on, a `reason` says what it waits for, such as the sign-in of its owner.
 */

const time = z.number().nullable();
const text = z.string().nullable();

const ScheduleBody = z.object({
  /** The channel of the messages of its runs. */
  channel: z.string(),
  kind: z.enum(['job', 'report']),
  /** The operation of each run; of a report, its name. */
  operation: z.string(),
  /** The checked values by field name. No placeholder or preset is among them: they are resolved already. */
  values: JobValues,
  /** The names of the identifiers among the values. */
  labels: Labels,
  /** The identifier of the target; empty for a report. */
  target: z.string(),
  targetName: text,
  /** The time at which the target was created: another record under the same identifier is not meant. */
  madeAt: time,
  /** The owner’s reason, in their words. */
  purpose: text,
  /** JSON: the rhythm (calendar.ts). It is digested as it is written. */
  rhythm: z.string(),
  /** The time zone of the rhythm, by its name in the IANA database. */
  zone: z.string(),
  /** Whether only what goes wrong is told, and a line a day. */
  tells: z.enum(['all', 'failures']),
  /** Whose sign-in it runs with. */
  runsAs: z.enum(['owner', 'service']),
  /** The job by which the approvers are asked, or were asked last. */
  request: text,
  /** The digest of what was approved: it covers all that is run, its target, its times and its channel. */
  digest: text,
  /** The Slack users who approved it; nobody while it waits, or where nobody had to. */
  approvedBy: z.array(z.string()).readonly(),
  approvedAt: time,
  /** The user of the service as whom its owner asked for that; not known of older ones. */
  login: z.string().nullish(),
  /** The time at which those who approve were last asked anew, or told that their approval is over. */
  askedAt: z.number().nullish(),
  /** One sentence on why it is as it is. */
  reason: text,
  /** The time by its calendar of the last run, its job, and how that ended; `null` while it is under way. */
  lastAt: time,
  /** The time by its calendar of a run that was left out since the last one. */
  leftAt: time.optional(),
  /** Whether that was told by nothing but what the alerts of its channel, or the run before, were to tell. */
  isLeftUntold: z.boolean().nullish(),
  lastJob: text,
  lastOutcome: text,
  /** The failures in a row. */
  failures: z.number(),
  /**
   * Of a schedule for an environment: what stood there at its last run, by identifier; what is above its ceiling,
   * of which it was told; what is left out of it for good.
   */
  members: Labels.nullish(),
  above: Labels.nullish(),
  leftOut: z.array(z.string()).readonly().nullish(),
  /** The values that those who approve are asked for while it runs with its own: more members. */
  asks: JobValues.nullish(),
  /** The failures in a row of each member that fails. */
  failing: z.record(z.string(), z.number()).readonly().nullish(),
  /** The targets whose runs failed so often in a row that this is to be told (run/tellFailing.ts). */
  untold: z.array(z.string()).readonly().nullish(),
});

export type Schedule = ThingOf<typeof schedules>;
export type ScheduleStep = StepOf<typeof schedules>;

/** Work by the calendar. What is changed may have to be approved anew, so a schedule that is on may wait again. */
export const schedules = defineKind({
  name: 'schedule',
  body: ScheduleBody,
  states: {
    waiting: ['on', 'paused', 'deleted'],
    on: ['waiting', 'paused', 'deleted'],
    paused: ['waiting', 'on', 'deleted'],
    deleted: [],
  },
  over: ['deleted'],
  found: ({ channel, target }) => ({ channel, ...(target === '' ? {} : { subject: target }) }),
  about: ({ operation, target, targetName, channel }) => ({
    ...{ operation, target: target === '' ? null : target, targetName, channel },
  }),
});

/** A schedule that is not in the store yet. */
export type NewSchedule = NewOf<typeof schedules>;

/** The changes of a schedule whose approval is void, so that nothing brings it back but another one. */
export const unapproved = { digest: null, approvedBy: [], approvedAt: null } as const;

/** The parts of a schedule that was just made. */
const unborn = {
  state: 'on',
  ...{ request: null, ...unapproved, reason: null, endedAt: null },
  ...{ lastAt: null, lastJob: null, lastOutcome: null, failures: 0, plannedAt: null, waitsFor: null },
} as const;

/** Makes a schedule out of what is known when somebody asks for it. */
export function newSchedule(asked: Omit<NewSchedule, keyof typeof unborn>): NewSchedule {
  return { ...unborn, ...asked };
}

/** The changes of a schedule that has no next time. */
export function atRest(state: Exclude<Schedule['state'], 'on'>, reason: string | null) {
  return { state, reason, plannedAt: null, waitsFor: null };
}

/** The order of schedules by their next runs; those without one come last. */
export function byNextRun(one: Schedule, other: Schedule): number {
  const time = ({ plannedAt }: Schedule) => plannedAt ?? Number.POSITIVE_INFINITY;
  return time(one) - time(other) || (one.id < other.id ? -1 : 1);
}
