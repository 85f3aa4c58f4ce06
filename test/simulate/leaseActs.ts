import { minute, second } from '../../src/ground/durations.ts';
import { signsOut } from './cast.ts';
import type { Act, ActOf, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/*
 * Clones that are kept for a time, in a world whose policy warns of their end, stops them, and deletes them: each of the
 * two a while before the next (leases.yml).
 */

/** What a plan about durable things has of its own. `moments` are the times at which they act by themselves. */
export type Durable = Readonly<{
  acts: readonly Act[];
  faults: readonly Fault[];
  moments: readonly Readonly<{ at: number }>[];
  /** The time by which all is done. */
  ends: number;
}>;

/** The time between a warning and the end, and between the stop and the deletion. */
export const warned = 10 * minute;
const grace = 10 * minute;

/** How often each way is drawn in which people treat a lease. */
const ways = {
  nothing: 30,
  extend: 16,
  button: 14,
  wish: 16,
  approver: 10,
  back: 30,
  leaver: 30,
  keep: 6,
  refused: 14,
  lost: 20,
};

/** Draws clones with an end, what people do about them, and what breaks around their times, which come after `from`. */
export function drawLeases(random: Random, _bots?: number, from = 0): Durable {
  const many = random.one([1, 1, 2]);
  const drawn = Array.from({ length: many }, (_, number) => drawLease(random, number, from));
  return {
    acts: drawn.flatMap(({ acts }) => acts),
    faults: drawn.flatMap(({ faults }) => faults),
    moments: drawn.flatMap(({ moments }) => moments),
    ends: Math.max(...drawn.map(({ ends }) => ends)),
  };
}

/** Draws a clone and its lease. Most ends are more than the time of a warning away. */
function drawLease(random: Random, number: number, from: number): Durable {
  const who = random.one(['Ben', 'Ben', 'Chi', 'Ana'] as const);
  const id = `l${number}`;
  const at = random.whole(8, 30) * second;
  const until = from + random.whole(9, 16) * minute;
  const clone: ActOf<'clone'> = {
    ...{ at, id, act: 'clone', who, port: 6_000 + number, word: '', twice: random.chance(0.2), until },
  };
  const way = random.weighted(ways);
  const { acts, end } = drawWay(random, clone, { way, from });
  const moments = [until - warned, until, until + grace, end].map(time => ({ at: Math.max(time, at) }));
  const isToldLate = random.chance(0.35);
  const sleeps = isToldLate || random.chance(0.2) ? [] : [drawSleep(random, random.one([until - warned, until]))];
  return {
    acts: [clone, ...acts],
    faults: [
      ...(isToldLate ? [drawSilence(random, random.one([until - warned, until]))] : sleeps),
      ...(way === 'refused' ? [drawRefusal(random, random.one([until, until, until + grace]))] : []),
    ],
    moments,
    ends: end + grace + 2 * minute + (isToldLate ? warned + grace : 0),
  };
}

/** The service refuses what ends a clone. */
function drawRefusal(random: Random, moment: number): Fault {
  const at = moment - 10 * second;
  return { at, fault: 'error', status: random.one([400, 409]), writes: true, skip: 0, times: 1 };
}

/** Slack takes nothing for a while, just as somebody is to be warned, or told that the clone is stopped. */
function drawSilence(random: Random, moment: number): Fault {
  const at = Math.max(0, moment - random.whole(0, 20) * second);
  if (random.chance(0.5)) return { at, fault: 'away', to: 'slack', lasts: random.whole(1, 14) * minute };
  const word = random.one(['internal_error', 'some_new_word', 'user_disabled']);
  return { at, fault: 'refuse', word, method: 'chat.postMessage', skip: 0, times: random.whole(5, 60) };
}

/** Whoever is about to tell the owner sleeps for longer than its locks last: another process tells it. */
function drawSleep(random: Random, moment: number): Fault {
  const at = Math.max(0, moment - second);
  const point = random.one(['statement', 'statement', 'request'] as const);
  const met = { point, side: random.one(['before', 'after'] as const), on: 'writes' } as const;
  return {
    at,
    fault: 'freeze',
    ...met,
    skip: random.whole(0, point === 'request' ? 1 : 6),
    ms: random.one([25, 45, 60]) * second,
  };
}

type Way = Readonly<{ acts: readonly Act[]; end: number }>;

/** What people do about the lease of a clone, and the time of its end then. */
function drawWay(
  random: Random,
  { id, who, until = 0 }: ActOf<'clone'>,
  { way, from }: Readonly<{ way: keyof typeof ways; from: number }>,
): Way {
  const of = id;
  const before = () => random.whole(from + 2 * minute, until - second);
  const afterWarning = () => Math.max(from + 2 * minute, until - warned) + random.whole(2 * second, 6 * minute);
  const later = () => until + random.one([-2, -1, 1, 2, 4, 6]) * minute;
  const keep = (label: string, at: number, by: PersonName, end: number | null): Act => ({
    ...{ at, id: `${id}.${label}`, act: 'keep', who: by, of, until: end },
  });
  const press = (label: string, at: number, button: ActOf<'press lease'>['button']): Act => ({
    ...{ at, id: `${id}.${label}`, act: 'press lease', who, of, button },
  });
  const stranger = who === 'Chi' ? 'Ben' : 'Chi';
  switch (way) {
    case 'nothing':
      return { acts: [], end: until };
    case 'extend': {
      const end = later();
      // At the very moment of its end, too.
      const at = random.chance(0.3) ? until - random.whole(0, 3) * second : before();
      return { acts: [keep('e', at, who, end)], end: Math.max(end, until) };
    }
    case 'keep':
      return { acts: [keep('e', before(), who, null)], end: until };
    case 'button':
      return {
        acts: [press('b', afterWarning(), random.chance(0.7) ? '1 day longer' : 'Keep')],
        end: until,
      };
    case 'wish': {
      const end = later();
      const at = before();
      const answer = random.one(['Set this end', 'Set this end', 'Leave it as it is'] as const);
      return {
        acts: [keep('w', at, stranger, end), press('a', at + random.whole(second, 2 * minute), answer)],
        end: Math.max(end, until),
      };
    }
    case 'approver': {
      const end = later();
      return { acts: [keep('p', before(), 'Dev', end)], end: Math.max(end, until) };
    }
    case 'back': {
      const at = until + random.whole(20 * second, grace + 5 * second);
      return { acts: [press('r', at, 'Bring it back')], end: at + grace };
    }
    case 'lost': {
      const how = random.one(['remove', 'remove', 'stop'] as const);
      // While its lease begins to stop or to delete it, too.
      const at = random.one([
        before(),
        until + random.whole(0, 6 * second),
        until + grace + random.whole(-4, 6) * second,
      ]);
      return { acts: [{ at, id: `${id}.x`, act: 'lose clone', of, how }], end: until };
    }
    case 'refused': {
      // The service refuses the stop, or what follows on it, and the owner is asked.
      const at = until + random.one([0, grace]) + random.whole(10 * second, 4 * minute);
      return {
        acts: random.chance(0.8) ? [press('q', at, random.one(['1 day longer', 'Keep']))] : [],
        end: until + grace,
      };
    }
    case 'leaver': {
      const at = until + random.whole(1 - warned, grace);
      return { acts: signsOut(random, { id, at, who }, 0.6), end: until };
    }
  }
}
