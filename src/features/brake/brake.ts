import { z } from 'zod';
import type { Kind, Thing } from '../../store/things/kind.ts';
import type { NewThing } from '../../store/things/things.ts';

/*
 * The emergency brake of a team: while it is on, nothing is written to the service that nobody is asking for at this moment.
 * What people ask for themselves goes on.
 */

const BrakeBody = z.object({ reason: z.string(), since: z.number() });
type BrakeBody = z.infer<typeof BrakeBody>;
type BrakeState = 'on' | 'off';
/** `person` is the one who pulled it last. */
export type Brake = Thing<BrakeState, BrakeBody>;

export const brakes: Kind<BrakeState, BrakeBody> = {
  name: 'brake',
  body: BrakeBody,
  states: { on: ['off'], off: ['on'] },
  over: ['off'],
  found: () => ({}),
  about: ({ reason }) => ({ detail: reason }),
};

/** A team has one brake. */
export function brakeId(team: string): string {
  return `brake ${team}`;
}

/** A brake that is pulled. */
export function pulled(
  { team, person }: Readonly<{ team: string; person: string }>,
  reason: string,
  now: number,
): NewThing<BrakeState, BrakeBody> {
  const row = { plannedAt: null, waitsFor: null, createdAt: now, endedAt: null };
  return { id: brakeId(team), team, person, ...row, state: 'on', reason, since: now };
}
