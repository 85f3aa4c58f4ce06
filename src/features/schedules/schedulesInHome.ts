import type { KnownBlock } from '@slack/types';
import { actionsRow, context, headerBlock, section } from '../../slack/blocks/blocks.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { HomeSection } from '../../slack/house.ts';
import { runCommand } from '../../slack/words/commandActions.ts';
import { byNextRun, type Schedule, schedules } from './schedule.ts';
import { scheduleActions } from './scheduleActions.ts';
import { scheduleLine, scheduleStanding } from './scheduleLines.ts';

/** Max schedules in a Home. */
const most = 5;

/** A person’s own schedules, those that run next first. */
export const schedulesInHome: HomeSection<Desk<'things'>> = {
  place: 'below',
  open:
    ({ things }) =>
    async ({ team, person, signedInAt }) => {
      const own = await things.list(schedules, { team, person });
      return { blocks: own.length > 0 || signedInAt !== undefined ? scheduleRows(own.toSorted(byNextRun)) : [] };
    },
};

/** The rows of Home about schedules. */
export function scheduleRows(own: readonly Schedule[]): KnownBlock[] {
  const rows = own.slice(0, most).map(schedule => {
    const text = `${scheduleLine(schedule)}\n${scheduleStanding(schedule)}`;
    return { ...section(text), block_id: `schedule:${schedule.id}` };
  });
  const all = own.length === 0 ? [] : [runCommand.button('All schedules', 'schedules', { suffix: 'schedules' })];
  const left = own.length - most;
  return [
    headerBlock('Your schedules'),
    ...(rows.length === 0 ? [section('You have no schedules yet.')] : rows),
    ...(left > 0 ? [context(`… and ${left} more.`)] : []),
    ...actionsRow([...all, scheduleActions.new.button('New schedule…', null)], 'schedules'),
  ];
}
