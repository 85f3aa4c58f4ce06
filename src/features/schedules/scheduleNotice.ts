import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { nextRun } from '../../ground/calendar.ts';
import { day, minute } from '../../ground/durations.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import { dayThreadIn, morningOf } from './dayThread.ts';
import { dailyAt, lastTime } from './run/nextOfSchedule.ts';
import { atRest, type Schedule, type ScheduleStep, schedules } from './schedule.ts';

/** What a message of a schedule tells. The words are stored, so they never change. */
const told = [
  /** Paused since its runs failed several times in a row: its owner is asked. */
  'failing',
  /** Its runs failed several times in a row. It only backs up, so it goes on. */
  'trouble',
  /** Paused for another reason, which `why` says: its owner is asked. */
  'paused',
  /** Its owner is not signed in, or no service account is set: it waits. */
  'signed out',
  /** Its owner left the workspace: it is paused, and those who approve are asked to take it over. */
  'owner left',
  /** The run before was still under way, so one was left out. */
  'skipped',
  /** Runs of a channel cannot be asked for at the moment: `schedule` is the first of them. */
  'unasked',
  /** Dolly was not there, or could not look, until it was too late. */
  'missed',
  /** Somebody else than its owner changed it: `by` did, and `did` says what. */
  'changed',
  /** The approval of a backup with the service account is over, and its request is open: it goes on. */
  'lapsed',
  /** What joined the environment of a schedule, what is gone from it, and what is above its ceiling, as `why` says. */
  'members',
  /** One of its members failed several times in a row. */
  'member failing',
  /** The line of a day about the runs of a channel of which only failures are told. */
  'daily',
] as const;
type ScheduleTold = (typeof told)[number];

/** What a person did to a schedule. */
export const ScheduleDeed = z.enum(['paused', 'resumed', 'changed', 'deleted', 'taken over', 'run']);
export type ScheduleDeed = z.infer<typeof ScheduleDeed>;

/** What a message of a schedule is made from. Times are milliseconds. */
export const ScheduleNotice = z.object({
  what: z.enum(told),
  /** The schedule, and its revision for the buttons; empty in the line of a day. */
  schedule: z.string().default(''),
  revision: z.number().default(0),
  kind: z.enum(['job', 'report']).default('job'),
  operation: z.string().default(''),
  target: z.string().default(''),
  targetName: z.string().nullish(),
  /** Its owner. */
  person: z.string().default(''),
  /** The rhythm as its row has it, and its zone. */
  rhythm: z.string().default(''),
  zone: z.string().default('UTC'),
  /** One sentence on why it is as it is. */
  why: z.string().nullish(),
  /** The time by its calendar that was left out, the first of them where there are several, and the next one. */
  plannedAt: z.number().nullish(),
  since: z.number().nullish(),
  nextAt: z.number().nullish(),
  /** The members that joined, by identifier: each can be left out. */
  joined: z.record(z.string(), z.string()).optional(),
  /** How many members there may be if its owner includes those above its ceiling. */
  more: z.number().optional(),
  /** The last job. */
  job: z.string().nullish(),
  /** Who changed it, and what they did. */
  by: z.string().optional(),
  did: ScheduleDeed.optional(),
  /** The runs of a day by how they went. `until` is the end of that day. */
  counts: z
    .object({
      ...{ well: z.number(), failed: z.number(), open: z.number(), left: z.number() },
      ...{ unshown: z.number().default(0), unconfirmed: z.number().default(0), waits: z.number().default(0) },
    })
    .optional(),
  until: z.number().optional(),
});
export type ScheduleNotice = z.infer<typeof ScheduleNotice>;

/** The outcome of a message that a person’s act closed; any other outcome is a plain sentence. */
export const ScheduleActed = z.object({ by: z.string(), did: ScheduleDeed });
export type ScheduleActed = z.infer<typeof ScheduleActed>;

/** The kinds of messages on which something follows: the next change of their schedule says so there. */
const withEnd: readonly ScheduleTold[] = ['failing', 'trouble', 'paused', 'signed out', 'owner left'];

/** The places of a message. */
export type NoticePlaces = readonly NewNotice['to'][];

export function toOwner({ person }: Pick<Schedule, 'person'>): NoticePlaces {
  return [{ person }];
}

/** The channel of a schedule. Its owner gets what the channel does not take. */
export function toChannel({ channel, person }: Pick<Schedule, 'channel' | 'person'>): NoticePlaces {
  return [{ channel, person }];
}

/** Makes the messages of a step of a schedule: the same for each place. */
export function noticesOf(
  schedule: Schedule,
  what: ScheduleTold,
  to: NoticePlaces,
  { now, ...more }: Readonly<{ now: number }> & Partial<ScheduleNotice>,
): readonly NewNotice[] {
  const { id, team, revision, kind, operation, target, targetName, person, rhythm, zone, lastJob: job } = schedule;
  const about = { kind, operation, target, targetName, person, rhythm, zone, job, nextAt: schedule.plannedAt };
  // The message names the revision that its step writes: its buttons are for the schedule as it is then.
  const data = { ...about, ...more, what, schedule: id, revision: revision + 1 } satisfies ScheduleNotice;
  const all = { subject: id, team, kind: 'schedule', createdAt: now, data, isNews: !withEnd.includes(what) };
  const key = [id, revision, what];
  return to.map(place => ({ id: JSON.stringify([...key, ...Object.values(place)]), ...all, to: place }));
}

/** All that tells one pause from another: its message and the places of it, the job behind it, and what else changes. */
type Pause = Readonly<{ now: number; what?: ScheduleTold; to?: NoticePlaces; job?: string | null }> &
  Partial<Pick<ScheduleStep, 'changes'>>;

/** The step by which a schedule is paused, but by no person: its messages of before say so, and one says why. */
export function pausedStep(schedule: Schedule, why: string, pause: Pause): ScheduleStep {
  const { now, what = 'paused', to = toChannel(schedule), changes, ...of } = pause;
  return {
    changes: { ...changes, ...atRest('paused', why) },
    dueAt: null,
    trail: { event: 'schedule paused', detail: why, ...of },
    closed: [{ outcome: 'It is paused.' }],
    notices: noticesOf(schedule, what, to, { now, why, nextAt: null, ...of }),
  };
}

/** Adds to the notices of a day. */
type LineAdder = Parts<'jobs' | 'things' | 'outbox' | 'clock'>;

/**
 * Makes what adds the line of a day about the runs in a channel of which only failures are told, once a day and channel:
 * after nine o’clock of the zone that comes to it first. It counts the day before that moment.
 */
export function dailyLines(parts: LineAdder) {
  // All schedules of a channel come at nine o’clock, and the day before does not change: one of them looks for all.
  const looks = new LRUCache<string, Readonly<{ at: number; done: Promise<void> }>>({ max: 1_000 });
  return async (schedule: Schedule, now: number): Promise<void> => {
    const { team, channel, zone, tells } = schedule;
    if (tells !== 'failures') return;
    const until = lastDaily(zone, now);
    // The day by its UTC date at noon: the same in every zone for the nine o’clock of one day.
    const date = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(until);
    const id = JSON.stringify(['schedules of a day', team, channel, date]);
    const [at, last] = [parts.clock.steady(), looks.get(id)];
    if (last && at - last.at < 10 * minute) return last.done;
    const done = addLine(parts, schedule, { id, until, now });
    looks.set(id, { at, done });
    done.catch(() => looks.delete(id));
    return done;
  };
}

type DailyLine = Readonly<{ id: string; until: number; now: number }>;

async function addLine(parts: LineAdder, { team, channel, zone, tells }: Schedule, { id, until, now }: DailyLine) {
  if (await parts.outbox.find(id)) return;
  const since = nextRun({ rhythm: { every: 'day', at: dailyAt }, zone }, until - 2 * day) ?? until - day;
  const all = await parts.things.list(schedules, { team, channel, withOver: true });
  const ids = all.filter(one => one.tells === tells).map(one => one.id);
  const counts = await parts.jobs.countRuns({ team, channel, schedules: ids }, { since, until });
  if (Object.values(counts).every(count => count === 0)) return;
  const data = { what: 'daily', zone, counts, until, plannedAt: since } satisfies Partial<ScheduleNotice>;
  const about = { id, subject: morningOf({ team, channel }), team, kind: 'schedule', createdAt: now, data };
  const opened = await dayThreadIn(parts, { team, channel }, { now, isFor: 'openers' });
  await parts.outbox.add([{ ...about, isNews: true, to: { channel, thread: opened?.id ?? null } }]);
}

/** The last nine o’clock of a zone up to now. */
export function lastDaily(zone: string, now: number): number {
  const calendar = { rhythm: { every: 'day', at: dailyAt }, zone } as const;
  return lastTime(calendar, nextRun(calendar, now - 2 * day) ?? now, now);
}
