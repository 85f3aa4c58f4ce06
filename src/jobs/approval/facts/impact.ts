import type { Identifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import type { JobOperation, Values } from '../../../operations/operation.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import { nowByEither } from '../../../records/records.ts';
import { listIfShown, readWhole, unlessHidden } from '../../../records/shown.ts';
import { cautionAgainst, latestOf, ownSnapshots, sortOut } from '../../../records/snapshots.ts';
import type { Impact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Parts } from '../../parts.ts';
import { operationOf } from '../../request.ts';
import { dependentsOf } from './facts.ts';

/** Max snapshots, clones and jobs that are named. */
const maxNamed = 5;

/** The records and the jobs around a restore. */
type RestoreScene = Readonly<{
  /** The record of the database. */
  record: RecordView;
  /** The snapshot that was chosen; absent where the latest is used. */
  chosen: string | undefined;
  /** The clones that depend on the database; absent where they cannot be read. */
  clones: readonly RecordView[] | undefined;
  jobs: Impact['jobs'];
  backup: Impact['backup'];
  now: number;
  /** The present time by which snapshots are judged, where the service's clock is ahead. */
  nowThere?: number;
}>;

/** Puts together what a restore loses and what it meets. */
export function impactOf({ record, chosen, clones, jobs, backup, now, nowThere = now }: RestoreScene): Impact {
  const sorted = sortOut(ownSnapshots(record), nowThere);
  const { usable, unfit } = sorted;
  const used = chosen === undefined ? latestOf(sorted) : usable.find(({ id }) => id.text === chosen);
  const caution = cautionAgainst(unfit, chosen);
  const { time, createdAt: takenAt } = used ?? {};
  // As long as the time of one is not shown, it may be a newer one, too.
  const isDated = time !== undefined && usable.every(one => one.time !== undefined);
  const newer = usable.filter(one => time !== undefined && one.time !== undefined && one.time > time);
  return {
    at: now,
    ...(used ? { snapshot: { id: used.id.text, takenAt, isLatest: chosen === undefined } } : {}),
    ...(caution ? { unfit: caution } : {}),
    ...(isDated && newer.length > 0 ? { newer: someOf(newer.map(({ id, label }) => label ?? id.text)) } : {}),
    ...(clones && clones.length > 0 ? { clones: someOf(clones.map(({ id, name }) => name ?? id.text)) } : {}),
    jobs: jobs.slice(0, maxNamed),
    ...(backup ? { backup } : {}),
  };
}

function someOf(names: readonly string[]) {
  return { names: names.slice(0, maxNamed), more: Math.max(0, names.length - maxNamed) };
}

/**
 * A request to restore, and the records as its person may read them. `job` is its own id or that of its plan, once it has
 * one: what is under way on the target does not count it.
 */
type Restore = Readonly<{
  owner: Owner;
  operation: JobOperation;
  target: Identifier;
  values: Values;
  records: RecordReader;
  job?: string | undefined;
}>;

/** Reads what a restore would lose. */
type ImpactReader = Parts<'jobs' | 'people' | 'records' | 'clock'>;

/**
 * Reads what a restore loses and meets; `undefined` for an operation that takes nothing back, and where this sign-in is
 * not shown the record. @throws {Failure} where the records were not read
 */
export async function readImpact(parts: ImpactReader, restore: Restore): Promise<Impact | undefined> {
  const { owner, operation, target, values, records, job } = restore;
  if (operation.rewinds === undefined) return undefined;
  const record = await readWhole(records, target).catch(unlessHidden);
  if (!record) return undefined;
  const list = await listIfShown(records, 'live');
  const open = await parts.jobs.openOn(owner.team, target.text);
  const others = open.flatMap(one => (one.state === 'unreadable' || one.id === job ? [] : [one]));
  const last = await parts.jobs.lastDone(owner.team, target.text, backups);
  const field = operation.fields.find(({ role }) => role === 'snapshot');
  const chosen = field && values[field.name];
  return impactOf({
    record,
    chosen: typeof chosen === 'string' ? chosen : undefined,
    clones: list && (await dependentsOf(target, list.records)),
    jobs: await Promise.all(
      others.slice(0, maxNamed).map(async one => ({
        title: operationOf(one).title(one.values),
        by: await nameOf(parts, one),
      })),
    ),
    backup: last && { by: await nameOf(parts, last), at: last.sentAt ?? last.createdAt },
    now: parts.clock.now(),
    nowThere: nowByEither(parts),
  });
}

/** The operations that make a snapshot. */
export const backups: readonly string[] = catalogue.flatMap(operation =>
  operation.type === 'write' && operation.proof.type === 'changes' && operation.proof.makes === 'snapshot'
    ? [operation.name]
    : [],
);

async function nameOf({ people }: Parts<'people'>, job: Job): Promise<string> {
  return (await people.nameOf(job)) ?? job.person;
}
