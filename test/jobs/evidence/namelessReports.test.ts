import { describe, expect, test } from 'vitest';
import { beforeOf } from '../../../src/jobs/evidence/baseline.ts';
import { mayBeOfAnybody, type ReportsSeen, reportsOfJob } from '../../../src/jobs/evidence/jobReport.ts';
import { works } from '../../../src/operations/work.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = Date.UTC(2026, 10, 21, 9);
const time = (seconds: number) => new Date(sentAt + seconds * 1_000).toISOString();
/** Reports as the record shows them after a request. */
function seenWith(jobs: readonly object[]): ReportsSeen {
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
  return { own, reports, before, sentAt };
}

const done = { status: 'SUCCEEDED' };
const failed = { status: 'FAILED', error: 'The disk is full' };
/** A time five hours west, without its zone. */
const local = (seconds: number) =>
  time(seconds - 5 * 3_600)
    .slice(0, 19)
    .replace('T', ' ');
const began = (seconds: number, change: object) => ({ startedAt: time(seconds), ...change });
describe('reports that name neither their work nor a person may be of anybody', () => {
  test.each<readonly [string, ReportsSeen]>([
    [
      'where several show numbers alone',
      seenWith([
        { id: 7, ...done },
        { id: 8, ...failed },
      ]),
    ],
    ['where those that began at once differ', seenWith([began(1, done), began(4, failed)])],
  ])('Reports that name neither their work nor a person may be anybody’s %s', (_, look) => {
    expect(mayBeOfAnybody(look)).toBe(true);
  });
});

describe('they are of the job', () => {
  test.each<readonly [string, ReportsSeen]>([
    ['where one began at once', seenWith([began(2, done)])],
    ['where one began at once, by a time without a zone', seenWith([{ startedAt: local(2), ...done }])],
    ['where one with a number alone is over later', seenWith([{ id: 7, ...done }])],
    ['where those that began at once tell the same', seenWith([began(1, done), began(4, done)])],
    ['where they name their work', seenWith([began(20, { type: 'RESTORE', ...done })])],
    ['where they name a person', seenWith([began(70, { user: 'maria', ...done })])],
  ])('Reports are taken to be about the job %s', (_, look) => {
    expect(mayBeOfAnybody(look)).toBe(false);
  });
});
