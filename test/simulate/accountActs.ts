import { second } from '../../src/ground/durations.ts';
import { other } from './cast.ts';
import type { Durable } from './leaseActs.ts';
import type { Act, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/* What runs with the service account: schedules and workflows that those who approve must have allowed. */

/** How often each way is drawn in which those who approve answer. */
const ways = { approve: 34, changed: 22, deny: 8, again: 14, withdraw: 8, takenBack: 14, nothing: 6 };

/** Lets schedules and workflows run with the service account, and others decide on that. */
export function runByAccount(random: Random, { acts, ...thing }: Durable): Durable {
  const mine = new Set(acts.flatMap(act => (act.act === 'schedule' || act.act === 'run step' ? [act.id] : [])));
  return {
    ...thing,
    acts: [
      ...acts.map(act => (act.act === 'schedule' || act.act === 'run step' ? { ...act, byAccount: true } : act)),
      ...acts.flatMap(act => drawAnswer(random, act, mine)),
    ],
  };
}

/** What follows on the act by which somebody asks those who approve: a schedule that is set, a workflow that is allowed. */
function drawAnswer(random: Random, act: Act, mine: ReadonlySet<string>): Act[] {
  const isSet = act.act === 'schedule';
  const isSchedule = isSet || act.act === 'press schedule';
  const isAllowed = (act.act === 'answer step' || act.act === 'change leave') && act.button === 'Allow';
  const isChanged = act.act === 'press schedule' && (act.button === 'Change…' || act.button === 'Resume');
  if (!isSet && !isAllowed && !isChanged) return [];
  const of = isSet ? act.id : act.of;
  if (!mine.has(of)) return [];
  const way = random.weighted(ways);
  const judge = other(act.who);
  const at = act.at + random.whole(4 * second, 40 * second);
  const id = `${act.id}.y`;
  switch (way) {
    case 'approve':
    case 'deny': {
      const decides: Act = { at, id, act: 'decide', who: judge, of, how: way, twice: random.chance(0.2) };
      // Its owner runs it at once, which is done with their own sign-in.
      const runAt = at + random.whole(6 * second, 40 * second);
      const runs: Act = { at: runAt, id: `${id}n`, act: 'press schedule', who: act.who, of, button: 'Run now' };
      return isSchedule && random.chance(0.4) ? [decides, runs] : [decides];
    }
    case 'withdraw':
      return [{ at, id, act: 'withdraw', who: act.who, of }];
    case 'takenBack':
      // While others are asked.
      return [takes(isSchedule, { at, id, who: act.who, of })];
    case 'changed':
    case 'again': {
      // It is approved or denied, and asked for anew.
      const first: Act = {
        at,
        id,
        act: 'decide',
        who: judge,
        of,
        how: way === 'again' ? 'deny' : 'approve',
        twice: false,
      };
      const later = at + random.whole(5 * second, 60 * second);
      const asksAnew = asks(isSchedule, way, { at: later, id: `${id}2`, who: act.who, of });
      const decidedAt = later + random.whole(4 * second, 40 * second);
      const answer: Act = { at: decidedAt, id: `${id}3`, act: 'decide', who: judge, of, how: 'approve', twice: false };
      return [first, ...asksAnew, ...(random.chance(0.7) ? [answer] : [])];
    }
    case 'nothing':
      return [];
  }
}

type Button = Readonly<{ at: number; id: string; who: PersonName; of: string }>;

/** Somebody takes back what they asked for. */
function takes(isSchedule: boolean, button: Button): Act {
  return isSchedule
    ? { ...button, act: 'press schedule', button: 'Delete…' }
    : { ...button, act: 'change leave', button: 'Revoke' };
}

/** Somebody asks for approval once more: a schedule that was changed, or what was refused. */
function asks(isSchedule: boolean, way: 'changed' | 'again', button: Button): Act[] {
  if (isSchedule) return [{ ...button, act: 'press schedule', button: way === 'changed' ? 'Change…' : 'Resume' }];
  const allowed: Act = { ...button, act: 'change leave', button: 'Allow' };
  if (way === 'again') return [allowed];
  const revoked: Act = {
    ...button,
    id: `${button.id}r`,
    at: button.at - 4 * second,
    act: 'change leave',
    button: 'Revoke',
  };
  return [revoked, allowed];
}
