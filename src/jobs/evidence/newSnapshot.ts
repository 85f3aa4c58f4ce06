import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { isHolder, snapshotsOf, snapshotsSince } from '../../records/snapshots.ts';
import type { Claim } from '../../store/jobs/recordClaims.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import type { Case } from './case.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { beganInTime } from './goingOn.ts';
import { makingOf } from './madeBefore.ts';
import { leavesSigns, maybeLate, rivalsFor } from './others.ts';
import { ask, askOr } from './reading.ts';
import { settles } from './settles.ts';
import { askedBy, brokenBy } from './whose.ts';

/** Describes a snapshot as the record of its database shows it; with its identifier alone if that shows no more. */
export function describeSnapshot(
  here: Case,
  holder: Identifier,
  snapshot: Identifier,
): NonNullable<Evidence['snapshot']> {
  const part = askOr(here, 'part', { holder, id: snapshot }, () => undefined);
  const taken = part && makingOf(part);
  return {
    id: snapshot.text,
    ...(part?.name === undefined ? {} : { name: part.name }),
    ...(taken?.isZoned ? { takenAt: taken.at } : {}),
  };
}

/** The snapshot from which a new record was made, as that record shows it. */
export function originOf(record: RecordView): Identifier | undefined {
  const shown = record.mentions.filter(({ id }) => id.noun === 'snapshot' && !isHolder(record, id));
  return shown.length === 1 ? shown[0]?.id : undefined;
}

/** A snapshot in the record of its database, where that lists it. */
export function partIn(here: Case, holder: RecordView | undefined, id: Identifier): RecordView | undefined {
  return holder && snapshotsOf(holder).includes(id.text) ? ask(here, 'part', { holder: holder.id, id }) : undefined;
}

function partOf(here: Case, text: string): RecordView | undefined {
  const id = parseIdentifier(text);
  return id && ask(here, 'part', { holder: here.target, id });
}

/** What a look showed beside the snapshots. */
type ShownBeside = Readonly<{ report: Report | undefined; seen: Evidence }>;
/** The snapshot that is the job's own, or what speaks against one that may be. */
type FoundSnapshot = Readonly<{ made?: Claim; ofOther?: string | undefined }>;

/**
 * The snapshot that this job made: one that was not there before, that no other job has, and that names no other maker and
 * no time before the sending. There may be no more of them than Dolly's jobs explain. `ofOther` says what speaks against it.
 */
export function newSnapshot(here: Case, record: RecordView, { report, seen }: ShownBeside): FoundSnapshot {
  const { job, proof } = here;
  const { doneBy } = seen;
  const explained =
    report || doneBy === undefined
      ? undefined
      : `The record reported work by ${doneBy} that may explain it: I cannot tell whether mine was done, too.`;
  const before = job.baseline?.target;
  if (proof.type !== 'changes' || !proof.makes || !before || leavesSigns(here)) return { ofOther: explained };
  const shown = snapshotsSince(before, record);
  // One that is gone again was of a try that failed: another may take its place.
  const held = shown.filter(one => one === job.claimed);
  const parts = (held.length > 0 ? held : shown).map(text => ({ text, part: partOf(here, text) }));
  const claims = parts.map(({ text, part }) => ({
    ...(part ? claimOn(part) : { sign: '', name: null, madeAt: null }),
    record: text,
  }));
  const free = freeClaims(here, claims);
  const inDoubt = job.noAnswer !== null && !report && seen.wasBusy === undefined && !beganInTime(seen, job.sentAt);
  const against = new Map(parts.flatMap(({ text, part }) => (part ? [[text, otherMaker(here, part, inDoubt)]] : [])));
  const own = free.filter(one => against.get(one.record) === undefined);
  const [made] = own;
  if (made && held.length > 0) return { made };
  if (explained !== undefined) return { ofOther: explained };
  if (!made) {
    const other = free.map(({ record }) => against.get(record)).find(says => says !== undefined);
    // What a backup left beside its snapshot is of the same backup.
    const isTheirs = job.noAnswer !== null && parts.length > 0;
    return { ofOther: other ?? (isTheirs ? `There is a new snapshot, ${parts[0]?.text}. ${ofAnother}` : undefined) };
  }
  const named = own.map(({ record }) => record).join(', ');
  const { late, open } = rivalsFor(here);
  // Each job that may take effect late explains one of them.
  if (own.length <= late) return { ofOther: `There is a new snapshot, ${named}. ${maybeLate}` };
  if (own.length <= 1 + late + open) return { made: job.claimed === null ? made : { ...made, leaves: job.claimed } };
  return {
    ofOther: `There are new snapshots, ${named}, and not all of them come from my jobs: I cannot tell whose each is.`,
  };
}

const ofAnother = 'It belongs to another request, and this one got no answer.';

/** A sentence on a new snapshot that is none yet, or names another maker than a job, or a time that is not that of the job. */
function otherMaker(here: Case, part: RecordView, inDoubt: boolean): string | undefined {
  const which = `There is a new snapshot, ${part.id.text}, which`;
  if (part.state?.class === 'failed' || part.state?.class === 'busy') return `${which} is ${part.state.word}.`;
  const [asked, taken] = [askedBy(here), makingOf(part)];
  const broken = brokenBy({ by: part.askedBy, at: taken }, asked);
  if (broken === 'it names somebody else')
    return `${which} names ${part.askedBy.join(', ')}: I cannot tell whose it is.`;
  if (broken !== undefined && taken)
    return `${which} was taken before I asked for one, at ${taken.isZoned ? new Date(taken.at).toISOString() : taken.text}: it may be somebody else’s.`;
  const cameAt = taken?.isZoned ? taken.at : asked.now;
  return inDoubt && cameAt - asked.sentAt > settles.turn
    ? `${which} came well after my request, which got no answer: I cannot tell whose it is.`
    : undefined;
}
