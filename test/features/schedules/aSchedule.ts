import type { Schedule } from '../../../src/features/schedules/schedule.ts';

/** A schedule that is on: the nightly backup of shop. */
export function aSchedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    ...{ id: 's1', team: 'T1', person: 'U1', channel: 'C1', kind: 'job', operation: 'database.backup' },
    ...{ values: { database: 'MYSQL_LIVE_SERVER-1' }, labels: { 'MYSQL_LIVE_SERVER-1': 'shop' } },
    ...{ target: 'MYSQL_LIVE_SERVER-1', targetName: 'shop', madeAt: null, purpose: null },
    ...{ rhythm: JSON.stringify({ every: 'day', at: '02:00' }), zone: 'Europe/Berlin', tells: 'all', runsAs: 'owner' },
    ...{ request: null, digest: null, approvedBy: [], approvedAt: null, state: 'on', reason: null },
    ...{
      createdAt: 0,
      endedAt: null,
      plannedAt: Date.UTC(2026, 10, 23, 1),
      lastAt: null,
      lastJob: null,
      lastOutcome: null,
    },
    ...{ failures: 0, revision: 3, waitsFor: null },
    ...changes,
  };
}
