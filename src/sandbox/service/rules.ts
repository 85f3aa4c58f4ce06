import type { Database, DatabaseState, Environment, Estate, Role, Snapshot, User } from './estate.ts';
import { Refusal } from './refusal.ts';

/** Every write of the service, named by its path; virtual and physical clones and both backups follow one rule each. */
export const writes = [
  'database/sync',
  'database/refresh',
  'database/disable',
  'database/enable',
  'database/delete',
  'snapshot/delete',
  'database/snapshot/mount',
  'database/stop',
  'database/start',
  'database/reset',
  'database/clone/create',
  'database/duplicate/create',
  'database/clone/share',
  'database/clone/switch',
  'database/restore',
  'environment/refresh',
  'environment/disable',
  'environment/enable',
  'environment/delete',
  'user/delete',
  'project/delete',
] as const;
export type Write = (typeof writes)[number];

/** What developers may do: to anything, to their own clones, or not at all. The specification shows no role (§5.5). */
const developer = {
  'database/sync': 'any',
  'database/refresh': 'any',
  'database/disable': 'none',
  'database/enable': 'none',
  'database/delete': 'own',
  'snapshot/delete': 'none',
  'database/snapshot/mount': 'any',
  'database/stop': 'own',
  'database/start': 'own',
  'database/reset': 'own',
  'database/clone/create': 'any',
  'database/duplicate/create': 'any',
  'database/clone/share': 'any',
  'database/clone/switch': 'own',
  'database/restore': 'none',
  'environment/refresh': 'any',
  'environment/disable': 'none',
  'environment/enable': 'none',
  'environment/delete': 'none',
  'user/delete': 'none',
  'project/delete': 'none',
} as const satisfies Record<Write, 'any' | 'own' | 'none'>;

type Permission = (typeof developer)[Write];
const permissions: Record<Role, (write: Write) => Permission> = {
  DBA: () => 'any',
  DEVELOPER: write => developer[write],
  AUDITOR: () => 'none',
};

/** Throws NOT_PERMITTED unless the caller's role allows this write, on this record where it must be their own. */
export function checkPermission(caller: User, write: Write, record?: { id: string; owner?: string | undefined }): void {
  const permission = permissions[caller.role](write);
  if (permission === 'any') return;
  if (permission === 'own' && record?.owner === caller.username) return;
  const reason = permission === 'own' && record ? ` on ${record.id}, which is not theirs` : '';
  throw new Refusal('NOT_PERMITTED', `${caller.username} (${caller.role}) may not ask for ${write}${reason}`);
}

/** The writes that concern a database, a clone or a snapshot. */
export type DatabaseWrite = Extract<Write, `database/${string}` | 'snapshot/delete'>;

const settled = ['RUNNING', 'STOPPED', 'DISABLED', 'FAILED'] as const;
/** In which states of its database a write is taken (spec §3 shows none). A failed job can always be tried again. */
const allowedStates: Record<DatabaseWrite, readonly DatabaseState[]> = {
  'database/sync': ['RUNNING', 'FAILED'],
  'database/refresh': ['RUNNING', 'STOPPED', 'FAILED'],
  'database/disable': ['RUNNING', 'FAILED'],
  'database/enable': ['DISABLED', 'FAILED'],
  'database/delete': settled,
  'snapshot/delete': settled,
  'database/snapshot/mount': ['RUNNING', 'FAILED', 'BACKING_UP'],
  'database/stop': ['RUNNING', 'FAILED'],
  'database/start': ['STOPPED', 'FAILED'],
  'database/reset': ['RUNNING', 'STOPPED', 'FAILED'],
  'database/clone/create': [...settled, 'BACKING_UP', 'REFRESHING', 'RESTORING'],
  'database/duplicate/create': [...settled, 'BACKING_UP', 'REFRESHING', 'RESTORING'],
  'database/clone/share': ['RUNNING', 'STOPPED'],
  'database/clone/switch': ['RUNNING', 'STOPPED', 'FAILED'],
  'database/restore': ['RUNNING', 'FAILED'],
};

/** Throws WRONG_STATE unless the database's state allows this write. */
export function checkState(write: DatabaseWrite, database: Database): void {
  const allowed = allowedStates[write];
  if (!database.usable && write !== 'database/delete')
    throw new Refusal('WRONG_STATE', `${database.id} is ${database.state}: it was not created to its end`);
  if (!allowed.includes(database.state))
    throw new Refusal('WRONG_STATE', `${database.id} is ${database.state}; ${write} needs ${allowed.join(' or ')}`);
}

/** Throws WRONG_STATE unless the clone is virtual (a staging clone is). */
export function checkVirtual(write: DatabaseWrite, database: Database): void {
  if (database.cloneType === 'PHYSICAL')
    throw new Refusal('WRONG_STATE', `${database.id} is a physical clone; ${write} is for virtual ones`);
}

/** Rule 1 (spec §3): nothing is executed on a disabled environment, its deletion included. */
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
