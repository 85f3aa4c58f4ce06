import {
  type Database,
  type Environment,
  type Estate,
  type Install,
  nextIdentifier,
  type Project,
  type Snapshot,
  type User,
} from './estate.ts';
import { cloneKinds, installKinds, liveKinds, snapshotKinds, type Vendor } from './identifiers.ts';
import type { Kept } from './keptEstate.ts';
import {
  type Clone,
  clones,
  disabledEnvironment,
  environments,
  type Live,
  live,
  people,
  projects,
  undiscovered,
  versions,
} from './seed.ts';
import { connection } from './simulated.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** An estate that is being made: every part takes its identifier from there, and its times lie before `now`. */
type Making = { estate: Estate; now: number };

/** The estate to try the service on; its times lie before `now`. Everything in it is simulated. */
export function exampleEstate(now: number): Kept {
  const estate: Estate = {
    databases: new Map(),
    environments: new Map(),
    users: new Map(),
    projects: new Map(),
    numbers: new Map(),
  };
  const making: Making = { estate, now };
  for (const row of projects) add(estate.projects, exampleProject(making, row));
  for (const row of people) add(estate.users, exampleUser(making, row));
  for (const row of environments) add(estate.environments, exampleEnvironment(making, row));
  for (const row of live) add(estate.databases, connected(estate, liveDatabase(making, row)));
  for (const row of clones) add(estate.databases, connected(estate, cloneDatabase(making, row)));
  return {
    estate,
    undiscovered: new Map([...estate.environments.values()].map(({ id, name }) => [id, undiscovered[name] ?? []])),
  };
}

function add<Item extends { id: string }>(items: Map<string, Item>, item: Item): void {
  items.set(item.id, item);
}

/** The record with this name. Throws where the tables name one that they have not. */
function named<Item extends { name: string }>(items: ReadonlyMap<string, Item>, name: string): Item {
  const found = [...items.values()].find(item => item.name === name);
  if (found === undefined) throw new Error(`the example has no ${name}`);
  return found;
}

function exampleProject({ estate, now }: Making, [name, description]: (typeof projects)[number]): Project {
  return { id: nextIdentifier(estate, 'PROJECT'), name, description, state: 'ACTIVE', createdAt: now - 400 * day };
}

function exampleUser({ estate, now }: Making, [username, fullName, role, more = {}]: (typeof people)[number]): User {
  const { locked, tokenLifetime } = more;
  return {
    id: nextIdentifier(estate, 'USER'),
    username,
    password: locked ? undefined : `${username}-password`,
    fullName,
    email: `${username}@example.com`,
    role,
    state: locked ? 'LOCKED' : 'ACTIVE',
    tokenLifetime,
    createdAt: now - 300 * day,
  };
}

function exampleEnvironment(
  { estate, now }: Making,
  [name, operatingSystem, installed]: (typeof environments)[number],
): Environment {
  const enabled = name !== disabledEnvironment;
  return {
    id: nextIdentifier(estate, 'HOST_ENVIRONMENT'),
    name,
    host: `${name}.example.com`,
    operatingSystem,
    state: enabled ? 'ENABLED' : 'DISABLED',
    enabled,
    installs: installed.map(
      (vendor): Install => ({
        id: nextIdentifier(estate, installKinds[vendor]),
        vendor,
        name: `${vendor} ${versions[vendor].version}`,
        ...versions[vendor],
      }),
    ),
    environmentUsers: [...installed.map(vendor => vendor.toLowerCase()), 'backup'].map(user => ({
      id: nextIdentifier(estate, 'ENVIRONMENT_USER'),
      name: user,
    })),
    facts: {},
    simulated: true,
    createdAt: now - 200 * day,
    updatedAt: now - 2 * day,
    refreshedAt: now - 2 * day,
  };
}

/** Where a database of this vendor lies on an environment. */
function placed({ id, environmentUsers, installs }: Environment, vendor: Vendor) {
  return {
    environment: id,
    environmentUser: environmentUsers.find(({ name }) => name === vendor.toLowerCase())?.id,
    install: installs.find(install => install.vendor === vendor)?.id,
  };
}

function connected({ environments }: Estate, database: Database): Database {
  const host = environments.get(database.environment)?.host ?? '';
  return { ...database, facts: { ...database.facts, connection: connection(database, host) } };
}

function liveDatabase(making: Making, row: Live): Database {
  const { estate, now } = making;
  const { name, vendor, on, project, port, contents, disabled, snapshots = 4, late } = row;
  const host = named(estate.environments, on);
  return {
    id: nextIdentifier(estate, liveKinds[vendor]),
    name,
    vendor,
    state: disabled ? 'DISABLED' : 'RUNNING',
    usable: true,
    ...placed(host, vendor),
    project: project === undefined ? undefined : named(estate.projects, project).id,
    port,
    ...(vendor === 'ORACLE' ? { databaseName: name, dbUniqueName: name } : {}),
    snapshots: Array.from({ length: snapshots }, (_, index) =>
      nightly(making, row, snapshots - 1 - index + Number(late ?? false), index === 0),
    ),
    contents,
    facts: { host: host.host, version: versions[vendor].version, sizeMb: 2_048 + 512 * name.length },
    simulated: true,
    createdAt: now - 150 * day,
    updatedAt: now - 10 * hour,
  };
}

/** A nightly snapshot, taken at 02:00 UTC `age` nights before the last one. */
function nightly({ estate, now }: Making, { name, vendor }: Live, age: number, full: boolean): Snapshot {
  const createdAt = Math.floor((now - 2 * hour) / day) * day - age * day + 2 * hour;
  return {
    id: nextIdentifier(estate, snapshotKinds[vendor]),
    name: `${name}-${new Date(createdAt).toISOString().slice(0, 16)}`,
    type: full ? 'FULL' : 'INCREMENTAL',
    state: 'AVAILABLE',
    createdAt,
    sizeMb: full ? 2_048 : 64 + age * 8,
  };
}

function cloneDatabase({ estate, now }: Making, { name, of, on, type, owner, port, stopped, age }: Clone): Database {
  const source = named(estate.databases, of);
  const { vendor, contents, project } = source;
  const host = named(estate.environments, on);
  return {
    id: nextIdentifier(estate, cloneKinds[vendor]),
    name,
    vendor,
    cloneType: type,
    state: stopped ? 'STOPPED' : 'RUNNING',
    usable: true,
    ...placed(host, vendor),
    project,
    owner,
    sourceDatabase: source.id,
    // A clone keeps its snapshot: the newest and the oldest stay free, so that a deletion can be tried.
    snapshot: source.snapshots[1]?.id,
    mountBase: `/mnt/${name}`,
    port,
    ...(vendor === 'ORACLE' ? { databaseName: name } : {}),
    snapshots: [],
    contents,
    facts: { host: host.host, version: versions[vendor].version },
    simulated: true,
    createdAt: now - age * day,
    updatedAt: now - age * day + hour,
  };
}
