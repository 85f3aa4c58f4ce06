import { second } from '../../src/ground/durations.ts';
import type { Act, Fault, Plan } from './plan.ts';
import type { Random } from './random.ts';
import { requestWays } from './requestWays.ts';
import type { Scene } from './sceneParts.ts';
import { thingWays } from './thingWays.ts';
import type { Way } from './wayParts.ts';

/*
 * What people do beside asking for clones, backups and deletions: they look things up, save presets, report, stop all that
 * goes by itself, and press whatever they see. Each way is a few steps of one or two people.
 */

/** How many ways a plan has. */
const counts = [0, 1, 1, 2, 2, 3];

/** Draws what people do beside the acts of a plan. */
export function drawWanderings(random: Random, acts: readonly Act[]): Scene {
  const last = Math.max(...acts.map(({ at }) => at));
  const drawn = Array.from({ length: random.one(counts) }, (_, number) => {
    const name = random.weighted(weights);
    // The brake is pulled while something is decided, or is under way.
    const weak = name === 'brake' ? acts.filter(({ act }) => weakTo.has(act)) : [];
    const before =
      weak.length > 0 && random.chance(0.7) ? random.one(weak).at - random.whole(0, 12 * second) : undefined;
    const at = Math.max(8 * second, before ?? random.whole(8 * second, Math.max(20 * second, last)));
    return drawWay(random, name, { at, number });
  });
  return { acts: drawn.flat(), faults: [] };
}

/** Dolly is no member of the channel in which people ask. */
const notInChannel = {
  fault: 'refuse',
  word: 'not_in_channel',
  method: 'chat.postMessage',
  skip: 0,
  times: 3,
} as const;

/** Draws a tour: one way after the other, from a time on. */
export function drawTour(random: Random, from: number, kind: Plan['tour']): Scene {
  const acts: Act[] = [];
  const faults: Fault[] = [];
  const many = random.whole(8, 12);
  for (let number = 0; number < many; number++) {
    const at = Math.max(from, ...acts.map(one => one.at)) + random.whole(5, 20) * second;
    const own = kind === 'pairs' ? 'pairs' : kind === 'approvals' ? 'pages' : undefined;
    const name = own && number % 3 === 1 ? own : random.weighted(weights);
    acts.push(...drawWay(random, name, { at, number }));
    if (name === 'forgets') faults.push({ at: at - second, fault: 'away', to: 'service', lasts: 20 * second });
    if (name === 'elsewhere') faults.push({ at: at - second, ...notInChannel });
  }
  return { acts, faults };
}

function drawWay(
  random: Random,
  name: keyof typeof weights,
  { at: from, number }: Readonly<{ at: number; number: number }>,
): Act[] {
  let at = from;
  const idOf = (step: number) => `v${number}.${step}`;
  return ways[name](random).map(({ who, after = 0, words, picks = [], patience, act }, index): Act => {
    at += after;
    const id = idOf(index);
    if (act !== undefined) return { ...(typeof act === 'function' ? act(idOf) : act), at, id };
    const port = 6_500 + 10 * number + index;
    const more = { ...(words ? { words } : {}), ...(patience ? { patience } : {}) };
    return { ...{ at, id, act: 'wander', who, picks: [...picks], port }, ...more };
  });
}

/** What goes by itself once it was asked for, or may be sent only later. */
const weakTo: ReadonlySet<Act['act']> = new Set(['decide', 'back up several', 'tear down', 'restore']);
const weights = {
  ...{ looks: 40, brake: 12, maintenance: 9, presets: 14, reports: 5, schedules: 14, nights: 5, leases: 24 },
  ...{ alerts: 12, audit: 6, approvals: 8, pages: 8, glass: 10, talk: 8, edits: 7, elsewhere: 8, home: 10 },
  ...{ signedOut: 10, answers: 14, back: 5, forgets: 6, works: 9, blind: 8, pairs: 0, takes: 8, flows: 7 },
  ...{ leavers: 9, anew: 6, long: 5, onward: 8, asks: 5, holders: 12, notifies: 6 },
};

/** What people do in each way. */
const ways: Readonly<Record<keyof typeof weights, Way>> = { ...requestWays, ...thingWays };
