import type { RecordView } from '../../api/reading/recordView.ts';
import { mapInSlices } from '../../ground/slices.ts';
import { hasWords } from '../../ground/wording.ts';
import { ownersOfClones } from '../../jobs/approval/people/cloneOwner.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { operationOf } from '../../jobs/request.ts';
import { matches } from '../../records/find.ts';
import { meantWords, namesOfAll } from '../../records/meantWords.ts';
import type { ToldTo } from '../../store/jobs/reading.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import { type Inventory, readInventory } from './inventory.ts';
import { compareWithLastWeek } from './lastWeek.ts';
import { type ProtectionReport, protectionReport } from './report.ts';
import { summarize } from './summarize.ts';
import type { ProtectionSummary } from './summary.ts';

/** A wish for a report. Times are milliseconds since the epoch. */
export type Glance = Readonly<{
  /** Whose sign-in reads the records. */
  reader: Owner;
  /** Lists that were asked for before this time are read anew. */
  notBefore: number;
  /** The words that its records match; empty for all. */
  words: readonly string[];
  /** The time from which on failed jobs are told. */
  since: number;
  /** The turn of a reader that reads by the clock, and the most records that it reads alone. */
  turn?: number;
  most?: number;
  /** The readers to whom failed jobs may be told. */
  told: ToldTo;
}>;

/** Max failed jobs that are read. */
const maxJobs = 500;

/**
 * Reads the lists once, and sums up how well everything is protected.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function readSummary(
  parts: Judge & Parts<'jobs' | 'things' | 'keepersOf' | 'records' | 'clock'>,
  { reader, notBefore, words, since, turn, most, told }: Glance,
): Promise<ProtectionSummary> {
  const { team } = reader;
  const [inventory, failed] = await Promise.all([
    readInventory(parts, { team, records: parts.records.of(reader, notBefore), turn, most }),
    parts.jobs.failedSince(team, since, maxJobs, told),
  ]);
  const whole = await protectionReport(parts.policy, inventory);
  const { report, ids } = await narrowed(whole, words);
  const meant = ids.size > 0 ? undefined : await meantIn(inventory, words);
  const jobs = failed.filter(job => isAbout(job, words, ids));
  const nameOf = (person: string) => parts.people.nameOf({ team, person });
  const clones = report.clones.map(({ record }) => record);
  const ownerOf = await ownersOfClones(parts, team, clones);
  const summary = await summarize(report, { words, jobs, since, nameOf, ownerOf });
  const counted = { at: report.at, good: summary.counts.protected, all: report.databases.length };
  const isWhole = words.length === 0 && !report.isPart;
  const weekAgo = isWhole ? await compareWithLastWeek(parts, reader, counted) : undefined;
  return { ...summary, ...(weekAgo && { weekAgo }), ...(meant && { meant: meant.map(other => [...other]) }) };
}

/** The words that may have been meant by words that match none of the records; `undefined` where they match some. */
async function meantIn(
  { live, clones, environments = [] }: Pick<Inventory, 'live' | 'clones' | 'environments'>,
  words: readonly string[],
): Promise<readonly (readonly string[])[] | undefined> {
  if (words.length === 0) return undefined;
  const all = [...live, ...clones, ...environments];
  const fitting = await mapInSlices(all, record => (matches(record, words) ? [record] : []));
  return fitting.some(found => found.length > 0) ? undefined : meantWords(words, await namesOfAll(all));
}

/**
 * The same for the records that a sign-in sees now; `undefined` also where it cannot read all of them.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function meantNow(
  { records }: Parts<'records'>,
  reader: Owner,
  words: readonly string[],
): Promise<readonly (readonly string[])[] | undefined> {
  if (words.length === 0) return undefined;
  const seen = records.of(reader);
  const [databases, environments] = await Promise.all([
    seen.list(['live', 'clone']),
    seen.list(['environment']).catch(() => undefined),
  ]);
  if (databases.cut || environments?.cut !== false) return undefined;
  return meantIn({ live: databases.records, clones: [], environments: environments.records }, words);
}

/** The part of a report whose records match all words, with their identifiers. */
async function narrowed(
  report: ProtectionReport,
  words: readonly string[],
): Promise<{ report: ProtectionReport; ids: ReadonlySet<string> }> {
  if (words.length === 0) return { report, ids: new Set() };
  const { databases, clones, failed, disabled, environments } = report;
  const places = environments?.map(({ environment }) => environment) ?? [];
  const all = [...databases, ...clones].map(({ record }) => record).concat(failed, disabled, places);
  const fitting = await mapInSlices(all, record => (matches(record, words) ? [record.id.text] : []));
  const ids = new Set(fitting.flat());
  const fits = (record: RecordView) => ids.has(record.id.text);
  const part = {
    ...report,
    databases: databases.filter(({ record }) => fits(record)),
    clones: clones.filter(({ record }) => fits(record)),
    failed: failed.filter(fits),
    disabled: disabled.filter(fits),
    // A disabled environment concerns those who ask about a database on it.
    environments: environments?.flatMap(({ environment, held }) => {
      const here = fits(environment) ? held : held.filter(fits);
      return fits(environment) || here.length > 0 ? [{ environment, held: here }] : [];
    }),
  };
  return { report: part, ids };
}

/** Whether a job is about one of these records, or its own words match. */
function isAbout(job: Job, words: readonly string[], ids: ReadonlySet<string>): boolean {
  if (words.length === 0 || ids.has(job.target)) return true;
  return hasWords([[operationOf(job).title(job.values), job.targetName, job.target].join(' ')], words);
}
