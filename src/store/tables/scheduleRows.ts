import type { Transaction } from 'kysely';
import type { ScheduleRow, Schema } from '../database.ts';
import { addJob } from '../jobs/adding.ts';
import { JobValues, Labels } from '../jobs/data.ts';
import { jsonIn } from '../jobs/decode.ts';
import type { NewJob } from '../jobs/job.ts';
import type { Actor, NewEntry } from './audit.ts';
import { addNotices, closeNotices, type NewNotice } from './notices.ts';

/*
 * The rows of schedules, and the statements by which a step of a schedule is written. The end of a job is such a step,
 * too, in the transaction of that end. The queries are in schedules.ts.
 */

/** The states of a schedule that may run: it waits for approval, is on, or is paused. */
export const openScheduleStates = ['waiting', 'on', 'paused'] as const;
export type ScheduleState = (typeof openScheduleStates)[number] | 'deleted';

/**
 * Work by the calendar, as its row has it. The rhythm stays text, since the store knows no calendar. While it is on, a
 * `reason` says what it waits for, such as the sign-in of its owner.
 */
export type Schedule = Readonly<
  Omit<ScheduleRow, 'inputs' | 'labels' | 'kind' | 'tells' | 'runsAs' | 'state' | 'approvedBy'> & {
    values: JobValues;
    labels: Labels;
    kind: 'job' | 'report';
    tells: 'all' | 'failures';
    runsAs: 'owner' | 'service';
    state: ScheduleState;
    /** The Slack users who approved it; nobody while it waits, or where nobody had to. */
    approvedBy: readonly string[];
  }
>;

/** The parts of a schedule that are known when it is made. */
export type NewSchedule = Omit<Schedule, keyof typeof unborn>;

/** The columns of a schedule that was just made. */
const unborn = {
  ...{ request: null, digest: null, approvedBy: [], approvedAt: null, reason: null, endedAt: null },
  ...{ lastAt: null, lastJob: null, lastOutcome: null, failures: 0, revision: 1, lockedUntil: 0, tries: 0 },
} as const;

/** A step of a schedule. All of it is written in one transaction, or nothing. */
export type ScheduleStep = Readonly<{
  changes: Partial<Omit<Schedule, 'id' | 'team' | 'kind' | 'createdAt' | 'revision' | 'lockedUntil'>>;
  /** The entry in the trail; without an actor, it is the bot’s own. */
  trail?: (Pick<NewEntry, 'event'> & Partial<NewEntry>) | undefined;
  /** How the messages of before ended; they lose their buttons. */
  outcome?: string | undefined;
  notices?: readonly NewNotice[] | undefined;
  /** The job of the run, or the request for approval. `by` asks for it; without one, the bot itself does. */
  job?: NewJob | undefined;
  by?: Actor | undefined;
}>;

/** The news of a job for a schedule: its own run ended, the approvers decided, or its plan made the target again. */
export type ScheduleNews = Readonly<{
  /** The schedule, or the plan that is its run. */
  about: Readonly<{ schedule: string }> | Readonly<{ plan: string }>;
  /** The step that follows for the schedule as it is in the transaction; `undefined` where it means nothing for it. */
  step(schedule: Schedule): ScheduleStep | undefined;
}>;

type Note = (entry: NewEntry) => Promise<unknown>;

/** Writes in a transaction what a job means for a schedule. */
export async function noteScheduleNews(
  changes: Transaction<Schema>,
  note: Note,
  { about, step }: ScheduleNews,
  now: number,
): Promise<void> {
  const id = 'schedule' in about ? about.schedule : await scheduleOf(changes, about.plan);
  if (id === null) return;
  // The row is locked by a change that changes nothing: what follows from it must rest on its last state.
  const row = await changes
    .updateTable('schedules')
    .set(eb => ({ lockedUntil: eb.ref('lockedUntil') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  const [schedule] = row ? readSchedule(row) : [];
  const next = schedule && step(schedule);
  if (schedule && next) await writeScheduleStep(changes, note, { schedule, step: next, now });
}

async function scheduleOf(changes: Transaction<Schema>, plan: string): Promise<string | null> {
  const row = await changes.selectFrom('jobs').select('schedule').where('id', '=', plan).executeTakeFirst();
  return row?.schedule ?? null;
}

/**
 * Writes a step of a schedule with its messages, its job and its entry in the trail. Gives `undefined` where somebody
 * else changed the schedule first; nothing is written then.
 */
export async function writeScheduleStep(
  changes: Transaction<Schema>,
  note: Note,
  { schedule, step, now }: Readonly<{ schedule: Schedule; step: ScheduleStep; now: number }>,
): Promise<Schedule | undefined> {
  const { id, revision, state } = schedule;
  const row = await changes
    .updateTable('schedules')
    .set({ ...columnsOfSchedule(step.changes), revision: revision + 1, lockedUntil: 0 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst();
  return row && completeScheduleStep(changes, note, { row, step, now });
}

/** Writes the rest of a step: its messages, its job and its entry in the trail. */
export async function completeScheduleStep(
  changes: Transaction<Schema>,
  note: Note,
  { row, step, now }: Readonly<{ row: ScheduleRow; step: ScheduleStep; now: number }>,
): Promise<Schedule> {
  const { trail, outcome, notices = [], job, by } = step;
  if (outcome !== undefined) await closeNotices(changes, row.id, { outcome, now });
  await addNotices(changes, notices);
  if (job) await addJob(changes, note, job, { by });
  if (trail) await note({ ...aboutSchedule(row), at: now, ...trail });
  const [schedule] = readSchedule(row);
  if (!schedule) throw new Error(`the schedule ${row.id} was written in a form that nobody knows`);
  return schedule;
}

/** Makes the row of a new schedule. */
export function scheduleRow(schedule: NewSchedule): ScheduleRow {
  const { values, labels, ...rest } = schedule;
  return {
    ...{ ...unborn, ...rest, approvedBy: null },
    inputs: JSON.stringify(values),
    labels: JSON.stringify(labels),
  };
}

function columnsOfSchedule({ values, labels, approvedBy, ...rest }: ScheduleStep['changes']): Partial<ScheduleRow> {
  return {
    ...rest,
    ...(values === undefined ? {} : { inputs: JSON.stringify(values) }),
    ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
    ...(approvedBy === undefined ? {} : { approvedBy: approvedBy.length === 0 ? null : JSON.stringify(approvedBy) }),
  };
}

/** Makes the part of an entry of the trail that is about a schedule. */
function aboutSchedule({ team, person, operation, target, targetName, channel }: ScheduleRow) {
  return { actor: 'dolly', team, person, operation, target: target === '' ? null : target, targetName, channel };
}

/** Reads a row; empty for one that only another release can read. */
export function readSchedule(row: ScheduleRow): Schedule[] {
  const { inputs, labels: names, approvedBy, ...rest } = row;
  const [values, labels] = [JobValues.safeParse(jsonIn(inputs)), Labels.safeParse(jsonIn(names))];
  const state = oneOf([...openScheduleStates, 'deleted'] as const, row.state);
  const kind = oneOf(['job', 'report'] as const, row.kind);
  const tells = oneOf(['all', 'failures'] as const, row.tells);
  const runsAs = oneOf(['owner', 'service'] as const, row.runsAs);
  const people: unknown = approvedBy === null ? [] : jsonIn(approvedBy);
  if (!values.success || !labels.success || !state || !kind || !tells || !runsAs || !isTexts(people)) return [];
  return [{ ...rest, values: values.data, labels: labels.data, state, kind, tells, runsAs, approvedBy: people }];
}

function oneOf<Known extends string>(all: readonly Known[], text: string): Known | undefined {
  return all.find(known => known === text);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string');
}
