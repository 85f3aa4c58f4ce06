import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { runReport } from '../../../src/features/protection/runReport.ts';
import type { ScheduleOutcome } from '../../../src/features/schedules/mayAct.ts';
import { scheduleHook, scheduleReopenHook } from '../../../src/features/schedules/run/afterRun.ts';
import { workOnSchedules } from '../../../src/features/schedules/run/workOnSchedules.ts';
import { type Schedule, type ScheduleStep, schedules } from '../../../src/features/schedules/schedule.ts';
import {
  askSchedule,
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
  type ScheduleWish,
  takeOverSchedule,
} from '../../../src/features/schedules/scheduleActs.ts';
import { minute } from '../../../src/ground/durations.ts';
import { knowsRequest } from '../../../src/jobs/request.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import { jobOperation } from '../../../src/operations/catalogue.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { board } from '../../jobs/deciding.ts';

/** A live database of the sandbox's estate. */
export const database = 'MYSQL_LIVE_SERVER-1';
export const ana = { team: 'T1', person: 'U0ANA', channel: 'C1' };

/** A wish for a schedule: a backup each day at two o’clock, in UTC. */
export function wishFor(change: Partial<ScheduleWish> & { name?: string } = {}): ScheduleWish {
  const { name = 'database.backup', ...rest } = change;
  const operation = jobOperation(name);
  if (!operation) throw new Error(`the catalogue has no ${name}`);
  return {
    ...{ request: 'form-1', operation, values: { database }, labels: {}, purpose: null },
    ...{ rhythm: { every: 'day', at: '02:00' }, zone: 'UTC', channel: 'C1', tells: 'all', runsAs: 'owner' },
    ...rest,
  };
}

/** The schedule that an act has set. @throws Error with the sentence of a refusal */
export function set(outcome: ScheduleOutcome): Schedule {
  if (outcome.type === 'refused') throw new Error(outcome.sentence);
  return outcome.schedule;
}

const deeds = {
  pause: pauseSchedule,
  resume: resumeSchedule,
  delete: deleteSchedule,
  takeOver: takeOverSchedule,
} as const;

/** Schedules without Slack, and the loops that work on them. It is nine o’clock on a Saturday in November. */
export async function scheduleBoard(
  store: Store,
  { file = {}, middleware }: { file?: object; middleware?: Middleware } = {},
) {
  const here = await board(store, { approvers: ['U0DEV'], ...file }, () => undefined, middleware);
  const { clock } = here;
  const jobs = jobsIn(store, { knows: knowsRequest, ends: [{ ended: scheduleHook, reopened: scheduleReopenHook }] });
  const parts: AllParts = { ...here.parts, jobs, reportOn: due => runReport(parts, due) };
  const asks = async (change: Parameters<typeof wishFor>[0] = {}, at: AllParts = parts) =>
    set(await askSchedule(at, ana, wishFor(change)));
  const schedule = async (id: string): Promise<Schedule> => {
    const found = await parts.things.find(schedules, id);
    if (!found) throw new Error('the schedule is gone');
    return found;
  };
  /** The row of a schedule in the queue. */
  const due = async (id: string) =>
    store.selectFrom('due').selectAll().where('kind', '=', schedules.name).where('id', '=', id).executeTakeFirst();
  const all = () => parts.things.list(schedules, { team: 'T1' });
  /** The loops of a process; without `isOver`, jobs never come to their end. */
  const loopsOf = (at: AllParts, isOver = true) => [
    ...(isOver ? [workOnDueJobs(at, at)] : []),
    workOnSchedules({ ...at, changed: async () => undefined }, at),
  ];
  /** Lets the loops of these processes work until something is so; the clock goes on by `step` each turn. */
  const works = async (isDone: () => Promise<boolean>, { at = [parts], step = 10_000, isOver = true } = {}) => {
    const loops = at.flatMap(one => loopsOf(one, isOver));
    try {
      for (let turn = 0; turn < 400; turn++) {
        if (await isDone()) return;
        await clock.advance(turn > 200 ? minute : step);
      }
      throw new Error(`it did not come to that: ${JSON.stringify(await all())}`);
    } finally {
      await Promise.all(loops.map(loop => loop.stop()));
    }
  };
  /** The jobs of a schedule, the oldest first. */
  const runs = async (id: string) =>
    store.selectFrom('jobs').selectAll().where('schedule', '=', id).orderBy('createdAt').execute();
  return {
    ...here,
    store,
    parts,
    asks,
    schedule,
    due,
    all,
    /** Changes a schedule as nobody can. */
    changes: (id: string, changes: ScheduleStep['changes']) =>
      parts.things.act(schedules, id, () => ({ changes }), clock.now()),
    works,
    loopsOf,
    runs,
    /** Goes to a moment, given as it is written in ISO 8601, while no loop runs. */
    goTo: (moment: string) => clock.leap(Date.parse(moment) - clock.now()),
    /** Lets the loops work until the last run of a schedule is over, and the schedule has counted it. */
    async runsOnce(id: string, at: AllParts[] = [parts]) {
      const before = (await runs(id)).length;
      await works(async () => (await runs(id)).length > before && (await schedule(id)).lastOutcome !== null, { at });
    },
    /** Lets a person act on a schedule as they see it now. */
    async acts(act: keyof typeof deeds, id: string, person = ana.person, revision?: number) {
      const seen = revision ?? (await parts.things.find(schedules, id))?.revision ?? 0;
      return deeds[act](parts, { ...ana, person, id, revision: seen });
    },
    /** What the service was asked to write since the beginning. */
    written: () =>
      here.service.requests
        .filter(({ method, path }) => method !== 'GET' && !path.endsWith('token'))
        .map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
    /** What its messages tell, and to whom, the oldest first. */
    async told() {
      const rows = await store.selectFrom('outbox').selectAll().orderBy('createdAt').orderBy('id').execute();
      return rows.map(({ data, person, channel }) => `${JSON.parse(data).what} to ${channel ?? person}`);
    },
    async events() {
      const { entries } = await parts.audit.read('T1', { words: [] }, 200);
      return entries
        .toReversed()
        .filter(({ event }) => /^(schedule|run) /.test(event))
        .map(({ event, detail }) => (detail === null ? event : `${event}: ${detail}`));
    },
  };
}
