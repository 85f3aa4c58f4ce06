import { minute, second } from '../../src/ground/durations.ts';
import type { Act, Fault, Plan } from './plan.ts';
import type { Random } from './random.ts';

/* Draws what breaks. */

/** How often each kind of fault is drawn. What a thousand seeds never reached is drawn more often. */
const faultWeights = {
  kill: 34,
  power: 8,
  restart: 6,
  freeze: 30,
  clock: 5,
  lose: 30,
  slow: 12,
  away: 5,
  refuse: 10,
  error: 10,
  store: 6,
  unknownCommit: 8,
};

/** Slack's words: some pass, some say that the place is closed. */
const refusals = ['internal_error', 'fatal_error', 'service_unavailable', 'ratelimited', 'not_in_channel'] as const;
const slackMethods = [
  'chat.postMessage',
  'chat.update',
  'chat.postEphemeral',
  'views.open',
  'conversations.history',
  '',
];

/** The world in which a fault is drawn. */
export type Drawing = Readonly<{ bots: number; isShared: boolean; quietFrom: number }>;

/** Draws a fault that meets an act, or comes soon after it. */
export function drawFault(
  random: Random,
  acts: readonly Pick<Act, 'at'>[],
  { bots, isShared, quietFrom }: Drawing,
): Fault {
  // What breaks while nobody does anything breaks nothing.
  const soon = random.one([0, 0, random.whole(0, second), random.whole(0, 3 * second), random.whole(0, 30 * second)]);
  const at = Math.min(random.one(acts).at + soon, quietFrom - second);
  const bot = random.whole(0, bots - 1);
  const skip = Math.floor(40 * random.next() ** 3);
  const few = random.one([0, 0, 0, 1, 1, 2, 3, 5]);
  const times = random.one([1, 1, 1, 2, 3, 6]);
  const down = random.one([300, 300, 300, 500, 1_000, 5_000, 25_000, 60_000]);
  const to = random.one(['slack', 'slack', 'service', 'service', 'bot', 'bot'] as const);
  const side = random.one(['before', 'after'] as const);
  const point = random.one(points);
  const on = random.one(point === 'statement' ? statementErrands : wireErrands);
  const met = { ...(random.chance(0.4) ? { bot } : {}), point, side, on, skip: Math.floor(skip / rarity[on]) };
  switch (random.weighted(faultWeights)) {
    case 'kill':
      return { at, fault: 'kill', ...met, down, power: false };
    case 'power':
      return { at, fault: 'kill', ...met, down, power: !isShared };
    case 'restart':
      return { at, fault: 'restart', bot, down };
    case 'freeze':
      return { at, fault: 'freeze', ...met, ms: random.one([1_000, 4_000, 12_000, 25_000, 25_000, 45_000, 60_000]) };
    case 'clock':
      // Processes on one store whose clocks differ by more than a lock lasts do not respect each other.
      return {
        at,
        fault: 'clock',
        bot,
        by: bots === 1 ? random.one([-60, -10, -1, 1, 10, 60]) * minute : random.whole(-8, 8) * second,
      };
    case 'lose':
      return {
        at,
        fault: 'lose',
        to,
        what: random.one(['request', 'answer', 'answer'] as const),
        writes: random.chance(0.8),
        ...(to === 'slack' && random.chance(0.6) ? { method: random.one(['chat.postMessage', 'chat.update']) } : {}),
        isSilent: random.chance(0.4),
        skip: few,
        times,
      };
    case 'slow':
      return {
        at,
        fault: 'slow',
        to,
        ms: random.one([1_000, 2_800, 4_000, 12_000, 30_000]),
        lasts: random.whole(1, 60) * second,
      };
    case 'away':
      return { at, fault: 'away', to: random.one(['slack', 'service'] as const), lasts: random.whole(1, 90) * second };
    case 'refuse':
      return { at, fault: 'refuse', word: random.one(refusals), method: random.one(slackMethods), skip: few, times };
    case 'error':
      return {
        at,
        fault: 'error',
        status: random.one([500, 502, 503, 429, 504]),
        writes: random.chance(0.6),
        skip: few,
        times,
      };
    case 'store':
      return { at, fault: 'store', how: isShared ? 'away' : 'full', lasts: random.one([500, 3_000, 20_000]) };
    case 'unknownCommit':
      // An embedded store answers, or the process is gone.
      return isShared
        ? { at, fault: 'unknown commit', skip: few, times }
        : { at, fault: 'store', how: 'full', lasts: second };
  }
}

/** How many plans have a store that goes back. */
const goesBackIn = 1 / 8;
/** For so long before and after that, no process ends: what it alone kept in mind is gone with it, and nobody can know it. */
const untouched = 2 * minute;

/** A plan in which the store goes back is no longer than this, in milliseconds. */
const longestWithGoingBack = 120 * minute;

/**
 * Lets the store of some plans go back to a moment right after somebody did something: by seconds, to what a standby has of it,
 * or to a backup. A store of its own goes back only while its process is down. Nothing else ends a process near by.
 */
export function withStoreGoneBack(random: Random, plan: Plan): Plan {
  // The long rests of such a plan would fall away with what is near.
  if (plan.quietFrom > longestWithGoingBack) return plan;
  const acts = plan.acts.filter(({ act }) => act !== 'sign in');
  if (!random.chance(goesBackIn) || acts.length === 0) return plan;
  const how = plan.store === 'shared' && random.chance(0.8) ? 'standby' : 'restored';
  const from = Math.min(random.one(acts).at + random.whole(0, 6 * second), plan.quietFrom - 4 * minute);
  const by = how === 'standby' ? random.whole(2 * second, 30 * second) : random.whole(5 * second, 3 * minute);
  const at = from + by;
  const isNear = (fault: Fault) =>
    (fault.fault === 'kill' && fault.at < at + untouched) ||
    (fault.fault === 'restart' && fault.at + fault.down > from - untouched && fault.at < at + untouched);
  return { ...plan, faults: [...plan.faults.filter(fault => !isNear(fault)), { at, fault: 'go back', by, how }] };
}

const statementErrands = ['all', 'writes', 'writes'] as const;
const wireErrands = ['all', 'writes', 'service', 'service writes', 'service writes'] as const;
/** How much rarer an errand is than all of them. */
const rarity = { all: 1, writes: 4, service: 8, 'service writes': 20 } as const;
const points = ['statement', 'statement', 'statement', 'request', 'request', 'answer', 'answer', 'timer'] as const;
