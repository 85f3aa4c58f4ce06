import type { Database, DatabaseState, Environment, Estate, Role, Snapshot, User } from './estate.ts';
import { Refusal } from './refusal.ts';

/** Whether developers may use an endpoint on anything, on records that they own, or not at all. */
export type Permission = 'any' | 'own' | 'none';

const permissions: Record<Role, (developer: Permission) => Permission> = {
  DBA: () => 'any',
  DEVELOPER: developer => developer,
  AUDITOR: () => 'none',
};

/** Throws NOT_PERMITTED unless the caller's role allows this write, on this record where it must be their own. */
export function checkPermission(
  caller: User,
  operation: string,
  developer: Permission,
  record?: { id: string; owner?: string | undefined },
): void {
  const permission = permissions[caller.role](developer);
  if (permission === 'any') return;
  if (permission === 'own' && record?.owner === caller.username) return;
  const reason = permission === 'own' && record ? ` on ${record.id}, which is not theirs` : '';
  throw new Refusal('NOT_PERMITTED', `${caller.username} (${caller.role}) may not ask for ${operation}${reason}`);
}

/** Throws WRONG_STATE unless the database is in one of these states. */
export function checkState(
  operation: string,
  { id, state, usable }: Database,
  { states, isForUnusable = false }: { states: readonly DatabaseState[]; isForUnusable?: boolean },
): void {
  if (!usable && !isForUnusable) throw new Refusal('WRONG_STATE', `${id} is ${state}: it was not created to its end`);
  if (!states.includes(state))
    throw new Refusal('WRONG_STATE', `${id} is ${state}; ${operation} needs ${states.join(' or ')}`);
}

/** Throws WRONG_STATE unless the clone is virtual (a staging clone is). */
export function checkVirtual(operation: string, { id, cloneType }: Database): void {
  if (cloneType === 'PHYSICAL')
    throw new Refusal('WRONG_STATE', `${id} is a physical clone; ${operation} is for virtual ones`);
}

/** Rule 1 (spec §3): nothing is executed on a disabled environment, the deletion of its databases included. */
export function checkEnabled(environment: Environment | undefined): void {
  if (environment === undefined || (environment.enabled && environment.state !== 'DELETING')) return;
  const { id, name, state } = environment;
  throw new Refusal('ENVIRONMENT_DISABLED', `${id} (${name}) is ${state}; operations on it wait until it is enabled`);
}

/** The clones that need this database or its snapshots. A physical clone needs them only until it is made. */
export function dependentClones(estate: Estate, database: Database): readonly Database[] {
  const snapshots = new Set(database.snapshots.map(({ id }) => id));
  return [...estate.databases.values()].filter(
    clone =>
      dependsOnItsSource(clone) &&
      (clone.sourceDatabase === database.id || (clone.snapshot !== undefined && snapshots.has(clone.snapshot))),
  );
}

function dependsOnItsSource({ cloneType, state }: Database): boolean {
  return cloneType === 'PHYSICAL' ? state === 'CREATING' : cloneType !== undefined;
}

/** Rule 2 (spec §3). Throws HAS_DEPENDENT_CLONES. */
export function checkNoDependents(estate: Estate, database: Database): void {
  const dependents = dependentClones(estate, database);
  if (dependents.length === 0) return;
  const names = dependents.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new Refusal('HAS_DEPENDENT_CLONES', `${database.id} has dependent clones: ${names}`);
}

/** Rule 3 (spec §3). Throws SNAPSHOT_IN_USE or LAST_SNAPSHOT. */
export function checkSnapshotFree(estate: Estate, database: Database, snapshot: Snapshot): void {
  const clones = [...estate.databases.values()].filter(
    clone => clone.snapshot === snapshot.id && dependsOnItsSource(clone),
  );
  if (clones.length > 0) {
    const names = clones.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new Refusal('SNAPSHOT_IN_USE', `${snapshot.id} is referenced by clones: ${names}`);
  }
  const others = database.snapshots.filter(({ id, state }) => id !== snapshot.id && state === 'AVAILABLE');
  if (others.length === 0)
    throw new Refusal('LAST_SNAPSHOT', `${snapshot.id} is the last remaining snapshot of ${database.id}`);
}
