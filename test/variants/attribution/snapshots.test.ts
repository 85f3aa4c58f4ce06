import { expect, test } from 'vitest';
import { hour, minute } from '../../../src/ground/durations.ts';
import { type Json, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../../journeys/asking.ts';
import { aMinute, ana, earth, ends, service } from './service.ts';

test('a snapshot’s deletion does not fail because the next report after its own failed', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let snapshots = kept;
  service.shows = ({ id, name, state, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', lastJob, snapshots } : { id, name, state, ...record };
  const card = await asks(earth, ana, `/db snapshot delete ${kept[0]?.id} database=shop`, {
    name: kept[0]?.name ?? '',
  });
  lastJob = { number: 9, status: 'RUNNING' };
  await earth.clock.advance(minute);
  lastJob = { number: 10, status: 'FAILED', error: 'E-17: disk full' };
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  snapshots = kept.slice(1);
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a snapshot’s deletion has not failed while the database is at other work', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let state = 'RUNNING';
  let snapshots = kept;
  service.shows = ({ id, name, ...record }) =>
    name === 'shop' ? { id, name, state, snapshots } : { id, name, ...record };
  const card = await asks(earth, ana, `/db snapshot delete ${kept[0]?.id} database=shop`, {
    name: kept[0]?.name ?? '',
  });
  state = 'DELETING_SNAPSHOT';
  await earth.clock.advance(minute);
  state = 'MOUNTING';
  await earth.clock.advance(5 * minute);
  expect(earth.text(card)).toContain('· Running');
  snapshots = kept.slice(1);
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a colleague’s snapshot, which names them, confirms no backup of ours', async () => {
  const known = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop')?.snapshots ?? [];
  const before = new Set(known.map(({ id }) => id));
  const by = { id: 'MYSQL_SNAPSHOT-900', name: 'by hand', createdBy: 'operator' };
  service.shows = record => {
    const all = recordsOf(record.snapshots);
    if (record.name !== 'shop' || all.length === before.size) return record;
    const createdAt = new Date(earth.clock.now()).toISOString();
    const snapshots = [...all.filter(({ id }) => before.has(stringOf(id) ?? '')), { ...by, createdAt }];
    return { ...record, snapshots, lastBackupAt: createdAt };
  };
  const told = await ends('/db backup shop');
  expect(told).toContain('MYSQL_SNAPSHOT-900, which names operator: I cannot tell whose it is.');
  expect(told).not.toContain('· Confirmed');
});

test.each([
  ['one snapshot more than we asked for', { isAlone: false, before: 0 }, /not all of them come from my jobs/],
  ['a snapshot that was taken before we asked', { isAlone: true, before: hour }, /was taken before I asked for one/],
])('a backup is not confirmed by %s', async (_, { before, isAlone }, why) => {
  const shop = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const known = new Set(shop?.snapshots.map(({ id }) => id));
  const createdAt = new Date(earth.clock.now() - before).toISOString();
  service.shows = ({ lastBackupAt: _, ...record }) => {
    const all = recordsOf(record.snapshots);
    if (record.name !== 'shop' || all.length === known.size) return record;
    const own = isAlone ? all.filter(({ id }) => known.has(stringOf(id) ?? '')) : all;
    return {
      ...record,
      snapshots: [...own, { id: 'MYSQL_SNAPSHOT-901', name: 'another', ...(isAlone && { createdAt }) }],
    };
  };
  const told = await ends('/db backup shop');
  expect(told).toMatch(why);
  expect(told).not.toContain('· Confirmed');
});

test('a late snapshot of an earlier, unconfirmed backup confirms no later backup', async () => {
  const shop = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const before = new Set(shop?.snapshots.map(({ id }) => id));
  service.shows = record => {
    if (record.name !== 'shop') return record;
    const all = recordsOf(record.snapshots);
    const isKnown = ({ id }: Json) => before.has(stringOf(id) ?? '');
    const fresh = all.filter(one => !isKnown(one));
    const { id, name, state } = record;
    // The first snapshot comes once the second backup is done, and the second one never.
    const late = fresh.length > 1 ? fresh.slice(0, 1).map(one => ({ id: one.id })) : [];
    return { id, name, state: fresh.length > 1 ? state : 'RUNNING', snapshots: [...all.filter(isKnown), ...late] };
  };
  const first = await asks(earth, ana, '/db backup shop');
  for (let hours = 0; hours < 48 && !earth.text(first).includes('· Unconfirmed'); hours++) await earth.clock.leap(hour);
  expect(await comesToAnEnd(earth, first)).toContain('· Unconfirmed');
  const told = await ends('/db backup shop');
  expect(told).toContain('may have made it late: I cannot tell whose it is.');
  expect(told).not.toContain('· Confirmed');
});

test.each([
  ['COMPLETED', '· Confirmed', 72],
  ['FAILED', '· Failed', 74],
])('a new snapshot confirms no backup while its own report goes on, which then says %s', async (end, says, number) => {
  const orders = earth.service.service.estate.databases.values().find(({ name }) => name === 'orders');
  const kept = orders?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  const job = (number: number, status: string) => ({ number, type: 'BACKUP', user: 'ana', status });
  let [snapshots, lastJob] = [kept, job(number - 1, 'COMPLETED')];
  service.shows = ({ id, name, state }) =>
    name === 'orders' ? { id, name, state: 'RUNNING', snapshots, lastJob } : { id, name, state };
  const card = await asks(earth, ana, '/db backup orders');
  lastJob = job(number, 'RUNNING');
  await earth.clock.advance(15_000);
  snapshots = [...kept, { id: `MYSQL_SNAPSHOT-9${number}`, name: 'of now' }];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  lastJob = job(number, end);
  expect(await comesToAnEnd(earth, card)).toContain(says);
});

test('a snapshot’s deletion fails where the snapshot stands and the word of work beside the state is gone', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'crm');
  const [kept] = holder()?.snapshots ?? [];
  let busyWith: string | null = null;
  const snapshots = [{ id: kept?.id, name: kept?.name }];
  service.shows = ({ id, name, state }) =>
    name === 'crm' ? { id, name, state, busyWith, snapshots } : { id, name, state };
  const card = await asks(earth, ana, `/db snapshot delete ${kept?.id} database=crm`, { name: kept?.name ?? '' });
  busyWith = 'PENDING';
  await earth.clock.advance(2 * minute);
  busyWith = null;
  expect(await comesToAnEnd(earth, card)).toMatch(/· Failed.*\n.*It was at work \(PENDING\), and no longer is/);
});

test('a time in the summary of the last backup confirms no log backup', async () => {
  let time = '2026-11-20T08:30:00Z';
  service.shows = ({ id, name, state }) =>
    name === 'billing'
      ? { id, name, state: 'RUNNING', lastBackup: { status: 'SUCCEEDED', time } }
      : { id, name, state };
  const card = await asks(earth, ana, '/db backup-logs billing');
  await earth.clock.advance(15_000);
  time = new Date(earth.clock.now()).toISOString();
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('a snapshot that came long after a request without an answer may be somebody else’s', async () => {
  let snapshots: readonly object[] = [{ id: 'ORACLE_SNAPSHOT-1' }];
  service.shows = ({ id, name, state }) => (name === 'payroll' ? { id, name, state, snapshots } : { id, name, state });
  service.lost = '/database/sync';
  const card = await asks(earth, ana, '/db backup payroll');
  await earth.clock.advance(2 * minute);
  snapshots = [...snapshots, { id: 'ORACLE_SNAPSHOT-2' }];
  expect(await comesToAnEnd(earth, card)).toContain('came well after my request, which got no answer');
});

test('a snapshot that a nameless report of the same work may explain confirms no backup', async () => {
  let lastJob: Json | undefined;
  let snapshots: readonly object[] = [{ id: 'MARIADB_SNAPSHOT-1' }];
  service.shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', lastJob, snapshots } : { id, name, state };
  const card = await asks(earth, ana, '/db backup inventory');
  const startedAt = new Date(earth.clock.now()).toISOString();
  lastJob = { number: 1, user: 'ana', type: 'BACKUP', status: 'RUNNING', startedAt };
  await aMinute();
  lastJob = { number: 91, type: 'BACKUP', status: 'COMPLETED' };
  snapshots = [...snapshots, { id: 'MARIADB_SNAPSHOT-971' }];
  expect(await comesToAnEnd(earth, card)).toContain('work by somebody else that may explain it');
});

test('a summary of the last backup is not taken for a report of somebody else’s work', async () => {
  let lastJob: Json | undefined;
  let lastBackup: Json = { status: 'SUCCEEDED', time: '2026-11-20T08:30:00Z' };
  let snapshots: readonly object[] = [{ id: 'MARIADB_SNAPSHOT-1' }];
  service.shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', lastJob, lastBackup, snapshots } : { id, name, state };
  const card = await asks(earth, ana, '/db backup inventory');
  const startedAt = new Date(earth.clock.now()).toISOString();
  lastJob = { type: 'BACKUP', status: 'RUNNING', startedAt };
  await aMinute();
  [lastJob, lastBackup] = [undefined, { status: 'SUCCEEDED', time: new Date(earth.clock.now()).toISOString() }];
  snapshots = [...snapshots, { id: 'MARIADB_SNAPSHOT-985' }];
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a snapshot’s deletion has not failed because a check took the place of its report', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'inventory');
  const kept = holder()?.snapshots.at(-1);
  const snapshots = holder()?.snapshots.map(({ id }) => ({ id }));
  let lastJob: Json = { type: 'HEALTH_CHECK', status: 'COMPLETED', number: 1 };
  service.shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', snapshots, lastJob } : { id, name, state: record.state };
  const line = `/db snapshot delete ${kept?.id} database=inventory`;
  const card = await asks(earth, ana, line, { name: kept?.id ?? '' });
  lastJob = { type: 'DELETE_SNAPSHOT', status: 'RUNNING', number: 2 };
  await aMinute();
  lastJob = { type: 'HEALTH_CHECK', status: 'COMPLETED', number: 3 };
  await earth.clock.advance(4 * minute);
  expect(earth.text(card)).toContain('· Running');
});

test('a snapshot’s deletion has not failed while a word beside the database’s state is a step of it', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'inventory');
  const kept = holder()?.snapshots.at(-1);
  const snapshots = holder()?.snapshots.map(({ id }) => ({ id }));
  let jobStatus: string | null = null;
  service.shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', snapshots, jobStatus } : { id, name, state };
  const line = `/db snapshot delete ${kept?.id} database=inventory`;
  const card = await asks(earth, ana, line, { name: kept?.id ?? '' });
  jobStatus = 'STARTED';
  await aMinute();
  jobStatus = 'OPEN';
  await earth.clock.advance(3 * minute);
  expect(earth.text(card)).toContain('· Running');
  jobStatus = null;
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a snapshot’s deletion does not fail by an error that comes before its turn, until that has stood', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'inventory');
  const kept = holder()?.snapshots.at(-1);
  const snapshots = holder()?.snapshots.length;
  let error: string | undefined;
  service.shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', snapshots, error } : { id, name, state };
  const line = `/db snapshot delete ${kept?.id} database=inventory`;
  const card = await asks(earth, ana, line, { name: kept?.id ?? '' });
  error = 'E-49: disk full';
  await earth.clock.advance(40_000);
  expect(earth.text(card)).toContain('· Running');
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});
