import { z } from 'zod';
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
  since: z.number(),
  until: z.number(),
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

/** The environments that are in maintenance at a moment, by their identifiers. */
export async function maintainedIn(
  { things }: Readonly<{ things: Pick<Things, 'list'> }>,
  team: string,
  at: number,
): Promise<ReadonlyMap<string, Maintenance>> {
  const all = await things.list(maintenances, { team });
  return new Map(all.filter(one => at >= one.since && at < one.until).map(one => [one.environment, one]));
}
