import { second } from '../../src/ground/durations.ts';
import { dba, other } from './cast.ts';
import type { Durable } from './leaseActs.ts';
import type { Act, ActOf, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/* Plans of several steps that others approve: a record that goes with what depends on it, and a clone that is made anew. */

/** Draws a teardown or a renewal, what its approver does, and what changes or fails meanwhile. */
export function drawSteps(random: Random): Durable {
  return random.chance(0.6) ? drawTeardown(random) : drawRenewal(random);
}

function drawTeardown(random: Random): Durable {
  const at = random.whole(8, 60) * second;
  const id = 't0';
  const who = dba(random);
  const record = 'tree0';
  const asked: ActOf<'tear down'> = { at, id, act: 'tear down', who, record, twice: random.chance(0.3) };
  const about = drawDecision(random, { id, who, at });
  const how = random.one(['rename', 'move', 'remake', 'depend', 'depend'] as const);
  const changedAt = random.whole(at + 3 * second, about.decidedAt + 4 * second);
  const change: Act[] = random.chance(0.4) ? [{ at: changedAt, id: `${id}.c`, act: 'change', record, how }] : [];
  return durable(random, [asked, ...about.acts, ...change], about.decidedAt);
}

function drawRenewal(random: Random): Durable {
  const id = 'n0';
  const made: ActOf<'clone'> = {
    ...{ at: 8 * second, id: `${id}.m`, act: 'clone', who: 'Ben', port: 7_000, word: '', twice: false },
  };
  const at = random.whole(40, 70) * second;
  const who = dba(random);
  const about = drawDecision(random, { id, who, at });
  return durable(random, [made, { at, id, act: 'renew', who, of: made.id }, ...about.acts], about.decidedAt);
}

/** Most plans are approved. Some are denied, withdrawn before or after, or stopped between two steps. */
function drawDecision(random: Random, { id, who, at }: Readonly<{ id: string; who: PersonName; at: number }>) {
  const decidedAt = at + random.whole(6, 40) * second;
  const how = random.chance(0.85) ? ('approve' as const) : ('deny' as const);
  const acts: Act[] = [
    { at: decidedAt, id: `${id}.0`, act: 'decide', who: other(who), of: id, how, twice: random.chance(0.3) },
  ];
  const press = (label: string, pressedAt: number, button: ActOf<'press'>['button']): Act => ({
    ...{ at: pressedAt, id: `${id}.${label}`, act: 'press', who, of: id, button },
  });
  const soon = decidedAt + random.whole(0, 12 * second);
  if (random.chance(0.15)) acts.push({ at: soon, id: `${id}.w`, act: 'withdraw', who, of: id });
  if (random.chance(0.25)) acts.push(press('s', soon, 'Stop after this step'));
  if (random.chance(0.35)) acts.push(press('on', soon + random.whole(5, 30) * second, 'Go on from here'));
  return { acts, decidedAt };
}

/** A step that fails, or is not known to have been done, is what a plan must not go on from by itself. */
function durable(random: Random, acts: readonly Act[], decidedAt: number): Durable {
  const status = random.one([400, 409, 502]);
  const skip = random.whole(0, 1);
  const fails: Fault = { at: decidedAt, fault: 'error', status, writes: true, skip, times: random.one([1, 1, 3]) };
  return {
    acts,
    faults: random.chance(0.45) ? [fails] : [],
    moments: [decidedAt, decidedAt, decidedAt + 5 * second].map(at => ({ at })),
    ends: Math.max(...acts.map(({ at }) => at)),
  };
}
