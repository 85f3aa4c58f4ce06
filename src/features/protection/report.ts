import type { RecordView } from '../../api/reading/recordView.ts';
import type { StateClass } from '../../api/reading/stateWords.ts';
import { creationOf, farthestZone, zoneDoubt } from '../../api/reading/times.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { projectsOf } from '../../jobs/approval/facts/facts.ts';
import type { Policy } from '../../jobs/approval/policy/rules.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { backUpDatabase, backUpLogs } from '../../operations/databases.ts';
import type { Lease } from '../../store/tables/leases.ts';
import { backupCoverage, type Coverage, isYoungInEveryZone, logsCoverage } from './coverage.ts';
import type { Inventory } from './inventory.ts';
import { type Places, type WantedProtection, wantedFor } from './protectRules.ts';

/*
 * Protection at a glance, put together from one reading of the lists. It says only what records show: a database whose
 * record shows nothing of backups is neither protected nor late.
 */

/**
 * How a live database stands, the worst first. `unseen` is one whose record does not show when it was backed up, and
 * `excused` one that is late while its environment is in maintenance.
 */
export const standings = ['never', 'late', 'unseen', 'excused', 'protected'] as const;
export type Standing = (typeof standings)[number];

/** A live database with its protection. Times are milliseconds since the epoch. */
export type ProtectedDatabase = Readonly<{
  record: RecordView;
  standing: Standing;
  backup: Coverage;
  logs: Coverage;
  /** The kinds of backup that are older than wanted. */
  lateBy: readonly ('backup' | 'logs')[];
  /** The operation that mends it, where nothing known stands in its way; `null` also for one that is not late. */
  mend: string | null;
  wanted: WantedProtection;
}>;

/** A clone with its age, where its record shows when it was made, and its lease. */
export type StandingClone = Readonly<{
  record: RecordView;
  age: number | undefined;
  lease: Lease | undefined;
  wanted: WantedProtection;
  /** Whether it has no lease and is older than clones are to become. */
  isOld: boolean;
}>;

/** A disabled environment, with the databases and clones on it. */
type HeldUp = Readonly<{ environment: RecordView; held: readonly RecordView[] }>;

/** Everything that a report tells; each list has the worst first. */
export type ProtectionReport = Readonly<{
  at: number;
  databases: readonly ProtectedDatabase[];
  clones: readonly StandingClone[];
  failed: readonly RecordView[];
  disabled: readonly RecordView[];
  /** `undefined` where the list of environments could not be read. */
  environments: readonly HeldUp[] | undefined;
  /** Whether a list was too long to be read whole: then nothing is said of the rest. */
  isPart: boolean;
  /** The number of databases of which the list shows no backup, and whose own records had no turn to be read. */
  unread: number;
}>;

/** Puts a report together, in slices: there may be fifty thousand databases. */
export async function protectionReport(
  policy: Pick<Policy, 'protect'>,
  { at, nowThere = at, live, clones, environments, leases, maintained, isPart, alone, unread }: Inventory,
): Promise<ProtectionReport> {
  const shown = environments ?? [];
  const databases = [...live, ...clones];
  // Few facts of a record are read quickly: the others are read only where they matter.
  const inProject = await mapInSlices(
    policy.protect.some(({ project }) => project !== undefined) ? databases : [],
    record => projectsOf(record).length > 0,
  );
  const places: Places = {
    names: new Map(shown.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const]))),
    showsProjects: inProject.includes(true),
  };
  const leaseOf = new Map(leases.map(lease => [lease.record, lease]));
  const everything = [...databases, ...shown];
  const states = await mapInSlices(everything, ({ state }) => state?.class);
  const isExcused = ({ id, environment }: RecordView) =>
    maintained.has(id.text) || (environment !== undefined && maintained.has(environment.id.text));
  const inState = (state: StateClass) => everything.filter((one, at) => states[at] === state && !isExcused(one));
  const closed = inState('disabled').filter(isEnvironment);
  // Only a disabled environment stands in the way of what mends a database.
  const closedBy = new Map(closed.map(environment => [environment.id.text, environment]));
  const standing = await mapInSlices(live, record => {
    const shown = backupCoverage(record, nowThere);
    // Only its own record says that a database was never backed up.
    const backup = shown.type === 'never' && !alone.has(record.id.text) ? ({ type: 'unseen' } as const) : shown;
    const isKnown = maintained.size > 0 && isExcused(record);
    const wanted = wantedFor(policy, record, places);
    const stands = protectionOf({ record, backup, wanted, isExcused: isKnown, at, nowThere });
    return { ...stands, mend: mendOf(stands, closedBy) };
  });
  const aged = await mapInSlices(clones, record =>
    cloneOf(record, { lease: leaseOf.get(record.id.text), wanted: wantedFor(policy, record, places), at }),
  );
  return {
    ...{ at, isPart, unread },
    databases: await sortInSlices(standing, byStanding),
    clones: await sortInSlices(aged, byAge),
    failed: inState('failed'),
    disabled: inState('disabled').filter(one => !isEnvironment(one)),
    environments: environments && (await heldUpBy(closed, databases)),
  };
}

const isEnvironment = ({ id }: RecordView) => id.noun === 'environment';

/** Disabled environments, each with the databases on it. */
async function heldUpBy(disabled: readonly RecordView[], databases: readonly RecordView[]): Promise<HeldUp[]> {
  if (disabled.length === 0) return [];
  const places = await mapInSlices(databases, ({ environment }) => environment?.id.text);
  const held = Map.groupBy(databases.keys(), at => places[at]);
  return disabled.map(environment => ({
    environment,
    held: (held.get(environment.id.text) ?? []).flatMap(at => databases[at] ?? []),
  }));
}

function protectionOf(
  seen: Pick<ProtectedDatabase, 'record' | 'backup' | 'wanted'> &
    Readonly<{ isExcused: boolean; at: number; nowThere: number }>,
): Omit<ProtectedDatabase, 'mend'> {
  const { record, backup, wanted, at, nowThere } = seen;
  const logs: Coverage = wanted.logs === undefined ? { type: 'unseen' } : logsCoverage(record, nowThere);
  const isKept = {
    backup: isYoungInEveryZone(backup, wanted.backup, at),
    logs: isYoungInEveryZone(logs, wanted.logs, at),
  };
  const lateBy = (['backup', 'logs'] as const).filter(kind => isKept[kind] === false);
  const standing = standingOf(backup, isKept);
  const stands = standing === 'late' && seen.isExcused ? 'excused' : standing;
  return { record, backup, logs, lateBy, wanted, standing: stands };
}

/** A disabled database is to be looked at first. `closedBy` are the disabled environments, by identifier. */
function mendOf(
  { record, standing, lateBy }: Omit<ProtectedDatabase, 'mend'>,
  closedBy: ReadonlyMap<string, RecordView>,
): string | null {
  const { id, state, isPhysical, environment } = record;
  if ((standing !== 'never' && standing !== 'late') || state?.class === 'disabled') return null;
  const operation = standing === 'late' && !lateBy.includes('backup') ? backUpLogs : backUpDatabase;
  const place = environment && closedBy.get(environment.id.text);
  return obstaclesTo(operation, { id, state, isPhysical, place }).length === 0 ? operation.name : null;
}

function standingOf({ type }: Coverage, isKept: Readonly<Record<'backup' | 'logs', boolean | undefined>>): Standing {
  if (type === 'never') return 'never';
  if (isKept.backup === false || isKept.logs === false) return 'late';
  // What the records do not show may be late as well as not.
  return type === 'at' && isKept.backup && isKept.logs ? 'protected' : 'unseen';
}

function byStanding(one: ProtectedDatabase, other: ProtectedDatabase): number {
  const order = standings.indexOf(one.standing) - standings.indexOf(other.standing);
  const since = ({ backup }: ProtectedDatabase) => (backup.type === 'at' ? backup.at : 0);
  return order || since(one) - since(other);
}

function byAge(one: StandingClone, other: StandingClone): number {
  return Number(other.isOld) - Number(one.isOld) || (other.age ?? -1) - (one.age ?? -1);
}

function cloneOf(
  record: RecordView,
  { lease, wanted, at }: Readonly<{ lease: Lease | undefined; wanted: WantedProtection; at: number }>,
): StandingClone {
  const made = creationOf(record);
  const { keepClones: most } = wanted;
  // Of tens of thousands, few are so near to the limit that the zone of their time matters.
  const isNear = made !== undefined && most !== undefined && Math.abs(at - made - most) <= farthestZone;
  const doubt = isNear ? zoneDoubt(record.createdFrom?.value) : 0;
  const age = made === undefined ? undefined : Math.max(0, at - made);
  const isOld = !lease && made !== undefined && isYoungInEveryZone({ type: 'at', at: made, doubt }, most, at) === false;
  return { record, age, lease, wanted, isOld };
}
