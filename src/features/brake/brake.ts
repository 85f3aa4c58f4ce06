import { z } from 'zod';
import { heldFor } from '../../jobs/workOnThings.ts';
import { defineKind, type ThingOf } from '../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../store/things/things.ts';
import type { Owner } from '../../store/vault.ts';

/*
 * The emergency brake of a team: while it is on, nothing is written to the service that nobody is asking for at this moment.
 * What people ask for themselves goes on.
 */

const BrakeBody = z.object({ reason: z.string(), since: z.number() });
/** `person` is the one who pulled it last. */
export type Brake = ThingOf<typeof brakes>;

export const brakes = defineKind({
  name: 'brake',
  body: BrakeBody,
  states: { on: ['off'], off: ['on'] },
  over: ['off'],
  found: () => ({}),
  about: ({ reason }) => ({ detail: reason }),
});

/** A team has one brake. */
export function brakeId(team: string): string {
  return `brake ${team}`;
}

/** A brake that is pulled. */
export function pulled({ team, person }: Owner, reason: string, now: number): NewOf<typeof brakes> {
  const row = { plannedAt: null, waitsFor: null, createdAt: now, endedAt: null };
  return { id: brakeId(team), team, person, ...row, state: 'on', reason, since: now };
}

/** The release of a brake. */
export function released(now: number): StepOf<typeof brakes> {
  return { changes: { state: 'off', endedAt: now }, wakesTeam: heldFor };
}
