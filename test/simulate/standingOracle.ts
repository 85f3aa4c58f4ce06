import type { Facts, Found } from './oracles.ts';
import { approvers } from './sides.ts';

/*
 * What must hold of those who have no say (21): whoever neither owns something nor is among those who may approve is never
 * in the trail as the one who changed it.
 */

/** What people may do about the things of others: to try in vain, and to wish. */
const open = new Set(['refused', 'lease wished']);

/** Looks through the trail for what somebody did to the thing of another person. */
export function checkStanding({ disk }: Pick<Facts, 'disk'>, found: Found): void {
  for (const { event, actor, person, detail } of disk.rows(
    "select event, actor, person, detail from audit where person is not null and actor != person and actor like 'U%'",
  )) {
    if (approvers.includes(String(actor)) || open.has(String(event))) continue;
    found('21 no standing', `${actor} has no say in what is ${person}'s, and did: ${event} (${detail})`);
  }
}
