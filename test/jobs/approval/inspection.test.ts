import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/call.ts';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { differencesBetween } from '../../../src/jobs/approval/changedSinceApproval.ts';
import { type Inspection, inspect } from '../../../src/jobs/approval/facts/inspection.ts';
import { digestOf, itemsOf } from '../../../src/jobs/approval/facts/items.ts';
import { recordReader } from '../../../src/records/recordReader.ts';

type Fields = { readonly [key: string]: Json };

const orders: Fields = {
  id: 'MYSQL_LIVE_SERVER-1',
  name: 'orders',
  state: 'RUNNING',
  environment: 'HOST_ENVIRONMENT-2',
  environmentName: 'mysql-prod',
  project: 'PROJECT-1',
  projectName: 'web-shop',
  port: 3306,
  dbid: '774411',
  createdAt: '2026-06-24T09:00:00.000Z',
  updatedAt: '2026-11-20T23:00:00.000Z',
  sizeMb: 5_120,
  snapshots: [
    { id: 'MYSQL_SNAPSHOT-1', name: 'orders-1', state: 'AVAILABLE' },
    { id: 'MYSQL_SNAPSHOT-2', name: 'orders-2', state: 'AVAILABLE' },
  ],
};
const qa: Fields = {
  id: 'MYSQL_CLONE_SERVER-1',
  name: 'qa',
  state: 'RUNNING',
  cloneType: 'PHYSICAL',
  environment: 'HOST_ENVIRONMENT-4',
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  snapshot: 'MYSQL_SNAPSHOT-2',
};
const environments: readonly Fields[] = [
  { id: 'HOST_ENVIRONMENT-2', name: 'mysql-prod' },
  { id: 'HOST_ENVIRONMENT-4', name: 'dev' },
];

/** The records that there are, which lists are not to be read, and whether the service says that there are more. */
type Answers = { databases?: readonly Fields[]; hidden?: string; isCut?: boolean };

/** What a target shows, read from a service that has these records. */
function seen(id: string, answers: Answers = {}, values: Record<string, string> = {}): Promise<Inspection> {
  const target = parseIdentifier(id);
  if (!target) throw new Error(`${id} is no identifier`);
  const databases = answers.databases ?? [orders, qa];
  const lists: Record<string, readonly Fields[]> = {
    '/database/list': databases,
    '/environment/list': environments,
    '/project/list': [{ id: 'PROJECT-1', name: 'web-shop' }],
  };
  const fetch = async ({ path }: { path: string }) => {
    if (path === answers.hidden) throw new Failure('forbidden', 'This is not yours to see.');
    const found = lists[path] ?? databases.find(one => path.endsWith(`/${one.id}`));
    if (!found) throw new Failure('missing', 'There is no such record.');
    return answers.isCut && lists[path] ? { items: lists[path], hasMore: true } : found;
  };
  return inspect(recordReader(fetch, {}), target, values);
}

test('an approver reads the names of environments, projects and sources from the lists', async () => {
  const { environmentName: _, projectName: __, ...bare } = orders;
  const told = async (id: string) =>
    (await seen(id, { databases: [bare, qa] })).facts.map(({ label, value }) => `${label}: ${value}`);
  expect(await told('MYSQL_LIVE_SERVER-1')).toEqual(
    expect.arrayContaining(['Environment: mysql-prod (HOST_ENVIRONMENT-2)', 'Project: web-shop (PROJECT-1)']),
  );
  expect(await told('MYSQL_CLONE_SERVER-1')).toEqual(
    expect.arrayContaining(['Environment: dev (HOST_ENVIRONMENT-4)', 'Source: orders (MYSQL_LIVE_SERVER-1)']),
  );
});

const digestWith = (operation: string, values: Readonly<Record<string, string>>, facts: Inspection['facts']) =>
  digestOf({ operation }, itemsOf({ operation, values, labels: {} }, facts));
const digest = ({ facts }: Inspection) => digestWith('database.delete', {}, facts);

/** What is said to differ after a change of the record `orders`, or beside it. */
async function differs(change: Fields, beside: readonly Fields[] = [qa]): Promise<readonly string[]> {
  const [was, is] = [
    await seen('MYSQL_LIVE_SERVER-1'),
    await seen('MYSQL_LIVE_SERVER-1', { databases: [{ ...orders, ...change }, ...beside] }),
  ];
  const told = differencesBetween(was.facts, is.facts);
  expect(digest(was) === digest(is)).toBe(told.length === 0);
  return told;
}

describe('what was approved is another thing', () => {
  test.each<[string, Fields, string]>([
    ['under another name', { name: 'orders2' }, 'Name was orders, and is orders2.'],
    [
      'in another environment',
      { environment: 'HOST_ENVIRONMENT-4', environmentName: 'dev' },
      'Environment was mysql-prod (HOST_ENVIRONMENT-2), and is dev (HOST_ENVIRONMENT-4).',
    ],
    [
      'in another project',
      { project: 'PROJECT-2', projectName: 'finance' },
      'Project was web-shop (PROJECT-1), and is finance (PROJECT-2).',
    ],
    ['at another port', { port: 3399 }, 'Port was 3306, and is 3399.'],
    [
      'made at another time',
      { createdAt: '2026-11-21T09:00:00.000Z' },
      'Created was 2026-06-24 09:00 UTC, and is 2026-11-21 09:00 UTC.',
    ],
    ['with another dbid', { dbid: '1' }, 'Dbid was 774411, and is 1.'],
    ['out of service', { state: 'DISABLED' }, 'State was RUNNING, and is DISABLED.'],
    ['with a name that is hidden now', { name: null }, 'Name was orders, and is not shown.'],
  ])('The approved target counts as changed %s', async (_, change, sentence) => {
    expect(await differs(change)).toEqual([sentence]);
  });

  test('the approved target counts as changed when it was made at another second of the same minute', async () => {
    expect(await differs({ createdAt: '2026-06-24T09:00:00.001Z' })).toHaveLength(1);
  });

  test('the approved target counts as changed once a clone depends on it', async () => {
    const clone = { ...qa, id: 'MYSQL_CLONE_SERVER-2', name: 'new', cloneType: 'VIRTUALCLONE' };
    expect(await differs({}, [qa, clone])).toEqual([
      'Dependents was none that the records show, and is new (MYSQL_CLONE_SERVER-2).',
    ]);
  });

  test('a list that is cut shows no missing dependents, and does not change what was approved', async () => {
    const dependents = ({ facts }: Inspection) => facts.find(({ label }) => label === 'Dependents')?.value;
    const [whole, cut] = [await seen('MYSQL_LIVE_SERVER-1'), await seen('MYSQL_LIVE_SERVER-1', { isCut: true })];
    expect(dependents(whole)).toBe('none that the records show');
    expect(dependents(cut)).toBe('not visible in the records');
    expect(digest(cut)).toBe(digest(whole));
    const clone = { ...qa, id: 'MYSQL_CLONE_SERVER-2', name: 'new', cloneType: 'VIRTUALCLONE' };
    expect(dependents(await seen('MYSQL_LIVE_SERVER-1', { isCut: true, databases: [orders, clone] }))).toBe(
      'new (MYSQL_CLONE_SERVER-2), and perhaps others that the service did not list',
    );
  });

  test('the approved target counts as changed once its dependents cannot be seen', async () => {
    const was = await seen('MYSQL_LIVE_SERVER-1');
    const hidden = await seen('MYSQL_LIVE_SERVER-1', { hidden: '/database/list' });
    expect(digest(hidden)).not.toBe(digest(was));
  });

  test('another operation or another value gives a request another digest', async () => {
    const { facts } = await seen('MYSQL_LIVE_SERVER-1');
    const of = (operation: string, port: string) => digestWith(operation, { port }, facts);
    expect(new Set([of('a', '1'), of('a', '2'), of('b', '1')]).size).toBe(3);
  });
});

describe('what was approved is still the same', () => {
  test.each<[string, Fields]>([
    [
      'after a backup',
      { snapshots: [{ id: 'MYSQL_SNAPSHOT-9', name: 'orders-9' }], lastLogBackupAt: '2026-11-21T09:00:00.000Z' },
    ],
    ['while something works on it', { state: 'BACKING_UP' }],
    ['when it was looked at', { updatedAt: '2026-11-21T10:00:00.000Z' }],
    ['when it has grown', { sizeMb: 9_999 }],
    ['when its environment is called otherwise', { environmentName: 'mysql-production' }],
  ])('The approved target counts as the same %s', async (_, change) => {
    expect(await differs(change)).toEqual([]);
  });

  test('the approved target counts as the same when a physical clone of it comes or goes', async () => {
    expect(await differs({}, [])).toEqual([]);
    expect(await differs({}, [qa, { ...qa, id: 'MYSQL_CLONE_SERVER-2' }])).toEqual([]);
  });

  const now = async (change: Fields = {}) =>
    (await seen('MYSQL_LIVE_SERVER-1', { databases: [{ ...orders, ...change }, qa] })).facts;

  test('the approved target counts as the same when a later release words its facts otherwise', async () => {
    const facts = await now();
    const reworded = facts.map(one => ({ ...one, label: `${one.label} (new)`, value: `${one.value}.` }));
    expect(differencesBetween(facts, reworded)).toEqual([]);
    expect(digestWith('x', {}, reworded)).toBe(digestWith('x', {}, facts));
  });

  test('the approved target counts as the same when only the meaning of its state word was learned', async () => {
    const facts = await now({ state: 'GRINDING' });
    const learned = facts.map(one => (one.key === 'state' ? { ...one, compared: 'in service' } : one));
    expect(differencesBetween(facts, learned)).toEqual([]);
  });
});

describe('an approver is shown', () => {
  const shown = async (id: string, databases: readonly Fields[]) =>
    Object.fromEntries((await seen(id, { databases })).facts.map(({ label, value }) => [label, value]));

  test('an approver sees a database’s own snapshots, and the snapshot from which a clone was made', async () => {
    expect(await shown('MYSQL_LIVE_SERVER-1', [orders, qa])).toMatchObject({ Snapshots: '2 of its own' });
    const clone = await shown('MYSQL_CLONE_SERVER-1', [orders, qa]);
    expect(clone).toMatchObject({ 'Made from': 'MYSQL_SNAPSHOT-2' });
    expect(clone).not.toHaveProperty('Snapshots');
  });

  test('an approver is warned of a name that hides characters or looks like another one', async () => {
    const twin = { ...qa, id: 'MYSQL_CLONE_SERVER-7', name: 'оrders', environmentName: 'dev' };
    const { Beware } = await shown('MYSQL_LIVE_SERVER-1', [orders, qa, twin]);
    expect(Beware).toBe('It looks like the name of MYSQL_CLONE_SERVER-7 on dev.');
    expect((await shown('MYSQL_CLONE_SERVER-7', [orders, qa, twin])).Beware).toContain(
      'MYSQL_LIVE_SERVER-1 on mysql-prod',
    );
    const hiding = { ...orders, name: 'ord\u200bers' };
    expect((await shown('MYSQL_LIVE_SERVER-1', [hiding, qa])).Beware).toContain('invisible characters');
    expect(await shown('MYSQL_LIVE_SERVER-1', [orders, qa])).not.toHaveProperty('Beware');
  });
});

describe('what the policy judges', () => {
  test('the policy judges a target by the name, environment and project, each also by identifier', async () => {
    const { names, environments: places, projects } = await seen('MYSQL_LIVE_SERVER-1');
    expect(new Set(names)).toEqual(new Set(['MYSQL_LIVE_SERVER-1', 'orders']));
    expect(new Set(places)).toEqual(new Set(['HOST_ENVIRONMENT-2', 'mysql-prod']));
    expect(new Set(projects)).toEqual(new Set(['PROJECT-1', 'web-shop']));
  });

  test('a target without name or place in its record is unknown to the policy, whatever others show', async () => {
    const { name: _, environment: __, environmentName: ___, ...bare } = orders;
    const shown = await seen('MYSQL_LIVE_SERVER-1', { databases: [bare, qa] });
    expect([shown.names, shown.environments]).toEqual([undefined, undefined]);
  });

  test('a database’s host is not taken for its name when the policy judges it', async () => {
    const { name: _, ...nameless } = orders;
    const shown = await seen('MYSQL_LIVE_SERVER-1', { databases: [{ ...nameless, host: 'mysql-prod.example.com' }] });
    expect(shown.record?.name).toBe('mysql-prod.example.com');
    expect(shown.names).toBeUndefined();
  });

  test('an environment whose name cannot be read is unknown to the policy', async () => {
    const { environmentName: _, ...unnamed } = orders;
    const hidden = '/environment/list';
    expect((await seen('MYSQL_LIVE_SERVER-1', { databases: [unnamed], hidden })).environments).toBeUndefined();
    expect((await seen('MYSQL_LIVE_SERVER-1', { hidden })).environments).toContain('mysql-prod');
  });

  test('a snapshot that stands in no record is unknown to the policy, and approvers see its identifier alone', async () => {
    const shown = await seen('MYSQL_SNAPSHOT-7', {}, { database: 'MYSQL_CLONE_SERVER-1' });
    expect([shown.names, shown.environments, shown.projects]).toEqual([undefined, undefined, undefined]);
    expect(shown.record).toBeUndefined();
    expect(shown.facts.map(({ label }) => label)).toEqual(['Identifier', 'Vendor', 'Dependents']);
  });

  test.each([
    {},
    { database: 'MYSQL_CLONE_SERVER-1' },
    { database: 'MYSQL_LIVE_SERVER-1' },
    { database: 'MYSQL_LIVE_SERVER-9' },
  ])(
    'the policy judges a snapshot by the database that it belongs to, whatever values the form has: %j',
    async values => {
      for (const databases of [
        [orders, qa],
        [qa, orders],
      ]) {
        const shown = await seen('MYSQL_SNAPSHOT-2', { databases }, values);
        expect(shown.names).toContain('orders');
        expect(shown.names).not.toContain('qa');
        expect(shown.environments).toContain('mysql-prod');
        expect(shown.facts).toContainEqual({
          key: 'of',
          label: 'Of',
          value: 'orders (MYSQL_LIVE_SERVER-1)',
          compared: 'MYSQL_LIVE_SERVER-1',
        });
      }
    },
  );

  test('the policy never judges a snapshot by its clone or by the database that it was restored to', async () => {
    const restored = {
      ...orders,
      id: 'MYSQL_LIVE_SERVER-2',
      name: 'toy',
      snapshots: [],
      restoredSnapshot: 'MYSQL_SNAPSHOT-2',
    };
    for (const database of ['MYSQL_CLONE_SERVER-1', 'MYSQL_LIVE_SERVER-2'])
      expect((await seen('MYSQL_SNAPSHOT-2', { databases: [qa, restored] }, { database })).names).toBeUndefined();
  });
});

test('approvers see a change made while the list was read, since the target is read after it', async () => {
  const target = parseIdentifier('MYSQL_CLONE_SERVER-1');
  if (!target) throw new Error('this is no identifier');
  let now = qa;
  const fetch = async ({ path }: { path: string }) => {
    if (path.endsWith(target.text)) return now;
    if (path === '/database/list') {
      const before = [orders, now];
      now = { ...qa, name: 'qa-other' };
      return before;
    }
    return [];
  };
  const { facts } = await inspect(recordReader(fetch, {}), target, {});
  expect(facts.find(({ label }) => label === 'Name')?.value).toBe('qa-other');
});
