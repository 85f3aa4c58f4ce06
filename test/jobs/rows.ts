import { parseIdentifier } from '../../src/api/identifiers.ts';
import { readRecord } from '../../src/api/reading/recordList.ts';
import type { RecordView } from '../../src/api/reading/recordView.ts';
import { fresh, type Job } from '../../src/store/tables/job.ts';

/** A record as the reader gives it, out of an answer with these fields. */
export function recordOf(id: string, fields: object = {}): RecordView {
  const parsed = parseIdentifier(id);
  const record = parsed && readRecord({ id, ...fields }, parsed);
  if (!record) throw new Error(`${id} is no record`);
  return record;
}

/** A job's row: a virtual MySQL clone that is not sent yet, with what a test changes in it. */
export function job(change: Partial<Job> = {}): Job {
  return {
    ...fresh,
    id: '0a6e9c1e-0000-4000-8000-000000000001',
    requestKey: 'request-1',
    team: 'T1',
    person: 'U1',
    operation: 'clone.create',
    inputs: JSON.stringify({
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      cloneType: 'VIRTUALCLONE',
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      port: 3310,
    }),
    labels: '{}',
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    createdAt: Date.UTC(2026, 10, 21, 9),
    dueAt: null,
    tellAt: null,
    channel: 'C1',
    purpose: null,
    ...change,
  };
}
