import type { Found } from './engine.ts';
import type { Contents, Database, Environment, Estate, Install, Project, Role, Snapshot, User } from './estate.ts';
import { cloneKinds, installKinds, liveKinds, snapshotKinds, type Vendor } from './identifiers.ts';

const hour = 3_600_000;
const day = 24 * hour;

const versions: Record<Vendor, { version: string; path: string }> = {
  ORACLE: { version: '19.22', path: '/u01/app/oracle/product/19c/dbhome_1' },
  MYSQL: { version: '8.4.3', path: '/usr/local/mysql-8.4' },
  MARIADB: { version: '10.11.9', path: '/usr/local/mariadb-10.11' },
};

/** Name, operating system, vendors installed. The number of a row is the number of its identifier. */
const environments: readonly [string, string, readonly Vendor[]][] = [
  ['oracle-prod', 'Oracle Linux 8.9', ['ORACLE']],
  ['mysql-prod', 'Debian 12', ['MYSQL']],
  ['mariadb-prod', 'Debian 12', ['MARIADB']],
  ['dev', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['test', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['perf-lab', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['retired', 'Debian 10', ['MYSQL']],
];
const disabledEnvironment = 'perf-lab';

const projects: readonly [string, string][] = [
  ['web-shop', 'Everything that customers see'],
  ['finance', 'Billing, payroll and the ledger'],
  ['logistics', 'Warehouse and carriers'],
  ['migration-2024', 'Finished: can be deleted'],
];

const people: readonly [string, string, Role, { locked?: true; tokenLifetime?: number }?][] = [
  ['ana', 'Ana Duarte', 'DBA'],
  ['ben', 'Ben Okafor', 'DEVELOPER'],
  ['chi', 'Chi Nguyen', 'DEVELOPER'],
  ['dev', 'Dev Sharma', 'DBA'],
  ['eve', 'Eve Lindqvist', 'AUDITOR'],
  ['expired', 'Short Session', 'DEVELOPER', { tokenLifetime: 60_000 }],
  ['frank', 'Frank Meyer (left)', 'DEVELOPER', { locked: true }],
];

type Live = {
  name: string;
  vendor: Vendor;
  on: string;
  project?: string;
  port?: number;
  contents: Contents;
  disabled?: true;
  snapshots?: number;
};

const oracleTablespaces = ['SYSTEM', 'SYSAUX', 'UNDOTBS1', 'USERS'];

/** The live databases. Two carry a provoking word in their names, so that identifiers alone can provoke (failures.ts). */
const live: readonly Live[] = [
  {
    name: 'payroll',
    vendor: 'ORACLE',
    on: 'oracle-prod',
    project: 'finance',
    contents: { tablespaces: [...oracleTablespaces, 'PAYROLL_DATA', 'PAYROLL_IDX'] },
  },
  {
    name: 'crm',
    vendor: 'ORACLE',
    on: 'oracle-prod',
    project: 'web-shop',
    contents: { tablespaces: [...oracleTablespaces, 'CRM_DATA'] },
  },
  {
    name: 'warehouse',
    vendor: 'ORACLE',
    on: 'oracle-prod',
    project: 'logistics',
    contents: {
      pluggableDatabases: ['STOCK', 'CARRIERS', 'REPORTS'],
      tablespaces: [...oracleTablespaces, 'STOCK_DATA'],
    },
  },
  {
    name: 'orders',
    vendor: 'MYSQL',
    on: 'mysql-prod',
    project: 'web-shop',
    port: 3306,
    contents: { databases: ['orders', 'orders_archive'] },
  },
  {
    name: 'shop',
    vendor: 'MYSQL',
    on: 'mysql-prod',
    project: 'web-shop',
    port: 3307,
    contents: { databases: ['catalogue', 'prices', 'reviews'] },
  },
  { name: 'slow_reports', vendor: 'MYSQL', on: 'mysql-prod', port: 3308, contents: { databases: ['reports'] } },
  { name: 'loadtest', vendor: 'MYSQL', on: disabledEnvironment, port: 3306, contents: { databases: ['sbtest'] } },
  {
    name: 'billing',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    project: 'finance',
    port: 3306,
    contents: { databases: ['invoices', 'ledger'] },
  },
  {
    name: 'inventory',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    project: 'logistics',
    port: 3307,
    contents: { databases: ['inventory'] },
  },
  {
    name: 'helpdesk',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    port: 3308,
    contents: { databases: ['tickets', 'people'] },
  },
  {
    name: 'failing_feed',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    port: 3309,
    contents: { databases: ['feed'] },
    snapshots: 1,
  },
  {
    name: 'archive_2023',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    project: 'finance',
    port: 3310,
    contents: { databases: ['archive'] },
    disabled: true,
  },
];

type Clone = {
  name: string;
  of: string;
  on: string;
  type: 'VIRTUALCLONE' | 'PHYSICAL';
  owner: string;
  port?: number;
  stopped?: true;
  age: number;
};

const clones: readonly Clone[] = [
  { name: 'PAYDEV', of: 'payroll', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', age: 3 },
  { name: 'CRMTEST', of: 'crm', on: 'test', type: 'PHYSICAL', owner: 'ana', age: 20 },
  { name: 'WHDEV', of: 'warehouse', on: 'dev', type: 'VIRTUALCLONE', owner: 'chi', stopped: true, age: 6 },
  { name: 'orders-3320', of: 'orders', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', port: 3320, age: 1 },
  {
    name: 'orders-3321',
    of: 'orders',
    on: 'test',
    type: 'VIRTUALCLONE',
    owner: 'chi',
    port: 3321,
    stopped: true,
    age: 2,
  },
  { name: 'shop-3322', of: 'shop', on: 'test', type: 'PHYSICAL', owner: 'dev', port: 3322, age: 9 },
  { name: 'billing-3330', of: 'billing', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', port: 3330, age: 1 },
  {
    name: 'inventory-3331',
    of: 'inventory',
    on: 'test',
    type: 'VIRTUALCLONE',
    owner: 'ana',
    port: 3331,
    stopped: true,
    age: 4,
  },
];

/** What the first discovery on an environment finds. */
const undiscovered: Readonly<Record<string, readonly Found[]>> = {
  'oracle-prod': [
    { name: 'ledger', vendor: 'ORACLE', contents: { tablespaces: [...oracleTablespaces, 'LEDGER_DATA'] } },
  ],
  'mysql-prod': [{ name: 'newsletter', vendor: 'MYSQL', port: 3316, contents: { databases: ['newsletter'] } }],
  'mariadb-prod': [{ name: 'surveys', vendor: 'MARIADB', port: 3316, contents: { databases: ['surveys'] } }],
};

export type Example = { estate: Estate; undiscovered: Map<string, readonly Found[]> };

/** The estate to try the service on; its times lie before `now`. Everything in it is simulated. */
export function exampleEstate(now: number): Example {
  const estate: Estate = {
    databases: new Map(),
    environments: new Map(),
    users: new Map(),
    projects: new Map(),
    numbers: new Map(),
  };
  const add = <Item extends { id: string }>(items: Map<string, Item>, item: Item): Item => {
    items.set(item.id, item);
    return item;
  };
  const give = (kind: string): string => {
    const number = (estate.numbers.get(kind) ?? 0) + 1;
    estate.numbers.set(kind, number);
    return `${kind}-${number}`;
  };

  const projectsByName = new Map<string, Project>();
  for (const [name, description] of projects)
    projectsByName.set(
      name,
      add(estate.projects, { id: give('PROJECT'), name, description, state: 'ACTIVE', createdAt: now - 400 * day }),
    );
  for (const [username, fullName, role, { locked, tokenLifetime } = {}] of people)
    add<User>(estate.users, {
      id: give('USER'),
      username,
      password: locked ? undefined : `${username}-password`,
      fullName,
      email: `${username}@example.com`,
      role,
      state: locked ? 'LOCKED' : 'ACTIVE',
      tokenLifetime,
      createdAt: now - 300 * day,
    });

  const hosts = new Map<string, Environment>();
  for (const [name, operatingSystem, installed] of environments)
    hosts.set(name, add(estate.environments, environment(name, operatingSystem, installed)));

  const sources = new Map<string, Database>();
  for (const row of live) sources.set(row.name, add(estate.databases, liveDatabase(row)));
  for (const row of clones) add(estate.databases, cloneDatabase(row));

  return {
    estate,
    undiscovered: new Map([...hosts].map(([name, { id }]) => [id, undiscovered[name] ?? []])),
  };

  function environment(name: string, operatingSystem: string, installed: readonly Vendor[]): Environment {
    const enabled = name !== disabledEnvironment;
    return {
      id: give('HOST_ENVIRONMENT'),
      name,
      host: `${name}.example.com`,
      operatingSystem,
      state: enabled ? 'ENABLED' : 'DISABLED',
      enabled,
      installs: installed.map(
        (vendor): Install => ({
          id: give(installKinds[vendor]),
          vendor,
          name: `${vendor} ${versions[vendor].version}`,
          ...versions[vendor],
        }),
      ),
      environmentUsers: [...installed.map(vendor => vendor.toLowerCase()), 'backup'].map(user => ({
        id: give('ENVIRONMENT_USER'),
        name: user,
      })),
      createdAt: now - 200 * day,
      updatedAt: now - 2 * day,
      refreshedAt: now - 2 * day,
    };
  }

  function placed(host: Environment | undefined, vendor: Vendor) {
    if (host === undefined) throw new Error('the example names an environment that it has not');
    return {
      environment: host.id,
      environmentUser: host.environmentUsers.find(({ name }) => name === vendor.toLowerCase())?.id,
      install: host.installs.find(install => install.vendor === vendor)?.id,
    };
  }

  function liveDatabase({ name, vendor, on, project, port, contents, disabled, snapshots = 4 }: Live): Database {
    const host = hosts.get(on);
    return {
      id: give(liveKinds[vendor]),
      name,
      vendor,
      state: disabled ? 'DISABLED' : 'RUNNING',
      usable: true,
      ...placed(host, vendor),
      project: project === undefined ? undefined : projectsByName.get(project)?.id,
      port,
      ...(vendor === 'ORACLE' ? { databaseName: name, dbUniqueName: name } : {}),
      snapshots: Array.from({ length: snapshots }, (_, index) => snapshot(name, vendor, snapshots - index)),
      contents,
      facts: { host: host?.host ?? null, version: versions[vendor].version, sizeMb: 2_048 + 512 * name.length },
      simulated: true,
      createdAt: now - 150 * day,
      updatedAt: now - 10 * hour,
    };
  }

  /** Nightly snapshots, `age` nights old, at 02:00 UTC; the oldest is a full one. */
  function snapshot(name: string, vendor: Vendor, age: number): Snapshot {
    const createdAt = Math.floor(now / day) * day - age * day + 2 * hour;
    return {
      id: give(snapshotKinds[vendor]),
      name: `${name}-${new Date(createdAt).toISOString().slice(0, 16)}`,
      type: age === 4 ? 'FULL' : 'INCREMENTAL',
      state: 'AVAILABLE',
      createdAt,
      sizeMb: age === 4 ? 2_048 : 64 + age * 8,
    };
  }

  function cloneDatabase({ name, of, on, type, owner, port, stopped, age }: Clone): Database {
    const source = sources.get(of);
    if (source === undefined) throw new Error(`the example has no ${of}`);
    const host = hosts.get(on);
    return {
      id: give(cloneKinds[source.vendor]),
      name,
      vendor: source.vendor,
      cloneType: type,
      state: stopped ? 'STOPPED' : 'RUNNING',
      usable: true,
      ...placed(host, source.vendor),
      project: source.project,
      owner,
      sourceDatabase: source.id,
      // A clone keeps its snapshot: the newest and the oldest stay free, so that a deletion can be tried.
      snapshot: source.snapshots[1]?.id,
      mountBase: `/mnt/${name}`,
      port,
      ...(source.vendor === 'ORACLE' ? { databaseName: name } : {}),
      snapshots: [],
      contents: source.contents,
      facts: { host: host?.host ?? null, version: versions[source.vendor].version },
      simulated: true,
      createdAt: now - age * day,
      updatedAt: now - age * day + hour,
    };
  }
}
