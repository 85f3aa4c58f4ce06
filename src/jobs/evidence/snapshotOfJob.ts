import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { isHolder, snapshotsSince } from '../../records/snapshots.ts';
import type { Claim } from '../../store/jobs/claims.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { beganInTime, type Judgement, type Sighting, untoldReport } from './judgement.ts';
import { makingOf, type SentJob, wasMadeBefore } from './madeBefore.ts';
import { ownerAgrees } from './newRecords/likeness.ts';
import { leavesSigns, maybeLate, rivalsFor } from './rivals.ts';
import { settles } from './settles.ts';
import { type Case, meaningOf } from './sighting.ts';

/** Describes a snapshot as the record of its database shows it; with its identifier alone if that shows no more. */
export async function describeSnapshot(
  records: RecordReader,
  holder: Identifier,
  snapshot: Identifier,
): Promise<NonNullable<Evidence['snapshot']>> {
  const part = await records.part(holder, snapshot).catch(() => undefined);
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

/** A new snapshot may have a state of its own. */
export async function judgeMade({ target, records, parts, job }: Case, id: string): Promise<Judgement> {
  const snapshot = parseIdentifier(id);
  const part = snapshot && (await records.part(target, snapshot));
  const { word = '', class: found } = part?.state ?? {};
  const outcome = readOutcome(word);
  if (found === 'failed' || outcome === 'failed') return { type: 'failed', reason: part?.error ?? `${id} is ${word}.` };
  if (outcome === 'partial')
    return { type: 'finished', by: `There is a new snapshot, ${id}, which is ${word}.`, isInPart: true };
  if (part?.state && meaningOf(parts.vocabulary.of(job.team), part, undefined) === 'passing')
    return { type: 'waiting' };
  return { type: 'proved', by: `There is a new snapshot, ${id}.` };
}

const ofAnother = 'It is of another request, and nobody answered this one.';

/** What a look showed beside the snapshots. */
type Shown = Readonly<{ report: Report | undefined; mayHaveFailed: boolean; seen: Evidence }>;

/**
 * The snapshot that this job made: one that was not there before, that no other job has, and that names no other maker and
 * no time before the sending. There may be no more of them than Dolly's jobs explain. `ofOther` says what speaks against it.
 */
export async function newSnapshot(
  here: Case,
  record: RecordView,
  { report, mayHaveFailed, seen }: Shown,
): Promise<Readonly<{ made?: Claim; ofOther?: NonNullable<Sighting['ofOther']> }>> {
  const { parts, job, records, target, proof } = here;
  const { doneBy, wasBusy } = seen;
  const explained = `The record told of work by ${doneBy} that may explain it: I cannot tell whether mine was done, too.`;
  const isExplained = !report && doneBy !== undefined;
  const untold = isExplained ? { ofOther: { says: explained, mayBeOurs: false } } : {};
  if (proof.type !== 'changes' || !proof.makes) return untold;
  const before = job.baseline?.target;
  if (!before || (await leavesSigns(here))) return untold;
  const shown = snapshotsSince(before, record);
  // One that is gone again was of a try that failed: another may take its place.
  const isHeld = shown.some(one => one === job.claimed);
  const all = isHeld ? shown.filter(one => one === job.claimed) : shown;
  const parted = await Promise.all(
    all.map(async text => {
      const id = parseIdentifier(text);
      const part = id && (await records.part(target, id));
      return { ...(part ? claimOn(part) : { sign: '', name: null, madeAt: null }), record: text, part };
    }),
  );
  const free = await freeClaims(
    parts,
    job,
    parted.map(({ part: _, ...claim }) => claim),
  );
  const isShown = job.claimed !== null || report || wasBusy !== undefined || beganInTime(seen, job.sentAt);
  const inDoubt = job.noAnswer !== null && !isShown;
  const sent = { ...job, inDoubt, now: parts.clock.now() };
  const against = new Map(parted.map(({ record, part }) => [record, part && otherMaker(sent, part)]));
  const names = new Set(parted.flatMap(({ record, part }) => (part && namesMaker(job, part) ? [record] : [])));
  const own = free.filter(({ record }) => against.get(record) === undefined && (!isExplained || names.has(record)));
  const [made] = own;
  if (!made) {
    if (isExplained) return untold;
    // What a backup left beside its snapshot is of the same backup.
    const theirs =
      job.noAnswer !== null && free.length === 0
        ? all.map(text => `There is a new snapshot, ${text}. ${ofAnother}`)
        : [];
    const [other] = [...free.flatMap(({ record }) => against.get(record) ?? []), ...theirs];
    return other === undefined ? {} : { ofOther: { says: other, mayBeOurs: false } };
  }
  if (isHeld) return { made };
  const leaves = job.claimed === null ? {} : { leaves: job.claimed };
  const named = own.map(({ record }) => record).join(', ');
  const { late, open } = await rivalsFor(here);
  // Each job that may take effect late explains one of them.
  if (own.length <= late)
    return { ofOther: { says: `There is a new snapshot, ${named}. ${maybeLate}`, mayBeOurs: false } };
  if (own.length <= 1 + late + open)
    return mayHaveFailed
      ? { ofOther: { says: `There is a new snapshot, ${named}. ${untoldReport}`, mayBeOurs: true } }
      : { made: { ...made, ...leaves } };
  const says = `There are new snapshots, ${named}, and not all of them are of my jobs: I cannot tell whose each is.`;
  return { ofOther: { says, mayBeOurs: here.parts.clock.now() - job.sentAt >= settles.turn } };
}

const namesMaker = ({ login }: Pick<Case['job'], 'login'>, part: RecordView) =>
  login !== null && ownerAgrees(part, login) === true;

/** Whose request a snapshot may come of. `inDoubt` says that nothing shows that the service got it. */
type Asked = Pick<Case['job'], 'login'> & SentJob & Readonly<{ inDoubt: boolean }>;

/** A sentence on a new snapshot that names another maker than a job, or a time that is not that of the job. */
function otherMaker({ login, inDoubt, ...sent }: Asked, part: RecordView): string | undefined {
  const which = `There is a new snapshot, ${part.id.text}, which`;
  if (login !== null && ownerAgrees(part, login) === false)
    return `${which} names ${part.askedBy.join(', ')}: I cannot tell whose it is.`;
  const taken = makingOf(part);
  const cameAt = taken?.isZoned ? taken.at - (sent.baseline?.ahead ?? 0) : sent.now;
  if (inDoubt && cameAt - sent.sentAt > settles.turn)
    return `${which} came well after my request, which nobody answered: I cannot tell whose it is.`;
  if (!taken || !wasMadeBefore(part, sent)) return undefined;
  const at = taken.isZoned ? new Date(taken.at).toISOString() : taken.text;
  return `${which} was taken before I asked for one, at ${at}: it may be of somebody else.`;
}
