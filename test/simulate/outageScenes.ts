import { minute, second } from '../../src/ground/durations.ts';
import { dba } from './cast.ts';
import type { Act, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';
import { approvedDeletion, backUp, clone, overADay, type Scene, type Stage } from './sceneParts.ts';

/* Scenes in which something does not come through: a request that the service never hears, and bots that are down for long. */

/** Two people back up the same at once, and the service hears of one of them alone, or does one of them alone. */
export function drawTwins(random: Random, stage: Stage): Scene {
  const { at, id } = stage;
  const record = `live-${id}${random.chance(0.3) ? '-slow' : ''}`;
  const ask = (label: string, who: PersonName, after: number): Act => ({
    ...{ at: at + after, id: `${id}${label}`, act: 'back up', who, record },
  });
  // At the same moment, two replicas look at what came of both.
  const after = random.chance(0.5) ? random.whole(0, 60) : random.whole(0, 2 * second);
  const acts = [ask('', 'Ana', 0), ask('.t', 'Dev', after)];
  const skip = random.whole(0, 1);
  const lost: Fault = {
    ...{ at, fault: 'lose', to: 'service', what: random.chance(0.7) ? 'request' : 'answer', writes: true },
    ...{ isSilent: random.chance(0.5), skip, times: 1 },
  };
  return { acts, faults: random.chance(0.5) ? [lost] : [] };
}

/** All bots are down for hours, or for longer than is looked, soon after something was sent: what it came to shows when they are back. */
export function drawOutage(random: Random, stage: Stage): Scene {
  const { id, bots } = stage;
  const asked = draws[random.weighted({ backUp: 35, clone: 30, deletion: 35 })](random, stage);
  const sent = Math.max(...asked.map(act => act.at));
  const down = random.chance(0.5) ? random.whole(30, 200) * minute : overADay;
  const stops = sent + random.whole(2 * second, 9 * second);
  const back: Act = { at: stops + down + minute, id: `${id}.l`, act: 'list', who: asked[0].who };
  const restarts = Array.from({ length: bots }, (_, bot): Fault => ({ at: stops, fault: 'restart', bot, down }));
  return { acts: [...asked, back], faults: restarts };
}

/** What is sent before an outage, with the decision on it, if it needs one. */
const draws = {
  backUp: (random: Random, stage: Stage) => [backUp(random, stage)],
  clone: (random: Random, stage: Stage) => [clone(random, stage, random.one(['', 'slow'] as const))],
  deletion: approvedDeletion,
} satisfies Record<string, (random: Random, stage: Stage) => readonly [Act & { who: PersonName }, ...Act[]]>;

/** The store is away, or full, while somebody fills in a form and submits it. */
export function drawNoRoom(random: Random, stage: Stage): Scene {
  const asked = clone(random, stage, '');
  const how = random.one(['full', 'away'] as const);
  const at = stage.at + random.whole(second / 2, 3 * second);
  return { acts: [asked], faults: [{ at, fault: 'store', how, lasts: random.whole(1, 6) * second }] };
}

/** Of a batch, the service never hears one request, and another one fails; all bots are down until it is given up. */
export function drawForsaken(random: Random, stage: Stage): Scene {
  const { at, id, bots } = stage;
  const who = dba(random);
  const records = [random.chance(0.5) ? '-fail' : '', '', ''].map((word, number) => `live-${id}-${number}${word}`);
  const stops = at + random.whole(15, 25) * second;
  const lost: Fault = {
    ...{ at, fault: 'lose', to: 'service', what: 'request', writes: true },
    ...{ isSilent: false, skip: random.whole(0, 2), times: 1 },
  };
  const restarts = Array.from(
    { length: bots },
    (_, bot): Fault => ({ at: stops, fault: 'restart', bot, down: overADay }),
  );
  const retries: Act = {
    ...{ at: stops + overADay + 13 * minute, id: `${id}.r`, act: 'wander', who, picks: ['job.retry'], port: 6_490 },
  };
  return {
    acts: [{ at, id, act: 'back up several', who, records, twice: false }, retries],
    faults: [lost, ...restarts],
  };
}

/** What somebody asks for cannot be done now, and is kept; some of them say that it is to be forgotten. */
export function drawForgets(random: Random, stage: Stage): Scene {
  const { at, id } = stage;
  const asked = backUp(random, stage);
  const { who } = asked;
  const away: Fault = { at: at - second, fault: 'away', to: 'service', lasts: random.whole(10, 60) * second };
  const pressed = at + random.whole(4 * second, 9 * second);
  const forget: Act = { at: pressed, id: `${id}.f`, act: 'wander', who, picks: ['kept.forget'], port: 6_400 };
  return { acts: random.chance(0.5) ? [asked, forget] : [asked], faults: [away] };
}
