import { parseIdentifier } from '../../src/api/identifiers.ts';
import { type RecordView, readRecord } from '../../src/api/records.ts';
import type { Job } from '../../src/store/jobs.ts';

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
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    labels: '{}',
    state: 'new',
    reason: null,
    hold: null,
    inDoubt: 0,
    baseline: null,
    evidence: null,
    claimed: null,
    createdAt: Date.UTC(2026, 10, 21, 9),
    sentAt: null,
    endedAt: null,
    dueAt: null,
    deadlineAt: null,
    looks: 0,
    leaseUntil: 0,
    channel: 'C1',
    place: null,
    messageTs: null,
    replyTs: null,
    revision: 1,
    shown: 0,
    tellAt: null,
    tellTries: 0,
    tellLeaseUntil: 0,
    posting: null,
    purpose: null,
    login: null,
    terms: null,
    facts: null,
    digest: null,
    decisions: '[]',
    expiresAt: null,
    reminders: 0,
    cardPlace: null,
    emergency: null,
    posts: '{}',
    ...change,
  };
}
