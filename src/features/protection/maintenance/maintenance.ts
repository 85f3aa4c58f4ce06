import { z } from 'zod';
import { day } from '../../../ground/durations.ts';
import type { Parts } from '../../../jobs/parts.ts';
import type { BadNews, KnownNews } from '../../../jobs/standing.ts';
import { defineKind, type ThingOf } from '../../../store/things/kind.ts';
import type { StepOf, Things } from '../../../store/things/things.ts';

/*
 * Maintenance of an environment: until its end nobody is told that something there fails, is late or is disabled. What
 * vanishes, and backups that are gone, are told all the same.
 */

const MaintenanceBody = z.object({
  /** The identifier and the name of the environment. */
  environment: z.string(),
  name: z.string(),
  channel: z.string(),
  reason: z.string(),
  /** Its beginning, which may be to come. */
  since: z.number(),
  until: z.number(),
  /** Whether runs by the calendar are left out meanwhile. */
  withoutRuns: z.boolean().optional(),
});
/** `person` is the one who declared it. */
export type Maintenance = ThingOf<typeof maintenances>;
export type MaintenanceStep = StepOf<typeof maintenances>;

export const maintenances = defineKind({
  name: 'maintenance',
  body: MaintenanceBody,
  states: { on: ['over'], over: ['on'] },
  over: ['over'],
  found: ({ environment, channel }) => ({ subject: environment, channel }),
  about: ({ environment, name, channel }) => ({ target: environment, targetName: name, channel }),
});

/** An environment has one at most. */
export function maintenanceId(team: string, environment: string): string {
  return `maintenance ${team} ${environment}`;
}

/** The time before bad news in which a job has shown on which environment a record is, in milliseconds. */
const knownFor = 32 * day;

/** Whether maintenance excuses bad news: of the environment itself, or of what is on it. */
export async function excusedByMaintenance(
  parts: Parts<'things' | 'jobs'>,
  { team, record, environment, at }: BadNews,
): Promise<KnownNews | undefined> {
  const maintained = await maintainedIn(parts, team, at);
  if (maintained.size === 0) return undefined;
  const known = maintained.get(environment ?? record) ?? maintained.get(record);
  if (known || environment !== undefined) return known && excusedBy(known);
  const dealings = await parts.jobs.dealingsWith(team, [record], at - knownFor);
  const places = dealings.flatMap(({ evidence }) => maintained.get(evidence?.environmentId ?? '') ?? []);
  return places[0] && excusedBy(places[0]);
}

const excusedBy = ({ withoutRuns = false }: Maintenance): KnownNews => ({ is: 'in maintenance', withoutRuns });

/** The environments that are in maintenance at a moment, by their identifiers. */
export async function maintainedIn(
  { things }: Readonly<{ things: Pick<Things, 'list'> }>,
  team: string,
  at: number,
): Promise<ReadonlyMap<string, Maintenance>> {
  return maintainedAt(await things.list(maintenances, { team }), at);
}

/** Those of the environments, among whose maintenance there may be some that is over. */
export function maintainedAt(all: readonly Maintenance[], at: number): ReadonlyMap<string, Maintenance> {
  return new Map(all.filter(one => at >= one.since && at < one.until).map(one => [one.environment, one]));
}
