import { minute, second } from '../../src/ground/durations.ts';
import { other, signsOut } from './cast.ts';
import type { Durable } from './leaseActs.ts';
import type { Act, ActOf, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/* Workflows of one step that run in somebody's name, who gives their leave and may take it back. */

/** How often each step is drawn. */
const steps = { back_up: 34, renew: 20, refresh: 12, clone: 17, wait_until: 17 };
/** How often each way is drawn in which the person of a step treats its leave. */
const ways = { allowed: 24, again: 18, refused: 12, revoked: 34, restored: 18, leaver: 30 };

/** Draws one or two workflows, each in the name of another person, and what breaks around their moments. */
export function drawFlows(random: Random): Durable {
  const people = random.chance(0.3) ? (['Ana', 'Dev'] as const) : [random.one(['Ana', 'Dev'] as const)];
  const drawn = people.map((who, number) => drawFlow(random, who, number));
  const acts = drawn.flatMap(one => one.acts);
  return {
    acts,
    faults: drawn.flatMap(({ faults }) => faults),
    moments: drawn.flatMap(({ moments }) => moments),
    ends: Math.max(...acts.map(({ at }) => at)),
  };
}

/** Draws a workflow, its runs, and what its person says to it. */
function drawFlow(random: Random, who: PersonName, number: number): Omit<Durable, 'ends'> {
  const id = `w${number}`;
  const step = random.weighted(steps);
  const record = `${step === 'renew' ? 'old' : 'flow'}${number}`;
  const run = (label: string, at: number): ActOf<'run step'> => ({
    ...{ at, id: `${id}${label}`, act: 'run step', who: 'Ben', as: who, step, workflow: `Flow ${number}`, record },
  });
  const at = random.whole(8, 30) * second;
  const answeredAt = at + random.whole(3 * second, 15 * second);
  const answer = (button: ActOf<'answer step'>['button']): Act => ({
    ...{ at: answeredAt, id: `${id}.a`, act: 'answer step', who, of: id, button },
  });
  const leave = (label: string, at: number, button: ActOf<'change leave'>['button']): Act => ({
    ...{ at, id: `${id}.${label}`, act: 'change leave', who, of: id, button },
  });
  const decided: Act[] =
    step === 'renew'
      ? [
          {
            ...{ at: answeredAt + random.whole(4 * second, 20 * second), id: `${id}.d`, act: 'decide', of: id },
            ...{ who: other(who), how: 'approve', twice: false },
          },
        ]
      : [];
  // The weak moment is the one at which its work is begun.
  const soon = answeredAt + random.whole(0, 7 * second);
  const later = answeredAt + random.whole(20 * second, 3 * minute);
  const acts = (way: keyof typeof ways): Act[] => {
    switch (way) {
      case 'allowed':
        return [answer('Allow')];
      case 'again':
        // At the same moment, too: one leave is asked for, and both run.
        return [answer('Allow'), run('+', random.chance(0.5) ? at + random.whole(0, second) : later)];
      case 'refused':
        return [
          ...[answer('Don’t allow'), run('+', later)],
          ...(random.chance(0.5) ? [leave('g', later + 20 * second, 'Allow'), run('*', later + minute)] : []),
        ];
      case 'revoked':
        return random.chance(0.7)
          ? [answer('Allow'), leave('r', soon, 'Revoke')]
          : [answer('Allow'), run('+', later), leave('r', later + random.whole(-2 * second, 4 * second), 'Revoke')];
      case 'restored':
        return [
          ...[answer('Allow'), leave('r', soon, 'Revoke')],
          ...[leave('g', later, 'Allow'), run('+', later + random.whole(0, 20 * second))],
        ];
      case 'leaver': {
        const out = answeredAt + random.whole(-4 * second, 4 * second);
        const again = random.chance(0.6) ? [run('+', out + random.whole(10, 40) * second)] : [];
        return [answer('Allow'), ...signsOut(random, { id, at: out, who }, 0.7), ...again];
      }
    }
  };
  const way = random.weighted(ways);
  const all = [run('', at), ...acts(way), ...decided];
  const faults = random.chance(0.7) ? [drawTrouble(random, random.one([answeredAt, soon]))] : [];
  return {
    acts: all,
    faults: way === 'revoked' && random.chance(0.6) ? drawRace(random, answeredAt, soon) : faults,
    moments: [at, answeredAt, answeredAt, soon].map(time => ({ at: time })),
  };
}

/** The work is prepared for long, and whoever hears that the leave is taken back sleeps, or dies, once it has said so. */
function drawRace(random: Random, answeredAt: number, at: number): Fault[] {
  const ms = random.one([2_000, 2_800, 2_800]);
  const met = { point: 'request', side: 'after', on: 'writes', skip: random.whole(0, 2) } as const;
  return [
    { at: answeredAt - second / 10, fault: 'slow', to: 'service', ms, lasts: at - answeredAt + 10 * second },
    random.chance(0.8)
      ? { at, fault: 'freeze', ...met, ms: random.one([12, 25]) * second }
      : { at, fault: 'kill', ...met, down: 300, power: false },
  ];
}

/** The service or Slack is away while a step begins or ends, or whoever works on it sleeps for longer than its lock lasts. */
function drawTrouble(random: Random, at: number): Fault {
  switch (random.one(['busy', 'slow', 'silent', 'sleep', 'sleep'] as const)) {
    case 'busy':
      return { at, fault: 'error', status: random.one([429, 503]), writes: true, skip: 0, times: random.whole(1, 3) };
    case 'slow':
      return { at, fault: 'slow', to: 'service', ms: random.one([1_000, 2_000]), lasts: random.whole(4, 12) * second };
    case 'silent': {
      const lasts = random.whole(5, 90) * second;
      if (random.chance(0.5)) return { at: at + random.whole(0, 8 * second), fault: 'away', to: 'slack', lasts };
      const method = random.one(['functions.completeSuccess', 'functions.completeError']);
      return {
        at,
        fault: 'lose',
        to: 'slack',
        what: 'answer',
        writes: false,
        method,
        isSilent: false,
        skip: 0,
        times: 2,
      };
    }
    case 'sleep': {
      const met = { point: 'statement', side: random.one(['before', 'after'] as const), on: 'writes' } as const;
      return { at, fault: 'freeze', ...met, skip: random.whole(0, 12), ms: random.one([4, 12, 25, 45]) * second };
    }
  }
}
