import { parseIdentifier } from '../../api/identifiers.ts';
import { day } from '../../ground/durations.ts';
import { isSignedOut } from '../../ground/failure.ts';
import { breath, mapInSlices } from '../../ground/slices.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import type { JobTimings, Timing, TimingPlace } from '../../store/jobs/timings.ts';
import type { Owner } from '../../store/vault.ts';
import type { CountedJob } from './spread.ts';

const week = 7 * day;
/** The first Monday after the epoch, which was a Thursday. */
const firstMonday = 4 * day;

/** The reach of the statistics: weeks, jobs of a week that are read, and rows that are read at once. */
export const timingReach = { weeks: 12, jobsOfWeek: 1_000, page: 50 } as const;

/** The confirmed jobs that a person may know of. `weeks` are the beginnings of all weeks that were looked at. */
export type CountedJobs = Readonly<{
  jobs: readonly CountedJob[];
  weeks: readonly number[];
  /** Whether a week had more jobs than are read. */
  isPart: boolean;
  /** Whether the person's records could not be read: then only their own jobs count, and those of the channel. */
  isBlind: boolean;
}>;

/**
 * The environments and the records that a person sees now. Each environment has its name under its identifier, and under
 * the name itself, since records may show either.
 */
type SeenPlaces = Readonly<{ environments: ReadonlyMap<string, string>; records: ReadonlySet<string> }>;

/** The asker of statistics: their own jobs count, those whose message stands in their channel, and those that they see. */
export type TimingAsker = Readonly<{ person: string; channel: string; seen: SeenPlaces }>;

/** The beginnings of the last weeks, on Mondays in UTC, in the order of time. The last one is under way. */
export function lastWeeks(now: number): number[] {
  const from = Math.floor((now - firstMonday) / week) * week + firstMonday;
  return Array.from({ length: timingReach.weeks }, (_, at) => from - (timingReach.weeks - 1 - at) * week);
}

/**
 * Reads how long jobs took in the last weeks: the latest of each week, in small pages, so that a long history neither
 * costs much nor holds up others.
 * @throws {Failure} `signed-out`
 */
export async function readTimings(
  { jobs, records }: Readonly<{ jobs: JobTimings; records: Pick<PersonalRecords, 'list'> }>,
  { team, person, channel, now }: Owner & Readonly<{ channel: string; now: number }>,
): Promise<CountedJobs> {
  const weeks = lastWeeks(now);
  const seen = await seenIn(records);
  const asker = { person, channel, seen: seen ?? { environments: new Map(), records: new Set<string>() } };
  const counted: CountedJob[] = [];
  let isPart = false;
  for (const from of weeks) {
    let next: TimingPlace | undefined = { at: from + week, id: '' };
    for (let many = 0; next && many < timingReach.jobsOfWeek; many += timingReach.page) {
      const page: Awaited<ReturnType<JobTimings['timings']>> = await jobs.timings(
        team,
        { from, before: next },
        timingReach.page,
      );
      counted.push(...page.timings.flatMap(timing => countedJob(timing, asker)));
      next = page.next;
      await breath();
    }
    isPart ||= next !== undefined;
  }
  return { jobs: counted, weeks, isPart, isBlind: seen === undefined };
}

/** The environments and records that a person sees; `undefined` where a list of them cannot be read. */
async function seenIn(records: Pick<PersonalRecords, 'list'>): Promise<SeenPlaces | undefined> {
  try {
    const [databases, environments] = await Promise.all([
      records.list(['live', 'clone']),
      records.list(['environment']),
    ]);
    const ids = await mapInSlices(databases.records, ({ id }) => id.text);
    const named = await mapInSlices(environments.records, ({ id, name }) => [id.text, name ?? id.text] as const);
    const names = named.map(([, name]) => [name, name] as const);
    return { environments: new Map([...names, ...named]), records: new Set(ids) };
  } catch (error) {
    if (isSignedOut(error)) throw error;
    return undefined;
  }
}

/**
 * A job as it counts for its asker; none where they may not know of it. A job of somebody else counts where the asker
 * sees its environment; where its environment is not known, if they see its target or the record that it made.
 */
export function countedJob(timing: Timing, { person, channel, seen }: TimingAsker): CountedJob[] {
  const operation = jobOperation(timing.operation);
  if (!operation) return [];
  const { values, labels, target, record, environment: shown, took, endedAt } = timing;
  const field = operation.fields.find(({ role }) => role === 'environment');
  const chosen = field && values[field.name];
  const own = parseIdentifier(target)?.noun === 'environment' ? target : undefined;
  const id = typeof chosen === 'string' ? chosen : own;
  const place = id ?? shown;
  const visible = place === undefined ? undefined : seen.environments.get(place);
  const isSeen =
    place === undefined ? [target, record].some(one => one && seen.records.has(one)) : visible !== undefined;
  if (timing.person !== person && timing.place !== channel && !isSeen) return [];
  const environment = visible ?? (id === undefined ? shown : (labels[id] ?? shown ?? id)) ?? null;
  return [{ operation: operation.name, title: operation.title(values), environment, took, endedAt }];
}
