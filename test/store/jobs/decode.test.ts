import { describe, expect, test } from 'vitest';
import { decode } from '../../../src/store/jobs/rows/decode.ts';
import { newRow } from '../../../src/store/jobs/rows/encode.ts';
import { ends, hasEnded, type JobState, open } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { wish } from '../folder.ts';

const approval = {
  terms: '{"rule":"all","approvals":1,"approvers":[],"asker":{"users":[],"names":["ben"]}}',
  ...{
    facts: '[{"key":"name","label":"Name","value":"orders","compared":"orders"}]',
    digest: 'd',
    expiresAt: 9_000,
    login: 'ben',
  },
};
/** What each state promises, as the columns say it. */
const promised: Record<JobState, Partial<JobRow>> = {
  new: {},
  awaiting: approval,
  approved: approval,
  denied: { ...approval, endedAt: 5_000 },
  void: { ...approval, endedAt: 5_000 },
  sending: { sentAt: 2_000, deadlineAt: 8_000 },
  running: { sentAt: 2_000, deadlineAt: 8_000 },
  succeeded: { sentAt: 2_000, endedAt: 5_000 },
  finished: { sentAt: 2_000, endedAt: 5_000 },
  failed: { endedAt: 5_000 },
  unconfirmed: { sentAt: 2_000, endedAt: 5_000 },
  withdrawn: { endedAt: 5_000 },
  expired: { endedAt: 5_000 },
};
const states = [...open, ...ends];
const row = (state: JobState, change: Partial<JobRow> = {}): JobRow => ({
  ...newRow(wish()),
  ...{ state, ...promised[state], ...change },
});
const all = () => true;

test.each(states)('a row in the state %s is read as a job, which tells whether it has ended', state => {
  const job = decode(row(state), all);
  expect(job).toMatchObject({ state, values: wish().values, labels: {} });
  expect(job.state !== 'unreadable' && hasEnded(job)).toBe(ends.some(end => end === state));
});

test.each(states.flatMap(state => Object.keys(promised[state]).map(column => [state, column] as const)))(
  'a job’s row in the state %s without its %s cannot be read',
  (state, column) => {
    expect(decode(row(state, { [column]: null }), all).state).toBe('unreadable');
  },
);

describe('a row is read:', () => {
  test('a column or field that a job’s row leaves out is read as its default', () => {
    const baseline = '{"ids":{},"target":{"snapshots":[],"times":{}}}';
    const evidence = '{"id":"MYSQL_CLONE_SERVER-9","since":1,"seenAt":2,"wasElsewhere":"BLUE"}';
    expect(decode(row('running', { baseline, evidence, login: null }), all)).toMatchObject({
      login: null,
      baseline: { target: { counters: {}, reports: {} } },
      evidence: { id: 'MYSQL_CLONE_SERVER-9', extras: [], isBusy: false, gone: false },
    });
  });
  test('a job that ended without a reason is read with an empty reason', () => {
    expect(decode(row('unconfirmed', { reason: null }), all)).toMatchObject({ reason: '' });
  });
});

describe('a row of another release says why it cannot be read, and quotes nothing of it:', () => {
  test.each<[string, Partial<JobRow>, string]>([
    ['an operation', { operation: 'cluster.create' }, 'this release does not know what it asks for'],
    ['a state', { state: 'frozen' }, 'this release does not know its state'],
    ['a hold', { hold: 'maintenance' }, 'this release does not know what it waits for'],
    ['values', { inputs: '{"password":{"secret":"hunter2"}}' }, 'its inputs cannot be read'],
    ['what is no JSON', { inputs: '{"password":"hunter2"' }, 'its inputs cannot be read'],
    ['a baseline', { baseline: '{"all":"hunter2"}' }, 'its baseline cannot be read'],
    ['evidence', { evidence: '[]' }, 'its evidence cannot be read'],
    ['messages', { posts: '[{"part":"call","place":"C1"}]' }, 'its posts cannot be read'],
  ])('A row of another release says why it cannot be read, and quotes nothing of it: %s', (_, change, why) => {
    const read = decode(row('running', change), operation => operation === 'clone.create');
    expect(read).toMatchObject({ state: 'unreadable', person: 'U1', why });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });
});

describe('a job of the service account', () => {
  test('a job of the service account is read back with its sign-in, and any other job with its person’s', () => {
    const read = (change: Partial<JobRow>) => decode({ ...row('new'), ...change }, name => name === 'clone.create');
    const service = newRow(wish({ runsAs: 'service' }));
    expect(read(service)).toMatchObject({ state: 'new', operation: 'clone.create', runsAs: 'service' });
    expect(read(newRow(wish()))).toMatchObject({ state: 'new', operation: 'clone.create', runsAs: null });
  });

  test('a job with a sign-in that this release does not know cannot be read, and so is not sent', () => {
    const why = 'this release does not know whose sign-in it runs with';
    expect(decode(row('approved', { runsAs: 'robot' }), all)).toMatchObject({ state: 'unreadable', why });
  });
});
