import { capital } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { compareRecords, type Marks } from '../../records/sameRecord.ts';
import type { JobOnRecord } from '../../store/jobs/onRecord.ts';
import { isState, type JobState } from '../../store/jobs/rows/job.ts';
import type { Entry } from '../../store/tables/audit/auditSearch.ts';

/*
 * What Dolly knows of the past of a record, out of jobs, leases and the trail. A number that was used again is another record:
 * what belongs to that one is left out.
 */

/** One thing that people had done to a record, or that made it. Times are milliseconds since the epoch. */
export type Deed = Readonly<{
  job: string;
  operation: string;
  /** The operation in a few words, as plain text. */
  title: string;
  /** Whether it made the record. */
  made: boolean;
  /** Who asked for it, and when. */
  person: string | null;
  askedAt: number;
  decisions: readonly Readonly<{ person: string; type: 'approved' | 'denied' }>[];
  state: JobState;
  /** When it came to that state, as far as that is known. */
  at: number;
  reason: string | null;
  /** Why it was asked for, in the words of whoever did. */
  purpose: string | null;
  /** Whether it was sent, or people were asked to approve it: then whoever asked was shown the record. */
  wasShown: boolean;
  /** The channels in which its messages stand. */
  places: readonly string[];
  marks: Marks;
}>;

/** The past of one record. */
export type RecordPast = Readonly<{
  record: string;
  name: string | undefined;
  /** The latest first. */
  deeds: readonly Deed[];
  /** Who made it and who holds or held it last, as far as it is known. */
  maker: string | undefined;
  holder: string | undefined;
  /** Its deletion, where that was confirmed and nothing made it since. */
  deletion: Deed | undefined;
  /** The time from before which the trail was not looked through. */
  since: number | undefined;
}>;

/** What stands in the trail of a deed that made a record: by it the record is found when its job is kept no more. */
export function noteOfMade(record: string): string {
  return `It is ${record}.`;
}

/** The deeds that entries of the trail tell of, which are about a record, or tell that it was made. */
export function deedsInTrail(record: string, entries: readonly Entry[]): readonly Deed[] {
  const byJob = Map.groupBy(
    entries.filter(({ operation }) => operation !== null),
    ({ job }) => job ?? '',
  );
  return [...byJob].flatMap(([job, some]) => {
    const inOrder = some.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    const end = inOrder.findLast(({ event }) => isState(event));
    if (job === '' || !first || !last || first.operation === null || !end || !isState(end.event)) return [];
    const made = first.target !== record;
    const name = made ? undefined : first.targetName;
    return [
      {
        ...{
          job,
          operation: first.operation,
          title: commandOf(first.operation),
          made,
          person: first.person,
          askedAt: first.at,
        },
        decisions: inOrder.flatMap(({ event, actor }) => {
          const type = event === 'denied' ? event : event.startsWith('approved') ? 'approved' : undefined;
          return type === undefined ? [] : [{ person: actor, type } as const];
        }),
        ...{ state: end.event, at: end.at, reason: end.detail },
        purpose: inOrder.find(({ event }) => event === 'asked')?.detail ?? null,
        wasShown: inOrder.some(({ event }) => event === 'sending' || event === 'awaiting'),
        places: inOrder.flatMap(({ event, channel }) => (event === 'asked' && channel !== null ? [channel] : [])),
        marks: { name: name === record ? undefined : name },
      },
    ];
  });
}

/** The deed of a job that is kept. */
export function deedOfJob({ job, made, shown }: JobOnRecord): Deed {
  const { id, operation, values, person, createdAt, approval, state, endedAt, sentAt, place } = job;
  const { reason, purpose } = job;
  const decisions = (approval?.decisions ?? []).flatMap(({ person: by, type }) =>
    type === 'dropped' ? [] : [{ person: by, type }],
  );
  return {
    ...{
      job: id,
      operation,
      title: jobOperation(operation)?.title(values) ?? operation,
      made,
      person,
      askedAt: createdAt,
      decisions,
      state,
      reason,
      purpose,
      marks: shown,
    },
    at: endedAt ?? sentAt ?? createdAt,
    wasShown: sentAt !== null || approval !== undefined,
    places: [place, approval?.cardPlace ?? null].flatMap(one => one ?? []),
  };
}

/** An operation by the words of its command: the trail has no values, on which a title may rest. */
function commandOf(operation: string): string {
  return capital(jobOperation(operation)?.words.join(' ') ?? operation);
}

/** What the past of a record is made of. `keeper` has its lease now. */
type PastSources = Readonly<{
  record: string;
  /** The name by which it is asked for, where that is no identifier. */
  wanted?: string | undefined;
  deeds: readonly Deed[];
  /** The entries of the trail about its leases. */
  leases: readonly Entry[];
  keeper: Readonly<Marks & { person: string }> | undefined;
  since?: number | undefined;
}>;

/** Puts the past of one record together; `undefined` where nothing is known of it. */
export function pastOf({ record, wanted, deeds, leases, keeper, since }: PastSources): RecordPast | undefined {
  const sorted = deeds.toSorted((one, other) => other.at - one.at);
  const isWanted = ({ marks }: Deed) =>
    wanted === undefined ? isMarked(marks) : marks.name?.toLowerCase() === wanted.toLowerCase();
  const marks = marksOfLatest(sorted, isWanted);
  if (!marks && (wanted !== undefined || sorted.length === 0)) return undefined;
  const isReused = sorted.some(one => marks && compareRecords(marks, one.marks).is === 'another');
  const isOfIt = (other: Marks) => !marks || (isMarked(other) ? compareRecords(marks, other).is === 'same' : !isReused);
  const own = sorted.filter(one => isOfIt(one.marks));
  const maker = own.find(({ made, state }) => made && state === 'succeeded');
  const gone = own.find(one => isDeletion(one) && one.state === 'succeeded');
  const held = leases.findLast(({ job, targetName }) => job !== null && isOfIt({ name: targetName }));
  const holder = keeper && isOfIt(keeper) ? keeper.person : (held?.person ?? maker?.person);
  return {
    ...{ record, name: marks?.name ?? undefined, deeds: own, since },
    maker: maker?.person ?? undefined,
    holder: holder ?? undefined,
    deletion: gone && !(maker && maker.at > gone.at) ? gone : undefined,
  };
}

/** What told the latest record under an identifier from others, as far as its deeds were shown it. */
function marksOfLatest(sorted: readonly Deed[], isWanted: (deed: Deed) => boolean): Marks | undefined {
  const latest = sorted.find(isWanted)?.marks;
  if (!latest || latest.madeAt != null) return latest;
  const same = sorted.find(({ marks }) => marks.madeAt != null && compareRecords(latest, marks).is === 'same');
  return { ...latest, madeAt: same?.marks.madeAt };
}

function isMarked({ name, madeAt }: Marks): boolean {
  return name != null || madeAt != null;
}

function isDeletion({ operation, made }: Deed): boolean {
  const known = jobOperation(operation);
  return !made && known?.type === 'write' && known.deletes === true;
}

/** Those who made, held, asked for or decided something about a record. Who asked in vain was not shown it. */
export function peopleOf({ maker, holder, deeds }: RecordPast): ReadonlySet<string> {
  const people = deeds.flatMap(({ person, wasShown, decisions }) => [
    wasShown ? person : null,
    ...decisions.map(one => one.person),
  ]);
  return new Set([maker, holder, ...people].flatMap(person => person ?? []));
}
