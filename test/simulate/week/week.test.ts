import { expect, test } from 'vitest';
import { hour, minute } from '../../../src/ground/durations.ts';
import { isWhole } from '../../whole.ts';
import { figuresOf } from './figures.ts';
import { failsEachNight, maintained, monday } from './plan.ts';
import { troubles } from './troubles.ts';
import { playWeek } from './week.ts';

test.runIf(isWhole)(
  'the simulated Monday morning of a small team is played, and each message of Dolly is counted by its kind',
  async () => {
    const { figures, posts } = await playWeek({ seed: '1', days: 10.2 / 24, most: 12 });
    const { busiest, topLevel, failsEachNight: failing, troubles: told } = figures;
    expect(busiest.name).toBe('Ana');
    expect(topLevel).toBe(Object.values(figures.topLevelByKind).reduce((sum, many) => sum + many, 0));
    for (const kind of ['run of a schedule', 'report', 'asked by hand'])
      expect(figures.topLevelByKind).toHaveProperty([kind]);
    expect(posts.filter(({ kind }) => kind === 'other')).toEqual([]);
    // The run that failed mentions its owner in the thread of its message.
    expect(failing.kinds['run of a schedule']).toBe(2);
    expect(failing.ringsByDay.Mon).toBeGreaterThan(0);
    expect(told.map(({ what, times }) => [what, times])).toEqual([['a database that was never backed up', 0]]);
  },
);

const channel = 'C0DATABASE';
const [ana, ben] = ['U0ANA00001', 'U0BEN00001'];
const people = { [ana]: 'Ana', [ben]: 'Ben' };
const post = (at: number, kind: string, more: Partial<Parameters<typeof figuresOf>[0]['posts'][number]> = {}) => ({
  ...{ at, channel, kind, isTop: true, text: '', rings: [], about: '', part: 'notice', troubles: [] },
  ...more,
});

test('the figures of a simulated week tell rings, top-level messages, maintenance, troubles and leases apart', () => {
  const trouble = troubles.find(({ what }) => what === 'a database that vanished');
  if (!trouble) throw new Error('there is no such trouble');
  const at = monday + 10 * hour;
  const direct = { channel: 'D0BEN00001', isTop: false, rings: [ben] };
  const figures = figuresOf({
    ...{ channel, people, until: monday + 7 * 24 * hour, onMaintained: ['stock_eu'] },
    planted: [{ trouble, at, name: 'orders_eu' }],
    posts: [
      post(monday - hour, 'alerts are on', { rings: [ana] }),
      post(at + 5 * minute, 'incident', { text: 'orders_eu vanished', rings: [ana], troubles: ['vanished'] }),
      post(at + 6 * minute, 'incident again', { text: 'orders_eu vanished', isTop: false }),
      post(at + 7 * minute, 'run of a schedule', { text: `${failsEachNight.name} failed`, rings: [ana] }),
      post(at, 'lease warning (direct message)', { ...direct, text: '*qa-1* is kept' }),
      post(at + 3 * hour, 'lease end (direct message)', { ...direct, text: '*qa-1* is stopped: its time is up' }),
      post(at + 3 * hour, 'lease end (direct message)', { ...direct, text: '*qa-2* is stopped: its time is up' }),
      post(maintained.at + hour, 'incident', { text: 'stock_eu failed', rings: [ana], troubles: ['failed'] }),
    ],
  });
  expect(figures.busiest).toEqual({ name: 'Ana', rings: 3 });
  expect(figures.topLevelByDay).toEqual({ Mon: 2, Fri: 1 });
  expect(figures.rings[1]).toEqual({
    ...{ name: 'Ben', all: 3 },
    kinds: { 'lease warning (direct message)': 1, 'lease end (direct message)': 2 },
  });
  expect(figures.maintenance).toEqual({ messages: 1, rings: 1, kinds: { 'incident failed': 1 } });
  expect(figures.failsEachNight.ringsByDay).toEqual({ Mon: 1 });
  expect(figures.leases).toEqual({ ended: 2, warned: 1 });
  expect(figures.troubles).toEqual([
    {
      ...{ what: trouble.what, isInTime: true, firstAfterMinutes: 5, times: 2 },
      ...{ kinds: { incident: 1, 'incident again': 1 }, rang: { Ana: 1 } },
    },
  ]);
});
