import type { RecordView } from '../../api/reading/recordView.ts';
import { creationOf } from '../../records/creation.ts';
import type { Lease } from '../../store/tables/leases.ts';
import { projectsOf } from '../approval/facts.ts';
import type { Policy } from '../approval/rules.ts';
import { backupCoverage, type Coverage, logsCoverage } from './coverage.ts';
import { type Places, type WantedProtection, wantedFor } from './protectRules.ts';

/*
 * Protection at a glance, put together from one reading of the lists. It says only what records show: a database whose
 * record shows nothing of backups is neither protected nor late.
 */

/** How a live database stands, the worst first. `unseen` is one whose record does not show when it was backed up. */
export const standings = ['never', 'late', 'unseen', 'protected'] as const;
export type Standing = (typeof standings)[number];

/** A live database with its protection. Times are milliseconds since the epoch. */
export type ProtectedDatabase = Readonly<{
  record: RecordView;
  standing: Standing;
  backup: Coverage;
  logs: Coverage;
  wanted: WantedProtection;
}>;

/** A clone with its age, where its record shows when it was made, and its lease. */
export type StandingClone = Readonly<{
  record: RecordView;
  age: number | undefined;
  lease: Lease | undefined;
  /** Whether it has no lease and is older than clones are to become. */
  isOld: boolean;
}>;

/** A disabled environment, with the databases and clones on it. */
export type HeldUp = Readonly<{ environment: RecordView; held: readonly RecordView[] }>;

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
}>;

/** One reading of the lists, with the leases of the clones in it. */
export type Inventory = Readonly<{
  at: number;
  live: readonly RecordView[];
  clones: readonly RecordView[];
  /** `undefined` where the list could not be read. */
  environments: readonly RecordView[] | undefined;
  leases: readonly Lease[];
  isPart: boolean;
}>;

/** Puts a report together. */
export function protectionReport(policy: Pick<Policy, 'protect'>, inventory: Inventory): ProtectionReport {
  const { at, live, clones, environments, isPart } = inventory;
  const shown = environments ?? [];
  const places: Places = {
    names: new Map(shown.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const]))),
    showsProjects: [...live, ...clones].some(record => projectsOf(record).length > 0),
  };
  const everything = [...live, ...clones, ...shown];
  const inState = (state: 'failed' | 'disabled') => everything.filter(record => record.state?.class === state);
  const leases = new Map(inventory.leases.map(lease => [lease.record, lease]));
  return {
    at,
    isPart,
    databases: live.map(record => protectionOf(record, wantedFor(policy, record, places), at)).toSorted(byStanding),
    clones: clones
      .map(record =>
        cloneOf(record, { lease: leases.get(record.id.text), wanted: wantedFor(policy, record, places), at }),
      )
      .toSorted((one, other) => (other.age ?? -1) - (one.age ?? -1)),
    failed: inState('failed'),
    disabled: inState('disabled').filter(({ id }) => id.noun !== 'environment'),
    environments: environments
      ?.filter(({ state }) => state?.class === 'disabled')
      .map(environment => ({
        environment,
        held: [...live, ...clones].filter(record => record.environment?.id.text === environment.id.text),
      })),
  };
}

function protectionOf(record: RecordView, wanted: WantedProtection, at: number): ProtectedDatabase {
  const [backup, logs] = [backupCoverage(record), logsCoverage(record)];
  return { record, backup, logs, wanted, standing: standingOf({ backup, logs, wanted, at }) };
}

function standingOf({
  backup,
  logs,
  wanted,
  at,
}: Pick<ProtectedDatabase, 'backup' | 'logs' | 'wanted'> & { at: number }): Standing {
  if (backup.type === 'never') return 'never';
  if (backup.type !== 'at') return 'unseen';
  const isLate = (coverage: Coverage, most: number | undefined) =>
    coverage.type === 'at' && most !== undefined && at - coverage.at > most;
  return isLate(backup, wanted.backup) || isLate(logs, wanted.logs) ? 'late' : 'protected';
}

function byStanding(one: ProtectedDatabase, other: ProtectedDatabase): number {
  const order = standings.indexOf(one.standing) - standings.indexOf(other.standing);
  const since = ({ backup }: ProtectedDatabase) => (backup.type === 'at' ? backup.at : 0);
  return order || since(one) - since(other);
}

function cloneOf(
  record: RecordView,
  { lease, wanted, at }: Readonly<{ lease: Lease | undefined; wanted: WantedProtection; at: number }>,
): StandingClone {
  const made = creationOf(record);
  const age = made === undefined ? undefined : Math.max(0, at - made);
  const isOld = !lease && age !== undefined && wanted.keepClones !== undefined && age > wanted.keepClones;
  return { record, age, lease, isOld };
}
