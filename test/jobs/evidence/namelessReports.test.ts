import { describe, expect, test } from 'vitest';
import { beforeOf } from '../../../src/jobs/evidence/baseline.ts';
import {
  mayBeOfAnybody,
  outlivedReport,
  type ReportsSeen,
  reportsOfJob,
} from '../../../src/jobs/evidence/jobReport.ts';
import { works } from '../../../src/operations/work.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = Date.UTC(2026, 10, 21, 9);
const time = (seconds: number) => new Date(sentAt + seconds * 1_000).toISOString();
const early = 30;
const later = 90;

type Change = Partial<Pick<ReportsSeen, 'known' | 'isAtWork' | 'isOfTarget'>>;

/** Reports as the record shows them so many seconds after a request. */
function seenAt(seconds: number, jobs: readonly object[], change: Change = {}): ReportsSeen {
  const before = beforeOf(recordOf(id, {}));
  const { reports } = recordOf(id, { jobs });
  const asked = {
    work: works.restore,
    records: [id],
    login: 'maria',
    sentAt,
    now: sentAt + 60_000,
    inDoubt: false,
    others: [],
  };
  const own = reportsOfJob(asked, before, reports);
  const shown = { own, reports, before, known: undefined, isOfTarget: true, isAtWork: false };
  return { ...shown, ...change, sentAt, now: sentAt + seconds * 1_000 };
}

const done = { status: 'SUCCEEDED' };
const failed = { status: 'FAILED', error: 'The disk is full' };
/** A time five hours west, without its zone. */
const local = (seconds: number) =>
  time(seconds - 5 * 3_600)
    .slice(0, 19)
    .replace('T', ' ');
const began = (seconds: number, change: object) => ({ startedAt: time(seconds), ...change });
const known = (jobs: readonly object[]): Change => {
  const [first] = recordOf(id, { jobs }).reports;
  return first ? { known: { identity: first.identity, isPlace: first.isPlace } } : {};
};

describe('reports that name neither their work nor a person may be of anybody', () => {
  test.each<readonly [string, ReportsSeen]>([
    ['where one tells of an end while the record is at work', seenAt(later, [began(2, done)], { isAtWork: true })],
    [
      'where several show numbers alone',
      seenAt(later, [
        { id: 7, ...done },
        { id: 8, ...failed },
      ]),
    ],
    ['where one with a number alone is over early', seenAt(early, [{ id: 7, ...done }])],
    ['where those that began at once differ', seenAt(later, [began(1, done), began(4, failed)])],
    ['where one began a minute after it, by a time without a zone', seenAt(later, [{ startedAt: local(70), ...done }])],
    ['where one began a minute after it', seenAt(later, [began(70, done)])],
  ])('%s', (_, look) => {
    expect(mayBeOfAnybody(look)).toBe(true);
  });
});

describe('they are of the job', () => {
  const numbered = [{ id: 7, ...began(70, done) }];
  test.each<readonly [string, ReportsSeen]>([
    ['where one began at once', seenAt(early, [began(2, done)])],
    [
      'where it goes on while the record is at work',
      seenAt(early, [began(2, { status: 'RUNNING' })], { isAtWork: true }),
    ],
    ['where one began at once, by a time without a zone', seenAt(early, [{ startedAt: local(2), ...done }])],
    ['where one with a number alone is over later', seenAt(later, [{ id: 7, ...done }])],
    ['where those that began at once tell the same', seenAt(later, [began(1, done), began(4, done)])],
    [
      'where a new record shows them, which has those of its making',
      seenAt(early, [{ id: 7, ...done }], { isOfTarget: false }),
    ],
    ['where it was known as the job’s before', seenAt(later, numbered, known(numbered))],
    ['where they name their work', seenAt(early, [began(20, { type: 'RESTORE', ...done })])],
    ['where they name a person', seenAt(later, [began(70, { user: 'maria', ...done })])],
  ])('%s', (_, look) => {
    expect(mayBeOfAnybody(look)).toBe(false);
  });
});

test('work outlives the end of a report that is older than services take to write one down', () => {
  const ended = [began(2, { ...done, finishedAt: time(10) })];
  const outlived = (seconds: number, change: Change) => outlivedReport(seenAt(seconds, ended, change));
  expect(outlived(20, { isAtWork: true })).toBeUndefined();
  expect(outlived(30, { isAtWork: true })).toBe(recordOf(id, { jobs: ended }).reports[0]?.identity);
  expect(outlived(30, {})).toBeUndefined();
});
