import { second } from '../../src/ground/durations.ts';
import { logins, other } from './cast.ts';
import type { Act, ActOf, Fault, Plan } from './plan.ts';
import type { Random } from './random.ts';
import type { Scene } from './sceneParts.ts';

/*
 * Logins change hands: before somebody decides, they sign in as the user who asked, or as another approver. And a sign-in
 * that has just ended is followed by a new one while requests with the old one are still on their way.
 */

/** Draws who signs in as whom. */
export function drawHandOvers(random: Random, { acts }: Pick<Plan, 'acts'>): Scene {
  const asked = acts.filter(({ act }) => act === 'delete' || act === 'tear down');
  const decided = acts.filter((act): act is ActOf<'decide'> => act.act === 'decide');
  const drawn = decided.flatMap((decision, number): Act[] => {
    const asker = asked.find(({ id }) => id === decision.of);
    if (!asker || !('who' in asker) || asker.who === decision.who || !random.chance(0.12)) return [];
    const at = Math.max(5 * second, decision.at - random.whole(2 * second, 8 * second));
    const as = logins[random.chance(0.8) ? asker.who : other(decision.who)];
    const enters: Act = { at, id: `h${number}`, act: 'sign in', who: decision.who, as };
    const back = decision.at + random.whole(4 * second, 40 * second);
    const returns: Act = { at: back, id: `h${number}+`, act: 'sign in', who: decision.who, as: logins[decision.who] };
    return random.chance(0.7) ? [enters, returns] : [enters];
  });
  const renewed = random.chance(0.2) ? drawRenewal(random, acts) : { acts: [], faults: [] };
  return { acts: [...drawn, ...renewed.acts], faults: renewed.faults };
}

/** A sign-in ends at the service; its person signs in anew at once, and the service is slow to refuse the old one. */
function drawRenewal(random: Random, acts: readonly Act[]): Scene {
  const asked = acts.filter(
    (act): act is ActOf<'clone' | 'back up'> => (act.act === 'clone' || act.act === 'back up') && act.at > 6 * second,
  );
  if (asked.length === 0) return { acts: [], faults: [] };
  const { at, who } = random.one(asked);
  const endsAt = at + random.whole(second / 2, 2 * second);
  const as = logins[who];
  const ends: Act = { at: endsAt, id: 'h-ends', act: 'end tokens', as };
  const enters: Act = { at: endsAt + random.whole(0, second), id: 'h-in', act: 'sign in', who, as };
  const ms = random.one([2_000, 2_800, 2_800, 4_000]);
  const slow: Fault = { at: endsAt - second / 10, fault: 'slow', to: 'service', ms, lasts: 4 * second };
  return { acts: [ends, enters], faults: [slow] };
}

/** Where a request needs two approvals, a third person decides, too: at the same moment, or as the user of another one. */
export function drawSecondApprovals(random: Random, { acts, approvals }: Pick<Plan, 'acts' | 'approvals'>): Scene {
  if (approvals === undefined) return { acts: [], faults: [] };
  const enters: Act = { at: 5 * second, id: 'eve', act: 'sign in', who: 'Eve', as: logins.Eve };
  const decided = acts.filter((act): act is ActOf<'decide'> => act.act === 'decide' && act.how === 'approve');
  const drawn = decided.flatMap((decision, number): Act[] => {
    if (decision.who === 'Eve' || !random.chance(0.8)) return [];
    const at = decision.at + (random.chance(0.5) ? random.whole(0, second / 4) : random.whole(second, 30 * second));
    const approves: Act = { ...decision, at, id: `e${number}`, who: 'Eve', twice: false };
    const borrowed: Act = {
      at: at - 3 * second,
      id: `e${number}i`,
      act: 'sign in',
      who: 'Eve',
      as: logins[decision.who],
    };
    return random.chance(0.45) ? [borrowed, approves] : [approves];
  });
  return { acts: [enters, ...drawn], faults: [] };
}
