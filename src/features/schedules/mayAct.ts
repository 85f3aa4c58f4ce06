import { actorOf } from '../../jobs/actor.ts';
import { hasSayIn } from '../../jobs/approval/people/hasSay.ts';
import { withdrawRequest } from '../../jobs/approval/standingApproval.ts';
import type { Judge, Mover, Parts } from '../../jobs/parts.ts';
import type { NewJob } from '../../store/jobs/rows/job.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import type { Owner } from '../../store/vault.ts';
import { type Schedule, type ScheduleStep, schedules } from './schedule.ts';
import { noticesOf, type ScheduleActed, type ScheduleDeed } from './scheduleNotice.ts';

/* The parts that all acts on schedules have in common: the right to act, and the way in which it is written. */

/** A person who acts on a schedule in a channel, and the revision of it that they saw, where the act rests on one. */
export type ScheduleAct = Owner & Readonly<{ channel: string; id: string; revision?: number }>;

/** Sets schedules in a person’s name. */
export type ScheduleKeeper = Mover & Judge & Parts<'account' | 'things' | 'records'>;

/** What came of an act. A schedule in the state `waiting` asks those who approve. */
export type ScheduleOutcome = Readonly<{ type: 'set'; schedule: Schedule }> | ScheduleRefusal;
type ScheduleRefusal = Readonly<{ type: 'refused'; sentence: string }>;

/** Makes the outcome of an act that changed nothing. */
export function refusal(sentence: string): ScheduleRefusal {
  return { type: 'refused', sentence };
}

/** The outcome of an act on what somebody changed since. */
const changedSince = refusal('This schedule has changed since you saw it. I changed nothing more.');

/** Who may do an act: its owner alone, or those who approve, too. `unless` gives the outcome where nothing is left to do. */
type ActRule = Readonly<{
  verb: string;
  isOwners?: true;
  unless?(found: Schedule): ScheduleOutcome | undefined;
}>;

/**
 * Does an act on a schedule for a person who may, as long as it is as that person saw it.
 * @throws {Failure} `busy` where Slack does not tell who approves
 */
export async function onSchedule(
  parts: Judge & Parts<'things'>,
  act: ScheduleAct,
  { verb, isOwners, unless }: ActRule,
  work: (found: Schedule) => Promise<ScheduleOutcome>,
): Promise<ScheduleOutcome> {
  const found = await parts.things.find(schedules, act.id);
  if (found?.team !== act.team || found.state === 'deleted') return refusal('This schedule no longer exists.');
  if (!(isOwners ? found.person === act.person : await hasSayIn(parts, act, found.person)))
    return refusal(`Only its owner${isOwners ? '' : ' and approvers'} can ${verb} this schedule.`);
  const isSeen = act.revision === undefined || act.revision === found.revision;
  return unless?.(found) ?? (isSeen ? work(found) : changedSince);
}

/** An act that is to be written: its changes, and the job that it makes. */
type ActToWrite = Readonly<{
  did: ScheduleDeed;
  changes: ScheduleStep['changes'];
  dueAt?: number | null;
  job?: NewJob | undefined;
  detail?: string;
  notices?: readonly NewNotice[];
}>;

/**
 * Writes an act on a schedule with its entry in the trail. Its messages say who acted, its owner hears of it where that
 * was somebody else, and an older request for approval is withdrawn.
 */
export async function writeAct(
  parts: Mover & Parts<'things'>,
  act: ScheduleAct,
  found: Schedule,
  { did, changes, job, detail, notices = [], ...due }: ActToWrite,
): Promise<ScheduleOutcome> {
  const now = parts.clock.now();
  const by = await actorOf(parts, act, act.channel);
  const outcome = JSON.stringify({ by: act.person, did } satisfies ScheduleActed);
  const next = { ...found, ...changes };
  const asker = job ? { login: by.login } : {};
  const to = found.person === act.person ? [] : [{ person: found.person }];
  const written = await parts.things.apply(
    schedules,
    found,
    {
      ...{ ...due, changes: { ...changes, ...asker }, closed: [{ outcome }], job: job && { job, by } },
      trail: { ...by, event: `schedule ${did}`, ...(detail === undefined ? {} : { detail }) },
      notices: [
        ...notices,
        ...noticesOf({ ...next, person: found.person }, 'changed', to, { now, by: act.person, did }),
      ],
    },
    { now },
  );
  if (!written) return changedSince;
  const isAsked = atWork.includes(written.state) && written.request === found.request && written.runsAs === 'service';
  if (atWork.includes(found.state) && !isAsked) await withdrawRequest(parts, found, by, hasChanged);
  return { type: 'set', schedule: written };
}

/** The states in which a request of a schedule may be open: for its first approval, or for the next one. */
const atWork: readonly Schedule['state'][] = ['waiting', 'on'];

/** Why a request for its approval is withdrawn. */
export const hasChanged = 'The schedule has changed, so this question no longer applies.';
