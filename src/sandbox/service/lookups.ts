import type { Fault } from './engine.ts';
import { availableSnapshots, type Database, type Environment, type Estate, type Snapshot } from './estate.ts';
import { cloneKinds, installKinds, isOfKind, liveKinds, type Vendor } from './identifiers.ts';
import { Refusal } from './refusal.ts';

/** The record with this identifier. Throws NOT_FOUND, and INVALID_REQUEST for an identifier of another kind. */
export function find<Item>(
  items: ReadonlyMap<string, Item>,
  id: string,
  kinds: readonly string[],
  field?: string | undefined,
): Item {
  if (!isOfKind(id, kinds)) throw new Refusal('INVALID_REQUEST', `${id} is not a ${kinds.join(' or ')}`, field);
  const item = items.get(id);
  if (item === undefined) throw new Refusal('NOT_FOUND', `there is no ${id}`, field);
  return item;
}

const live = Object.values(liveKinds);
const clones = Object.values(cloneKinds);

/** A live database or a clone. Throws Refusal. */
export const findDatabase = (estate: Estate, id: string, field?: string): Database =>
  find(estate.databases, id, [...live, ...clones], field);

/** A live database. Throws Refusal. */
export const findLive = (estate: Estate, id: string, field?: string): Database =>
  find(estate.databases, id, live, field);

/** A clone of any type. Throws Refusal. */
export const findClone = (estate: Estate, id: string, field?: string): Database =>
  find(estate.databases, id, clones, field);

/** An environment. Throws Refusal. */
export const findEnvironment = (estate: Estate, id: string, field?: string): Environment =>
  find(estate.environments, id, ['HOST_ENVIRONMENT'], field);

/** Throws Refusal where a project is named that is not there. */
export function checkProject(estate: Estate, id: string | undefined): void {
  if (id !== undefined) find(estate.projects, id, ['PROJECT'], 'project');
}

/** The named snapshot of this database, or its latest one when none is named (rule 4, spec §3). Throws Refusal. */
export function findSnapshot(database: Database, id: string | undefined): Snapshot {
  const snapshots = availableSnapshots(database);
  const found = id === undefined ? snapshots.at(-1) : snapshots.find(snapshot => snapshot.id === id);
  if (found !== undefined) return found;
  if (id === undefined) throw new Refusal('NO_SNAPSHOT', `${database.id} has no snapshot yet`);
  throw new Refusal('NOT_FOUND', `${database.id} has no snapshot ${id}`, 'snapshot');
}

/** Checks that a target has this install, for this vendor, and this user. Throws Refusal naming the field. */
export function checkTarget(
  environment: Environment,
  { vendor, install, environmentUser }: { vendor: Vendor; install: string; environmentUser: string },
): void {
  const installed = environment.installs.some(({ id }) => id === install);
  if (!installed || !isOfKind(install, [installKinds[vendor]]))
    throw new Refusal('INVALID_REQUEST', `${environment.id} has no ${vendor} install ${install}`, 'install');
  if (!environment.environmentUsers.some(({ id }) => id === environmentUser))
    throw new Refusal(
      'INVALID_REQUEST',
      `${environment.id} has no environment user ${environmentUser}`,
      'environmentUser',
    );
}

/** Checks that nothing on the target holds the port, the directory or the name already. Throws IN_USE. */
export function checkFree(
  estate: Estate,
  environment: Environment,
  wanted: { port?: number | undefined; mountBase?: string | undefined; name?: string | undefined },
): void {
  for (const database of estate.databases.values()) {
    if (database.environment !== environment.id) continue;
    const clash = (field: string, value: unknown) =>
      new Refusal('IN_USE', `${value} is in use by ${database.id} on ${environment.id}`, field);
    if (wanted.port !== undefined && database.port === wanted.port) throw clash('port', wanted.port);
    if (wanted.mountBase !== undefined && database.mountBase === wanted.mountBase)
      throw clash('mountBase', wanted.mountBase);
    if (wanted.name !== undefined && database.name.toUpperCase() === wanted.name.toUpperCase())
      throw clash('databaseName', wanted.name);
  }
}

/** Refuses what the engine finds fault with. Throws INVALID_REQUEST naming the field. */
export function checkFault(fault: Fault | undefined): void {
  if (fault !== undefined) throw new Refusal('INVALID_REQUEST', fault.message, fault.field);
}
