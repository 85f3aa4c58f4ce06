import { z } from 'zod';
import { defineKind } from '../things/kind.ts';

/** How a person wants to be rung for what stands in a channel: by a mention there, or by a direct message in its place. */
export const ringWays = defineKind({
  name: 'ringWay',
  body: z.object({ chosenAt: z.number() }),
  states: { mention: ['direct'], direct: ['mention'] },
  over: [],
  found: () => ({}),
  about: () => ({}),
});

/** A person has one way. */
export function ringWayId({ team, person }: Readonly<{ team: string; person: string }>): string {
  return `ring way ${team} ${person}`;
}
