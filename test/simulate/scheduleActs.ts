import { minute, second } from '../../src/ground/durations.ts';
import { dba, signsOut } from './cast.ts';
import type { Durable } from './leaseActs.ts';
import type { Act, ActOf, Fault } from './plan.ts';
import type { Random } from './random.ts';

/* Backups on a schedule, each quarter of an hour. Worlds begin at a full hour. */

const interval = 15 * minute;

/** How often each way is drawn in which people treat a schedule. */
const ways = { nothing: 16, pause: 22, remove: 14, change: 14, leaver: 24, runNow: 14 };

/** Draws a schedule, what its owner does about it, and what breaks around its times after `from`. */
export function drawSchedule(random: Random, bots: number | undefined, from = 0): Durable {
  const who = dba(random);
  const id = 'q0';
  const schedule: ActOf<'schedule'> = {
    ...{ at: random.whole(8, 30) * second, id, act: 'schedule', who, record: 'timed0' },
  };
  const times = [from + interval, from + 2 * interval];
  /** Much is done at the very moment of a run. */
  const when = () => {
    const time = random.one(times);
    return random.chance(0.5) ? time + random.whole(-3, 4) * second : time - random.whole(10 * second, 12 * minute);
  };
  const press = (label: string, at: number, button: ActOf<'press schedule'>['button']): Act => ({
    ...{ at, id: `${id}.${label}`, act: 'press schedule', who, of: id, button },
  });
  const acts = (): Act[] => {
    const at = when();
    switch (random.weighted(ways)) {
      case 'nothing':
        return [];
      case 'pause':
        return [
          press('p', at, 'Pause'),
          ...(random.chance(0.7) ? [press('r', at + random.whole(5 * second, 12 * minute), 'Resume')] : []),
        ];
      case 'remove':
        return [
          ...(random.chance(0.4) ? [press('p', at - random.whole(5, 60) * second, 'Pause')] : []),
          press('d', at, 'Delete…'),
        ];
      case 'change':
        return [press('c', at, 'Change…')];
      case 'runNow':
        return [press('n', at, 'Run now')];
      case 'leaver':
        return signsOut(random, { id, at, who }, 0.7);
    }
  };
  const isSetBack = bots === 1 && random.chance(0.8);
  const troubles = isSetBack || random.chance(0.75) ? [drawTrouble(random, random.one(times))] : [];
  const setBack = isSetBack ? drawSetBack(random) : undefined;
  const faults = setBack ? [setBack] : troubles;
  // It comes to a time once more only where nobody stops it.
  const all = isSetBack && random.chance(0.8) ? [schedule] : [schedule, ...acts()];
  return {
    acts: all,
    faults,
    moments: times.map(at => ({ at })),
    ends: Math.max(from + 2 * interval, setBack ? setBack.at - setBack.by : 0, ...all.map(({ at }) => at)) + 2 * minute,
  };
}

/**
 * A clock is set back before two times, so that it comes to one once more that is not the last that it ran: soon after that run,
 * or when a backup has ended that the service shows late.
 */
function drawSetBack(random: Random) {
  const after = random.chance(0.4) ? random.whole(5, 60) * second : random.whole(2, 12) * minute;
  const by = -(interval + after + random.whole(1, 3) * minute);
  return { at: interval + after, fault: 'clock', bot: 0, by } as const;
}

/** The service is away at the time of a run, or whoever begins the run sleeps for longer than its locks last. */
function drawTrouble(random: Random, time: number): Fault {
  if (random.chance(0.4))
    return {
      at: time - random.whole(0, 5) * second,
      fault: 'away',
      to: 'service',
      lasts: random.whole(1, 17) * minute,
    };
  const met = { point: 'statement', side: random.one(['before', 'after'] as const), on: 'all' } as const;
  return { at: time, fault: 'freeze', ...met, skip: random.whole(0, 8), ms: random.one([25, 45, 60]) * second };
}
