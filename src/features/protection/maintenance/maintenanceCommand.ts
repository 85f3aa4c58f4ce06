import { nextRun } from '../../../ground/calendar.ts';
import { day } from '../../../ground/durations.ts';
import { canBeRead } from '../../../ground/lookalikes.ts';
import { zoneOrUtc } from '../../../ground/zone.ts';
import { actorOf } from '../../../jobs/actor.ts';
import { isApprover } from '../../../jobs/approval/people/hasSay.ts';
import type { Clerk, Judge } from '../../../jobs/parts.ts';
import { endOfKeeping, inOwnZone, readKeepFor } from '../../../operations/requests/keepFor.ts';
import { cut } from '../../../slack/blocks/limits.ts';
import { mentionOf } from '../../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../../slack/blocks/message.ts';
import { momentAfter } from '../../../slack/blocks/moments.ts';
import { bold, code, plain } from '../../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import type { CommandAnswer } from '../../../slack/house.ts';
import { foundOne } from '../../../slack/records/foundOne.ts';
import { commandButton } from '../../../slack/words/commandActions.ts';
import { takeInput } from '../../../slack/words/commandText.ts';
import { type Maintenance, type MaintenanceStep, maintenanceId, maintenances } from './maintenance.ts';
import { endMaintenance, excusedIn } from './workOnMaintenance.ts';

/** Max characters of a reason, and the longest maintenance in milliseconds. */
const longest = { reason: 300, time: 30 * day } as const;

type Maintainer = Judge & Clerk & Desk<'things' | 'records' | 'names'>;

/**
 * Answers `maintenance`: those who approve declare that an environment is worked on, and until when; anybody sees which.
 * @throws {Failure} `signed-out`, or where the records cannot be read, or Slack does not tell who approves
 */
export const maintenance: CommandAnswer<Maintainer> = async (desk, interaction, { words, inputs }) => {
  const { team, person, channel } = interaction;
  const now = desk.clock.now();
  const typed = words.slice(1);
  const { text: until } = takeInput(inputs, 'until');
  const { text: from } = takeInput(inputs, 'from');
  const { text: runs = 'on' } = takeInput(inputs, 'runs');
  const { text: why = '' } = takeInput(inputs, 'why');
  if (typed.length === 0) {
    const all = await desk.things.list(maintenances, { team });
    return listOf(
      desk,
      all.filter(one => now < one.until),
    );
  }
  if (!(await isApprover(desk, { team, person })))
    return said('Only approvers can declare maintenance, so I did nothing.');
  const isOff = typed.length > 1 && typed.at(-1)?.toLowerCase() === 'off' && until === undefined;
  const name = (isOff ? typed.slice(0, -1) : typed).join(' ');
  const found = foundOne(await desk.records.of(interaction).find(name, ['environment']), {
    ...{ typed: name, nouns: ['environment'], usage: usage(desk) },
  });
  if (!('id' in found)) return found;
  const id = maintenanceId(team, found.id);
  const called = found.name ?? found.id;
  const by = await actorOf(desk, { team, person }, channel);
  if (isOff) {
    const done = await endMaintenance(desk, { id, team }, now, { by: person, trail: by });
    return said(done ? `Maintenance of ${bold(called)} is over.` : `${bold(called)} is not in maintenance.`);
  }
  const zone = zoneOrUtc(await desk.people.zoneOf({ team, person }));
  const since = from === undefined ? now : readEnd(from, zone, now);
  if (since === undefined || since < now || since > now + longest.time)
    return said(
      `Say from when, within ${longest.time / day} days: ${code('from=22:00')} or ${code('from=2h')}. I did nothing.`,
    );
  if (runs !== 'on' && runs !== 'off')
    return said(
      `Use ${code('runs=off')} to skip scheduled runs in the meantime; without it they go on. I did nothing.`,
    );
  const end = until === undefined ? undefined : readEnd(until, zone, since);
  if (end === undefined || end <= since || end > now + longest.time)
    return said(
      `Say until when, within ${longest.time / day} days: ${code('until=6:00')}, ${code('until=4h')} or ${code('until=2026-12-24')}. I did nothing.`,
    );
  if (!canBeRead(why))
    return said(`Say why, for those who see no alerts: ${code('why="Kernel update"')}. I did nothing.`);
  const reason = cut(why, longest.reason);
  const times = { since, until: end, withoutRuns: runs === 'off' };
  const declared = { environment: found.id, name: called, channel, reason, ...times };
  const beginning = from === undefined ? '' : `from ${new Date(since).toISOString()} `;
  const detail = `${beginning}until ${new Date(end).toISOString()}${runs === 'off' ? ' without runs' : ''}: ${reason}`;
  const trail = { ...by, event: 'maintenance declared', detail };
  const wakes = await excusedIn(desk, team);
  const give = (one?: Maintenance) => declareStep(one, { id, team, person, declared, now }, { trail, wakes });
  await desk.things.act(maintenances, id, give, now);
  return said(
    `${bold(called)} is in maintenance ${from === undefined ? '' : `${momentAfter('from', since)} `}${momentAfter('until', end)}. Nobody is alerted to failures, late backups, disabled databases or runs that fail there${runs === 'off' ? ', and scheduled runs are skipped' : ''}. Databases or backups that vanish are still reported.`,
    [commandButton(desk.names.db, ['maintenance', called, 'off'])],
  );
};

type Declaration = Pick<Maintenance, 'id' | 'team' | 'person'> &
  Readonly<{
    declared: Pick<Maintenance, 'environment' | 'name' | 'channel' | 'reason' | 'since' | 'until' | 'withoutRuns'>;
    now: number;
  }>;

/**
 * Maintenance begins; where it is on already, it has another end, and its message says so. One whose time was over before
 * has a message of its own, which is closed.
 */
function declareStep(
  one: Maintenance | undefined,
  { id, team, person, declared, now }: Declaration,
  more: Pick<MaintenanceStep, 'trail' | 'wakes'>,
) {
  const { since, until, name, reason, channel, withoutRuns } = declared;
  const data = { what: 'on', name, by: person, until, reason, withoutRuns, ...(since > now ? { from: since } : {}) };
  const row = { id, team, person, state: 'on', plannedAt: until, waitsFor: null, endedAt: null } as const;
  const common = { dueAt: until, ...more };
  // Another beginning is another maintenance, with a message of its own.
  if (one?.state === 'on' && now < one.until && since <= now) {
    const as = { ...row, ...declared, channel: one.channel, since: one.since, createdAt: one.createdAt };
    return { as, ...common, drawn: [{ notice: `${id} ${one.since}`, data }] };
  }
  const to = { channel, person };
  const notices = [{ id: `${id} ${since}`, subject: id, team, kind: 'maintenance', createdAt: now, to, data }];
  return { as: { ...row, ...declared, createdAt: now }, ...common, closed: [{ outcome: 'over' }], notices };
}

/** The end of maintenance as people type it: a time of day, the next such one in their zone; a duration; or a date. */
function readEnd(typed: string, zone: string, now: number): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(typed.trim()) ?? [];
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60)
    return nextRun({ rhythm: { every: 'day', at: `${hours.padStart(2, '0')}:${minutes}` }, zone }, now);
  const keep = readKeepFor(inOwnZone(typed, zone));
  return (keep && endOfKeeping(keep, now)) ?? undefined;
}

function listOf(desk: Maintainer, all: readonly Maintenance[]): Content {
  const now = desk.clock.now();
  const lines = all.map(
    ({ name, person, reason, since, until, withoutRuns }) =>
      `:construction: ${bold(name)} ${since > now ? `${momentAfter('from', since)} ` : ''}${momentAfter('until', until)}${withoutRuns ? ', without scheduled runs' : ''}: “${plain(reason, longest.reason)}” (${mentionOf(person)})`,
  );
  return said([...(lines.length > 0 ? lines : ['No environment is in maintenance.']), usage(desk)].join('\n'));
}

function usage({ names }: Desk<'names'>): string {
  return `Approvers declare it with ${code(`${names.db} maintenance mysql-prod until=6:00 why="Kernel update"`)}, start it later with ${code('from=22:00')}, skip scheduled runs with ${code('runs=off')}, and end it with ${code('off')}.`;
}
