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
    ['nothing of a record that does not change', [ok, ok, ok], ['', '', '']],
    ['nothing of trouble that is old at the first look', [failed, failed, failed], ['', '', '']],
    ['nothing of the end of trouble that was old at the first look', [failed, ok, ok], ['', '', '']],
    ['of old trouble once it comes again', [failed, ok, failed], ['', '', 'failed']],
    [
      'of a failure once, and of its end once',
      [ok, failed, failed, failed, ok, ok],
      ['', 'failed', '', '', 'failed over', ''],
    ],
    ['of a record that is failed when it appears', [unknown, failed], ['', 'failed']],
    ['of a doubtful state word once it is seen twice', [ok, doubtful, doubtful, doubtful], ['', '', 'failed', '']],
    ['nothing of a doubtful state word that is seen only once', [ok, doubtful, ok, doubtful, ok], ['', '', '', '', '']],
    [
      'nothing while a record’s state is unknown',
      [ok, failed, shown({ failed: 'unknown' }), failed],
      ['', 'failed', '', ''],
    ],
    ['nothing of a reading that says nothing', [ok, unknown, ok], ['', '', '']],
    [
      'of several kinds of trouble at once',
      [ok, shown({ failed: 'yes', late: 'yes' }), ok],
      ['', 'failed, late', 'failed over, late over'],
    ],
    [
      'of one kind of trouble after the other',
      [ok, failed, shown({ failed: 'yes', lease: 'yes' })],
      ['', 'failed', 'lease'],
    ],
    ['of a record that vanishes, and of its return', [ok, gone, gone, ok], ['', 'vanished', '', 'vanished over']],
    ['nothing of a record that Dolly deleted', [ok, ours, ours], ['', '', '']],
    [
      'of the end of a record’s trouble where Dolly deletes it',
      [ok, failed, ours, ours],
      ['', 'failed', 'failed over', ''],
    ],
    [
      'of the end of a record’s failure where the record vanishes',
      [ok, failed, gone],
      ['', 'failed', 'failed over, vanished'],
    ],
    ['nothing of a record that is hidden from this watcher', [ok, failed, hidden, hidden], ['', 'failed', '', '']],
    [
      'of a record as vanished where another one has its identifier',
      [ok, replaced, shown({}, { name: 'other', madeAt: 2 })],
      ['', 'vanished', ''],
    ],
    [
      'nothing of a record that Dolly made anew under the same identifier',
      [ok, { ...replaced, isOurs: true }],
      ['', ''],
    ],
    [
      'nothing of a record that is renamed',
      [ok, shown({}, { name: 'shop-2' }), shown({}, { name: 'shop-2' })],
      ['', '', ''],
    ],
    ['nothing of a record that was not there at the first look', [gone, ok], ['', '']],
    [
      'of a second failure within the hour that it comes and goes',
      [ok, failed, ok, failed, ok, failed, ok],
      ['', 'failed', 'failed over', 'failed flaps', '', '', ''],
    ],
  ])('a look for alerts tells only what is new: %s', (_, seen, told) => {
    expect(looks(seen).told).toEqual(told);
  });

  test('a failure that comes and goes is told over after an hour of calm, and only then told again', () => {
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

  test('a failure that comes and goes for hours is told twice, and then no more', () => {
    const many = Array.from({ length: 120 }, (_, turn) => (turn % 2 === 0 ? ok : failed));
    expect(looks(many).told.filter(Boolean)).toEqual(['failed', 'failed over', 'failed flaps']);
  });

  test('a failure that comes back after more than an hour does not count as one that comes and goes', () => {
    const times = [0, 5, 10, 80, 85, 160].map(at => at * minute);
    const { told } = looks([ok, failed, ok, failed, ok, failed], times);
    expect(told).toEqual(['', 'failed', 'failed over', 'failed', 'failed over', 'failed']);
  });

  test('a clock that is set back does not hold the news of a failure for longer', () => {
    const times = [0, 5, 10, 15, -10 * 60, -10 * 60 + 5, -10 * 60 + 10].map(at => at * minute);
    const { told } = looks([ok, failed, ok, failed, failed, ok, failed], times);
    expect(told).toEqual(['', 'failed', 'failed over', 'failed flaps', '', 'failed over', 'failed']);
  });

  test('a record that vanished is forgotten after a week, and then counts as new', () => {
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

  test('trouble that is over is forgotten within three hours', () => {
    const { sights } = looks([ok, failed, ok, ok], [0, rhythm, 2 * rhythm, 3 * hour]);
    expect(sights[2]?.troubles.failed?.state).toBe('over');
    expect(sights[3]?.troubles).toEqual({});
  });
});
