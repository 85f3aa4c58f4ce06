import { describe, expect, test } from 'vitest';
import { type TroubleFacts, troublesOf } from '../../../src/features/alerts/troublesOf.ts';
import { type ProtectedDatabase, protectionReport } from '../../../src/features/protection/report.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { Dealing } from '../../../src/store/jobs/dealings.ts';
import { only } from '../../api/reading.ts';

/** The look of 7:38; the one before was at 7:33. */
const at = Date.UTC(2026, 10, 22, 7, 38);
const since = at - 4 * minute;

const job = (operation: string, change: Partial<Dealing> = {}): Dealing => ({
  ...{
    operation,
    person: 'U0ANA',
    target: 'MYSQL_LIVE_SERVER-1',
    claimed: null,
    state: 'failed',
    schedule: null,
    evidence: undefined,
    toldIn: 'C2',
  },
  ...{ sentAt: since - minute, endedAt: since, ...change },
});

function troubles(fields: object, change: Partial<TroubleFacts> = {}) {
  const record = only([{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop', ...fields }]);
  const facts = {
    record,
    protection: undefined,
    before: undefined,
    lease: undefined,
    isBusy: false,
    isExcused: false,
    areRunsExcused: false,
    dealings: [],
    schedules: [],
    usual: new Map(),
  };
  return troublesOf({ ...facts, notBefore: at - 15 * minute, at, ...change });
}

describe('trouble is dated', () => {
  const report = (time: number, word = 'FAILED', type = 'BACKUP') => ({
    lastJob: { id: 7, type, status: word, endTime: new Date(time).toISOString() },
  });

  test.each<readonly [string, object, readonly Dealing[], number | undefined]>([
    ['by the record’s own report', report(since), [], since],
    [
      'by the record rather than by Dolly’s own job',
      report(since),
      [job('database.backup', { endedAt: since + minute })],
      since,
    ],
    ['by Dolly’s own job', {}, [job('database.backup')], since],
    ['by nothing where the record’s report is of long ago', report(at - 3 * hour), [], undefined],
    ['by nothing where the report’s clock is ahead', report(at + hour), [], undefined],
    ['by nothing where the report is of work that went well', report(since, 'DONE'), [], undefined],
    ['by nothing where Dolly’s own job went well', {}, [job('database.backup', { state: 'succeeded' })], undefined],
  ])(
    'trouble of a failed record is dated only by a fresh report or job of a failure: %s',
    (_, fields, dealings, expected) => {
      expect(troubles({ state: 'FAILED', ...fields }, { dealings }).failed).toMatchObject({ is: 'yes' });
      expect(troubles({ state: 'FAILED', ...fields }, { dealings }).failed.since).toBe(expected);
    },
  );

  test('trouble at the first look is dated by the record’s report, however old', () => {
    const first = troubles({ state: 'FAILED', ...report(at - 3 * day) }, { notBefore: undefined });
    expect(first.failed.since).toBe(at - 3 * day);
  });

  test('a disabled database dates its trouble by the job that disabled it, and by no other job', () => {
    const disabled = (operation: string) => {
      const dealings = [job(operation, { state: 'succeeded' })];
      return troubles({ state: 'DISABLED' }, { dealings }).disabled.since;
    };
    expect([disabled('database.disable'), disabled('database.backup')]).toEqual([since, undefined]);
  });
});

test('maintenance excuses what fails, is late or is disabled, and neither lost nor missing backups', () => {
  const protection = (standing: 'late' | 'never', backup: ProtectedDatabase['backup']) => {
    const record = only([{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop' }]);
    const wanted = { rule: null, backup: day, logs: undefined, keepClones: undefined };
    return { record, standing, backup, logs: { type: 'unseen' }, lateBy: [], wanted, mend: null } as const;
  };
  const late = protection('late', { type: 'at', at: at - 3 * day, doubt: 0 });
  const bare = protection('never', { type: 'never' });
  const before = { since: at - 9 * day, backedAt: null };
  const shown = (isExcused: boolean) => {
    const of = (fields: object, change: Partial<TroubleFacts>) => troubles(fields, { isExcused, ...change });
    const { failed } = of({ state: 'FAILED' }, {});
    const { disabled } = of({ state: 'DISABLED' }, {});
    const lost = of({ state: 'RUNNING' }, { protection: bare, before: { ...before, backedAt: at - day } }).lost;
    const { never } = of({ state: 'RUNNING' }, { protection: bare, before });
    return [failed, of({}, { protection: late }).late, disabled, lost, never].map(({ is }) => is);
  };
  expect(shown(false)).toEqual(['yes', 'yes', 'yes', 'maybe', 'maybe']);
  expect(shown(true)).toEqual(['unknown', 'unknown', 'unknown', 'maybe', 'maybe']);
});

test('an alert of a late backup names its kind, the whole age that is wanted, and the operation that mends it', async () => {
  const hoursAgo = (hours: number) => new Date(at - hours * hour).toISOString();
  const status = async (fields: object, environments: object[] = []) => {
    const live = [only([{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop', state: 'RUNNING', ...fields }])];
    const policy = { protect: [{ backup: 36 * hour, logs: 5 * hour }] };
    const shown = {
      clones: [],
      leases: [],
      maintained: new Set<string>(),
      isPart: false,
      alone: new Set<string>(),
      unread: 0,
    };
    const places = environments.map(one => only([one], ['environment']));
    const { databases } = await protectionReport(policy, { ...shown, at, live, environments: places });
    return troubles({}, { protection: databases[0] }).late;
  };
  // Its zone is not shown: the backup may be 26 hours old, or 54.
  const logsLate = { lastBackup: hoursAgo(40).slice(0, -1), lastLogBackup: hoursAgo(9) };
  expect(await status(logsLate)).toMatchObject({
    words: expect.stringMatching(/^latest backup of its logs .*, max age 5 h$/),
    mend: 'database.backupLogs',
  });
  const late = { lastBackup: hoursAgo(60), lastLogBackup: hoursAgo(1) };
  expect(await status(late)).toMatchObject({
    words: expect.stringMatching(/^latest backup .*, max age 36 h$/),
    mend: 'database.backup',
  });
  const closed = { id: 'HOST_ENVIRONMENT-2', name: 'mysql-prod', state: 'DISABLED' };
  expect(await status({ ...late, environment: closed.id }, [closed])).toMatchObject({ is: 'yes', mend: undefined });
});
