import { expect, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import type { Json } from '../../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../../journeys/asking.ts';
import { aMinute, ana, clone, earth, ends, service } from './service.ts';

test.each([
  ['shop', 'still', { number: 9, type: 'REFRESH', status: 'COMPLETED', user: 'cem' }],
  ['orders', 'until a later report took its place', { number: 10, type: 'HEALTH_CHECK', status: 'COMPLETED' }],
])(
  'a new time of %s confirms no job in doubt where the record told of a colleague’s same work, %s',
  async (name, _, later) => {
    service.lost = '/database/refresh';
    let lastJob: Json | undefined;
    service.shows = record =>
      record.name === name
        ? { ...record, refreshedAt: `2026-11-21T0${lastJob ? 9 : 8}:30:00Z`, ...(lastJob && { lastJob }) }
        : record;
    const card = await asks(earth, ana, `/db refresh ${name}`);
    lastJob = { number: 9, type: 'REFRESH', status: 'COMPLETED', user: 'cem' };
    await earth.clock.advance(30_000);
    lastJob = later;
    expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
  },
);

test.each([
  ['no job whose report gave its place to that of a colleague who did the same', 'inventory', 'cem', {}, false],
  [
    'no job whose report gave its place to that of a colleague, and that one to a check of the service',
    'helpdesk',
    'cem',
    { number: 11, type: 'HEALTH_CHECK', user: 'system' },
    false,
  ],
  // Many services do all work in the name of one account.
  ['a job where a report names an account alone', 'shop', 'system', {}, true],
  ['a job where all work may be done in one name', 'billing', 'dbpc', {}, true],
])('a new time confirms %s', async (_, target, user, next, isOurs) => {
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  service.shows = ({ id, name, state, ...record }) =>
    name === target ? { id, name, state: 'RUNNING', refreshedAt, lastJob } : { id, name, state, ...record };
  const card = await asks(earth, ana, `/db refresh ${target}`);
  if (!isOurs) lastJob = { number: 9, type: 'REFRESH', status: 'RUNNING', user: 'ana' };
  await aMinute();
  lastJob = { number: 10, type: 'REFRESH', status: 'RUNNING', user };
  await aMinute();
  lastJob = { ...lastJob, ...next, status: 'COMPLETED' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  const told = await comesToAnEnd(earth, card);
  expect(told.includes('· Confirmed')).toBe(isOurs);
  expect(told.includes('The record reported work by cem')).toBe(!isOurs);
});

test('a request does not finish while a word beside the state of its record says that work goes on', async () => {
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let [busyWith, refreshedAt]: [string | null, string] = [null, '2026-11-20T08:30:00Z'];
  service.shows = ({ id, name, state, ...record }) =>
    name === 'orders' ? { id, name, state: 'RUNNING', busyWith, refreshedAt, lastJob } : { id, name, state, ...record };
  // A job of the same person that ended just before would explain a report without its kind as well.
  await earth.clock.advance(minute);
  const card = await asks(earth, ana, '/db refresh orders');
  busyWith = 'NOT_READY';
  lastJob = { number: 9, status: 'RUNNING', user: 'ana' };
  await aMinute();
  lastJob = { number: 10, status: 'COMPLETED', user: 'cem' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Unconfirmed');
  expect(told).toContain('The record reported work by cem');
});

test('a state that a colleague’s work explains does not show that a request in doubt arrived', async () => {
  service.lost = '/database/refresh';
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let state = 'RUNNING';
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, lastJob } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  lastJob = { number: 9, type: 'REFRESH', status: 'RUNNING', user: 'cem' };
  state = 'REFRESHING';
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Sent, no answer yet');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('a state that a colleague’s work explains does not show that a request arrived, even after a check', async () => {
  service.lost = '/database/refresh';
  const check = { type: 'HEALTH_CHECK', user: 'system' };
  let lastJob: Json = { ...check, number: 8, status: 'COMPLETED' };
  let [state, refreshedAt] = ['RUNNING', '2026-11-20T08:30:00Z'];
  service.shows = ({ id, name, ...record }) =>
    name === 'slow_reports' ? { id, name, state, refreshedAt, lastJob } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh slow_reports');
  lastJob = { ...check, number: 9, status: 'RUNNING' };
  state = 'REFRESHING';
  await aMinute();
  expect(earth.text(card)).toContain('· Sent, no answer yet');
  lastJob = { ...check, number: 10, status: 'COMPLETED' };
  [state, refreshedAt] = ['RUNNING', new Date(earth.clock.now()).toISOString()];
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose work it was');
});

test('two nameless reports of the same work within a minute tell no outcome where they differ', async () => {
  const task = (number: number, status: string, after: number) => ({
    ...{ number, type: 'REFRESH', status },
    startedAt: new Date(askedAt + after).toISOString(),
  });
  const askedAt = earth.clock.now();
  let tasks: Json[] = [];
  service.shows = ({ id, name, ...record }) =>
    name === 'helpdesk' ? { id, name, state: 'RUNNING', tasks } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh helpdesk');
  tasks = [task(31, 'RUNNING', 2_000)];
  await earth.clock.advance(minute);
  tasks = [task(32, 'FAILED', 40_000), task(31, 'SUCCEEDED', 2_000)];
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Confirmed');
  expect(told).not.toContain('· Failed');
});

test('a new time confirms no job where a nameless report that is not its own tells of the same work', async () => {
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  service.shows = ({ id, name, state, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', refreshedAt, lastJob } : { id, name, state, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  lastJob = { number: 9, type: 'REFRESH', status: 'RUNNING' };
  await earth.clock.advance(minute);
  lastJob = { number: 10, type: 'REFRESH', status: 'COMPLETED' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Confirmed');
  expect(told).toContain('The record reported work by somebody else');
});

test('a word such as STARTED beside a clone’s state is a step of the work where no other clone shows it', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let activity: string | null = 'STARTED';
  service.shows = record =>
    before.has(record.id) ? { ...record, activity: null } : { ...record, state: 'RUNNING', activity };
  const card = await asks(earth, ana, clone(3421), { fields: {} });
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('its state is RUNNING, STARTED. Is it ready?');
  activity = null;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('work that only a report showed has not ended because a check of the service took its place', async () => {
  let lastJob: Json = { type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let state = 'RUNNING';
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, lastJob } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  lastJob = { type: 'REFRESH', status: 'RUNNING', user: 'ana' };
  await earth.clock.advance(minute);
  lastJob = { type: 'HEALTH_CHECK', status: 'RUNNING' };
  await earth.clock.advance(2 * minute);
  lastJob = { ...lastJob, status: 'COMPLETED' };
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  state = 'FAILED';
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a new time confirms no job where a report that names somebody else tells no kind of work', async () => {
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  service.shows = ({ id, name, state, ...record }) =>
    name === 'billing' ? { id, name, state: 'RUNNING', refreshedAt, lastJob } : { id, name, state, ...record };
  const card = await asks(earth, ana, '/db refresh billing');
  lastJob = { number: 9, status: 'RUNNING', user: 'ana' };
  await earth.clock.advance(minute);
  lastJob = { number: 10, status: 'COMPLETED', user: 'cem' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  expect(await comesToAnEnd(earth, card)).toContain('The record reported work by cem that may explain it');
});

test('the snapshot that a stopped clone was made from does not make its report one of a backup', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const startedAt = () => new Date(earth.clock.now()).toISOString();
  let lastJob: Json | undefined;
  service.shows = ({ id, name, port, ...record }) => {
    if (before.has(id)) return { id, name, port, ...record };
    lastJob ??= { status: 'COMPLETED', startedAt: startedAt() };
    return { id, name, port, state: 'STOPPED', snapshot: 'MYSQL_SNAPSHOT-1', lastJob };
  };
  expect(await ends(clone(3431), { fields: {} })).toContain('· Confirmed');
});

test('the wanted state beside a new error does not confirm a request that nobody answered', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'orders' ? { id, name, state, error } : { id, name, ...record };
  service.lost = '/database/disable';
  const card = await asks(earth, ana, '/db disable orders');
  [state, error] = ['DISABLED', 'E-24: no route'];
  expect(await comesToAnEnd(earth, card)).toContain('It shows a failure, too: E-24: no route');
});

test('a word beside the state that names what was done is not taken for other work', async () => {
  let [activity, lastJob, error]: [string | null, Json | undefined, string | undefined] = [null, undefined, undefined];
  service.shows = ({ id, name, state }) =>
    name === 'billing' ? { id, name, state: 'RUNNING', activity, lastJob, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh billing');
  const startedAt = new Date(earth.clock.now()).toISOString();
  [activity, lastJob] = ['MOUNTED', { type: 'REFRESH', user: 'ana', status: 'RUNNING', startedAt }];
  await earth.clock.advance(minute);
  const next = new Date(earth.clock.now()).toISOString();
  lastJob = { type: 'HEALTH_CHECK', user: 'system', status: 'COMPLETED', startedAt: next };
  [activity, error] = [null, 'E-28: disk full'];
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('several numbered reports without kinds and times end no job', async () => {
  const job = (number: number, status: string) => ({ number, status });
  let jobs: readonly object[] = [job(5, 'COMPLETED')];
  service.shows = ({ id, name, state }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', jobs } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh payroll');
  jobs = [job(5, 'COMPLETED'), job(7, 'RUNNING')];
  await earth.clock.advance(15_000);
  jobs = [job(5, 'COMPLETED'), job(7, 'FAILED'), job(6, 'RUNNING')];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
});

test('a single numbered report without a kind and a time ends the job', async () => {
  let jobs: readonly object[] = [];
  service.shows = ({ id, name, state }) =>
    name === 'warehouse' ? { id, name, state: 'RUNNING', jobs } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh warehouse');
  jobs = [{ number: 7, status: 'FAILED' }];
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a job goes on in a record that other work broke, and is confirmed by its own report', async () => {
  const job = (number: number, type: string, user: string) => ({ number, type, user, status: 'RUNNING' });
  let [state, error, lastJob]: [string, string | undefined, Json | undefined] = ['RUNNING', undefined, undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'billing' ? { id, name, state, error, lastJob } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh billing');
  [state, lastJob] = ['UPDATING', job(4, 'REFRESH', 'ana')];
  await aMinute();
  [state, error] = ['FAILED', 'E-31: disk full'];
  lastJob = { ...job(5, 'RESET', 'cem'), status: 'FAILED', error };
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  [state, lastJob] = ['RUNNING', { ...job(4, 'REFRESH', 'ana'), status: 'COMPLETED' }];
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a report that was queued without a number stays with its job once it has a time', async () => {
  let lastJob: Json | undefined;
  service.shows = ({ id, name, state }) =>
    name === 'warehouse' ? { id, name, state: 'RUNNING', lastJob } : { id, name, state };
  const logs = await asks(earth, ana, '/db backup-logs warehouse');
  await earth.clock.advance(minute);
  const backup = await asks(earth, ana, '/db backup warehouse');
  const report = { type: 'Incremental backup', user: 'ana' };
  lastJob = { ...report, status: 'QUEUED' };
  await aMinute();
  const startedAt = new Date(earth.clock.now()).toISOString();
  lastJob = { ...report, status: 'RUNNING', startedAt };
  await aMinute();
  lastJob = { ...lastJob, status: 'FAILED', error: 'E-41: disk full' };
  expect(await comesToAnEnd(earth, backup)).toContain('E-41: disk full');
  await earth.clock.advance(minute);
  expect(earth.text(logs)).toContain('· Running');
});

test('a late sign confirms a request that nobody answered only where its work began in time', async () => {
  service.lost = '/database/refresh';
  let [state, refreshedAt] = ['RUNNING', '2026-11-20T08:30:00Z'];
  service.shows = ({ id, name, ...record }) =>
    name === 'slow_reports' ? { id, name, state, refreshedAt } : { id, name, ...record };
  const isTold = async (wait: number) => {
    const card = await asks(earth, ana, '/db refresh slow_reports');
    await earth.clock.advance(wait);
    state = 'UPDATING';
    await earth.clock.advance(3 * minute);
    [state, refreshedAt] = ['RUNNING', new Date(earth.clock.now()).toISOString()];
    return comesToAnEnd(earth, card);
  };
  expect(await isTold(10_000)).toContain('· Confirmed');
  expect(await isTold(2 * minute)).toContain('I cannot tell whose work it was');
});
