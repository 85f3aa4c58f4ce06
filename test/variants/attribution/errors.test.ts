import { expect, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import type { Json } from '../../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../../journeys/asking.ts';
import { aMinute, ana, earth, ends, service } from './service.ts';

test('an error does not fail a snapshot’s deletion where the database showed a word of other work before', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  const activity = 'PENDING';
  let error: string | null = null;
  service.shows = ({ id, name, state, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', activity, error, snapshots: kept } : { id, name, state, ...record };
  const card = await asks(earth, ana, `/db snapshot delete ${kept[0]?.id} database=shop`, {
    name: kept[0]?.name ?? '',
  });
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Finished');
  expect(told).toContain('E-17: disk full. Other work was under way there');
});

test('an error does not fail a job while a snapshot of the same database is to be deleted', async () => {
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

test('an error does not fail a job after a second piece of work in the record', async () => {
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

test('an error fails the job though a late list showed for a moment that its record had come back', async () => {
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

test('an error does not fail a job where other work was reported before the call, and the report is gone', async () => {
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

test('an error fails a job where the report before it told of a check alone', async () => {
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

test('an error does not fail a job where reports told of this work and of other work, and are gone', async () => {
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

test('a job does not fail because its record failed in other work, as the report says', async () => {
  let [state, error, job]: [string, string | undefined, Json | undefined] = ['RUNNING', undefined, undefined];
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, error, job } : { id, name, ...record };
  await earth.clock.advance(minute);
  const card = await asks(earth, ana, '/db refresh inventory');
  [state, error] = ['FAILED', 'E-25: no route'];
  job = { number: 8, type: 'RESET', status: 'FAILED', error };
  await earth.clock.advance(minute);
  expect(earth.text(card)).not.toContain('· Failed');
  job = { number: 9, type: 'REFRESH', status: 'COMPLETED' };
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('an enabling fails by the error after a word such as STARTED, in which no other records rest', async () => {
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

test('an error does not fail a job where a word beside the state named other work before it', async () => {
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
