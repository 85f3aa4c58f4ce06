import { minute, second } from '../../src/ground/durations.ts';
import { signInAgain } from './cast.ts';
import type { Act, Fault } from './plan.ts';
import type { Random } from './random.ts';
import type { Scene } from './sceneParts.ts';

/* What concerns several databases at once: a batch, and the alerts of a channel, with what they tell of. */

/** Somebody backs up several databases at once, in some plans; some of them fail or take their time, and are asked for again. */
export function drawBatch(random: Random, acts: readonly Act[]): Scene {
  if (!random.chance(0.3)) return { acts: [], faults: [] };
  const last = Math.max(...acts.map(({ at }) => at));
  const at = random.whole(10 * second, Math.max(20 * second, last));
  const records = Array.from({ length: random.whole(2, 6) }, (_, index) => {
    const word = random.weighted({ '': 60, fail: 25, slow: 15 });
    return word === '' ? `many${index}` : `many${index}-${word}`;
  });
  const who = random.one(['Ana', 'Dev'] as const);
  const asked: Act = { at, id: 'batch', act: 'back up several', who, records, twice: random.chance(0.3) };
  const presses = Array.from({ length: random.whole(0, 3) }, (_, number): Act => {
    const by = random.chance(0.75) ? who : random.one(['Ana', 'Ben', 'Dev'] as const);
    const picks = [random.one(['job.withdraw', 'job.retry', 'job.retry'])];
    const pressedAt = at + random.whole(second, random.chance(0.4) ? 10 * second : 4 * minute);
    return { at: pressedAt, id: `batch.${number}`, act: 'wander', who: by, picks, port: 6_480 + number };
  });
  // Of what the service never heard, nobody knows whether it was done.
  const lost: Fault = {
    ...{ at, fault: 'lose', to: 'service', what: 'request', writes: true },
    ...{ isSilent: false, skip: random.whole(0, 2), times: 1 },
  };
  return { acts: [asked, ...presses], faults: random.chance(0.35) ? [lost] : [] };
}

/** Somebody lets the channel hear of troubles, in some plans, and turns that off again, in some of these. */
export function drawAlerts(random: Random, acts: readonly Act[]): Scene {
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
  const declares = (words: string, at: number, label: string): Act => ({
    ...{ at, id: `am${label}`, act: 'wander', who: random.one(['Ana', 'Dev'] as const), picks: [], port: 6_470 },
    words: `/db maintenance mysql-prod ${words}`,
  });
  const declaredAt = when();
  const works = random.chance(0.4)
    ? [
        declares('until=3h why="Kernel update"', declaredAt, '0'),
        ...(random.chance(0.8) ? [declares('off', declaredAt + random.whole(minute, 6 * minute), '1')] : []),
      ]
    : [];
  return [...breaks, ...works, ...(random.chance(0.5) ? [takes] : [])];
}
