import { describe, expect, test } from 'vitest';
import { hour, minute } from '../../../src/ground/durations.ts';
import type { Json } from '../../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../../journeys/asking.ts';
import { ana, clone, earth, ends, service } from './service.ts';

describe('a deletion that succeeded is confirmed', () => {
  test('a deletion is confirmed though another database has the number now', async () => {
    service.remains = ({ id }) => ({
      ...{ id, name: 'newcomer', state: 'RUNNING' },
      createdAt: new Date(earth.clock.now()).toISOString(),
    });
    expect(await ends('/db delete orders-3321', { name: 'orders-3321' })).toContain('· Confirmed');
  });
  test('a deletion is finished where the record that has the number now may be another one', async () => {
    service.shows = ({ createdAt, ...record }) =>
      record.name === 'inventory-3331' ? record : { ...record, createdAt };
    service.remains = ({ id }) => ({ id, name: 'newcomer', state: 'RUNNING' });
    const told = await ends('/db delete inventory-3331', { name: 'inventory-3331' });
    expect(told).toContain('· Finished');
    expect(told).toContain('is now called newcomer, and may be a different one');
  });
  test('a deletion is confirmed though its record still stands with `deleted: true`', async () => {
    service.remains = record => ({ ...record, state: 'RUNNING', deleted: true });
    expect(await ends('/db delete orders-3320', { name: 'orders-3320' })).toContain('· Confirmed');
  });
});

test('a deletion is not confirmed because another user does not see the record', async () => {
  service.secret = { name: 'billing-3330', from: 'ben' };
  const card = await asks(earth, ana, '/db delete billing-3330', { name: 'billing-3330' });
  await earth.signsIn(ana, '#databases', 'ben');
  await earth.clock.advance(5 * minute);
  expect(earth.text(card)).toContain(
    'I cannot look at the moment: you are signed in as ben, but this was sent as ana.',
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
  service.again = { inside, outside };
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test.each([
  ['one of another database', 'orders', 'may be somebody else’s: I cannot tell whose it is'],
  ['one of its source', 'shop', '· Confirmed'],
])('a new record without a source is judged by the snapshot that it names: %s (%s)', async (_, database, says) => {
  const known = earth.service.service.estate.databases;
  const before = new Set<unknown>(known.keys());
  const snapshot = known.values().find(({ name }) => name === database)?.snapshots[0]?.id;
  service.shows = record => (before.has(record.id) ? record : { id: record.id, state: 'RUNNING', snapshot });
  expect(snapshot).toBeDefined();
  expect(await ends('/db mount shop', { fields: {} })).toContain(says);
});

test.each([
  [-minute, 'Z', 'may be somebody else’s: I cannot tell whose it is'],
  [0, 'Z', '· Confirmed'],
  // A time without a zone may be hours off.
  [-5 * hour, '', '· Confirmed'],
  // But zones differ by whole quarters of an hour.
  [-5 * hour - 20_000, '', 'may be somebody else’s: I cannot tell whose it is'],
])('a staging clone made %i ms after the request, in the zone “%s”, is told as: %s', async (later, zone, says) => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const createdAt = new Date(earth.clock.now() + later).toISOString().replace(/\.\d+Z$/, zone);
  service.shows = ({ id, name, state, ...record }) =>
    before.has(id) ? { id, name, state, ...record } : { id, name, state, createdAt };
  expect(await ends('/db mount shop', { fields: {} })).toContain(says);
});

test('of two staging clones that look alike, no job takes one while a word says that it is still at work', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let [isShown, activity]: [boolean, string | null] = [false, 'COPYING'];
  const createdAt = new Date(earth.clock.now() + minute).toISOString();
  service.shows = record => {
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

test('a failed staging clone from before the request is no rival of the one that was made since', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const at = (time: number) => new Date(time).toISOString();
  const [early, createdAt] = [at(earth.clock.now() - minute), at(earth.clock.now())];
  service.shows = ({ id, ...record }) => (before.has(id) ? { id, ...record } : { id, state: 'FAILED', createdAt });
  const card = await asks(earth, ana, '/db mount shop', { fields: {} });
  service.late = () => [{ id: 'MYSQL_CLONE_SERVER-900', state: 'FAILED', createdAt: early }];
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Failed');
  expect(told).not.toContain('MYSQL_CLONE_SERVER-900');
});

test('a clone that shows nothing of what was typed gives its place to a later one that does', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let isShown = false;
  service.shows = ({ id, name, state, port, ...record }) => {
    if (before.has(id)) return { id, name, state, port, ...record };
    return isShown ? { id, state, port } : undefined;
  };
  const other = 'MYSQL_CLONE_SERVER-901';
  const card = await asks(earth, ana, clone(3481), { fields: {} });
  service.late = () => [{ id: other, state: 'CREATING' }];
  await earth.clock.advance(minute);
  expect(earth.text(card)).toContain(other);
  isShown = true;
  service.late = () => [{ id: other, state: 'FAILED' }];
  const told = await comesToAnEnd(earth, card);
  expect(told).toContain('· Confirmed');
  expect(told).not.toContain(other);
});

test.each(['lists', 'shows the report of'])(
  'of two staging clones that look alike, each job takes the one that its source %s',
  async way => {
    const known = earth.service.service.estate.databases;
    const before = new Set<unknown>(known.keys());
    const source = (id: unknown) => known.get(String(id))?.sourceDatabase;
    const createdAt = new Date(earth.clock.now() + minute).toISOString();
    const report = (id: unknown) => ({ number: `job ${id}`, type: 'MOUNT', status: 'COMPLETED' });
    let isShown = false;
    service.shows = record => {
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
])(
  'a clone in doubt fails by a failure at its source only where nothing else explains it: one %s',
  async (_, isExplained, says) => {
    service.lost = '/clone/create';
    let jobs: Json[] = [];
    service.shows = record => (record.name === 'orders' ? { ...record, jobs } : record);
    const card = await asks(earth, ana, clone(3491).replace('shop', 'orders'), { fields: {} });
    const source = earth.service.service.estate.databases.values().find(({ name }) => name === 'orders')?.id;
    const createdAt = new Date(earth.clock.now() + 5_000).toISOString();
    jobs = [{ number: 91, type: 'CLONE', status: 'FAILED', startedAt: createdAt, error: 'E-21: disk full' }];
    const theirs = { id: 'MYSQL_CLONE_SERVER-902', port: 3999, sourceDatabase: source, state: 'FAILED', createdAt };
    service.late = () => (isExplained ? [theirs] : []);
    expect(await comesToAnEnd(earth, card)).toContain(says);
  },
);

test('a record that was made before the next request belongs to the request before it', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let isShown = false;
  const createdAt = new Date(earth.clock.now()).toISOString();
  service.shows = record => {
    if (before.has(record.id)) return record;
    return isShown ? { id: record.id, state: 'RUNNING', createdAt } : undefined;
  };
  const card = await asks(earth, ana, '/db mount billing', { fields: {} });
  await earth.clock.advance(minute);
  service.lost = '/snapshot/mount';
  await asks(earth, ana, '/db mount inventory', { fields: {} });
  isShown = true;
  expect(await comesToAnEnd(earth, card)).toContain('· Confirmed');
});

test('a new record whose own report names somebody else is not taken as the job’s own', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const lastJob = { number: 9, type: 'MOUNT', status: 'COMPLETED', user: 'cem' };
  const own = { ...lastJob, number: 8, user: 'ana' };
  service.shows = record =>
    before.has(record.id) ? { ...record, lastJob: own } : { id: record.id, state: 'RUNNING', lastJob };
  const told = await ends('/db mount shop', { fields: {} });
  expect(told).toContain('may be somebody else’s: I cannot tell whose it is');
});

test('a late list confirms no clone that is gone again', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let seen: Json | undefined;
  service.shows = record => {
    if (before.has(record.id)) return record;
    seen ??= { ...record, state: 'RUNNING' };
    return undefined;
  };
  service.remains = () => undefined;
  service.late = () => (seen ? [seen] : []);
  const card = await asks(earth, ana, clone(3412), { fields: {} });
  await earth.clock.advance(40_000);
  expect(earth.text(card)).not.toContain('is ready');
  service.late = () => [];
  expect(await comesToAnEnd(earth, card)).not.toContain('· Confirmed');
});

test('a new clone that may be that of an earlier, unconfirmed job is not taken for the next one’s', async () => {
  service.shows = ({ id, name, state, environment }) => ({
    id,
    state,
    environment,
    name: name === 'shop' ? name : 'a clone',
  });
  const lost = clone(3402).replace('/mnt/c3402', '/mnt/vanish');
  expect(await ends(lost, { fields: {} })).toContain('· Unconfirmed');
  expect(await ends(clone(3403), { fields: {} })).toMatch(
    /There is a clone \(MYSQL_CLONE_SERVER-\d+\), which was not there before, and may be somebody else’s: I cannot tell whose it is\./,
  );
  await earth.clock.leap(hour);
  expect(await ends(clone(3404), { fields: {} })).toContain('· Confirmed');
});

test('a state number that a new record left as it failed is not taken for other work in another record', async () => {
  const known = earth.service.service.estate.databases;
  const before = new Set<unknown>(known.keys());
  let [state, error]: [number, string | undefined] = [300, undefined];
  let errorOfOrders: string | undefined;
  service.shows = ({ id, name }) => {
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

test('a clone does not fail by a nameless report at its source that came after its own report', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const job = (number: number, state: string) => ({
    number,
    state,
    startTime: new Date(earth.clock.now()).toISOString(),
  });
  let [isShown, lastJob]: [boolean, object | undefined] = [false, undefined];
  service.shows = record => {
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

test('a clone whose own report names its requester is theirs, beside one that names somebody else', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  const job = (user: string) => ({ type: 'SNAPSHOT_MOUNT', status: 'RUNNING', user });
  let [state, lastJob]: [string, Json] = ['MOUNTING', job('ana')];
  service.shows = ({ id, ...record }) => (before.has(id) ? { id, ...record } : { id, state, lastJob });
  service.lists = ({ lastJob: _, ...record }) => record;
  const card = await asks(earth, ana, '/db mount inventory', { fields: {} });
  const createdAt = new Date(earth.clock.now()).toISOString();
  service.late = () => [{ id: 'MARIADB_CLONE_SERVER-903', state: 'MOUNTING', lastJob: job('cem'), createdAt }];
  await earth.clock.advance(2 * minute);
  [state, lastJob] = ['RUNNING', { ...lastJob, status: 'COMPLETED' }];
  const told = await comesToAnEnd(earth, card);
  service.late = () => [];
  expect(told).toContain('· Confirmed');
  expect(told).not.toContain('MARIADB_CLONE_SERVER-903');
});

test.each([
  ['that names who asked is theirs, though nobody answered', 'ana', 'berta', 'Confirmed'],
  ['that names nobody may be somebody else’s', undefined, 'berta', 'Unconfirmed'],
  ['may be somebody else’s where all records name the same person', 'ana', 'ana', 'Unconfirmed'],
] as const)(
  'a new clone after a request without an answer is judged by its owner: one %s',
  async (_, owner, ofOthers, word) => {
    service.lost = '/snapshot/mount';
    service.shows = record => ({ ...record, owner: ofOthers });
    const card = await asks(earth, ana, '/db mount inventory', { fields: {} });
    const made = {
      id: 'MARIADB_CLONE_SERVER-902',
      state: 'RUNNING',
      createdAt: new Date(earth.clock.now()).toISOString(),
    };
    service.late = () => [{ ...made, ...(owner && { owner }) }];
    expect(await comesToAnEnd(earth, card)).toContain(`· ${word}`);
  },
);

test('a job is unconfirmed where the new clones may be somebody else’s and are at work at its deadline', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  const createdAt = new Date(earth.clock.now() + minute).toISOString();
  service.shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount orders', { fields: {} });
  service.late = () => [904, 905].map(number => ({ id: `MYSQL_CLONE_SERVER-${number}`, state: 'MOUNTING', createdAt }));
  const told = await comesToAnEnd(earth, card);
  service.late = () => [];
  expect(told).toMatch(/· Unconfirmed.*\n.*There are MYSQL_CLONE_SERVER-904, MYSQL_CLONE_SERVER-905/);
});

test('a record that only a late list still shows is not taken for the clone of a job', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  service.shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount payroll', { fields: {} });
  const createdAt = new Date(earth.clock.now()).toISOString();
  service.late = () => [{ id: 'ORACLE_CLONE_DATABASE-907', state: 'CREATING', createdAt }];
  service.denied = 'ORACLE_CLONE_DATABASE-907';
  await earth.clock.advance(30_000);
  service.late = () => [];
  await earth.clock.advance(2 * minute);
  expect(earth.text(card)).toContain('· Running');
});

test('a new record whose only report names other work is not taken for the clone of a job', async () => {
  const known = new Set<unknown>(earth.service.service.estate.databases.keys());
  service.shows = record => (known.has(record.id) ? record : undefined);
  const card = await asks(earth, ana, '/db mount orders', { fields: {} });
  const lastJob = { number: 7, type: 'VDB_SHARE', status: 'FAILED' };
  service.late = () => [{ id: 'MYSQL_CLONE_SERVER-908', state: 'FAILED', lastJob }];
  await earth.clock.advance(2 * minute);
  const told = earth.text(card);
  service.late = () => [];
  expect(told).toContain('· Running');
});

test('a clone does not fail by a nameless report at its source before a list had time to show the clone', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let [isShown, lastJob]: [boolean, object | undefined] = [false, undefined];
  service.shows = record => {
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

test('of two new records that come at once, the one made before the later request belongs to the earlier one', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let [isShown, state]: [boolean, string] = [false, 'CREATING'];
  const times: string[] = [];
  service.shows = record => {
    if (before.has(record.id)) return record;
    const made = [...earth.service.service.estate.databases.keys()].filter(id => !before.has(id));
    const at = made.indexOf(String(record.id));
    const failure = { state: 'FAILED', error: 'E-45: disk full' };
    return isShown ? { ...record, createdAt: times[at], ...(at === 0 ? failure : { state }) } : undefined;
  };
  const mounts = async () => {
    const card = await asks(earth, ana, '/db mount shop', { fields: {} });
    times.push(new Date(earth.clock.now()).toISOString());
    return card;
  };
  const earlier = await mounts();
  await earth.clock.advance(minute);
  const later = await mounts();
  await earth.clock.advance(minute);
  isShown = true;
  expect(await comesToAnEnd(earth, earlier)).toContain('E-45: disk full');
  state = 'RUNNING';
  expect(await comesToAnEnd(earth, later)).toContain('· Confirmed');
});

test('of two new records that look alike, the one with an error belongs to neither job', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  let isShown = false;
  service.shows = record => {
    if (before.has(record.id)) return record;
    const made = [...earth.service.service.estate.databases.keys()].filter(id => !before.has(id));
    const error = made.indexOf(String(record.id)) === 0 ? 'E-46: disk full' : undefined;
    return isShown ? { ...record, state: 'RUNNING', error } : undefined;
  };
  const cards = [
    await asks(earth, ana, '/db mount warehouse', { fields: {} }),
    await asks(earth, ana, '/db mount warehouse', { fields: {} }),
  ];
  isShown = true;
  await earth.clock.advance(6 * minute);
  for (const card of cards) expect(earth.text(card)).toContain('· Running');
});

test('a clone with a word such as MOUNTED beside its state does not give its job to another clone', async () => {
  const before = new Set<unknown>(earth.service.service.estate.databases.keys());
  service.shows = ({ id, name, ...record }) =>
    before.has(id) ? { id, name, ...record } : { id, state: 'RUNNING', currentOperation: 'MOUNTED' };
  const card = await asks(earth, ana, clone(3486), { fields: {} });
  service.late = () => [{ id: 'MYSQL_CLONE_SERVER-911', state: 'RUNNING' }];
  await earth.clock.advance(2 * minute);
  const told = earth.text(card);
  service.late = () => [];
  expect(told).toContain('· Running');
});
