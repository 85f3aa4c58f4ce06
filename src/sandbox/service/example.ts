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

/** The estate to try the service on; its times lie before `now`. Everything in it is simulated. */
export function exampleEstate(now: number): Kept {
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
  const give = (kind: string) => nextIdentifier(estate, kind);

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
  for (const row of live) sources.set(row.name, add(estate.databases, connected(liveDatabase(row))));
  for (const row of clones) add(estate.databases, connected(cloneDatabase(row)));

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
      facts: {},
      simulated: true,
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

  function connected(database: Database): Database {
    const host = estate.environments.get(database.environment)?.host ?? '';
    return { ...database, facts: { ...database.facts, connection: connection(database, host) } };
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
      snapshots: Array.from({ length: snapshots }, (_, index) =>
        snapshot(name, vendor, snapshots - index, index === 0),
      ),
      contents,
      facts: { host: host?.host ?? null, version: versions[vendor].version, sizeMb: 2_048 + 512 * name.length },
      simulated: true,
      createdAt: now - 150 * day,
      updatedAt: now - 10 * hour,
    };
  }

  /** A nightly snapshot, `age` nights old, taken at 02:00 UTC. */
  function snapshot(name: string, vendor: Vendor, age: number, full: boolean): Snapshot {
    const createdAt = Math.floor(now / day) * day - age * day + 2 * hour;
    return {
      id: give(snapshotKinds[vendor]),
      name: `${name}-${new Date(createdAt).toISOString().slice(0, 16)}`,
      type: full ? 'FULL' : 'INCREMENTAL',
      state: 'AVAILABLE',
      createdAt,
      sizeMb: full ? 2_048 : 64 + age * 8,
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
