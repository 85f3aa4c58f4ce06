import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Json, parsed, recordOf, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { asks, comesToAnEnd } from '../journeys/asking.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';

/* Services on which several things happen to one record: each change has one explanation, or nobody's is told. */

/** What a service shows beside or instead of a sandbox record; `undefined` shows nothing. */
type Shows = (record: Json) => Json | undefined;

let earth: World;
let ana: Someone;
/** How records are shown, and what stays under the identifier of a record that was deleted. */
let shows: Shows = record => record;
let remains: Shows = () => undefined;
/** What of a record its lists show. */
let lists: (record: Json) => Json = record => record;

/** The number that a new record is shown with: one that another record had. */
let again: Readonly<{ inside: string; outside: string }> | undefined;

/** What is shown besides; of the record `denied` the service says that there is none: its list is late. */
let late: () => readonly Json[] = () => [];
let denied: string | undefined;
/** The number of answers with records of databases. */
let reads = 0;
/** The end of the path of calls that are lost on their way. */
let lost: string | undefined;

/** The records of databases as they were when their deletion was asked for. */
const deleted = new Map<string, Json>();

/** The name of a record that is hidden from one user, and that no deletion reaches. */
let secret: Readonly<{ name: string; from: string }> | undefined;
/** The users of the tokens. */
const users = new Map<string, string>();

const middleware: Middleware = async (request, next) => {
  if (new URL(request.url).pathname.endsWith('/user/token')) {
    const { username } = recordOf(parsed(await request.clone().text()));
    const answer = await next();
    users.set(stringOf(recordOf(parsed(await answer.clone().text())).token) ?? '', stringOf(username) ?? '');
    return answer;
  }
  if (lost !== undefined && new URL(request.url).pathname.endsWith(lost)) return new Response('', { status: 504 });
  if (secret && request.method === 'DELETE') return Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS' });
  const by = users.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '');
  const hidden = secret && by === secret.from ? secret.name : undefined;
  const { pathname, searchParams } = new URL(request.url);
  const id = searchParams.get('input');
  const known = id === null ? undefined : earth.service.service.estate.databases.get(id);
  if (known && request.method === 'DELETE') deleted.set(known.id, { id: known.id, name: known.name, ...made(known) });
  const inside =
    again && pathname.endsWith(`/${again.outside}`) ? request.url.replace(again.outside, again.inside) : '';
  const answer = await next(inside === '' ? request : new Request(inside, request));
  if (request.method !== 'GET' || !pathname.includes('/database/')) return answer;
  const body = parsed(await answer.clone().text());
  if (hidden !== undefined && recordOf(body).name === hidden)
    return Response.json({ error: 'not found' }, { status: 404 });
  if (hidden !== undefined && Array.isArray(body))
    return Response.json(recordsOf(body).filter(one => one.name !== hidden));
  const left = deleted.entries().flatMap(([gone, record]) => {
    const told = earth.service.service.estate.databases.has(gone) ? undefined : remains(record);
    return told ? [told] : [];
  });
  reads += 1;
  if (Array.isArray(body)) {
    const listed = recordsOf(body).flatMap(one => {
      const told = shown(one);
      return told ? [lists(told)] : [];
    });
    return Response.json([...listed, ...left, ...late()]);
  }
  if (answer.ok) return Response.json(shown(recordOf(body)) ?? {});
  const one = [...left, ...late()].find(({ id }) => id !== denied && pathname.endsWith(`/${stringOf(id)}`));
  return one ? Response.json(one) : answer;
};

/** A record as it is shown, under the number that was given again. */
function shown(record: Json): Json | undefined {
  if (again && record.id === again.outside) return undefined;
  return shows(again && record.id === again.inside ? { ...record, id: again.outside } : record);
}

function made({ createdAt }: Readonly<{ createdAt?: unknown }>): Json {
  return createdAt === undefined ? {} : { createdAt: new Date(Number(createdAt)).toISOString() };
}

beforeAll(async () => {
  earth = await world({ service: { middleware, tokenLifetime: 30 * day } });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());
beforeEach(() => {
  shows = record => record;
  remains = () => undefined;
  lists = record => record;
  again = undefined;
  secret = undefined;
  lost = undefined;
});

/** Lets a minute pass, and so many reads that one look at least, of two reads, has seen and kept what stands there now. */
async function aMinute(): Promise<void> {
  const [end, from] = [earth.clock.now() + minute, reads];
  await earth.until(() => earth.clock.now() >= end && reads >= from + 9, 'the looks of a minute');
}

/** What the message of a command says at its end. */
async function ends(line: string, answers: Parameters<typeof asks>[3] = {}): Promise<string> {
  return comesToAnEnd(earth, await asks(earth, ana, line, answers));
}

const clone = (port: number) =>
  `/clone shop port=${port} mountBase=/mnt/c${port} cloneType=VIRTUALCLONE targetEnvironment=dev ` +
  'install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8';

describe('a deletion that succeeded is confirmed', () => {
  test('though another database has the number now', async () => {
    remains = ({ id }) => ({
      ...{ id, name: 'newcomer', state: 'RUNNING' },
      createdAt: new Date(earth.clock.now()).toISOString(),
    });
    expect(await ends('/db delete orders-3321', { name: 'orders-3321' })).toContain('· Confirmed');
  });
  test('or left open, where a record that may be another one has the number now', async () => {
    shows = ({ createdAt, ...record }) => (record.name === 'inventory-3331' ? record : { ...record, createdAt });
    remains = ({ id }) => ({ id, name: 'newcomer', state: 'RUNNING' });
    const told = await ends('/db delete inventory-3331', { name: 'inventory-3331' });
    expect(told).toContain('· Finished');
    expect(told).toContain('is called newcomer now, and may be another one');
  });
  test('though its record still stands with `deleted: true`', async () => {
    remains = record => ({ ...record, state: 'RUNNING', deleted: true });
    expect(await ends('/db delete orders-3320', { name: 'orders-3320' })).toContain('· Confirmed');
  });
});

test('what another user does not see is not gone', async () => {
  secret = { name: 'billing-3330', from: 'ben' };
  const card = await asks(earth, ana, '/db delete billing-3330', { name: 'billing-3330' });
  await earth.signsIn(ana, '#databases', 'ben');
  await earth.clock.advance(5 * minute);
  expect(earth.text(card)).toContain(
    'I cannot look at the moment: you are signed in as ben, and this was sent as ana.',
  );
  await earth.signsIn(ana, '#databases', 'ana');
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('a new clone is found under a number that another record had before', async () => {
  const { databases } = earth.service.service.estate;
  const outside = databases.keys().find(id => id.startsWith('MYSQL_CLONE')) ?? '';
  const before = new Set(databases.keys());
  const card = await asks(earth, ana, clone(3401), { fields: {} });
  const inside = await earth.until(() => databases.keys().find(id => !before.has(id)), 'the clone');
  again = { inside, outside };
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test.each([
  ['one of another database', 'orders', 'may be of somebody else: I cannot tell whose it is'],
  ['one of its source', 'shop', '· Confirmed'],
])('a new record that names a snapshot, %s, and no source, is told: %s', async (_, database, says) => {
  const known = earth.service.service.estate.databases;
  const before = new Set<unknown>(known.keys());
  const snapshot = known.values().find(({ name }) => name === database)?.snapshots[0]?.id;
  shows = record => (before.has(record.id) ? record : { id: record.id, state: 'RUNNING', snapshot });
  expect(snapshot).toBeDefined();
  expect(await ends('/db mount shop', { fields: {} })).toContain(says);
});

test.each([
  [-minute, 'Z', 'may be of somebody else: I cannot tell whose it is'],
  [0, 'Z', '· Confirmed'],
  // A time without a zone may be hours off.
  [-5 * hour, '', '· Confirmed'],
  // But zones differ by whole quarters of an hour.
  [-5 * hour - 20_000, '', 'may be of somebody else: I cannot tell whose it is'],
])('a staging clone made %i ms after the request, in the zone “%s”, is told: %s', async (later, zone, says) => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const createdAt = new Date(earth.clock.now() + later).toISOString().replace(/\.\d+Z$/, zone);
  shows = ({ id, name, state, ...record }) =>
    before.has(id) ? { id, name, state, ...record } : { id, name, state, createdAt };
  expect(await ends('/db mount shop', { fields: {} })).toContain(says);
});

test('of two staging clones that show no difference, no job takes one while a word beside its state says that it is at work', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let [isShown, activity]: [boolean, string | null] = [false, 'COPYING'];
  const createdAt = new Date(earth.clock.now() + minute).toISOString();
  shows = record => {
    if (before.has(record.id)) return record;
    return isShown ? { id: record.id, state: 'RUNNING', createdAt, activity } : undefined;
  };
  const cards = [await asks(earth, ana, '/db mount shop', { fields: {} })];
  cards.push(await asks(earth, ana, '/db mount orders', { fields: {} }));
  isShown = true;
  await earth.clock.advance(2 * minute);
  for (const card of cards) expect(earth.text(card)).not.toContain('MYSQL_CLONE_SERVER');
  activity = null;
  for (const card of cards) expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a staging clone that was made before the request is no rival of the one that was made since, though both failed', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const at = (time: number) => new Date(time).toISOString();
  const [early, createdAt] = [at(earth.clock.now() - minute), at(earth.clock.now())];
  shows = ({ id, ...record }) => (before.has(id) ? { id, ...record } : { id, state: 'FAILED', createdAt });
  const card = await asks(earth, ana, '/db mount shop', { fields: {} });
  late = () => [{ id: 'MYSQL_CLONE_SERVER-900', state: 'FAILED', createdAt: early }];
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Failed');
  expect(told).not.toContain('MYSQL_CLONE_SERVER-900');
  late = () => [];
});

test('a clone that shows nothing of what was typed gives its place to a later one that does', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let isShown = false;
  shows = ({ id, name, state, port, ...record }) => {
    if (before.has(id)) return { id, name, state, port, ...record };
    return isShown ? { id, state, port } : undefined;
  };
  const other = 'MYSQL_CLONE_SERVER-901';
  const card = await asks(earth, ana, clone(3481), { fields: {} });
  late = () => [{ id: other, state: 'CREATING' }];
  await earth.clock.advance(minute);
  expect(earth.text(card)).toContain(other);
  isShown = true;
  late = () => [{ id: other, state: 'FAILED' }];
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Confirmed');
  expect(told).not.toContain(other);
  late = () => [];
});

test.each(['lists', 'shows the report of'])(
  'of two staging clones that show no difference, each job takes the one that its source %s',
  async way => {
    const known = earth.service.service.estate.databases;
    const before = new Set<unknown>(known.keys());
    const source = (id: unknown) => known.get(String(id))?.sourceDatabase;
    const createdAt = new Date(earth.clock.now() + minute).toISOString();
    const report = (id: unknown) => ({ number: `job ${id}`, type: 'MOUNT', status: 'COMPLETED' });
    let isShown = false;
    shows = record => {
      const made = known.keys().filter(id => !before.has(id) && source(id) === record.id);
      const told = () => (way === 'lists' ? { clones: [...made] } : { jobs: [...made.map(report)] });
      if (before.has(record.id)) return { ...record, ...(isShown && told()) };
      if (!isShown) return undefined;
      const isOfShop = known.get(source(record.id) ?? '')?.name === 'shop';
      const own = way === 'lists' ? {} : { jobs: [report(record.id)] };
      return { id: record.id, state: isOfShop ? 'RUNNING' : 'FAILED', createdAt, ...own };
    };
    const cards = [await asks(earth, ana, '/db mount shop', { fields: {} })];
    cards.push(await asks(earth, ana, '/db mount orders', { fields: {} }));
    isShown = true;
    const told = [];
    for (const card of cards) told.push(await comesToAnEnd(earth, card));
    expect(told[0]).toContain('· Confirmed');
    expect(told[1]).toContain('· Failed');
  },
);

test.each([
  ['that a colleague’s clone explains', true, '· Unconfirmed'],
  ['that nothing else explains', false, '· Failed'],
])('a clone in doubt is told a failure at its source %s: %s', async (_, isExplained, says) => {
  lost = '/clone/create';
  let jobs: Json[] = [];
  shows = record => (record.name === 'orders' ? { ...record, jobs } : record);
  const card = await asks(earth, ana, clone(3491).replace('shop', 'orders'), { fields: {} });
  const source = earth.service.service.estate.databases.values().find(({ name }) => name === 'orders')?.id;
  const createdAt = new Date(earth.clock.now() + 5_000).toISOString();
  jobs = [{ number: 91, type: 'CLONE', status: 'FAILED', startedAt: createdAt, error: 'E-21: disk full' }];
  const theirs = { id: 'MYSQL_CLONE_SERVER-902', port: 3999, sourceDatabase: source, state: 'FAILED', createdAt };
  late = () => (isExplained ? [theirs] : []);
  expect(await comesToAnEnd(earth, card)).toContain(says);
  late = () => [];
});

test('an error is of nobody for sure where a word of work stood beside the state before a snapshot was to be deleted', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let [activity, error]: [string | null, string | null] = ['PENDING', null];
  shows = ({ id, name, state, ...record }) =>
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

test.each([
  ['shop', 'still', { number: 9, type: 'REFRESH', status: 'COMPLETED', user: 'cem' }],
  ['orders', 'until a later report took its place', { number: 10, type: 'HEALTH_CHECK', status: 'COMPLETED' }],
])(
  'a time of %s that moved confirms no job in doubt, where the record told of the same work for a colleague, %s',
  async (name, _, later) => {
    lost = '/database/refresh';
    let lastJob: Json | undefined;
    shows = record =>
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
  ['time', '/db backup-logs billing', { isBackup: false, waits: false }],
  ['time, where the job was shown as it waited,', '/db backup-logs inventory', { isBackup: false, waits: true }],
  ['snapshot', '/db backup billing', { isBackup: true, waits: false }],
])(
  'a new %s confirms no job where one of two reports that name nothing says that it failed',
  async (_, line, { isBackup, waits }) => {
    const at = (minutes: number) => new Date(earth.clock.now() + minutes * minute).toISOString();
    let reports: Json[] = [];
    let lastLogBackupAt = at(-60);
    const target = line.split(' ').at(-1);
    const known = earth.service.service.estate.databases.values().find(({ name }) => name === target)?.snapshots ?? [];
    const snapshots = known.map(({ id }) => ({ id }));
    shows = ({ id, name, state, ...record }) =>
      name === target
        ? { id, name, state: 'RUNNING', recentTasks: reports, snapshots, ...(isBackup ? {} : { lastLogBackupAt }) }
        : { id, name, state, ...record };
    const card = await asks(earth, ana, line);
    const [theirs, ours] = [at(0.3), at(0.6)];
    if (waits) {
      reports = [{ status: 'Scheduled' }];
      await earth.clock.advance(20_000);
      reports = [...reports, { status: 'Running', begin: theirs }];
    }
    await earth.clock.advance(minute);
    reports = [
      { status: 'Failed', begin: ours, finishTime: ours },
      { status: 'Running', begin: theirs },
    ];
    await earth.clock.advance(3 * minute);
    reports = [reports[0] ?? {}, { status: 'Success', begin: theirs, finishTime: at(0) }];
    if (isBackup) snapshots.push({ id: 'MYSQL_SNAPSHOT-950' });
    else lastLogBackupAt = at(0);
    const told = await comesToAnEnd(earth, card);
    expect(told).toContain('· Finished');
    expect(told).toContain('A report that names no work says that it failed: I cannot tell whose it is.');
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
])('a time that moved confirms %s', async (_, target, user, next, isOurs) => {
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  shows = ({ id, name, state, ...record }) =>
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
  expect(told.includes('The record told of work by cem')).toBe(!isOurs);
});

test('a time that moved confirms no job where a colleague did the same, and reports of other records name who asked', async () => {
  const job = (user: string, type: string, status: string) => ({ number: `${user} ${type}`, type, status, user });
  let [lastJob, refreshedAt]: [Json, string] = [job('berta', 'BACKUP', 'COMPLETED'), '2026-11-20T08:30:00Z'];
  shows = ({ id, name, state, ...record }) => {
    if (name === 'orders') return { id, name, state: 'RUNNING', refreshedAt, lastJob };
    return { id, name, state, ...record, lastJob: job('ana', 'BACKUP', 'COMPLETED') };
  };
  const card = await asks(earth, ana, '/db refresh orders');
  lastJob = job('cem', 'REFRESH', 'RUNNING');
  await aMinute();
  lastJob = job('system', 'HEALTH_CHECK', 'COMPLETED');
  await aMinute();
  refreshedAt = new Date(earth.clock.now()).toISOString();
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Confirmed');
  expect(told).toContain('The record told of work by cem');
});

test('a request has not finished while a word beside the state of its record says that work goes on', async () => {
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let [busyWith, refreshedAt]: [string | null, string] = [null, '2026-11-20T08:30:00Z'];
  shows = ({ id, name, state, ...record }) =>
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
  expect(told).toContain('The record told of work by cem');
});

test('the failure of the next report is not that of a snapshot’s deletion, whose own report it followed', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let snapshots = kept;
  shows = ({ id, name, state, ...record }) =>
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

test('a state that a colleague’s work explains does not show that a request in doubt arrived', async () => {
  lost = '/database/refresh';
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let state = 'RUNNING';
  shows = ({ id, name, ...record }) => (name === 'inventory' ? { id, name, state, lastJob } : { id, name, ...record });
  const card = await asks(earth, ana, '/db refresh inventory');
  lastJob = { number: 9, type: 'REFRESH', status: 'RUNNING', user: 'cem' };
  state = 'REFRESHING';
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Sent, no answer yet');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('a state that a colleague’s work explains shows no arrival where a check has taken the place of their report', async () => {
  lost = '/database/refresh';
  const check = { type: 'HEALTH_CHECK', user: 'system' };
  let lastJob: Json = { ...check, number: 8, status: 'COMPLETED' };
  let [state, refreshedAt] = ['RUNNING', '2026-11-20T08:30:00Z'];
  shows = ({ id, name, ...record }) =>
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

test('a record that was made before the next request is of the one before it', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let isShown = false;
  const createdAt = new Date(earth.clock.now()).toISOString();
  shows = record => {
    if (before.has(record.id)) return record;
    return isShown ? { id: record.id, state: 'RUNNING', createdAt } : undefined;
  };
  const card = await asks(earth, ana, '/db mount shop', { fields: {} });
  await earth.clock.advance(minute);
  lost = '/snapshot/mount';
  await asks(earth, ana, '/db mount orders', { fields: {} });
  isShown = true;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a snapshot that stands has not failed to be deleted while its database is at other work', async () => {
  const shop = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const kept = shop()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let state = 'RUNNING';
  let snapshots = kept;
  shows = ({ id, name, ...record }) => (name === 'shop' ? { id, name, state, snapshots } : { id, name, ...record });
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

test('a report that names no work is of the work that the state beside it names', async () => {
  let change: Json = { state: 'RUNNING', error: null, jobs: [] };
  shows = ({ id, name, ...record }) => (name === 'helpdesk' ? { id, name, ...change } : { id, name, ...record });
  const card = await asks(earth, ana, '/db refresh helpdesk');
  change = { state: 'LOG_BACKUP', error: null, jobs: [{ number: 12, status: 'active' }] };
  await earth.clock.advance(minute);
  change = { state: 'RUNNING', error: 'E-12: disk full', jobs: [] };
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Failed');
  expect(told).toContain('Other work was under way there (LOG_BACKUP), and I cannot tell which of them failed');
});

test('two reports of the same work that name nobody, and began within a minute, tell no outcome where theirs differ', async () => {
  const task = (number: number, status: string, after: number) => ({
    ...{ number, type: 'REFRESH', status },
    startedAt: new Date(askedAt + after).toISOString(),
  });
  const askedAt = earth.clock.now();
  let tasks: Json[] = [];
  shows = ({ id, name, ...record }) =>
    name === 'helpdesk' ? { id, name, state: 'RUNNING', tasks } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh helpdesk');
  tasks = [task(31, 'RUNNING', 2_000)];
  await earth.clock.advance(minute);
  tasks = [task(32, 'FAILED', 40_000), task(31, 'SUCCEEDED', 2_000)];
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Confirmed');
  expect(told).not.toContain('· Failed');
});

test('an error is not of one job alone while a snapshot of the same database is to be deleted', async () => {
  const orders = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'orders');
  const snapshots = orders()?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
  let error: string | null = null;
  shows = ({ id, name, ...record }) =>
    name === 'orders' ? { id, name, state: 'RUNNING', error, snapshots } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh orders');
  lost = '/snapshot/delete';
  await asks(earth, ana, `/db snapshot delete ${snapshots[0]?.id} database=orders`, { name: snapshots[0]?.name ?? '' });
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Failed');
  expect(told).toContain('Another job was under way there, and I cannot tell which of them failed');
});

test('a time that moved confirms no job where a report without a name, and not its own, tells of the same work', async () => {
  let lastJob: Json = { number: 8, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  shows = ({ id, name, state, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', refreshedAt, lastJob } : { id, name, state, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  lastJob = { number: 9, type: 'REFRESH', status: 'RUNNING' };
  await earth.clock.advance(minute);
  lastJob = { number: 10, type: 'REFRESH', status: 'COMPLETED' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  const told = await comesToAnEnd(earth, card);
  expect(told).not.toContain('· Confirmed');
  expect(told).toContain('The record told of work by somebody else');
});

test('a new record whose own report names somebody else is not that of a job', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const lastJob = { number: 9, type: 'MOUNT', status: 'COMPLETED', user: 'cem' };
  const own = { ...lastJob, number: 8, user: 'ana' };
  shows = record =>
    before.has(record.id) ? { ...record, lastJob: own } : { id: record.id, state: 'RUNNING', lastJob };
  const told = await ends('/db mount shop', { fields: {} });
  expect(told).toContain('may be of somebody else: I cannot tell whose it is');
});

test('a word beside the state that says “well” is a step of the work where no other clone shows it', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let activity: string | null = 'STARTED';
  shows = record => (before.has(record.id) ? { ...record, activity: null } : { ...record, state: 'RUNNING', activity });
  const card = await asks(earth, ana, clone(3421), { fields: {} });
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('its state is RUNNING, STARTED. Is it ready?');
  activity = null;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('work that only a report showed has not ended where the check of the service took its place', async () => {
  let lastJob: Json = { type: 'HEALTH_CHECK', status: 'COMPLETED' };
  let state = 'RUNNING';
  shows = ({ id, name, ...record }) => (name === 'inventory' ? { id, name, state, lastJob } : { id, name, ...record });
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

test('a backup that a report without its kind tells of is no log backup, where a new snapshot shows it', async () => {
  const known = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop')?.snapshots ?? [];
  const snapshots = known.map(({ id }) => ({ id }));
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  shows = ({ id, name, state, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', lastJob, snapshots } : { id, name, state, ...record };
  const card = await asks(earth, ana, '/db backup-logs shop');
  lastJob = { number: 9, status: 'COMPLETED' };
  snapshots.push({ id: 'MYSQL_SNAPSHOT-951' });
  expect(await comesToAnEnd(earth, card)).not.toContain('· Confirmed');
});

test('a list that is late confirms no clone that is gone again', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let seen: Json | undefined;
  shows = record => {
    if (before.has(record.id)) return record;
    seen ??= { ...record, state: 'RUNNING' };
    return undefined;
  };
  remains = () => undefined;
  late = () => (seen ? [seen] : []);
  const card = await asks(earth, ana, clone(3412), { fields: {} });
  await earth.clock.advance(40_000);
  expect(earth.text(card)).not.toContain('is ready');
  late = () => [];
  expect(await comesToAnEnd(earth, card)).not.toContain('· Confirmed');
});

test('a colleague’s snapshot, which names him, confirms no backup of ours', async () => {
  const known = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop')?.snapshots ?? [];
  const before = new Set(known.map(({ id }) => id));
  const by = { id: 'MYSQL_SNAPSHOT-900', name: 'by hand', createdBy: 'operator' };
  shows = record => {
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

test('a time that moved confirms no job where a report that names somebody else tells no kind', async () => {
  let lastJob: Json = { number: 8, status: 'COMPLETED' };
  let refreshedAt = '2026-11-20T08:30:00Z';
  shows = ({ id, name, state, ...record }) =>
    name === 'billing' ? { id, name, state: 'RUNNING', refreshedAt, lastJob } : { id, name, state, ...record };
  const card = await asks(earth, ana, '/db refresh billing');
  lastJob = { number: 9, status: 'RUNNING', user: 'ana' };
  await earth.clock.advance(minute);
  lastJob = { number: 10, status: 'COMPLETED', user: 'cem' };
  refreshedAt = new Date(earth.clock.now()).toISOString();
  expect(await comesToAnEnd(earth, card)).toContain('The record told of work by cem that may explain it');
});

test.each([
  ['one snapshot more than we asked for', { isAlone: false, before: 0 }, /not all of them are of my jobs/],
  ['a snapshot that was taken before we asked', { isAlone: true, before: hour }, /was taken before I asked for one/],
])('%s confirms no backup', async (_, { before, isAlone }, why) => {
  const shop = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const known = new Set(shop?.snapshots.map(({ id }) => id));
  const createdAt = new Date(earth.clock.now() - before).toISOString();
  shows = ({ lastBackupAt: _, ...record }) => {
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

test('a snapshot that comes late, of a backup that stayed unconfirmed, confirms no later backup', async () => {
  const shop = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop');
  const before = new Set(shop?.snapshots.map(({ id }) => id));
  shows = record => {
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

test('a clone that may be another one’s, which came to nothing so far, is told of none', async () => {
  shows = ({ id, name, state, environment }) => ({ id, state, environment, name: name === 'shop' ? name : 'a clone' });
  const lost = clone(3402).replace('/mnt/c3402', '/mnt/vanish');
  expect(await ends(lost, { fields: {} })).toContain('· Unconfirmed');
  expect(await ends(clone(3403), { fields: {} })).toMatch(
    /There is a clone \(MYSQL_CLONE_SERVER-\d+\), which was not there before, and may be of somebody else: I cannot tell whose it is\./,
  );
  await earth.clock.leap(hour);
  expect(await ends(clone(3404), { fields: {} })).toContain('· Confirmed');
});

test('a number that a new record left as it failed is not taken for work that was under way at another one', async () => {
  const known = earth.service.service.estate.databases;
  const before = new Set<unknown>(known.keys());
  let [state, error]: [number, string | undefined] = [300, undefined];
  let errorOfOrders: string | undefined;
  shows = ({ id, name }) => {
    if (!before.has(id)) return { id, state, error };
    return name === 'orders' ? { id, name, state: 300, error: errorOfOrders } : { id, name, state: 100 };
  };
  const mount = await asks(earth, ana, '/db mount shop', { fields: {} });
  await earth.clock.advance(minute);
  [state, error] = [500, 'E-17: disk full'];
  expect(await comesToAnEnd(earth, mount)).toContain('· Failed');
  const refresh = await asks(earth, ana, '/db refresh orders');
  await earth.clock.advance(minute);
  errorOfOrders = 'E-18: no memory';
  expect(await comesToAnEnd(earth, refresh)).toMatch(/· Failed.*\n.*E-18: no memory/);
});

test('an error after a second piece of work is of nobody for sure', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  shows = ({ id, name, state: own }) => (name === 'shop' ? { id, name, state, error } : { id, name, state: own });
  const card = await asks(earth, ana, '/db refresh shop');
  for (const word of ['PROCESSING', 'RUNNING', 'PROCESSING']) {
    state = word;
    await earth.clock.advance(minute / 2);
  }
  [state, error] = ['RUNNING', 'E-17: disk full'];
  expect(await comesToAnEnd(earth, card)).toMatch(
    /· Finished.*\n.*E-17: disk full. Other work was under way there \(PROCESSING\)/,
  );
});

test('an error is of the job where only a late list showed for a moment that its record had come back', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  shows = ({ id, name, state: own }) => (name === 'shop' ? { id, name, state, error } : { id, name, state: own });
  const card = await asks(earth, ana, '/db refresh shop');
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
  shows = ({ id, name, state }) =>
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
  shows = ({ id, name, state }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', lastJob, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh payroll');
  lastJob = { number: 9, type: 'HEALTH_CHECK', status: 'COMPLETED' };
  await earth.clock.advance(minute);
  error = 'E-17: disk full';
  expect(await comesToAnEnd(earth, card)).toMatch(/· Failed[\s\S]*E-17: disk full/);
});

test('an error is of nobody for sure where work went on after it', async () => {
  let [activity, error]: [number | undefined, string | undefined] = [undefined, undefined];
  shows = ({ id, name, state }) =>
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
  shows = ({ id, name, ...record }) =>
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
  shows = ({ id, name, state: own }) => (name === 'billing' ? { id, name, state, error } : { id, name, state: own });
  const card = await asks(earth, ana, '/db refresh billing');
  state = 'MOUNTED';
  await earth.clock.advance(15_000);
  error = 'E-19: no route';
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).toContain('E-19: no route. Work went on there after it');
});

test.each([
  ['COMPLETED', '· Confirmed', 72],
  ['FAILED', '· Failed', 74],
])(
  'a new snapshot confirms no backup whose own report says that it goes on, and then %s',
  async (end, says, number) => {
    const orders = earth.service.service.estate.databases.values().find(({ name }) => name === 'orders');
    const kept = orders?.snapshots.map(({ id, name }) => ({ id, name })) ?? [];
    const job = (number: number, status: string) => ({ number, type: 'BACKUP', user: 'ana', status });
    let [snapshots, lastJob] = [kept, job(number - 1, 'COMPLETED')];
    shows = ({ id, name, state }) =>
      name === 'orders' ? { id, name, state: 'RUNNING', snapshots, lastJob } : { id, name, state };
    const card = await asks(earth, ana, '/db backup orders');
    lastJob = job(number, 'RUNNING');
    await earth.clock.advance(15_000);
    snapshots = [...kept, { id: `MYSQL_SNAPSHOT-9${number}`, name: 'of now' }];
    await earth.clock.advance(2 * minute);
    expect(earth.text(card)).toContain('· Running');
    lastJob = job(number, end);
    expect(await comesToAnEnd(earth, card)).toContain(says);
  },
);

test('a clone whose own report its source showed has not failed with the next one there, which names nothing', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const job = (number: number, state: string) => ({
    number,
    state,
    startTime: new Date(earth.clock.now()).toISOString(),
  });
  let [isShown, lastJob]: [boolean, object | undefined] = [false, undefined];
  shows = record => {
    if (!before.has(record.id)) return isShown ? record : undefined;
    return record.name === 'orders' ? { ...record, state: 'RUNNING', lastJob } : record;
  };
  const card = await asks(earth, ana, clone(3483).replace('shop', 'orders'), { fields: {} });
  lastJob = job(80, 'RUNNING');
  await earth.clock.advance(50_000);
  lastJob = { ...job(81, 'FAILED'), error: 'E-20: disk full' };
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  isShown = true;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a log backup is over with its own time, though other work goes on whose report took the place of its own', async () => {
  const at = () => new Date(earth.clock.now()).toISOString();
  let lastJob: Json = { number: 8, type: 'BACKUP', status: 'COMPLETED', startedAt: at() };
  let [state, lastLogBackupAt] = ['RUNNING', at()];
  shows = ({ id, name, ...record }) =>
    name === 'billing' ? { id, name, state, lastJob, lastLogBackupAt } : { id, name, ...record };
  const card = await asks(earth, ana, '/db backup-logs billing');
  [state, lastJob] = ['UPDATING', { number: 9, type: 'LOG_BACKUP', status: 'RUNNING', startedAt: at() }];
  // A time that came with the work may be its beginning.
  lastLogBackupAt = at();
  await aMinute();
  lastJob = { number: 10, type: 'REFRESH', status: 'RUNNING', startedAt: at() };
  await aMinute();
  expect(earth.text(card)).toContain('· Running');
  lastLogBackupAt = at();
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('the snapshot that a stopped clone was made from does not make its report one of a backup', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const startedAt = () => new Date(earth.clock.now()).toISOString();
  let lastJob: Json | undefined;
  shows = ({ id, name, port, ...record }) => {
    if (before.has(id)) return { id, name, port, ...record };
    lastJob ??= { status: 'COMPLETED', startedAt: startedAt() };
    return { id, name, port, state: 'STOPPED', snapshot: 'MYSQL_SNAPSHOT-1', lastJob };
  };
  expect(await ends(clone(3431), { fields: {} })).toContain('· Confirmed');
});

test('an error is of nobody for sure where reports told of this work and of other work, and are gone', async () => {
  const job = (number: number, type: string) => ({ number, type, status: 'RUNNING' });
  let jobs: readonly object[] = [job(8, 'LOG_BACKUP')];
  let error: string | undefined;
  shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', jobs, error } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh inventory');
  jobs = [job(9, 'REFRESH'), job(8, 'LOG_BACKUP')];
  await earth.clock.advance(minute);
  [jobs, error] = [[], 'E-17: disk full'];
  expect(await comesToAnEnd(earth, card)).toContain('E-17: disk full. Other work was under way there (LOG_BACKUP)');
});

test('a time that moved confirms no job while a report of the same work goes on', async () => {
  const job = (number: number) => ({ number, type: 'REFRESH', status: 'RUNNING' });
  let [jobs, refreshedAt]: [readonly object[], string] = [[], '2026-11-20T08:30:00Z'];
  shows = ({ id, name, state }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', jobs, refreshedAt } : { id, name, state };
  const card = await asks(earth, ana, '/db refresh shop');
  jobs = [job(9), job(10)];
  await earth.clock.advance(minute);
  [jobs, refreshedAt] = [[job(10)], new Date(earth.clock.now()).toISOString()];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  jobs = [];
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a snapshot that stands has failed to be deleted once a word of work beside the state is gone', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'crm');
  const [kept] = holder()?.snapshots ?? [];
  let busyWith: string | null = null;
  const snapshots = [{ id: kept?.id, name: kept?.name }];
  shows = ({ id, name, state }) => (name === 'crm' ? { id, name, state, busyWith, snapshots } : { id, name, state });
  const card = await asks(earth, ana, `/db snapshot delete ${kept?.id} database=crm`, { name: kept?.name ?? '' });
  busyWith = 'PENDING';
  await earth.clock.advance(2 * minute);
  busyWith = null;
  expect(await comesToAnEnd(earth, card)).toMatch(/· Failed.*\n.*It was at work \(PENDING\), and is so no more/);
});

test('a clone that names its requester in its own report is theirs, beside one whose report names somebody else', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const job = (user: string) => ({ type: 'SNAPSHOT_MOUNT', status: 'RUNNING', user });
  let [state, lastJob]: [string, Json] = ['MOUNTING', job('ana')];
  shows = ({ id, ...record }) => (before.has(id) ? { id, ...record } : { id, state, lastJob });
  lists = ({ lastJob: _, ...record }) => record;
  const card = await asks(earth, ana, '/db mount inventory', { fields: {} });
  const createdAt = new Date(earth.clock.now()).toISOString();
  late = () => [{ id: 'MARIADB_CLONE_SERVER-903', state: 'MOUNTING', lastJob: job('cem'), createdAt }];
  await earth.clock.advance(2 * minute);
  [state, lastJob] = ['RUNNING', { ...lastJob, status: 'COMPLETED' }];
  const told = await comesToAnEnd(earth, card);
  late = () => [];
  expect(told).toContain('· Confirmed');
  expect(told).not.toContain('MARIADB_CLONE_SERVER-903');
});

test.each([
  ['that names who asked is theirs, though nobody answered', 'ana', 'berta', 'Confirmed'],
  ['that names nobody may be of somebody else', undefined, 'berta', 'Unconfirmed'],
  ['may be of somebody else where all records name the same person', 'ana', 'ana', 'Unconfirmed'],
] as const)('a new clone %s', async (_, owner, ofOthers, word) => {
  lost = '/snapshot/mount';
  shows = record => ({ ...record, owner: ofOthers });
  const card = await asks(earth, ana, '/db mount inventory', { fields: {} });
  const made = {
    id: 'MARIADB_CLONE_SERVER-902',
    state: 'RUNNING',
    createdAt: new Date(earth.clock.now()).toISOString(),
  };
  late = () => [{ ...made, ...(owner && { owner }) }];
  expect(await comesToAnEnd(earth, card)).toContain(`· ${word}`);
  late = () => [];
});

test('a new clone that may be of somebody else, and is at work at the deadline, leaves a job unconfirmed, not finished', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  const createdAt = new Date(earth.clock.now() + minute).toISOString();
  shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount orders', { fields: {} });
  late = () => [904, 905].map(number => ({ id: `MYSQL_CLONE_SERVER-${number}`, state: 'MOUNTING', createdAt }));
  const told = await comesToAnEnd(earth, card);
  late = () => [];
  expect(told).toMatch(/· Unconfirmed.*\n.*There are MYSQL_CLONE_SERVER-904, MYSQL_CLONE_SERVER-905/);
});

test('a snapshot has not failed to be deleted while its database stands in the word to which it came', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'payroll');
  const [kept] = holder()?.snapshots ?? [];
  let [now, ofOthers]: [string | undefined, string | undefined] = [undefined, undefined];
  const snapshots = [{ id: kept?.id, name: kept?.name }];
  shows = ({ id, name, state }) =>
    name === 'payroll' ? { id, name, state: now ?? state, snapshots } : { id, name, state: ofOthers ?? state };
  const card = await asks(earth, ana, `/db snapshot delete ${kept?.id} database=payroll`, { name: kept?.name ?? '' });
  now = 'P';
  await aMinute();
  // From now on the word is known as one in which records rest.
  ofOthers = 'P';
  await asks(earth, ana, '/db refresh crm');
  await earth.clock.advance(2 * minute);
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('an end in a report without a name is that of other work where the record stays at work after it', async () => {
  let [state, job]: [string, Json | undefined] = ['RUNNING', undefined];
  shows = ({ id, name, ...record }) => (name === 'billing' ? { id, name, state, job } : { id, name, ...record });
  const card = await asks(earth, ana, '/db refresh billing');
  const startedAt = new Date(earth.clock.now()).toISOString();
  state = 'UPDATING';
  await earth.clock.advance(15_000);
  job = { status: 'FAILED', error: 'E-21: disk full', startedAt, endedAt: new Date(earth.clock.now()).toISOString() };
  await earth.clock.advance(minute);
  expect(earth.text(card)).toContain('· Running');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, card)).not.toContain('· Failed');
});

test('a report without a name is that of other work where it began long after a request that was taken', async () => {
  let job: Json | undefined;
  shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  await earth.clock.advance(2 * minute);
  job = { status: 'FAILED', error: 'E-22: disk full', startedAt: new Date(earth.clock.now()).toISOString() };
  expect(await comesToAnEnd(earth, card)).not.toContain('· Failed');
});

test('a failure in a report without a name may be of other work where the time of this very work has moved', async () => {
  let [refreshedAt, job]: [string, Json | undefined] = ['2026-11-20T08:30:00Z', undefined];
  shows = ({ id, name, ...record }) =>
    name === 'shop' ? { id, name, state: 'RUNNING', refreshedAt, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh shop');
  await earth.clock.advance(4_000);
  const now = new Date(earth.clock.now()).toISOString();
  [refreshedAt, job] = [now, { status: 'FAILED', error: 'E-23: disk full', startedAt: now }];
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose failure it is');
});

test('what only its place calls a backup confirms no log backup where no snapshots are shown', async () => {
  let time = '2026-11-20T08:30:00Z';
  shows = ({ id, name, state }) =>
    name === 'billing'
      ? { id, name, state: 'RUNNING', lastBackup: { status: 'SUCCEEDED', time } }
      : { id, name, state };
  const card = await asks(earth, ana, '/db backup-logs billing');
  await earth.clock.advance(15_000);
  time = new Date(earth.clock.now()).toISOString();
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('a wanted state beside a new error confirms no request that nobody answered', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  shows = ({ id, name, ...record }) => (name === 'orders' ? { id, name, state, error } : { id, name, ...record });
  lost = '/database/disable';
  const card = await asks(earth, ana, '/db disable orders');
  [state, error] = ['DISABLED', 'E-24: no route'];
  expect(await comesToAnEnd(earth, card)).toContain('It shows a failure, too: E-24: no route');
});

test('a snapshot that came long after a request that nobody answered may be of somebody else', async () => {
  let snapshots: readonly object[] = [{ id: 'ORACLE_SNAPSHOT-1' }];
  shows = ({ id, name, state }) => (name === 'payroll' ? { id, name, state, snapshots } : { id, name, state });
  lost = '/database/sync';
  const card = await asks(earth, ana, '/db backup payroll');
  await earth.clock.advance(2 * minute);
  snapshots = [...snapshots, { id: 'ORACLE_SNAPSHOT-2' }];
  expect(await comesToAnEnd(earth, card)).toContain('came well after my request, which nobody answered');
});

test('a record that failed after it had been as wished may have failed in other work', async () => {
  let [state, busyWith]: [string, string | null] = ['RUNNING', null];
  shows = ({ id, name, ...record }) => (name === 'orders' ? { id, name, state, busyWith } : { id, name, ...record });
  const card = await asks(earth, ana, '/db disable orders');
  [state, busyWith] = ['DISABLED', 'WORKING'];
  await earth.clock.advance(minute);
  [state, busyWith] = ['FAILED', null];
  expect(await comesToAnEnd(earth, card)).toContain('It was DISABLED before, and I cannot tell whose work failed');
});

test('a failure that calls the work a backup may be of one, where the time of log backups has moved', async () => {
  let [lastLogBackupAt, job]: [string, Json | undefined] = ['2026-11-20T08:30:00Z', undefined];
  shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', lastLogBackupAt, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db backup-logs inventory');
  await earth.clock.advance(4_000);
  const now = new Date(earth.clock.now()).toISOString();
  [lastLogBackupAt, job] = [now, { type: 'BACKUP', status: 'FAILED', startedAt: now }];
  expect(await comesToAnEnd(earth, card)).toContain('I cannot tell whose failure it is');
});

test('a time that moved confirms no job where a report that may be of it or of another one says that it failed', async () => {
  let [state, refreshedAt, job]: [string, string, Json | undefined] = ['RUNNING', '2026-11-20T08:30:00Z', undefined];
  shows = ({ id, name, ...record }) =>
    name === 'shop' ? { id, name, state, refreshedAt, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh shop');
  await earth.clock.advance(15_000);
  const other = await asks(earth, ana, '/db disable shop');
  const now = new Date(earth.clock.now()).toISOString();
  state = 'DISABLED';
  await comesToAnEnd(earth, other);
  [refreshedAt, job] = [now, { user: 'ana', status: 'FAILED', startedAt: now }];
  expect(await comesToAnEnd(earth, card)).toContain('A report that names no work says that it failed');
});

test('a record that was in a word of other work before has not come back from this in that word', async () => {
  const at = (user: string) => new Date(earth.clock.now() - (user === 'cem' ? minute : 0)).toISOString();
  const job = (type: string, user: string) => ({ type, user, status: 'STARTED', startedAt: at(user) });
  const other = job('REFRESH', 'cem');
  let [state, currentJob]: [string, Json | null] = ['WIBBLE', other];
  shows = ({ id, name, ...record }) => (name === 'orders' ? { id, name, state, currentJob } : { id, name, ...record });
  const card = await asks(earth, ana, '/db enable orders');
  currentJob = job('ENABLE', 'ana');
  await earth.clock.advance(minute);
  currentJob = other;
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
  [state, currentJob] = ['RUNNING', null];
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a record that failed in other work has not failed in this, by the report of that', async () => {
  let [state, error, job]: [string, string | undefined, Json | undefined] = ['RUNNING', undefined, undefined];
  shows = ({ id, name, ...record }) =>
    name === 'inventory' ? { id, name, state, error, job } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh inventory');
  [state, error] = ['FAILED', 'E-25: no route'];
  job = { number: 8, type: 'RESET', status: 'FAILED', error };
  await earth.clock.advance(minute);
  expect(earth.text(card)).not.toContain('· Failed');
  job = { number: 9, type: 'REFRESH', status: 'COMPLETED' };
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a record that only a late list still shows is no clone of this job', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount payroll', { fields: {} });
  const createdAt = new Date(earth.clock.now()).toISOString();
  late = () => [{ id: 'ORACLE_CLONE_DATABASE-907', state: 'CREATING', createdAt }];
  denied = 'ORACLE_CLONE_DATABASE-907';
  await earth.clock.advance(30_000);
  late = () => [];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
});

test('a word beside the state that took the place of another one may be the next step of work', async () => {
  let [jobStatus, error]: [string | null, string | undefined] = ['STARTED', undefined];
  shows = ({ id, name, ...record }) =>
    name === 'payroll' ? { id, name, state: 'RUNNING', jobStatus, error } : { id, name, ...record };
  const card = await asks(earth, ana, '/db refresh payroll');
  await earth.clock.advance(minute);
  [jobStatus, error] = ['MOUNTED', 'E-26: disk full'];
  await earth.clock.advance(3 * minute);
  expect(earth.text(card)).toContain('· Running');
  jobStatus = null;
  expect(await comesToAnEnd(earth, card)).toContain('E-26: disk full. Work went on there after it');
});

test('a report that took the place of that on the deletion of a snapshot is not on it, though no snapshot is shown', async () => {
  const holder = () => earth.service.service.estate.databases.values().find(({ name }) => name === 'inventory');
  const [kept] = holder()?.snapshots ?? [];
  let lastJob: Json | undefined;
  const snapshots = holder()?.snapshots.length;
  shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', snapshots, lastJob } : { id, name, state };
  const line = `/db snapshot delete ${kept?.id} database=inventory`;
  const card = await asks(earth, ana, line, { name: kept?.id ?? '' });
  const at = new Date(earth.clock.now())
    .toISOString()
    .replace(/T|\..*/g, ' ')
    .trim();
  lastJob = { number: 8, status: 'RUNNING', startedAt: at };
  await earth.clock.advance(minute);
  lastJob = { number: 9, status: 'FAILED', error: 'E-27: disk full', startedAt: at };
  expect(await comesToAnEnd(earth, card)).not.toContain('· Failed');
});

test('a word beside the state that names what was done is no other work', async () => {
  let [activity, lastJob, error]: [string | null, Json | undefined, string | undefined] = [null, undefined, undefined];
  shows = ({ id, name, state }) =>
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

test('a word in which no others rest, though it sounds as wished, was a step: the failure after it is this one', async () => {
  let [state, error]: [string, string | undefined] = ['DISABLED', undefined];
  shows = ({ id, name, ...record }) => (name === 'crm' ? { id, name, state, error } : { id, name, ...record });
  const card = await asks(earth, ana, '/db enable crm');
  state = 'STARTED';
  await aMinute();
  [state, error] = ['DISABLED', 'E-29: no route'];
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a new record whose only report names other work that makes one is no clone of this job', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount orders', { fields: {} });
  const lastJob = { number: 7, type: 'VDB_SHARE', status: 'FAILED' };
  late = () => [{ id: 'MYSQL_CLONE_SERVER-908', state: 'FAILED', lastJob }];
  await earth.clock.advance(2 * minute);
  const told = earth.text(card);
  late = () => [];
  expect(told).toContain('· Running');
});

test('numbered reports that name nothing and show no time are of nobody where they are several', async () => {
  const job = (number: number, status: string) => ({ number, status });
  let jobs: readonly object[] = [job(5, 'COMPLETED')];
  shows = ({ id, name, state }) => (name === 'payroll' ? { id, name, state: 'RUNNING', jobs } : { id, name, state });
  const card = await asks(earth, ana, '/db refresh payroll');
  jobs = [job(5, 'COMPLETED'), job(7, 'RUNNING')];
  await earth.clock.advance(15_000);
  jobs = [job(5, 'COMPLETED'), job(7, 'FAILED'), job(6, 'RUNNING')];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
});

test('the only one of them tells of an end from a minute after the request on', async () => {
  let jobs: readonly object[] = [];
  shows = ({ id, name, state }) => (name === 'inventory' ? { id, name, state: 'RUNNING', jobs } : { id, name, state });
  const card = await asks(earth, ana, '/db refresh inventory');
  jobs = [{ number: 7, status: 'FAILED' }];
  await earth.clock.advance(30_000);
  expect(earth.text(card)).toContain('· Running');
  expect(await comesToAnEnd(earth, card)).toContain('· Failed');
});

test('a failure of nobody for sure waits while the record stands in a new word in which no others rest', async () => {
  let [state, error]: [string, string | undefined] = ['RUNNING', undefined];
  let lastJob: Json | undefined;
  shows = ({ id, name, ...record }) =>
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

test('a snapshot confirms no backup where a report of its person, in a list that was busy before, says that one failed', async () => {
  const of = (user: string, status: string) => ({ user, status });
  let jobs: readonly object[] = [of('berta', 'COMPLETED'), of('cem', 'RUNNING')];
  let snapshots: readonly object[] = [{ id: 'MARIADB_SNAPSHOT-1' }];
  shows = ({ id, name, state }) =>
    name === 'inventory' ? { id, name, state: 'RUNNING', jobs, snapshots } : { id, name, state };
  const card = await asks(earth, ana, '/db backup inventory');
  jobs = [of('berta', 'COMPLETED'), of('cem', 'COMPLETED'), of('ana', 'FAILED')];
  snapshots = [...snapshots, { id: 'MARIADB_SNAPSHOT-963' }];
  expect(await comesToAnEnd(earth, card)).toContain('A report that names no work says that it failed');
});

test('work goes on in a record that other work broke, and has not finished with that', async () => {
  const job = (number: number, type: string, user: string) => ({ number, type, user, status: 'RUNNING' });
  let [state, error, lastJob]: [string, string | undefined, Json | undefined] = ['RUNNING', undefined, undefined];
  shows = ({ id, name, ...record }) =>
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

test('a clone has not failed with a report at its source that names nothing, before a list had time to show it', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let [isShown, lastJob]: [boolean, object | undefined] = [false, undefined];
  shows = record => {
    if (!before.has(record.id)) return isShown ? record : undefined;
    return record.name === 'orders' ? { ...record, state: 'RUNNING', lastJob } : record;
  };
  const card = await asks(earth, ana, clone(3484).replace('shop', 'orders'), { fields: {} });
  lastJob = { status: 'FAILED', error: 'E-32: disk full', startedAt: new Date(earth.clock.now()).toISOString() };
  await earth.clock.advance(10_000);
  expect(earth.text(card)).toContain('· Running');
  isShown = true;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});
