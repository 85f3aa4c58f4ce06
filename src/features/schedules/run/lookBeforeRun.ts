import { parseIdentifier } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import { inspect } from '../../../jobs/approval/facts/inspection.ts';
import { approverPlaces, isMember } from '../../../jobs/approval/people/hasSay.ts';
import { lapseOfApproval } from '../../../jobs/approval/standingApproval.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import type { Session } from '../../../records/records.ts';
import { readWhole } from '../../../records/shown.ts';
import type { Schedule } from '../schedule.ts';
import type { NoticePlaces } from '../scheduleNotice.ts';
import { operationOfSchedule, scheduleFault, unknownWork } from '../scheduleRules.ts';
import type { ScheduleSight } from './nextOfSchedule.ts';
import { recognitionOf } from './scheduleTarget.ts';

/**
 * Looks at all that a run rests on: its owner, the policy, the sign-in with which it runs, and the record of its target.
 * @throws {Failure} where Slack or the service does not tell now: another try may help
 */
export async function lookBeforeRun(
  parts: Judge & Parts<'account'>,
  schedule: Schedule,
  session: Session | undefined,
): Promise<ScheduleSight> {
  const { team, person, runsAs } = schedule;
  // While Slack is silent, what it said within the last day counts (connection/directory.ts).
  if (!(await isMember(parts, { team, person }, 'lately'))) return { type: 'left' };
  // A report finds by itself with which sign-in it may read.
  if (schedule.kind === 'report') return { type: 'ready', target: undefined };
  const operation = operationOfSchedule(schedule);
  if (!operation) return { type: 'lost', why: unknownWork };
  const fault = scheduleFault(parts.policy, operation);
  if (fault !== undefined) return { type: 'lost', why: fault };
  if (runsAs === 'service' && !parts.account)
    return { type: 'signed out', why: 'The service account that it runs with is no longer set up.' };
  if (!session) {
    if (runsAs === 'service') throw new Failure('busy', 'The service now refuses the service account’s sign-in.');
    return { type: 'signed out', why: 'Its owner is not signed in to the service.' };
  }
  return seeTarget(parts, schedule, session);
}

async function seeTarget(parts: Judge, schedule: Schedule, { records }: Session): Promise<ScheduleSight> {
  const { target, runsAs, values } = schedule;
  const id = parseIdentifier(target);
  if (!id) return { type: 'lost', why: 'This version of Dolly does not know this kind of target.' };
  const gone = `The records no longer show its target ${target}.`;
  try {
    const record = await readWhole(records, id);
    if (!record) return { type: 'lost', why: gone };
    const lapsed =
      runsAs === 'service' ? await lapseOfApproval(parts, schedule, await inspect(records, id, values)) : undefined;
    if (lapsed !== undefined) return { type: 'lost', why: lapsed };
    return { type: 'ready', target: recognitionOf(record), place: record.environment?.id.text };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'missing') return { type: 'lost', why: gone };
    if (error.kind === 'forbidden')
      return { type: 'lost', why: `The service no longer shows its target ${target} to that sign-in.` };
    if (error.kind === 'signed-out' && runsAs === 'owner')
      return { type: 'signed out', why: 'The service refuses its owner’s sign-in.' };
    throw error;
  }
}

/** Finds the places of those who approve: their channel, else a direct message each. */
export async function placesOfApprovers(
  parts: Judge & Parts<'approvalChannel'>,
  { team, channel }: Schedule,
): Promise<NoticePlaces> {
  return (await approverPlaces(parts, team, { otherwise: channel })).map(({ to }) => to);
}
