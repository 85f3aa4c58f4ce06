import { day, hour, minute, second } from '../../src/ground/durations.ts';
import { runByAccount } from './accountActs.ts';
import { logins } from './cast.ts';
import { drawFault, withStoreGoneBack } from './faultDrawing.ts';
import { drawFlows } from './flowActs.ts';
import { drawHandOvers, drawSecondApprovals } from './handOvers.ts';
import { type Durable, drawLeases } from './leaseActs.ts';
import { drawLeaseScene } from './leaseScenes.ts';
import { type Act, type Fault, forgeries, type PersonName, type Plan } from './plan.ts';
import { drawSteps } from './planActs.ts';
import { type Random, randomOf } from './random.ts';
import { drawRequest } from './requestActs.ts';
import type { Scene } from './sceneParts.ts';
import { drawScenes } from './scenes.ts';
import { drawSchedule } from './scheduleActs.ts';
import { drawAlerts, drawBatch } from './togetherActs.ts';
import { drawTour, drawWanderings } from './wanderActs.ts';
import { drawWrongDoers } from './wrongDoers.ts';

/* Draws plans. Each purpose has a stream of chance of its own. */

/** Every so many seeds, one is about durable things. */
const durableEvery = 3;
/** In every so many seeds, the service speaks otherwise than the sandbox's. */
const dialectEvery = 11;
/** Every so many seeds is a tour. */
const tourEvery = 5;
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
  if (Number(seed) % tourEvery === 1) return drawTourPlan(seed);
  const drawn = Number(seed) % durableEvery === 0 || spansWeek(seed) ? drawDurablePlan(seed) : drawUsualPlan(seed);
  const isStrict = !drawn.leases && randomOf(seed, 'approvals').chance(0.25);
  const plan: Plan = isStrict ? { ...drawn, approvals: 2 } : drawn;
  const all = [
    drawWrongDoers(randomOf(seed, 'wrong-doers'), plan.acts),
    drawAlerts(randomOf(seed, 'alerts'), plan.acts),
    drawLostPost(randomOf(seed, 'lost post'), plan.acts),
    drawBatch(randomOf(seed, 'batch'), plan.acts),
    ...(plan.leases ? [] : [drawWanderings(randomOf(seed, 'wanderings'), plan.acts)]),
    drawForgeries(randomOf(seed, 'forgeries'), plan.acts),
    drawHandOvers(randomOf(seed, 'hand-overs'), plan),
    drawSecondApprovals(randomOf(seed, 'second approvals'), plan),
  ];
  const early = [...plan.acts, ...all.flatMap(one => one.acts)].filter(({ at }) => at < plan.quietFrom - minute);
  const acts = drawLength(randomOf(seed, 'length'), early);
  const dialect = Number(seed) % dialectEvery === 4 ? { dialect: seed } : {};
  const whole = withStoreGoneBack(randomOf(seed, 'go back'), {
    ...plan,
    ...dialect,
    acts: acts.toSorted((one, other) => one.at - other.at),
    faults: [...plan.faults, ...all.flatMap(({ faults }) => faults)],
  });
  return drawIgnored(randomOf(seed, 'ignored'), whole);
}

/** Makes some teardowns so long that a card has no room for them. */
function drawLength(random: Random, acts: readonly Act[]): readonly Act[] {
  if (!random.chance(0.7)) return acts;
  return acts.map(act => (act.act === 'tear down' ? { ...act, many: random.one([12, 40]) } : act));
}

/** Draws a tour: one thing after the other that people do beside requests, and little that breaks. */
function drawTourPlan(seed: string): Plan {
  const random = randomOf(seed, 'tour');
  const isShared = random.chance(0.5);
  const bots = isShared ? 2 : 1;
  const tour = random.weighted({ leases: 55, approvals: 22, pairs: 23 });
  const toured = drawTour(random, 12 * second, tour);
  const last = Math.max(...toured.acts.map(({ at }) => at));
  const again = Array.from({ length: 8 }, (_, number): Act => {
    const how = random.one(['much later', 'much later', 'much later', 'old'] as const);
    return { at: random.whole(last / 2, last), id: `f${number}`, act: 'forge', how };
  });
  const acts = [...signIns().map(act => ({ ...act, presses: true })), ...toured.acts, ...again];
  const quietFrom = Math.max(...acts.map(({ at }) => at)) + aftermath;
  const many = random.one([0, 0, 1, 2, 4]);
  const drawn = Array.from({ length: many }, () => drawFault(random, acts, { bots, isShared, quietFrom }));
  const faults = [...drawn, ...toured.faults];
  const store = isShared ? 'shared' : 'embedded';
  return {
    seed,
    bots,
    store,
    approvalChannel: random.chance(0.7),
    tour,
    ...(tour === 'pairs' ? { approvals: 2 } : {}),
    quietFrom,
    acts,
    faults,
  };
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

/** Somebody else sends what has gone by once more, in some plans, soon after somebody decided or signed in. */
function drawForgeries(random: Random, acts: readonly Act[]): Scene {
  const weak = acts.filter(({ act }) => act === 'decide' || act === 'withdraw' || act === 'sign in' || act === 'press');
  const many = random.one([0, 0, 1, 1, 2]);
  const drawn = Array.from({ length: weak.length === 0 ? 0 : many }, (_, number): Act => {
    const how = random.one(forgeries);
    const later = how === 'much later' || how === 'old' ? 6 * minute : 6 * second;
    return { at: random.one(weak).at + random.whole(0, later), id: `f${number}`, act: 'forge', how };
  });
  return { acts: drawn, faults: [] };
}

/** How long those who approve are waited for in a plan in which nobody decides: until they are reminded, some of them twice. */
const ignoredFor = [40 * minute, 3 * hour];

/** Somebody asks for a deletion on which nobody decides, in some plans, while the bots stay up. */
function drawIgnored(random: Random, plan: Plan): Plan {
  if (plan.leases || !random.chance(0.07)) return plan;
  const at = plan.quietFrom - aftermath + 2 * second;
  const who = random.one(['Ana', 'Dev'] as const);
  const asked: Act = { at, id: 'ignored', act: 'delete', who, record: 'ignored', twice: false };
  return { ...plan, acts: [...plan.acts, asked], quietFrom: plan.quietFrom + random.one(ignoredFor) };
}
