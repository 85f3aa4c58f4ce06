import { day, hour } from '../../../src/ground/durations.ts';
import { type Database, type Environment, type Estate, nextIdentifier } from '../../../src/sandbox/service/estate.ts';
import { cloneKinds, installKinds, liveKinds, snapshotKinds } from '../../../src/sandbox/service/identifiers.ts';
import { versions } from '../../../src/sandbox/service/seed.ts';
import type { Random } from '../random.ts';
import { eve, failsEachNight, hosts, monday } from './plan.ts';

/** Words of which the names of databases are drawn: none makes the sandbox's service behave otherwise. */
const subjects = ['orders', 'ledger', 'claims', 'stock', 'payroll', 'prices', 'tickets', 'fleet', 'loans', 'members'];
const parts = ['core', 'eu', 'us', 'jp', 'archive', 'staging', 'mart', 'hub'];

/** Puts the ten hosts and their databases in place of what the sandbox's service begins with. */
export function fillEstate(estate: Estate, random: Random, most: number): void {
  estate.databases.clear();
  estate.environments.clear();
  for (const { name, vendor, many, hasClones } of hosts) {
    const environment = hostNamed(estate, name, vendor);
    estate.environments.set(environment.id, environment);
    for (let index = 0; index < Math.min(many, most); index++) {
      const own = index === 0 && name === failsEachNight.host ? failsEachNight.name : undefined;
      const called = own ?? `${random.one(subjects)}_${random.one(parts)}_${name.replaceAll('-', '')}_${index + 1}`;
      const database = databaseOn(estate, environment, called, 3_306 + index);
      if (hasClones) Object.assign(database, cloned(estate, environment, index));
      else addSnapshot(estate, database, monday - day + hour);
      estate.databases.set(database.id, database);
    }
  }
}

function hostNamed(estate: Estate, name: string, vendor: keyof typeof versions): Environment {
  return {
    id: nextIdentifier(estate, 'HOST_ENVIRONMENT'),
    name,
    host: `${name}.example.com`,
    operatingSystem: 'Rocky Linux 9.4',
    state: 'ENABLED',
    enabled: true,
    installs: [
      { id: nextIdentifier(estate, installKinds[vendor]), vendor, name: `${vendor} there`, ...versions[vendor] },
    ],
    environmentUsers: [{ id: nextIdentifier(estate, 'ENVIRONMENT_USER'), name: 'backup' }],
    facts: {},
    simulated: true,
    createdAt: eve - 200 * day,
    updatedAt: eve - 2 * day,
  };
}

function databaseOn(
  estate: Estate,
  { id, installs, environmentUsers }: Environment,
  name: string,
  port: number,
): Database {
  const vendor = installs[0]?.vendor ?? 'MYSQL';
  return {
    id: nextIdentifier(estate, liveKinds[vendor]),
    name,
    vendor,
    state: 'RUNNING',
    usable: true,
    environment: id,
    environmentUser: environmentUsers[0]?.id,
    install: installs[0]?.id,
    ...(vendor === 'ORACLE' ? { databaseName: name } : { port }),
    snapshots: [],
    contents: {},
    facts: {},
    simulated: true,
    createdAt: eve - 100 * day,
    updatedAt: eve - 100 * day,
  };
}

/** What makes a clone of one: its source is a database of the same kind in production. */
function cloned(estate: Estate, environment: Environment, index: number): Partial<Database> {
  const vendor = environment.installs[0]?.vendor ?? 'MYSQL';
  const source = [...estate.databases.values()].filter(one => one.vendor === vendor && one.cloneType === undefined)[
    index
  ];
  return {
    id: nextIdentifier(estate, cloneKinds[vendor]),
    cloneType: 'VIRTUALCLONE',
    owner: index % 2 === 0 ? 'ben' : 'chi',
    sourceDatabase: source?.id,
    snapshot: source?.snapshots[0]?.id,
    mountBase: `/mnt/${environment.name}/${index}`,
    createdAt: eve - 3 * day,
  };
}

/** A backup that was made without Dolly. Of many, the last ones are kept. */
export function addSnapshot(estate: Estate, database: Database, createdAt: number): void {
  const { name, vendor } = database;
  const id = nextIdentifier(estate, snapshotKinds[vendor]);
  const known = database.snapshots.filter((one, at, { length }) => at >= length - 2 || isUsed(estate, one.id));
  const snapshot = { id, name: `${name}-${id}`, type: 'FULL', state: 'AVAILABLE', createdAt } as const;
  database.snapshots = [...known, snapshot];
}

function isUsed({ databases }: Estate, snapshot: string): boolean {
  return [...databases.values()].some(one => one.snapshot === snapshot);
}

/** The live databases, or the clones, on a host. */
export function standingOn(estate: Estate, host: string, clones = false): readonly Database[] {
  const on = [...estate.environments.values()].find(({ name }) => name === host)?.id;
  return [...estate.databases.values()].filter(
    one => one.environment === on && (one.cloneType !== undefined) === clones,
  );
}
