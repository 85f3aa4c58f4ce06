import type { Found } from './engine.ts';
import type { Contents, Role } from './estate.ts';
import type { Vendor } from './identifiers.ts';

/* The tables of the example estate. The number of a row is the number of its identifier, counted by kind. */

export const versions: Record<Vendor, { version: string; path: string }> = {
  ORACLE: { version: '19.22', path: '/u01/app/oracle/product/19c/dbhome_1' },
  MYSQL: { version: '8.4.3', path: '/usr/local/mysql-8.4' },
  MARIADB: { version: '10.11.9', path: '/usr/local/mariadb-10.11' },
};

/** Name, operating system, vendors installed. The number of a row is the number of its identifier. */
export const environments: readonly [string, string, readonly Vendor[]][] = [
  ['oracle-prod', 'Oracle Linux 8.9', ['ORACLE']],
  ['mysql-prod', 'Debian 12', ['MYSQL']],
  ['mariadb-prod', 'Debian 12', ['MARIADB']],
  ['dev', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['test', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['perf-lab', 'Rocky Linux 9.4', ['ORACLE', 'MYSQL', 'MARIADB']],
  ['retired', 'Debian 10', ['MYSQL']],
];
export const disabledEnvironment = 'perf-lab';

export const projects: readonly [string, string][] = [
  ['web-shop', 'Everything that customers see'],
  ['finance', 'Billing, payroll and the ledger'],
  ['logistics', 'Warehouse and carriers'],
  ['migration-2024', 'Finished: can be deleted'],
];

export const people: readonly [string, string, Role, { locked?: true; tokenLifetime?: number }?][] = [
  ['ana', 'Ana Duarte', 'DBA'],
  ['ben', 'Ben Okafor', 'DEVELOPER'],
  ['chi', 'Chi Nguyen', 'DEVELOPER'],
  ['dev', 'Dev Sharma', 'DBA'],
  ['eve', 'Eve Lindqvist', 'AUDITOR'],
  ['expired', 'Short Session', 'DEVELOPER', { tokenLifetime: 60_000 }],
  ['frank', 'Frank Meyer (left)', 'DEVELOPER', { locked: true }],
];

export type Live = {
  name: string;
  vendor: Vendor;
  on: string;
  project?: string;
  port?: number;
  contents: Contents;
  disabled?: true;
  snapshots?: number;
  /** Whether nothing was backed up last night. */
  late?: true;
};

const oracleTablespaces = ['SYSTEM', 'SYSAUX', 'UNDOTBS1', 'USERS'];

/** The live databases; `snapshots` is 4 when left out. Two carry a provoking word in their names, so that identifiers alone can provoke (failures.ts). */
export const live: readonly Live[] = [
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
  {
    name: 'loadtest',
    vendor: 'MYSQL',
    on: disabledEnvironment,
    port: 3306,
    contents: { databases: ['sbtest'] },
    late: true,
  },
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
    snapshots: 1,
  },
  {
    name: 'failing_feed',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    port: 3309,
    contents: { databases: ['feed'] },
    snapshots: 3,
    late: true,
  },
  {
    name: 'archive_2023',
    vendor: 'MARIADB',
    on: 'mariadb-prod',
    project: 'finance',
    port: 3310,
    contents: { databases: ['archive'] },
    disabled: true,
    late: true,
  },
];

/** `age` in days: younger than the snapshot, which is at least as many nights old. */
export type Clone = {
  name: string;
  of: string;
  on: string;
  type: 'VIRTUALCLONE' | 'PHYSICAL';
  owner: string;
  port?: number;
  stopped?: true;
  age: number;
};

export const clones: readonly Clone[] = [
  { name: 'PAYDEV', of: 'payroll', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', age: 2 },
  { name: 'CRMTEST', of: 'crm', on: 'test', type: 'PHYSICAL', owner: 'ana', age: 2 },
  { name: 'WHDEV', of: 'warehouse', on: 'dev', type: 'VIRTUALCLONE', owner: 'chi', age: 2, stopped: true },
  { name: 'orders-3320', of: 'orders', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', age: 1, port: 3320 },
  {
    name: 'orders-3321',
    of: 'orders',
    on: 'test',
    type: 'VIRTUALCLONE',
    owner: 'chi',
    age: 2,
    port: 3321,
    stopped: true,
  },
  { name: 'shop-3322', of: 'shop', on: 'test', type: 'PHYSICAL', owner: 'dev', age: 1, port: 3322 },
  { name: 'billing-3330', of: 'billing', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', age: 1, port: 3330 },
  {
    name: 'inventory-3331',
    of: 'inventory',
    on: 'test',
    type: 'VIRTUALCLONE',
    owner: 'ana',
    age: 2,
    port: 3331,
    stopped: true,
  },
  { name: 'failing_feed-3332', of: 'failing_feed', on: 'dev', type: 'VIRTUALCLONE', owner: 'ben', age: 1, port: 3332 },
];

/** The databases that the first discovery on an environment finds. */
export const undiscovered: Readonly<Record<string, readonly Found[]>> = {
  'oracle-prod': [
    { name: 'ledger', vendor: 'ORACLE', contents: { tablespaces: [...oracleTablespaces, 'LEDGER_DATA'] } },
  ],
  'mysql-prod': [{ name: 'newsletter', vendor: 'MYSQL', port: 3316, contents: { databases: ['newsletter'] } }],
  'mariadb-prod': [{ name: 'surveys', vendor: 'MARIADB', port: 3316, contents: { databases: ['surveys'] } }],
};
