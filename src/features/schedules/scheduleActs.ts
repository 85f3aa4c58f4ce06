import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sayCalendar } from '../../ground/rhythmWords.ts';
import { actorOf } from '../../jobs/actor.ts';
import type { Judge, Mover, Parts } from '../../jobs/parts.ts';
import type { JobOperation, Values } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import {
  onSchedule,
  refusal,
  type ScheduleAct,
  type ScheduleKeeper,
  type ScheduleOutcome,
  writeAct,
} from './mayAct.ts';
import { isForEnvironment, membersOf, noticesOfMembers } from './run/membersOfRun.ts';
import { jobOfRun, lastRunOf, runIdOf } from './run/scheduleRun.ts';
import { faultOfChange, type ScheduleChange, startOf } from './run/scheduleStart.ts';
import { differenceOfTarget, type Recognition, recogniseTarget } from './run/scheduleTarget.ts';
import {
  atRest,
  type NewSchedule,
  newSchedule,
  type Schedule,
  type ScheduleStep,
  schedules,
  unapproved,
} from './schedule.ts';
import { calendarOf, noReports, operationOfSchedule, reportOperation, scheduleFault } from './scheduleRules.ts';

/* The acts of people on schedules. Each outcome is told as it was written: of two acts at once, one counts. */

/** The work that each run of a schedule does. Nothing in it is left to be filled in later. */
export type FoundWork = Readonly<{
  operation: JobOperation;
  values: Values;
  labels: Readonly<Record<string, string>>;
  /** The reason, in the person’s words. */
  purpose: string | null;
}>;

/** A schedule that somebody asks for. `request` identifies the form: a second submit finds what the first one made. */
export type ScheduleWish = ScheduleChange & FoundWork & Readonly<{ request: string }>;

/** A report that somebody subscribes for a channel; it has no target. */
type ReportWish = ScheduleChange & Readonly<{ request: string; values: Values }>;

/** Somebody who asks for a schedule, in a channel. */
type ScheduleAsker = Owner & Readonly<{ channel: string }>;

/** Ends schedules, or lets them rest. */
type ScheduleStopper = Judge & Mover & Parts<'things'>;

/** Sets when schedules run. */
type ScheduleChanger = Parts<'credentials' | 'account' | 'things' | 'clock'>;

/** Runs schedules at once. */
type ScheduleRunner = ScheduleKeeper & Parts<'log' | 'reportOn'>;

/** Makes schedules of work that their people may ask for. */
type ScheduleMaker = ScheduleChanger & Judge & Parts<'records'>;

/**
 * Makes a schedule. Whoever asks must see its target with their own sign-in, and the policy must not forbid them the
 * work. Where it is to run with the service account, it waits until somebody else approves it.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where the target cannot be read now
 */
export async function askSchedule(
  parts: ScheduleMaker,
  by: ScheduleAsker,
  wish: ScheduleWish,
): Promise<ScheduleOutcome> {
  const { operation, values, labels, purpose } = wish;
  const before = await parts.things.find(schedules, idOf(by, wish.request));
  if (before) return isSet(before);
  const fault = scheduleFault(parts.policy, operation) ?? faultOfChange(parts, wish);
  if (fault !== undefined) return refusal(fault);
  const { targetName, madeAt } = await recogniseTarget(parts, by, operation, values);
  const target = String(values[operation.target]);
  const recognition = { target, targetName: targetName ?? labels[target] ?? null, madeAt };
  return add(parts, by, wish, { kind: 'job', operation: operation.name, values, labels, purpose, ...recognition });
}

/** Subscribes a report for a channel. The caller asks whether this person’s reports may use the service account. */
export async function askReport(parts: ScheduleChanger, by: ScheduleAsker, wish: ReportWish): Promise<ScheduleOutcome> {
  const before = await parts.things.find(schedules, idOf(by, wish.request));
  if (before) return isSet(before);
  const fault = faultOfChange(parts, wish);
  if (fault !== undefined) return refusal(fault);
  const nothing = { labels: {}, target: '', targetName: null, madeAt: null, purpose: null };
  return add(parts, by, wish, { kind: 'report', operation: reportOperation, values: wish.values, ...nothing });
}

/** The part of a new schedule that says what is run. */
type WorkOfSchedule = Pick<
  NewSchedule,
  'kind' | 'operation' | 'values' | 'labels' | 'target' | 'targetName' | 'madeAt' | 'purpose'
>;

async function add(
  parts: Parts<'credentials' | 'things' | 'clock'>,
  by: ScheduleAsker,
  { request, rhythm, zone, channel, tells, runsAs }: ScheduleChange & Readonly<{ request: string }>,
  work: WorkOfSchedule,
): Promise<ScheduleOutcome> {
  const now = parts.clock.now();
  const { team, person } = by;
  const actor = await actorOf(parts, by, by.channel);
  const asked = { id: idOf(by, request), team, person, channel, zone, tells, runsAs, createdAt: now };
  const fresh = newSchedule({ ...asked, ...work, rhythm: JSON.stringify(rhythm) });
  const start = startOf(fresh, 0, now);
  if ('fault' in start) return refusal(start.fault);
  const { changes, dueAt, job } = start;
  const as = { ...fresh, ...changes, login: actor.login };
  const trail = { ...actor, event: 'schedule asked', detail: sayCalendar({ rhythm, zone }) };
  const begins = { as, dueAt, job: job && { job, by: actor }, trail };
  const made = await parts.things.act(schedules, as.id, before => (before ? undefined : begins), now);
  const schedule = made ?? (await parts.things.find(schedules, as.id));
  if (!schedule) return refusal('This schedule belongs to another version of Dolly.');
  return isSet(schedule);
}

/** Makes the id of a schedule out of its request: a form that is submitted twice makes one schedule. */
function idOf({ team, person }: Owner, request: string): string {
  const all = JSON.stringify(['schedule', team, person, request]);
  return createHash('sha256').update(all).digest('hex').slice(0, 24);
}

/**
 * Changes when, where and with which sign-in a schedule runs. What others approved and is another now asks them anew; a
 * paused schedule stays paused.
 */
export function changeSchedule(
  parts: ScheduleStopper & Parts<'account'>,
  act: ScheduleAct,
  change: Partial<ScheduleChange>,
): Promise<ScheduleOutcome> {
  const setOf = (found: Schedule) => {
    const { zone, channel, tells, runsAs } = { ...found, ...change };
    const rhythm = change.rhythm ? JSON.stringify(change.rhythm) : found.rhythm;
    // While it runs with their own sign-in, its owner may become another user, whom nobody has approved.
    return { rhythm, zone, channel, tells, runsAs, ...(runsAs === found.runsAs ? {} : unapproved) };
  };
  const unless = (found: Schedule) =>
    isDeepStrictEqual({ ...found, ...setOf(found) }, found) ? isSet(found) : undefined;
  return onSchedule(parts, act, { verb: 'change', isOwners: true, unless }, async found => {
    const set = setOf(found);
    const calendar = calendarOf(set);
    const fault = faultOfChange(parts, { ...calendar, runsAs: set.runsAs });
    if (fault !== undefined) return refusal(fault);
    const start = startOf({ ...found, ...set }, found.revision, parts.clock.now());
    if ('fault' in start) return refusal(start.fault);
    const about = { did: 'changed', detail: sayCalendar(calendar) } as const;
    if (found.state === 'paused') return writeAct(parts, act, found, { ...about, changes: set });
    return writeAct(parts, act, found, { ...about, ...start, changes: { ...set, ...start.changes } });
  });
}

function isSet(schedule: Schedule): ScheduleOutcome {
  return { type: 'set', schedule };
}

/** Pauses a schedule until its owner resumes it. Its owner may, and those who are listed as approvers. */
export function pauseSchedule(parts: ScheduleStopper, act: ScheduleAct): Promise<ScheduleOutcome> {
  const unless = (found: Schedule) => (found.state === 'paused' ? isSet(found) : undefined);
  return onSchedule(parts, act, { verb: 'pause', unless }, found => {
    // Somebody who approves takes the approval back by that: the owner alone must not bring it back.
    const approval = found.person === act.person ? {} : unapproved;
    const changes = { ...atRest('paused', null), ...approval };
    return writeAct(parts, act, found, { did: 'paused', changes, dueAt: null });
  });
}

/**
 * Lets a schedule go on. Its target is read anew with the owner’s sign-in: what has its identifier now is meant from now
 * on, and asks those who approve anew where it is another.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where the target cannot be read now
 */
export function resumeSchedule(parts: ScheduleKeeper, act: ScheduleAct): Promise<ScheduleOutcome> {
  const unless = (found: Schedule) => (found.state === 'paused' ? undefined : isSet(found));
  return onSchedule(parts, act, { verb: 'resume', isOwners: true, unless }, found =>
    goOn(parts, act, found, 'resumed'),
  );
}

/**
 * Makes a listed approver the owner of a schedule: it goes on with the approver’s sign-in, or asks the others anew.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where the target cannot be read now
 */
export function takeOverSchedule(parts: ScheduleKeeper, act: ScheduleAct): Promise<ScheduleOutcome> {
  const unless = (found: Schedule) => (found.person === act.person ? refusal('It is already yours.') : undefined);
  return onSchedule(parts, act, { verb: 'take over', unless }, found => goOn(parts, act, found, 'taken over'));
}

/** Starts a schedule with the person who acts as its owner, whose sign-in must show the target. */
async function goOn(parts: ScheduleKeeper, act: ScheduleAct, found: Schedule, did: 'resumed' | 'taken over') {
  const { team, person } = act;
  const operation = operationOfSchedule(found);
  const fault =
    (operation && scheduleFault(parts.policy, operation)) ??
    faultOfChange(parts, { ...calendarOf(found), runsAs: found.runsAs });
  if (fault !== undefined) return refusal(fault);
  // A report with the service account is read for whoever subscribed it, so nobody takes over what that person may see.
  const runsAs = found.kind === 'report' && did === 'taken over' ? ('owner' as const) : found.runsAs;
  const seen: Partial<Recognition> = operation
    ? await recogniseTarget(parts, { team, person }, operation, found.values)
    : {};
  // Whoever takes it over gets the messages that its owner alone had.
  const channel = found.channel === found.person ? person : found.channel;
  const changes = { ...seen, person, channel, runsAs, failures: 0 };
  const start = startOf({ ...found, ...changes }, found.revision, parts.clock.now());
  if ('fault' in start) return refusal(start.fault);
  return writeAct(parts, act, found, { did, ...start, changes: { ...changes, ...start.changes } });
}

/** Deletes a schedule. Its owner may, and those who are listed as approvers. A run that is under way goes on. */
export function deleteSchedule(parts: ScheduleStopper, act: ScheduleAct): Promise<ScheduleOutcome> {
  const changes = { ...atRest('deleted', null), endedAt: parts.clock.now() };
  return onSchedule(parts, act, { verb: 'delete' }, found =>
    writeAct(parts, act, found, { did: 'deleted', changes, dueAt: null }),
  );
}

/**
 * Runs a schedule at once, with its owner’s own sign-in: no click ever runs with the service account. It counts as the
 * last run, and leaves the calendar as it is. As by the calendar, nothing is run on another record than the one that was
 * meant.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where the target cannot be read now
 */
export function runNow(parts: ScheduleRunner, act: ScheduleAct, request: string) {
  const key = JSON.stringify(['schedule', act.id, 'now', request]);
  const unless = (found: Schedule) => (found.lastJob === runIdOf(found, key) ? isSet(found) : undefined);
  return onSchedule(parts, act, { verb: 'run', isOwners: true, unless }, async found => {
    if (found.kind === 'report') return reportNow(parts, act, found);
    const isApart = isForEnvironment(found);
    const last = await lastRunOf(parts, found);
    if (!isApart && (last.type === 'open' || last.type === 'held'))
      return refusal('A run is already under way, so I started nothing.');
    const operation = operationOfSchedule(found);
    const seen = operation && (await recogniseTarget(parts, found, operation, found.values));
    const difference = seen && differenceOfTarget(found, seen);
    if (difference !== undefined) {
      const way = found.state === 'paused' ? 'Resume' : 'Pause and resume';
      return refusal(`${difference} I started nothing. ${way} it if you want that.`);
    }
    const now = parts.clock.now();
    const members = isApart ? await membersOf(parts, found, await parts.records.session(found)) : undefined;
    if (members?.steps.length === 0) return refusal('Nothing on it can run now, so I started nothing.');
    const job = jobOfRun({ ...found, runsAs: 'owner', tells: 'all' }, key, now, { steps: members?.steps });
    if ('fault' in job) return refusal(job.fault);
    const known = members ? { members: members.known, above: members.above } : {};
    const changes: ScheduleStep['changes'] = { lastJob: job.id, lastOutcome: null, ...known };
    const notices = members ? noticesOfMembers(found, members, now) : [];
    return writeAct(parts, act, found, { did: 'run', changes, job, notices });
  });
}

/** @throws {Failure} `signed-out` where its owner is not signed in */
async function reportNow(parts: ScheduleRunner, act: ScheduleAct, found: Schedule) {
  const report = await parts.reportOn({ ...found, runsAs: 'owner', plannedAt: parts.clock.now() });
  if (!report) return refusal(noReports);
  const { outcome, notices } = report;
  return writeAct(parts, act, found, { did: 'run', changes: { lastOutcome: outcome }, notices });
}

/** Leaves a member out of a schedule for an environment, for good. Its owner and those who approve may. */
export function leaveMemberOut(parts: ScheduleStopper, act: ScheduleAct, member: string): Promise<ScheduleOutcome> {
  return onSchedule(parts, act, { verb: 'leave anything out of' }, found => {
    const { [member]: name = member, ...members } = found.members ?? {};
    const leftOut = [...new Set([...(found.leftOut ?? []), member])];
    return writeAct(parts, act, found, { did: 'changed', changes: { leftOut, members }, detail: `without ${name}` });
  });
}
