import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/api/reading/recordList.ts';
import type { Inventory } from '../../../src/features/protection/inventory.ts';
import { protectionReport } from '../../../src/features/protection/report.ts';
import { day, hour } from '../../../src/ground/durations.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { databases } from '../../api/reading.ts';

const now = Date.UTC(2026, 10, 22, 12);
const ago = (age: number) => new Date(now - age).toISOString();

const estate = [
  {
    id: 'MYSQL_LIVE_SERVER-1',
    name: 'fresh',
    state: 'RUNNING',
    environment: 'HOST_ENVIRONMENT-1',
    lastBackup: ago(2 * hour),
  },
  {
    id: 'MYSQL_LIVE_SERVER-2',
    name: 'late',
    state: 'RUNNING',
    environment: 'HOST_ENVIRONMENT-2',
    lastBackup: ago(25 * hour),
  },
  {
    id: 'MYSQL_LIVE_SERVER-3',
    name: 'later',
    state: 'DISABLED',
    environment: 'HOST_ENVIRONMENT-1',
    lastBackup: ago(9 * day),
  },
  { id: 'MYSQL_LIVE_SERVER-4', name: 'bare', state: 'RUNNING', environment: 'HOST_ENVIRONMENT-1', snapshots: [] },
  { id: 'MYSQL_LIVE_SERVER-5', name: 'silent', state: 'RUNNING', environment: 'HOST_ENVIRONMENT-1' },
  {
    id: 'MYSQL_CLONE_SERVER-1',
    name: 'old',
    state: 'RUNNING',
    environment: 'HOST_ENVIRONMENT-2',
    createdAt: ago(40 * day),
  },
  {
    id: 'MYSQL_CLONE_SERVER-2',
    name: 'broken',
    state: 'FAILED',
    environment: 'HOST_ENVIRONMENT-2',
    createdAt: ago(day),
  },
  { id: 'MYSQL_CLONE_SERVER-3', name: 'ageless', state: 'RUNNING', environment: 'HOST_ENVIRONMENT-2' },
];
const hosts = [
  { id: 'HOST_ENVIRONMENT-1', name: 'prod', state: 'ENABLED' },
  { id: 'HOST_ENVIRONMENT-2', name: 'dev', state: 'DISABLED' },
];

function report(rules: readonly object[] = [], reading: Partial<Inventory> = {}) {
  const policy = policyOf(PolicyFile.parse({ protect: rules }), []);
  const { records } = readList(estate, databases);
  const live = records.filter(({ id }) => id.noun === 'live');
  return protectionReport(policy, {
    at: now,
    live,
    clones: records.filter(({ id }) => id.noun === 'clone'),
    environments: readList(hosts, ['environment']).records,
    leases: [],
    maintained: new Set(),
    isPart: false,
    alone: new Set(live.map(({ id }) => id.text)),
    unread: 0,
    ...reading,
  });
}

const standings = async (rules?: readonly object[], reading?: Partial<Inventory>) =>
  (await report(rules, reading)).databases.map(({ record, standing }) => `${record.name}: ${standing}`);

describe('the protection of databases', () => {
  test('the protection report puts the worst first, and wants a daily backup where no rule says more', async () => {
    expect(await standings()).toEqual([
      'bare: never',
      'later: late',
      'late: late',
      'silent: unseen',
      'fresh: protected',
    ]);
  });

  test('a database is not said to be never backed up by a list alone', async () => {
    expect(await standings([], { alone: new Set() })).toContain('bare: unseen');
  });

  test('a database’s protection is compared with the first rule that matches', async () => {
    const rules = [{ environment: 'dev', backup: '2d' }, { name: 'fre*', backup: '1h' }, { backup: '30d' }];
    expect(await standings(rules)).toEqual([
      'bare: never',
      'fresh: late',
      'silent: unseen',
      'later: protected',
      'late: protected',
    ]);
  });

  test('a database’s protection is compared with the stricter rule where nobody can tell which matches', async () => {
    const rules = [{ environment: 'secret', backup: '1h' }, { backup: '30d' }];
    const hidden = readList([{ id: 'MYSQL_LIVE_SERVER-1', name: 'a', lastBackup: ago(2 * hour) }], databases).records;
    expect(await standings(rules, { live: hidden })).toEqual(['a: late']);
  });

  test('a database is late by its logs, too, and not said to be protected where these are not shown', async () => {
    const [withLogs, without] = readList(
      [
        { id: 'MYSQL_LIVE_SERVER-1', name: 'with', lastBackup: ago(hour), lastLogBackup: ago(3 * hour) },
        { id: 'MYSQL_LIVE_SERVER-2', name: 'without', lastBackup: ago(hour) },
      ],
      databases,
    ).records;
    if (!withLogs || !without) throw new Error('two records');
    expect(await standings([{ backup: '1d', logs: '2h' }], { live: [withLogs, without] })).toEqual([
      'with: late',
      'without: unseen',
    ]);
  });
});

test('a backup time without its zone makes a database late or protected only if it is so in every zone', async () => {
  const zoneless = (age: number) => ago(age).slice(0, 19).replace('T', ' ');
  const live = [30, 50, 8].map((hours, index) => ({
    ...{ id: `MYSQL_LIVE_SERVER-${index}`, name: `${hours} h`, lastBackup: zoneless(hours * hour) },
  }));
  expect(await standings([], { live: readList(live, databases).records })).toEqual([
    '50 h: late',
    '30 h: unseen',
    '8 h: protected',
  ]);
});

test('the protection report sorts clones by age and points out those that are too old', async () => {
  const told = ({ clones }: Awaited<ReturnType<typeof report>>) =>
    clones.map(({ record, isOld }) => [record.name, isOld]);
  expect(told(await report())).toEqual([
    ['old', true],
    ['broken', false],
    ['ageless', false],
  ]);
  expect(told(await report([{ keepClones: '60d' }]))[0]).toEqual(['old', false]);
});

test('the protection report lists failed and disabled records, and what disabled environments hold up', async () => {
  const { failed, disabled, environments } = await report();
  expect(failed.map(({ name }) => name)).toEqual(['broken']);
  expect(disabled.map(({ name }) => name)).toEqual(['later']);
  expect(environments?.map(({ environment, held }) => [environment.name, held.map(({ name }) => name)])).toEqual([
    ['dev', ['late', 'old', 'broken', 'ageless']],
  ]);
});

test('the protection report does not say that environments are in order that cannot be read', async () => {
  expect((await report([], { environments: undefined })).environments).toBeUndefined();
});
