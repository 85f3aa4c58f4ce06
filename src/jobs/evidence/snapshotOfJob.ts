import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { isHolder, snapshotsSince } from '../../records/snapshots.ts';
import type { Claim } from '../../store/jobs/claims.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { claimOn, freeClaims } from './freeClaims.ts';
import { beganInTime, type Judgement, type Sighting, untoldReport } from './judgement.ts';
import { makingOf, type SentJob, wasMadeBefore } from './madeBefore.ts';
import { ownerAgrees } from './newRecords/likeness.ts';
import { ask, askOr } from './reading.ts';
import { leavesSigns, maybeLate, rivalsFor } from './rivals.ts';
import { settles } from './settles.ts';
import { type Case, meaningOf } from './sighting.ts';

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

/** A new snapshot may have a state of its own. */
export function judgeMade(here: Case, id: string): Judgement {
  const snapshot = parseIdentifier(id);
  const part = snapshot && ask(here, 'part', { holder: here.target, id: snapshot });
  const { word = '', class: found } = part?.state ?? {};
  const outcome = readOutcome(word);
  if (found === 'failed' || outcome === 'failed') return { type: 'failed', reason: part?.error ?? `${id} is ${word}.` };
  if (outcome === 'partial')
    return { type: 'finished', by: `There is a new snapshot, ${id}, which is ${word}.`, isInPart: true };
  if (part?.state && meaningOf(here, part, undefined) === 'passing') return { type: 'waiting' };
  return { type: 'proved', by: `There is a new snapshot, ${id}.` };
}

const ofAnother = 'It is of another request, and nobody answered this one.';

/** What a look showed beside the snapshots. */
type Shown = Readonly<{ report: Report | undefined; mayHaveFailed: boolean; seen: Evidence }>;

/**
 * The snapshot that this job made: one that was not there before, that no other job has, and that names no other maker and
 * no time before the sending. There may be no more of them than Dolly's jobs explain. `ofOther` says what speaks against it.
 */
export function newSnapshot(
  here: Case,
  record: RecordView,
  { report, mayHaveFailed, seen }: Shown,
): Readonly<{ made?: Claim; ofOther?: NonNullable<Sighting['ofOther']> }> {
  const { reading, job, target, proof } = here;
  const { doneBy, wasBusy } = seen;
  const explained = `The record told of work by ${doneBy} that may explain it: I cannot tell whether mine was done, too.`;
  const isExplained = !report && doneBy !== undefined;
  const untold = isExplained ? { ofOther: { says: explained, mayBeOurs: false } } : {};
  if (proof.type !== 'changes' || !proof.makes) return untold;
  const before = job.baseline?.target;
  if (!before || leavesSigns(here)) return untold;
  const shown = snapshotsSince(before, record);
  // One that is gone again was of a try that failed: another may take its place.
  const isHeld = shown.some(one => one === job.claimed);
  const all = isHeld ? shown.filter(one => one === job.claimed) : shown;
  const parted = all.map(text => {
    const id = parseIdentifier(text);
    const part = id && ask(here, 'part', { holder: target, id });
    return { ...(part ? claimOn(part) : { sign: '', name: null, madeAt: null }), record: text, part };
  });
  const free = freeClaims(
    here,
    parted.map(({ part: _, ...claim }) => claim),
  );
  const isShown = job.claimed !== null || report || wasBusy !== undefined || beganInTime(seen, job.sentAt);
  const inDoubt = job.noAnswer !== null && !isShown;
  const sent = { ...job, inDoubt, now: reading.now };
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
  const { late, open } = rivalsFor(here);
  // Each job that may take effect late explains one of them.
  if (own.length <= late)
    return { ofOther: { says: `There is a new snapshot, ${named}. ${maybeLate}`, mayBeOurs: false } };
  if (own.length <= 1 + late + open)
    return mayHaveFailed
      ? { ofOther: { says: `There is a new snapshot, ${named}. ${untoldReport}`, mayBeOurs: true } }
      : { made: { ...made, ...leaves } };
  const says = `There are new snapshots, ${named}, and not all of them are of my jobs: I cannot tell whose each is.`;
  return { ofOther: { says, mayBeOurs: reading.now - job.sentAt >= settles.turn } };
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
