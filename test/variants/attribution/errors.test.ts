import { expect, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import type { Json } from '../../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../../journeys/asking.ts';
import { aMinute, ana, clone, earth, ends, service } from './service.ts';

test('an error is of nobody for sure where a word of work stood beside the state before a snapshot was to be deleted', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let [activity, error]: [string | null, string | null] = ['PENDING', null];
  service.shows = ({ id, name, state, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', activity, error, snapshots: kept } : { id, name, state, ...record };
  const card = await asks(earth, ana, `/db snapshot delete ${kept[0]?.id} database=shop`, {
    name: kept[0]?.name ?? '',
  });
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('Other work was under way there (PENDING)');
  expect(earth.text(card)).toContain('· Running');
  activity = null;
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Finished');
  expect(told).toContain('E-17: disk full. Other work was under way there');
});

test('an error is not of one job alone while a snapshot of the same database is to be deleted', async () => {
  const orders = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'orders');
  const snapshots = orders()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let error: string | null = null;
  service.shows = ({ id, name, ...record }) =>
    name === 'orders' ? { id, name, state: 'RUNNING', error, snapshots } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh orders');
  service.lost = '/snapshot/delete';
  await asks(earth, ana, `/db snapshot delete ${snapshots[0]?.id} database=orders`, { name: snapshots[0]?.name ?? '' });
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Failed');
  expect(told).toContain('Another job was under way there, and I cannot tell which of them failed');
});

test('an error after a second piece of work is of nobody for sure', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  service.shows = ({ id, name, state: own }) =>
    name === 'shop' ? { id, name, state, error } : { id, name, state: own };
  const card = await asks(earth, ana, '/db refresh shop');
  // The second piece begins before the request had its turn, after which a record that came back is told of.
  for (const word of ['PROCESSING', 'RUNNING', 'PROCESSING']) {
    state = word;
    await earth.clock.advance(28_000);
  }
  [state, error] = ['RUNNING', 'E-17: disk full'];
  expect(await comesToAnEnd(earth, card)).toMatch(
    /· Finished.*\n.*E-17: disk full. Other work was under way there \(PROCESSING\)/,
  );
});

test('an error is of the job where only a late list showed for a moment that its record had come back', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  service.shows = ({ id, name, state: own }) =>
    name === 'helpdesk' ? { id, name, state, error } : { id, name, state: own };
  const card = await asks(earth, ana, '/db refresh helpdesk');
  for (const [word, stands] of [
    ['PROCESSING', 5_000],
    ['RUNNING', 4_000],
    ['PROCESSING', minute],
  ] as const) {
    state = word;
    await earth.clock.advance(stands);
  }
  [state, error] = ['RUNNING', 'E-17: disk full'];
  expect(await comesToAnEnd(earth, card)).toMatch(/· Failed.*\n.*E-17: disk full/);
});

test('an error is of nobody for sure where work that was reported before the call gave its place to other reports', async () => {
  let lastJob: object = { number: 8, type: 'REPLICATION', status: 'RUNNING' };
  let error: string | undefined;
  service.shows = ({ id, name, state }) =>
    name === 'billing' ? { id, name, state: 'RUNNING', lastJob, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh billing');
  lastJob = { number: 9, type: 'SOURCE_HEALTH_CHECK', status: 'COMPLETED' };
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  expect(await comesToAnEnd(earth, card)).toContain('E-17: disk full. Other work was under way there (REPLICATION)');
});

test('an error is of a job where the report before it told of a check alone', async () => {
  let lastJob: object = { number: 8, type: 'HEALTH_CHECK', status: 'RUNNING' };
  let error: string | undefined;
  service.shows = ({ id, name, state }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', lastJob, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh payroll');
  lastJob = { number: 9, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  expect(await comesToAnEnd(earth, card)).toMatch(/· Failed[\s\S]*E-17: disk full/);
});

test('an error is of nobody for sure where work went on after it', async () => {
  let [activity, error]: [number | undefined, string | undefined] = [undefined, undefined];
  service.shows = ({ id, name, state }) =>
    name === 'orders' ? { id, name, state: 'RUNNING', activity, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh orders');
  activity = 200;
  await earth.clock.advance(15_000);
  error = 'E-18: no memory';
  await earth.clock.advance(minute);
  expect(earth.text(card)).toContain('· Running');
  activity = undefined;
  expect(await comesToAnEnd(earth, card)).toContain('E-18: no memory. Work went on there after it');
});

test('an error is of nobody for sure where work went on after it, and led to a word that nobody knows', async () => {
  let [state, busyWith, error]: [string, string | null, string | undefined] = ['RUNNING', null, undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'crm' ? { id, name, state, busyWith, error } : { id, name, ...record };
  const card = await asks(earth, ana, '/db disable crm');
  busyWith = 'PROCESSING';
  await aMinute();
  error = 'E-17: disk full';
  await aMinute();
  [state, busyWith] = ['TURQUOISE', null];
  expect(await comesToAnEnd(earth, card)).toContain('E-17: disk full. Work went on there after it');
});

test('an error is not told while the record still is in the word in which it came', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  service.shows = ({ id, name, state: own }) =>
    name === 'billing' ? { id, name, state, error } : { id, name, state: own };
  const card = await asks(earth, ana, '/db refresh billing');
  state = 'MOUNTED';
  await earth.clock.advance(15_000);
  error = 'E-19: no route';
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).toContain('E-19: no route. Work went on there after it');
});

test('an error is of nobody for sure where reports told of this work and of other work, and are gone', async () => {
  const job = (number: number, type: string) => ({ number, type, status: 'RUNNING' });
  let jobs: readonly object[] = [job(8, 'LOG_BACKUP')];
  let error: string | undefined;
  service.shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', jobs, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh inventory');
  jobs = [job(9, 'REFRESH'), job(8, 'LOG_BACKUP')];
  await earth.clock.advance(minute);
  [jobs, error] = [[], 'E-17: disk full'];
  expect(await comesToAnEnd(earth, card)).toContain('E-17: disk full. Other work was under way there (LOG_BACKUP)');
});

test('a failure in a report without a name may be of other work where the time of this very work has moved', async () => {
  let [refreshedAt, job]: [string, Json | undefined] = ['2026-11-20T08:30:00Z', undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', refreshedAt, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh shop');
  await earth.clock.advance(4_000);
  const now = new Date(earth.clock.now()).toISOString();
  [refreshedAt, job] = [now, { status: 'FAILED', error: 'E-23: disk full', startedAt: now }];
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose failure it is');
});

test('a record that failed after it had been as wished may have failed in other work', async () => {
  let [state, busyWith]: [string, string | null] = ['RUNNING', null];
  service.shows = ({ id, name, ...record }) =>
    name === 'orders' ? { id, name, state, busyWith } : { id, name, ...record };
  const card = await asks(earth, ana, '/db disable orders');
  [state, busyWith] = ['DISABLED', 'WORKING'];
  await earth.clock.advance(minute);
  [state, busyWith] = ['FAILED', null];
  expect(await comesToAnEnd(earth, card)).toContain('It was DISABLED before, and I cannot tell whose work failed');
});

test('a failure that calls the work a backup may be of one, where the time of log backups has moved', async () => {
  let [lastLogBackupAt, job]: [string, Json | undefined] = ['2026-11-20T08:30:00Z', undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', lastLogBackupAt, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db backup-logs inventory');
  await earth.clock.advance(4_000);
  const now = new Date(earth.clock.now()).toISOString();
  [lastLogBackupAt, job] = [now, { type: 'BACKUP', status: 'FAILED', startedAt: now }];
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose failure it is');
});

test('a record that failed in other work has not failed in this, by the report of that', async () => {
  let [state, error, job]: [string, string | undefined, Json | undefined] = ['RUNNING', undefined, undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, error, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  [state, error] = ['FAILED', 'E-25: no route'];
  job = { number: 8, type: 'RESET', status: 'FAILED', error };
  await earth.clock.advance(minute);
  expect(earth.text(card)).not.toContain('· Failed');
  job = { number: 9, type: 'REFRESH', status: 'COMPLETED' };
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test.each([
  ['took the place of another one', 'OPEN', 'MOUNTED'],
  ['was not there before, and sounds well,', null, 'OPEN'],
])('a word beside the state that %s may be the next step of work', async (_, before, next) => {
  let [jobStatus, error]: [string | null, string | undefined] = [before, undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', jobStatus, error } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh payroll');
  await earth.clock.advance(minute);
  [jobStatus, error] = [next, 'E-26: disk full'];
  await earth.clock.advance(3 * minute);
  expect(earth.text(card)).toContain('· Running');
  jobStatus = null;
  expect(await comesToAnEnd(earth, card)).toContain('E-26: disk full. Work went on there after it');
});

test('a word in which no others rest, though it sounds as wished, was a step: the failure after it is this one', async () => {
  await ends('/db disable warehouse');
  let [state, error]: [string, string | undefined] = ['DISABLED', undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'warehouse' ? { id, name, state, error } : { id, name, ...record };
  const card = await asks(earth, ana, '/db enable warehouse');
  state = 'STARTED';
  await aMinute();
  [state, error] = ['DISABLED', 'E-29: no route'];
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a failure of nobody for sure waits while the record stands in a new word in which no others rest', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  let lastJob: Json | undefined;
  service.shows = ({ id, name, ...record }) =>
    name === 'billing' ? { id, name, state, error, lastJob } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh billing');
  [state, lastJob] = ['MOUNTED', { number: 4, type: 'LOG_BACKUP', status: 'COMPLETED', user: 'cem' }];
  await aMinute();
  [state, error] = ['OPEN', 'E-30: disk full'];
  await earth.clock.advance(3 * minute);
  expect(earth.text(card)).toContain('· Running');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).toContain('E-30: disk full. Other work was under way there');
});

test('a clone that had become physical may have been broken by other work', async () => {
  await ends(clone(3391));
  let change: Json = {};
  service.shows = record => (record.name === 'shop-3391' ? { ...record, ...change } : record);
  const card = await asks(earth, ana, '/db convert shop-3391 localDirectory=/data/c');
  change = { state: 'UPDATING', cloneType: 'PHYSICAL' };
  await earth.clock.advance(minute);
  change = { state: 'FAILED', cloneType: 'PHYSICAL' };
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose work failed after that');
});

test('an error is of nobody where the word beside the state came to name other work before it', async () => {
  let [activity, error]: [string | null, string | undefined] = [null, undefined];
  service.shows = ({ id, name, state }) =>
    name === 'billing' ? { id, name, state: 'RUNNING', activity, error } : { id, name, state };
  const refreshes = async (next: string) => {
    const card = await asks(earth, ana, '/db refresh billing');
    activity = 'UPDATING';
    await aMinute();
    activity = next;
    await aMinute();
    [activity, error] = [null, `E-44: disk full after ${next}`];
    return comesToAnEnd(earth, card);
  };
  expect(await refreshes('BACKING_UP_LOGS')).toContain('Other work was under way there (BACKING_UP_LOGS)');
  expect(await refreshes('REFRESHING')).toContain('· Failed');
});

test('an error in the midst of work in a word of its own is of nobody where that work went on for long', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, error } : { id, name, ...record };
  const refreshes = async (after: number) => {
    const card = await asks(earth, ana, '/db refresh inventory');
    state = 'REFRESHING';
    await aMinute();
    error = `E-47: disk full, ${after} ms before the end`;
    await earth.clock.advance(after);
    state = 'RUNNING';
    return comesToAnEnd(earth, card);
  };
  expect(await refreshes(2 * minute)).toContain('Work went on there after it');
  expect(await refreshes(5_000)).toContain('· Failed');
});

test('an error is not told as the job’s while a word beside the state says that work goes on, however long', async () => {
  let [activity, error]: [string | null, string | undefined] = [null, undefined];
  service.shows = ({ id, name, state }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', activity, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh payroll');
  await aMinute();
  [activity, error] = ['wird wiederhergestellt', 'E-48: disk full'];
  await earth.clock.advance(8 * minute);
  expect(earth.text(card)).toContain('· Running');
  expect(earth.text(card)).toContain('Work goes on there, and I cannot tell whose it is');
});
