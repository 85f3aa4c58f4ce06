import { expect, test } from 'vitest';
import { usualClass } from '../../src/api/reading/stateWords.ts';
import { minute, second } from '../../src/ground/durations.ts';
import { drawDialect } from './generator/dialect.ts';
import { drawing } from './generator/draw.ts';
import { idsOf } from './generator/estate.ts';
import { type HabitName, habitNames, withHabit } from './generator/habits.ts';
import { nodesOf } from './generator/nodes.ts';
import { shown } from './generator/render.ts';
import { type Course, newService } from './generator/service.ts';
import { type Kind, vocabularies } from './generator/words.ts';

/* What services with a habit show (generator/habits.ts), without Dolly: else the figures of a kind would tell of nothing. */

const start = Date.UTC(2026, 10, 22, 9);
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** What one service shows of a work, at seconds after it was asked for. */
type Watched = Readonly<{ seed: number; at: (seconds: number) => string; habit: string; words: readonly string[] }>;

/** Has work done to a record of each service with this habit. */
function services(name: HabitName, kind: Kind, course: Partial<Course>): Watched[] {
  return seeds.map(seed => {
    const dialect = withHabit(drawDialect(drawing(seed)), seed, name);
    const ids = idsOf(dialect.vendor);
    const on = kind === 'convert' ? ids.clone(3) : ids.live(7);
    const service = newService(dialect, start);
    const node = nodesOf(service, dialect, start);
    const usual = { waits: 0, lasts: 20 * second, ending: 'error', appears: 1, restsFor: 0, arrives: 'up' } as const;
    const asked = kind === 'snapshot delete' ? { input: ids.snapshot(70) } : {};
    service.begins({ kind, by: 'ana', on, asked }, { ...usual, ...course }, start);
    const at = (seconds: number) => {
      const now = start + seconds * second;
      service.settle(now);
      const read = node(false, now);
      const record = read.records.get(on);
      return record ? JSON.stringify(shown(read, dialect, record, true, read.now)) : 'not shown';
    };
    const { vocabulary } = dialect;
    const { up, down, disabled, broken, passing } = typeof vocabulary === 'object' ? vocabulary : vocabularies.usual;
    const words = [up, down, disabled, broken, ...Object.values(passing)].map(String);
    return { seed, at, habit: JSON.stringify(dialect.habit), words };
  });
}

/** What must be so of the work of a service, as it is watched from its beginning on. */
const claims: Readonly<Record<HabitName, readonly [Kind, Partial<Course>, (watched: Watched) => boolean]>> = {
  retries: [
    'refresh',
    { tries: [{ lasts: 5 * second, pause: 10 * second }], ending: 'succeeded' },
    ({ at }) => !/lock of/.test(at(3)) && /retry|attempt/i.test(at(8)) && !/retry_|pending|will be/i.test(at(40)),
  ],
  earlySnapshots: [
    'backup',
    {},
    ({ at }) => {
      const [before, during, after] = [at(-1), at(10), at(25)];
      const count = (text: string) => /"(?:snapshots|recoveryPoints|snapshotList)":(?:\d|\[.*?\])/.exec(text)?.[0];
      return count(before) !== count(during) && count(before) === count(after);
    },
  ],
  unknownWork: [
    'convert',
    { foreshown: 0.5 },
    ({ at }) => {
      const kindOf = (text: string) => /"(?:cloneType|isVirtual|storageType)":[^,]*/.exec(text)?.[0];
      const [begun, foreshown, after] = [at(5), at(15), at(25)].map(kindOf);
      return begun !== foreshown && begun === after;
    },
  ],
  laggingNodes: [
    'delete',
    { ending: 'succeeded', lasts: 2 * second },
    // Who reads often enough at once after the end sees what is and what was.
    ({ at, habit }) => habit.includes('list and record') || new Set(Array.from({ length: 12 }, () => at(2))).size > 1,
  ],
  hiddenWhileDeleted: ['delete', {}, ({ at }) => at(10) === 'not shown' && at(30) !== 'not shown'],
  queues: ['restore', { waits: minute }, ({ at, habit }) => !/"state":"/.test(habit) || /QUEUED|WAITING/.test(at(30))],
  partialSuccess: [
    'restore',
    { ending: 'partial' },
    ({ at, habit }) => at(25).includes(/"word":"(.*?)"/.exec(habit)?.[1] ?? '?'),
  ],
  sameWord: ['refresh', {}, ({ at, words }) => words.length === 5 && at(-1) !== at(10)],
  unknownStates: ['refresh', {}, ({ words }) => words.every(word => usualClass(word) === 'unknown')],
};

test.each(habitNames)('generated services with the habit %s show it in what they answer', name => {
  const [kind, course, isSo] = claims[name];
  const wrong = services(name, kind, course).filter(one => !isSo(one));
  expect(wrong.map(({ seed, habit, at }) => `${seed} ${habit} ${at(60)}`)).toEqual([]);
});
