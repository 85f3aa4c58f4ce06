import type { RecordView } from '../../api/reading/recordView.ts';
import { mapInSlices } from '../../ground/slices.ts';
import type { CloneOwner } from '../../jobs/approval/people/cloneOwner.ts';
import { operationOf } from '../../jobs/request.ts';
import { backUpDatabase } from '../../operations/databases.ts';
import { keepSmallest } from '../../records/smallest.ts';
import { cut } from '../../slack/blocks/limits.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { hasHolder } from '../../store/tables/leases.ts';
import type { Coverage } from './coverage.ts';
import { type ProtectedDatabase, type ProtectionReport, type StandingClone, standings } from './report.ts';
import type { DatabaseRow, FailedJob, ProtectionSummary } from './summary.ts';

/** Max rows of each list of a summary: together they are to fit into one message. */
const mostRows = { databases: 50, clones: 25, failed: 10, disabled: 10, environments: 10, jobs: 10 } as const;
/** Max names of the databases on a disabled environment, and owners of clones. */
const maxHeld = 5;
const maxOwners = 20;
/** Max databases in the chart of ages. */
const mostAges = 12;
/** Max characters of what a record says. */
const maxText = 300;

/** The frame of a summary: the words that its records match, and the jobs that failed since a time. */
export type Frame = Readonly<{
  words: readonly string[];
  jobs: readonly Job[];
  since: number;
  /** The name of a Slack user; `undefined` where Slack does not tell it. */
  nameOf(person: string): Promise<string | undefined>;
  ownerOf(clone: RecordView): CloneOwner;
}>;

/** Makes a message’s size of a report, in slices. */
export async function summarize(report: ProtectionReport, frame: Frame): Promise<ProtectionSummary> {
  const { at, isPart, unread, databases, clones, failed, disabled, environments } = report;
  const { words, jobs, since } = frame;
  const standing = Object.groupBy(databases, one => one.standing);
  const [never, late, unseen, excused, good] = standings.map(key => standing[key]?.length ?? 0);
  return {
    ...{ at, isPart, since, words: [...words] },
    counts: {
      ...{ never: never ?? 0, late: late ?? 0, unseen: unseen ?? 0, excused: excused ?? 0, protected: good ?? 0 },
      ...{ failed: failed.length, disabled: disabled.length, clones: clones.length, jobs: jobs.length },
      old: clones.filter(({ isOld }) => isOld).length,
      environments: environments?.length ?? null,
      unread,
      backups: databases.filter(({ mend }) => mend === backUpDatabase.name).length,
    },
    databases: databases.slice(0, mostRows.databases).map(databaseRow),
    ages: await agesOf(databases, at),
    failed: failed.slice(0, mostRows.failed).map(record => ({
      ...shownOf(record),
      word: textOf(record.state?.word),
      error: record.error === undefined ? null : textOf(record.error),
    })),
    disabled: disabled
      .slice(0, mostRows.disabled)
      .map(record => ({ ...shownOf(record), word: textOf(record.state?.word) })),
    environments: (environments ?? []).slice(0, mostRows.environments).map(({ environment, held }) => ({
      ...shownOf(environment),
      many: held.length,
      held: held.slice(0, maxHeld).map(({ name, id }) => textOf(name ?? id.text)),
    })),
    clones: await Promise.all(clones.slice(0, mostRows.clones).map(clone => cloneRow(clone, frame))),
    jobs: jobs.slice(0, mostRows.jobs).map(jobRow),
    owners: await countOwners(clones, frame),
  };
}

/** The owner of a clone of which nothing tells whose it is. */
const nobodyShown = 'not visible';

/** Counts the clones of each owner. */
async function countOwners(clones: readonly StandingClone[], { nameOf, ownerOf }: Pick<Frame, 'nameOf' | 'ownerOf'>) {
  const keys = await mapInSlices(clones, ({ record }) => {
    const { person, named } = ownerOf(record);
    return person === undefined ? `record ${textOf(named ?? nobodyShown)}` : `person ${person}`;
  });
  const counted = [...Map.groupBy(keys, key => key)]
    .map(([key, all]) => ({ key, clones: all.length }))
    .toSorted((one, other) => other.clones - one.clones);
  const named = await Promise.all(
    counted.slice(0, maxOwners).map(async ({ key, clones: many }) => {
      const [, kind, owner = ''] = /^(person|record) (.*)$/s.exec(key) ?? [];
      return { name: kind === 'person' ? ((await nameOf(owner)) ?? owner) : owner, clones: many };
    }),
  );
  const others = counted.slice(maxOwners).reduce((sum, { clones: many }) => sum + many, 0);
  return others > 0 ? [...named, { name: `${counted.length - maxOwners} others`, clones: others }] : named;
}

function databaseRow({ record, standing, backup, logs, wanted, mend }: ProtectedDatabase): DatabaseRow {
  const { backup: most = null, logs: mostLogs = null, rule } = wanted;
  const asked = { backup: most, logs: mostLogs, rule: rule === null ? null : textOf(rule) };
  return { ...shownOf(record), standing, backup: told(backup), logs: told(logs), wanted: asked, mend };
}

/** A coverage with the service's word as far as a row has room for it. */
function told(coverage: Coverage): Coverage {
  return coverage.said === undefined ? coverage : { ...coverage, said: textOf(coverage.said) };
}

/** The ages of the latest backups against what is wanted, the worst first. */
async function agesOf(databases: readonly ProtectedDatabase[], at: number): Promise<ProtectionSummary['ages']> {
  const worst = keepSmallest<ProtectionSummary['ages'][number]>(
    mostAges,
    (one, other) => other.age / other.wanted - one.age / one.wanted,
  );
  await mapInSlices(databases, ({ record, backup, wanted }) => {
    if (backup.type !== 'at' || wanted.backup === undefined) return;
    worst.add({ name: textOf(record.name ?? record.id.text), age: Math.max(0, at - backup.at), wanted: wanted.backup });
  });
  return [...worst.entries()];
}

async function cloneRow(
  { record, age, isOld, wanted, lease }: StandingClone,
  { nameOf, ownerOf }: Pick<Frame, 'nameOf' | 'ownerOf'>,
) {
  const { person, named } = ownerOf(record);
  const owner = person === undefined ? named : await nameOf(person);
  const times = { age: age ?? null, isOld, wanted: wanted.keepClones ?? null };
  const kept = lease ? { person: lease.person, endsAt: lease.endsAt, isHeld: hasHolder(lease) } : null;
  return { ...shownOf(record), ...times, lease: kept, owner: owner === undefined ? null : textOf(owner) };
}

function jobRow(job: Job): FailedJob {
  const { id, target, targetName, person, state, endedAt, place, messageTs } = job;
  const title = operationOf(job).title(job.values);
  return {
    ...{ id, title, target, name: textOf(targetName ?? target), person, place, ts: messageTs },
    ...{ isFailed: state === 'failed', endedAt: endedAt ?? job.createdAt },
  };
}

function shownOf({ id, name, environment }: RecordView) {
  const place = environment && (environment.label ?? environment.id.text);
  return {
    id: id.text,
    name: name === undefined ? null : textOf(name),
    place: place === undefined ? null : textOf(place),
  };
}

function textOf(text = ''): string {
  return cut(text, maxText);
}
