import type { Judge, Mover, Parts } from '../../../jobs/parts.ts';
import { onSchedule, refusal, type ScheduleAct, type ScheduleOutcome, writeAct } from '../mayAct.ts';
import type { Schedule, ScheduleStep } from '../schedule.ts';
import { requestOfSchedule, withRemark } from '../scheduleApproval.ts';
import { noticesOf, toChannel } from '../scheduleNotice.ts';
import { boundValues, ceilingOf, type MembersOfRun, nameSome } from './membersOfRun.ts';

/*
 * More databases stand on the environment of a schedule than may join. Those who approved it for the service account are
 * asked whether they may, else its owner is; meanwhile it runs for the others.
 */

/** The step that tells of what is above the ceiling, and asks; `undefined` where all of that was told before. */
export function askForMore(
  schedule: Schedule,
  { known, above, untold }: MembersOfRun,
  now: number,
): ScheduleStep | undefined {
  // While they decide, nobody is asked for still more.
  if (Object.keys(untold).length === 0 || schedule.asks) return undefined;
  const all = { ...above, ...untold };
  const values = { ...schedule.values, ...boundValues({ ...known, ...all }) };
  const before = ceilingOf(schedule);
  const isMost = Number(values.ceiling) <= before;
  const isApproved = schedule.runsAs === 'service' && !isMost;
  const remark = `It already runs, on at most ${before} databases. ${nameSome('Now there are more', all)}`;
  const job = isApproved
    ? requestOfSchedule(withRemark({ ...schedule, values }, remark), schedule.revision, now)
    : undefined;
  const request = job && 'id' in job ? job : undefined;
  const asked = request ? ' I ask the approvers whether to include them.' : '';
  const why = `${nameSome(`New here, but not included, because that would make more than ${before}`, untold)}${asked}`;
  const more = isApproved || isMost ? undefined : Number(values.ceiling);
  return {
    changes: { above: all, ...(request ? { asks: values, request: request.id } : {}) },
    dueAt: now,
    trail: { event: 'above the ceiling', detail: Object.keys(untold).join(', ') },
    job: request && { job: request },
    notices: noticesOf(schedule, 'members', toChannel(schedule), { now, why, more }),
  };
}

/** Lets a schedule that runs with its owner’s sign-in have so many members, by its owner’s word. */
export function includeMore(
  parts: Judge & Mover & Parts<'things'>,
  act: ScheduleAct,
  most: number,
): Promise<ScheduleOutcome> {
  return onSchedule(parts, act, { verb: 'include more in', isOwners: true }, async found => {
    if (found.runsAs === 'service') return refusal('The approvers decide on that.');
    if (ceilingOf(found) >= most) return { type: 'set', schedule: found };
    const values = { ...found.values, ...boundValues({ ...found.members, ...found.above }), ceiling: String(most) };
    return writeAct(parts, act, found, { did: 'changed', changes: { values, above: null }, detail: `at most ${most}` });
  });
}
