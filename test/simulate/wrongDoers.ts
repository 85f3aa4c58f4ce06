import { minute, second } from '../../src/ground/durations.ts';
import type { Act, ActOf, Fault, PersonName } from './plan.ts';
import type { Random } from './random.ts';
import type { Scene } from './sceneParts.ts';

/*
 * People who do what they have no say in: they approve their own, press the buttons of others, press when it is over, set
 * the end of a clone that is not theirs, and change what waits for approval. Nothing may come of it.
 */

/** How often a plan has so many of them. */
const counts = [0, 0, 1, 1, 2];
/** How often each wrong is drawn where it can be done. */
const weights = { own: 30, stranger: 30, late: 24, tree: 30, lease: 40, schedule: 30, press: 24 };
type Wrong = keyof typeof weights;

/** What can be done wrong about an act. */
const possible: Partial<Record<Act['act'], readonly Wrong[]>> = {
  delete: ['own', 'stranger', 'late', 'tree'],
  'tear down': ['own', 'stranger', 'late', 'tree'],
  renew: ['own', 'stranger', 'late'],
  'run step': ['own', 'stranger'],
  schedule: ['own', 'stranger', 'schedule', 'schedule'],
  clone: ['press', 'lease', 'lease'],
  'back up': ['press'],
  restore: ['press'],
};

/** Those who may not approve. */
const strangers = ['Ben', 'Chi', 'Eve'] as const;

/** Draws wrong-doers among the people of a plan. */
export function drawWrongDoers(random: Random, acts: readonly Act[]): Scene {
  const targets = acts.filter(({ act }) => possible[act]);
  if (targets.length === 0) return { acts: [], faults: [] };
  const drawn = Array.from({ length: random.one(counts) }, (_, number) =>
    drawWrong(random, random.one(targets), { acts, id: `x${number}` }),
  );
  return { acts: drawn.flatMap(one => one.acts), faults: drawn.flatMap(({ faults }) => faults) };
}

type Stage = Readonly<{ acts: readonly Act[]; id: string }>;

function drawWrong(random: Random, target: Act, stage: Stage): Scene {
  const can = possible[target.act] ?? [];
  const wrong = random.weighted(Object.fromEntries(can.map(one => [one, weights[one]])));
  const { id } = stage;
  const of = target.id;
  const owner = 'who' in target ? target.who : 'Ana';
  const stranger = random.one(strangers.filter(one => one !== owner));
  const soon = target.at + random.whole(4 * second, 40 * second);
  const decides = (at: number, who: PersonName, how: 'approve' | 'deny'): Act => ({
    ...{ at, id, act: 'decide', who, of, how, twice: random.chance(0.2) },
  });
  switch (wrong) {
    case 'own':
      return { acts: [decides(soon, owner, 'approve')], faults: [] };
    case 'stranger':
      return random.chance(0.7)
        ? { acts: [decides(soon, stranger, random.chance(0.7) ? 'approve' : 'deny')], faults: [] }
        : { acts: [{ at: soon, id, act: 'withdraw', who: stranger, of }], faults: [] };
    case 'late':
      return drawLate(random, target, stage);
    case 'tree': {
      const record = 'record' in target ? target.record : '';
      return {
        acts: [{ at: soon, id, act: 'change', record, how: random.one(['depend', 'snapshot'] as const) }],
        faults: [],
      };
    }
    case 'lease':
      return drawBorrowedLease(random, target, { id, stranger });
    case 'schedule': {
      const button = random.one(['Pause', 'Delete…'] as const);
      const at = target.at + random.whole(5 * second, 20 * minute);
      return { acts: [{ at, id, act: 'press schedule', who: stranger, of, button }], faults: [] };
    }
    case 'press': {
      const button = random.one(['Withdraw', 'Stop checking', 'Check now'] as const);
      return { acts: [{ at: soon, id, act: 'press', who: stranger, of, button }], faults: [] };
    }
    default:
      return { acts: [], faults: [] };
  }
}

/** Slack changes no message once it was decided, so that the buttons still stand: somebody presses one of them then. */
function drawLate(random: Random, target: Act, { acts, id }: Stage): Scene {
  const decided = acts.find((act): act is ActOf<'decide'> => act.act === 'decide' && act.of === target.id);
  if (!decided) return { acts: [], faults: [] };
  const { who, of } = decided;
  const at = decided.at + random.whole(3 * second, 40 * second);
  const late: Act = random.chance(0.6)
    ? { at, id, act: 'decide', who, of, how: decided.how === 'approve' ? 'deny' : 'approve', twice: false }
    : { at, id, act: 'withdraw', who, of };
  const refused = { fault: 'refuse', word: 'internal_error', method: 'chat.update', skip: 0, times: 12 } as const;
  const stale: Fault = { at: decided.at, ...refused };
  return { acts: [late], faults: [stale] };
}

/** Somebody sets the end of another one's clone, so that it is deleted soon. */
function drawBorrowedLease(
  random: Random,
  target: Act,
  { id, stranger }: Readonly<{ id: string; stranger: PersonName }>,
): Scene {
  if (target.act !== 'clone' || target.until === undefined) return { acts: [], faults: [] };
  const at = random.whole(target.at + minute, Math.max(target.at + minute, target.until - minute));
  const until = Math.ceil((at + random.whole(10 * second, 3 * minute)) / minute) * minute;
  return { acts: [{ at, id, act: 'keep', who: stranger, of: target.id, until }], faults: [] };
}
