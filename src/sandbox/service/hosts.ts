import type { Context } from './endpoint.ts';
import { discover } from './endpoints/environments.ts';
import { backUpData } from './endpoints/snapshots.ts';
import type { Engine, Engines, Host } from './engine.ts';
import { type Environment, type Estate, nextIdentifier } from './estate.ts';
import { cloneKinds, installKinds, liveKinds, snapshotKinds, type Vendor, vendors } from './identifiers.ts';
import type { Log } from './jobs.ts';
import type { Kept } from './keptEstate.ts';

/**
 * Takes everything simulated of the vendors whose engine has a host out of an estate, and lets their numbers begin
 * anew. All other identifiers stay, so that a guide that names them is right with a real engine, too.
 */
export function leaveToHosts({ estate, undiscovered }: Kept, engines: Engines): void {
  const real = vendors.filter(vendor => engines[vendor].host !== undefined);
  if (real.length === 0) return;
  const simulated = ({ vendor }: { vendor: Vendor }) => !real.includes(vendor);
  for (const [id, database] of estate.databases) if (!simulated(database)) estate.databases.delete(id);
  for (const [id, environment] of estate.environments) {
    environment.installs = environment.installs.filter(simulated);
    // The example names these users after the vendor that they are for.
    environment.environmentUsers = environment.environmentUsers.filter(
      ({ name }) => !real.some(vendor => vendor.toLowerCase() === name),
    );
    if (environment.installs.length === 0) estate.environments.delete(id);
  }
  for (const [id, found] of undiscovered) undiscovered.set(id, found.filter(simulated));
  for (const vendor of real)
    for (const kinds of [liveKinds, cloneKinds, snapshotKinds, installKinds]) estate.numbers.delete(kinds[vendor]);
}

/** The vendors that a kept estate simulates and an engine does not, or the other way round. */
export function mismatchedVendors({ databases, environments }: Estate, engines: Engines): readonly Vendor[] {
  const told = [
    ...databases.values(),
    ...[...environments.values()].flatMap(({ installs, simulated }) =>
      installs.map(({ vendor }) => ({ vendor, simulated })),
    ),
  ];
  return vendors.filter(vendor =>
    told.some(record => record.vendor === vendor && record.simulated !== engines[vendor].simulated),
  );
}

/** Shows the host of every engine that has one as an environment: the one of earlier starts, or a new one at the end. */
export function showHosts({ estate, engines, clock }: Pick<Context, 'estate' | 'engines' | 'clock'>): void {
  for (const engine of new Set(Object.values(engines))) {
    if (engine.host === undefined) continue;
    const known = environmentOf(estate, engine);
    if (known === undefined) add(estate, engine.host, engine.simulated, clock.now());
    else Object.assign(known, partsOf(estate, engine.host, known));
  }
}

function add(estate: Estate, host: Host, simulated: boolean, now: number): void {
  const id = nextIdentifier(estate, 'HOST_ENVIRONMENT');
  estate.environments.set(id, {
    id,
    name: host.name,
    state: 'ENABLED',
    enabled: true,
    simulated,
    ...partsOf(estate, host),
    createdAt: now,
    updatedAt: now,
  });
}

/** The fields of an environment that come from its host. An install or a user that was there before keeps its identifier. */
function partsOf(estate: Estate, { host, operatingSystem, installs, users, facts }: Host, known?: Environment) {
  return {
    host,
    operatingSystem,
    facts,
    installs: installs.map(install => {
      const same = known?.installs.find(({ vendor, path }) => vendor === install.vendor && path === install.path);
      return { id: same?.id ?? nextIdentifier(estate, installKinds[install.vendor]), ...install };
    }),
    environmentUsers: users.map(
      name =>
        known?.environmentUsers.find(user => user.name === name) ?? {
          id: nextIdentifier(estate, 'ENVIRONMENT_USER'),
          name,
        },
    ),
  };
}

/** By name, among the real ones for a real engine: the example may have an environment of the same name. */
function environmentOf(estate: Estate, { host, simulated }: Engine): Environment | undefined {
  return [...estate.environments.values()].find(known => known.simulated === simulated && known.name === host?.name);
}

const effects = { pace: 1, fault: false };

/**
 * Discovers what is on every host that was never looked at, and backs it up, so that a clone can be asked for at once.
 * Never rejects: what failed stands in its record.
 */
export async function firstLook(context: Context, log: Log): Promise<void> {
  const { estate, engines } = context;
  for (const engine of new Set(Object.values(engines))) {
    const environment = engine.host && environmentOf(estate, engine);
    if (environment === undefined || environment.refreshedAt !== undefined || !environment.enabled) continue;
    try {
      await discover({ context, operation: 'environment/refresh', effects, environment });
      const live = [...estate.databases.values()].filter(
        database => database.environment === environment.id && database.cloneType === undefined,
      );
      await Promise.all(live.map(database => backUpData({ context, operation: 'database/sync', effects, database })));
    } catch (error) {
      log(`the first look at ${environment.name} was not begun: ${error}`);
    }
  }
}
