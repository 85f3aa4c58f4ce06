import { day, hour, minute, second } from '../../src/ground/durations.ts';
import { runByAccount } from './accountActs.ts';
import { logins, signInAgain } from './cast.ts';
import { drawFault, withStoreGoneBack } from './faultDrawing.ts';
import { drawFlows } from './flowActs.ts';
import { type Durable, drawLeases } from './leaseActs.ts';
import { drawLeaseScene } from './leaseScenes.ts';
import type { Act, Fault, PersonName, Plan } from './plan.ts';
import { drawSteps } from './planActs.ts';
import { type Random, randomOf } from './random.ts';
import { drawRequest } from './requestActs.ts';
import { drawScenes, type Scene } from './scenes.ts';
import { drawSchedule } from './scheduleActs.ts';
import { drawWrongDoers } from './wrongDoers.ts';

/* Draws plans. Each purpose has a stream of chance of its own. */

/** Every so many seeds, one is about durable things. */
const durableEvery = 3;
/** Every so many seeds, leases and schedules span a week, and in between, other acts do. */
const weekEvery = 20;
const spansWeek = (seed: string) => Number(seed) % weekEvery === 0;
/** For so long bots stay up after an act, where nothing else is planned for long. */
const awake = 15 * minute;
/** From the last act to the time from which nothing breaks any more. */
const aftermath = 2 * minute;

/** Those who can sign in. */
const responseUrls: Readonly<Record<string, PersonName>> = { ana: 'Ana', ben: 'Ben', chi: 'Chi', dev: 'Dev' };

/** How many faults a plan has: a few, mostly. */
const faultCounts = [0, 2, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16];

/** Draws the plan of a seed. Every so many have another kind of work, to which they leave their whole time. */
export function drawPlan(seed: string): Plan {
  const plan = Number(seed) % durableEvery === 0 || spansWeek(seed) ? drawDurablePlan(seed) : drawUsualPlan(seed);
  const all = [
    drawWrongDoers(randomOf(seed, 'wrong-doers'), plan.acts),
    drawAlerts(randomOf(seed, 'alerts'), plan.acts),
    drawLostPost(randomOf(seed, 'lost post'), plan.acts),
    drawBatch(randomOf(seed, 'batch'), plan.acts),
  ];
  const acts = [...plan.acts, ...all.flatMap(one => one.acts)].filter(({ at }) => at < plan.quietFrom - minute);
  return withStoreGoneBack(randomOf(seed, 'go back'), {
    ...plan,
    acts: acts.toSorted((one, other) => one.at - other.at),
    faults: [...plan.faults, ...all.flatMap(({ faults }) => faults)],
  });
}

function drawUsualPlan(seed: string): Plan {
  const random = randomOf(seed, 'plan');
  const isShared = random.chance(0.6);
  const bots = isShared ? random.one([1, 2, 2, 2, 3]) : 1;
  const acts: Act[] = [...signIns()];
  const count = random.whole(4, 11);
  let time = 20 * second;
  const isWeek = Number(seed) % weekEvery === weekEvery / 2;
  for (let index = 0; index < count; index++) {
    if (isWeek && random.chance(0.6)) time += random.whole(2 * hour, 30 * hour);
    else time += random.chance(0.35) ? random.whole(0, 3 * second) : random.whole(5 * second, 3 * minute);
    acts.push(...drawRequest(random, time, index));
  }
  const scenes = drawScenes(randomOf(seed, 'scenes'), { from: Math.max(...acts.map(act => act.at)), bots, isWeek });
  const all = [...acts, ...scenes.acts];
  const quietFrom = Math.max(...all.map(act => act.at)) + aftermath;
  const faults = Array.from({ length: random.one(faultCounts) });
  const drawing = { bots, isShared, quietFrom };
  return {
    seed,
    bots,
    store: isShared ? 'shared' : 'embedded',
    approvalChannel: random.chance(0.7),
    quietFrom,
    acts: all.toSorted((one, other) => one.at - other.at),
    faults: [...faults.map(() => drawFault(random, acts, drawing)), ...scenes.faults, ...restsBetween(all, bots)],
  };
}

/** All who can sign in do so first. */
function signIns(): Act[] {
  return Object.entries(responseUrls).map(([name, who], index) => ({
    at: (index + 1) * second,
    id: `sign-in-${name}`,
    act: 'sign in',
    who,
    as: logins[who],
  }));
}

/** Draws the plan of a seed about durable things: what they do by themselves is the moment at which something breaks. */
function drawDurablePlan(seed: string): Plan {
  const random = randomOf(seed, 'plan');
  const isDrawnShared = random.chance(0.6);
  const drawnBots = isDrawnShared ? random.one([1, 2, 2, 2, 3]) : 1;
  const account = randomOf(seed, 'account');
  const isByAccount = account.chance(0.5);
  const usual = drawThings(seed, random, drawnBots);
  const things = isByAccount ? usual.map(one => runByAccount(account, one)) : usual;
  // A clock that is set back would move what the owner of the scene's lease was told.
  const isSetBack = things.some(({ faults }) => faults.some(({ fault }) => fault === 'clock'));
  const scene = spansWeek(seed) || isSetBack ? undefined : drawLeaseScene(randomOf(seed, 'lease scene'));
  const isShared = isDrawnShared || scene?.isShared === true;
  const bots = scene?.isShared ? Math.max(drawnBots, 2) : drawnBots;
  const drawnThings = scene ? [...things, scene.thing] : things;
  const acts = drawnThings.flatMap(one => one.acts);
  const moments = drawnThings.flatMap(one => one.moments);
  const all = [...signIns(), ...acts];
  const quietFrom = Math.max(...drawnThings.map(({ ends }) => ends), ...all.map(act => act.at)) + aftermath;
  const drawn = Array.from({ length: random.one(faultCounts) }, () =>
    drawFault(random, [...acts, ...moments], { bots, isShared, quietFrom }),
  );
  return {
    seed,
    bots,
    store: isShared ? 'shared' : 'embedded',
    approvalChannel: random.chance(0.7),
    leases: true,
    ...(isByAccount ? { account: true } : {}),
    quietFrom,
    acts: all.toSorted((one, other) => one.at - other.at),
    faults: [
      ...drawn.filter(fault => !isShortJump(fault)),
      ...drawnThings.flatMap(one => one.faults),
      ...restsBetween([...all, ...moments], bots),
    ],
  };
}

const durableKinds = [
  ['leases'],
  ['leases', 'steps'],
  ['schedule'],
  ['schedule'],
  ['leases'],
  ['leases', 'schedule'],
  ['steps'],
  ['schedule', 'steps'],
  ['flows'],
  ['flows'],
  ['flows', 'schedule'],
] as const;

/** Draws one or more kinds of durable things, each by its own stream of chance. */
function drawThings(seed: string, random: Random, bots: number): readonly Durable[] {
  const draws = { leases: drawLeases, schedule: drawSchedule, steps: drawSteps, flows: drawFlows };
  const isWeek = spansWeek(seed);
  const kinds: readonly (keyof typeof draws)[] = isWeek ? ['leases', 'schedule'] : random.one(durableKinds);
  // A clock that is set by minutes moves what the owners of leases were told.
  const mayJump = !kinds.includes('leases');
  const from = () => (isWeek ? random.whole(1, 6) * day : 0);
  return kinds.map(kind => draws[kind](randomOf(seed, kind), mayJump ? bots : undefined, from()));
}

/** A clock that is set by less than what counts as late moves the times that people were told, and nobody can notice. */
function isShortJump(fault: Fault): boolean {
  return fault.fault === 'clock' && Math.abs(fault.by) > 10 * second && Math.abs(fault.by) < 30 * minute;
}

/**
 * Draws the plan of a seed with faults that nobody can be right under, too: requests that come later than anybody waits,
 * and replicas whose clocks differ by more than a lock lasts. What is found then is told, and fails nothing.
 */
export function drawUnfairPlan(seed: string): Plan {
  const plan = drawPlan(seed);
  const random = randomOf(seed, 'unfair');
  const when = () => random.one(plan.acts).at;
  const late = Array.from({ length: random.whole(1, 3) }, (): Fault => {
    const ms = random.one([2_000, 10_000, 30_000, 90_000]);
    return { at: when(), fault: 'late', ms, skip: random.whole(0, 3) };
  });
  const bot = random.whole(0, plan.bots - 1);
  const clock: Fault = { at: when(), fault: 'clock', bot, by: random.one([-60, -2, 2, 60]) * minute };
  return { ...plan, faults: [...plan.faults, ...late, ...(plan.bots > 1 ? [clock] : [])] };
}

/** Stops all bots while nobody does anything for long: to look in vain for days takes a simulation longer than it tells. */
function restsBetween(acts: readonly Pick<Act, 'at'>[], bots: number): Fault[] {
  const times = acts.map(act => act.at).toSorted((one, other) => one - other);
  return times.flatMap((from, index) => {
    const gap = (times[index + 1] ?? from) - from;
    if (gap < 2 * awake) return [];
    const down = gap - awake - minute;
    return Array.from({ length: bots }, (_, bot): Fault => ({ at: from + awake, fault: 'restart', bot, down }));
  });
}

/** The answer to the first or second post about a request is lost, in some plans: the post stands, and must be looked for. */
function drawLostPost(random: Random, acts: readonly Act[]): Scene {
  const asked = acts.filter(({ act }) => act === 'back up' || act === 'clone' || act === 'delete');
  if (asked.length === 0 || !random.chance(0.15)) return { acts: [], faults: [] };
  const { at } = random.one(asked);
  const lost = { fault: 'lose', to: 'slack', what: 'answer', writes: true, method: 'chat.postMessage' } as const;
  const skip = random.whole(0, 1);
  return { acts: [], faults: [{ at, ...lost, isSilent: random.chance(0.4), skip, times: 1 }] };
}

/** Some databases fail while alerts are on, some of them more than once, and somebody takes the incident. */
function drawIncident(random: Random, { at, last }: Readonly<{ at: number; last: number }>): Act[] {
  const when = () => random.whole(at + 20 * second, Math.max(at + 2 * minute, last));
  const records = Array.from({ length: random.whole(1, 3) }, (_, index) => `ill${index}`);
  const breaks = records.flatMap((record, index): Act[] => {
    const failedAt = when();
    const fails: Act = { at: failedAt, id: `b${index}`, act: 'break', record, how: 'fail' };
    if (!random.chance(0.3)) return [fails];
    return [fails, { at: failedAt + random.whole(1, 8) * minute, id: `b${index}m`, act: 'break', record, how: 'mend' }];
  });
  const who = random.one(['Ana', 'Dev'] as const);
  const takes: Act = { at: when() + minute, id: 'at', act: 'press alert', who, of: 'b0', button: 'I’m on it' };
  return random.chance(0.5) ? [...breaks, takes] : breaks;
}

/** Somebody backs up several databases at once, in some plans; some of them fail or take their time. */
function drawBatch(random: Random, acts: readonly Act[]): Scene {
  if (!random.chance(0.2)) return { acts: [], faults: [] };
  const last = Math.max(...acts.map(({ at }) => at));
  const at = random.whole(10 * second, Math.max(20 * second, last));
  const records = Array.from({ length: random.whole(2, 6) }, (_, index) => {
    const word = random.weighted({ '': 70, fail: 15, slow: 15 });
    return word === '' ? `many${index}` : `many${index}-${word}`;
  });
  const who = random.one(['Ana', 'Dev'] as const);
  return { acts: [{ at, id: 'batch', act: 'back up several', who, records, twice: random.chance(0.3) }], faults: [] };
}

/** Somebody lets the channel hear of troubles, in some plans, and turns that off again, in some of these. */
function drawAlerts(random: Random, acts: readonly Act[]): Scene {
  if (!random.chance(0.3)) return { acts: [], faults: [] };
  const who = random.one(['Ana', 'Ben', 'Dev'] as const);
  const last = Math.max(...acts.map(({ at }) => at));
  const at = random.whole(6, 15) * second;
  const on: Act = { at, id: 'a0', act: 'alerts', who, how: 'on' };
  const later = random.whole(at + 10 * second, Math.max(at + minute, last));
  switch (random.one(['stays', 'stays', 'stays', 'off', 'again', 'leaver'] as const)) {
    case 'stays':
      return { acts: [on, ...drawIncident(random, { at, last })], faults: [] };
    case 'off':
      return { acts: [on, { at: later, id: 'a1', act: 'alerts', who, how: 'off' }], faults: [] };
    case 'again': {
      const off: Act = { at: later, id: 'a1', act: 'alerts', who, how: 'off' };
      return { acts: [on, off, { at: later + 5 * second, id: 'a2', act: 'alerts', who, how: 'on' }], faults: [] };
    }
    case 'leaver':
      return {
        acts: [on, { at: later, id: 'a1', act: 'sign out', who }, signInAgain(random, 'a2', later, who)],
        faults: [],
      };
  }
}
