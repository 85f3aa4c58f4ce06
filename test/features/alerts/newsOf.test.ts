import { describe, expect, test } from 'vitest';
import { newsOf, type RecordSeen, type Shown } from '../../../src/features/alerts/newsOf.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { AlertKind, KeptSight } from '../../../src/store/tables/alerts/alertRows.ts';

const record = 'MYSQL_CLONE_SERVER-1';
const rhythm = 5 * minute;
const quiet: Readonly<Record<AlertKind, Shown>> = {
  failed: { is: 'no' },
  late: { is: 'no' },
  never: { is: 'no' },
  lost: { is: 'no' },
  vanished: { is: 'no' },
  lease: { is: 'no' },
  disabled: { is: 'no' },
  runs: { is: 'no' },
  slow: { is: 'no' },
};

function shown(
  troubles: Partial<Record<AlertKind, Shown['is']>> = {},
  change: Partial<RecordSeen & { type: 'shown' }> = {},
): RecordSeen {
  const all = Object.fromEntries(Object.entries(troubles).map(([kind, is]) => [kind, { is, words: `is ${kind}` }]));
  return {
    type: 'shown',
    name: 'shop',
    madeAt: 1,
    place: null,
    isBacked: false,
    troubles: { ...quiet, ...all },
    ...change,
  };
}

const ok = shown();
const failed = shown({ failed: 'yes' });
const doubtful = shown({ failed: 'maybe' });
const unknown: RecordSeen = { type: 'unknown' };
const gone: RecordSeen = { type: 'gone', isOurs: false };
const ours: RecordSeen = { type: 'gone', isOurs: true };
const hidden: RecordSeen = { type: 'hidden' };
const replaced: RecordSeen = { type: 'replaced', isOurs: false, name: 'other', madeAt: 2 };

/** Looks at a record once a rhythm, and gives what each look tells: `failed`, `failed over`, or nothing. */
function looks(seen: readonly RecordSeen[], times: readonly number[] = seen.map((_, turn) => turn * rhythm)) {
  let sight: KeptSight | undefined;
  const sights: (KeptSight | undefined)[] = [];
  const told = seen.map((one, index) => {
    const turn = index + 1;
    const at = day + (times[index] ?? 0);
    sight = newsOf(sight, record, one, { at, turn, isFirst: turn === 1 });
    sights.push(sight);
    if (sight?.news !== turn) return '';
    return Object.entries(sight.troubles)
      .flatMap(([kind, { told, ended, heldUntil }]) => [
        ...(told === turn ? [`${kind}${heldUntil !== null ? ' flaps' : ''}`] : []),
        ...(ended === turn ? [`${kind} over`] : []),
      ])
      .join(', ');
  });
  return { told, sights };
}

describe('what a look tells', () => {
  test.each<readonly [string, readonly RecordSeen[], readonly string[]]>([
    ['nothing where nothing changes', [ok, ok, ok], ['', '', '']],
    ['nothing old at the first look', [failed, failed, failed], ['', '', '']],
    ['nothing of the end of what was old', [failed, ok, ok], ['', '', '']],
    ['what was old, once it came again', [failed, ok, failed], ['', '', 'failed']],
    [
      'a failure once, and its end once',
      [ok, failed, failed, failed, ok, ok],
      ['', 'failed', '', '', 'failed over', ''],
    ],
    ['a record that appears failed', [unknown, failed], ['', 'failed']],
    ['a doubtful word when it is seen twice', [ok, doubtful, doubtful, doubtful], ['', '', 'failed', '']],
    ['nothing of a doubtful word that is seen once', [ok, doubtful, ok, doubtful, ok], ['', '', '', '', '']],
    ['nothing while the state is unknown', [ok, failed, shown({ failed: 'unknown' }), failed], ['', 'failed', '', '']],
    ['nothing of a reading that says nothing', [ok, unknown, ok], ['', '', '']],
    [
      'several kinds at once',
      [ok, shown({ failed: 'yes', late: 'yes' }), ok],
      ['', 'failed, late', 'failed over, late over'],
    ],
    ['one kind after the other', [ok, failed, shown({ failed: 'yes', lease: 'yes' })], ['', 'failed', 'lease']],
    ['a record that vanished, and comes back', [ok, gone, gone, ok], ['', 'vanished', '', 'vanished over']],
    ['nothing of one that Dolly took away', [ok, ours, ours], ['', '', '']],
    ['the end of its troubles where Dolly took it away', [ok, failed, ours, ours], ['', 'failed', 'failed over', '']],
    ['the end of its troubles where it vanished', [ok, failed, gone], ['', 'failed', 'failed over, vanished']],
    ['nothing of one that is hidden from these watcher', [ok, failed, hidden, hidden], ['', 'failed', '', '']],
    [
      'another record under its identifier, as one that vanished',
      [ok, replaced, shown({}, { name: 'other', madeAt: 2 })],
      ['', 'vanished', ''],
    ],
    ['no vanishing of one that Dolly made anew', [ok, { ...replaced, isOurs: true }], ['', '']],
    ['nothing of a renaming', [ok, shown({}, { name: 'shop-2' }), shown({}, { name: 'shop-2' })], ['', '', '']],
    ['nothing of what was not there at the first look', [gone, ok], ['', '']],
    [
      'a second failure within the hour as one that comes and goes',
      [ok, failed, ok, failed, ok, failed, ok],
      ['', 'failed', 'failed over', 'failed flaps', '', '', ''],
    ],
  ])('%s', (_, seen, told) => {
    expect(looks(seen).told).toEqual(told);
  });

  test('what comes and goes is told again after an hour of calm, and only if it is over', () => {
    const flaps = [ok, failed, ok, failed, ok];
    const calm = Array.from({ length: 13 }, () => ok);
    const { told, sights } = looks([...flaps, ...calm, failed]);
    expect(told.filter(Boolean)).toEqual(['failed', 'failed over', 'failed flaps', 'failed over', 'failed']);
    expect(told.at(-1)).toBe('failed');
    expect(told.indexOf('failed over', 3)).toBe(16);
    expect(sights[17]?.troubles).toEqual({});
    const stays = looks([...flaps, ...Array.from({ length: 30 }, () => failed), ok]);
    expect(stays.told.filter(Boolean)).toEqual(['failed', 'failed over', 'failed flaps', 'failed over']);
  });

  test('one that comes and goes for hours is told once', () => {
    const many = Array.from({ length: 120 }, (_, turn) => (turn % 2 === 0 ? ok : failed));
    expect(looks(many).told.filter(Boolean)).toEqual(['failed', 'failed over', 'failed flaps']);
  });

  test('a failure that comes back after more than an hour is no flapping', () => {
    const times = [0, 5, 10, 80, 85, 160].map(at => at * minute);
    const { told } = looks([ok, failed, ok, failed, ok, failed], times);
    expect(told).toEqual(['', 'failed', 'failed over', 'failed', 'failed over', 'failed']);
  });

  test('a clock that is set back holds nothing for longer', () => {
    const times = [0, 5, 10, 15, -10 * 60, -10 * 60 + 5, -10 * 60 + 10].map(at => at * minute);
    const { told } = looks([ok, failed, ok, failed, failed, ok, failed], times);
    expect(told).toEqual(['', 'failed', 'failed over', 'failed flaps', '', 'failed over', 'failed']);
  });

  test('one that vanished is forgotten after a week, and then new', () => {
    const times = [0, rhythm, 2 * rhythm, 8 * day, 8 * day + rhythm];
    const { told, sights } = looks([ok, gone, gone, gone, failed], times);
    expect(told).toEqual(['', 'vanished', '', '', 'failed']);
    expect(sights[3]).toBeUndefined();
  });

  test('a sight is written only where it changed', () => {
    const same = [failed, failed, shown({ failed: 'unknown' }), unknown];
    const { sights } = looks([ok, ...same]);
    expect(sights[2]).toBe(sights[1]);
    expect(sights[3]).toBe(sights[1]);
    expect(sights[4]).toBe(sights[1]);
    const calm = looks([ok, ok]).sights;
    expect(calm[1]).toBe(calm[0]);
  });

  test('what it did is forgotten an hour later', () => {
    const { sights } = looks([ok, failed, ok, ok], [0, rhythm, 2 * rhythm, 3 * hour]);
    expect(sights[2]?.troubles.failed?.state).toBe('over');
    expect(sights[3]?.troubles).toEqual({});
  });
});
