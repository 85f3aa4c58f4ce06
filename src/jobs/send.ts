import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import type { Identifier } from '../api/identifiers.ts';
import { Failure, isSignedOut, sentence } from '../ground/failure.ts';
import { proofOf, sentValues, type Values } from '../operations/operation.ts';
import type { Proof } from '../operations/proofs.ts';
import { type RecordReader, recordReader } from '../records/recordReader.ts';
import { holderOf } from '../records/snapshotHolder.ts';
import type { Baseline } from '../store/jobs/data.ts';
import type { Job, JobIn } from '../store/jobs/job.ts';
import type { Credential } from '../store/tables/credentials.ts';
import { eventBeforeSending, type PolicyEvent } from './approval/beforeSending.ts';
import { withDependents } from './approval/dependents.ts';
import { pauseBefore } from './backOff.ts';
import { beforeOf, packIdentifiers } from './evidence/baseline.ts';
import { wordGroupOf } from './evidence/stateVocabulary.ts';
import { operationOf, type Parts, targetOf } from './parts.ts';
import { holdForSignIn } from './signInHold.ts';

/** How long a job that could not be sent yet is kept. */
const keptFor = hoursToMilliseconds(24);

/** The first look at the records follows the acceptance this soon, in milliseconds. */
const firstLook = 1_000;

/** A job that may be sent, and the state to which it goes back where the service did nothing. */
type Sendable = JobIn<'new' | 'approved'>;

/** Whether a job may be sent. */
export function isSendable(job: Job): job is Sendable {
  return job.state === 'new' || job.state === 'approved';
}

/**
 * A `new` or `approved` job: holds it against the policy, takes the baseline, writes `sending`, calls the service once,
 * and writes what came of it. What was certainly not accepted goes back (to wait) or ends as failed; what may have been
 * accepted becomes `running`, in doubt, and is never sent again.
 */
export async function send(parts: Parts, job: Sendable): Promise<void> {
  const { jobs, credentials, service, clock } = parts;
  const owner = { team: job.team, person: job.person };
  if (clock.now() >= untilExpired(job)) {
    const reason =
      job.state === 'new'
        ? 'Nothing was sent: it waited for a day.'
        : 'Nothing was sent: by the time that it could be, the approval was too old.';
    await jobs.move(job.id, job.state, 'expired', ended(parts, reason), clock.now());
    parts.tell();
    return;
  }
  const credential = await credentials.find(owner);
  if (!credential) return holdForSignIn(parts, job, untilExpired(job));

  const operation = operationOf(job);
  const { values } = job;
  const target = targetOf(job);
  const proof = proofOf(operation, target, values);
  const records = recordReader(call => service.fetch(credential.token, call), parts.mapping);
  try {
    const question = { owner, credential, operation, values, target, reason: job.purpose, records };
    const event = await eventBeforeSending(parts, job, question);
    if (event) return applyPolicy(parts, job, event);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return notSent(parts, job, job.state, credential, error);
  }
  const before = await takeBaseline(records, proof, target, values).catch((error: unknown) => error);
  // Who may not read the records may still ask: nothing to compare with means that nothing can be confirmed.
  const isHidden = before instanceof Failure && (before.kind === 'forbidden' || before.kind === 'missing');
  if (!isTaken(before) && !isHidden) return notSent(parts, job, job.state, credential, before);

  await learnWords(parts, proof, target, records);

  const sentAt = clock.now();
  const sending = await jobs.move(
    job.id,
    job.state,
    'sending',
    {
      hold: null,
      login: credential.username,
      reason: null,
      sentAt,
      deadlineAt: sentAt + proof.within,
      lockedUntil: job.lockedUntil,
      baseline: isTaken(before) ? before.baseline : null,
      targetName: (isTaken(before) ? before.name : undefined) ?? job.targetName,
    },
    sentAt,
  );
  parts.tell();
  if (!sending) return;

  try {
    await service.submit(credential.token, operation.call(target, sentValues(operation, values)));
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unclear') {
      const why = proof.type === 'gone' ? await explained(error, target, records) : error;
      return notSent(parts, job, 'sending', credential, why);
    }
    parts.log.warn({ job: job.id, operation: job.operation, error }, 'whether the service accepted is unknown');
    return run(parts, job, { inDoubt: true, reason: sentence(error) });
  }
  // Where the store does not take this, it stays as sent with no known answer, and is settled by looking.
  await run(parts, job, { inDoubt: false });
}

/** Ends a job that the policy does not let be sent, or lets it wait for approval. */
async function applyPolicy(parts: Parts, job: Sendable, event: PolicyEvent): Promise<void> {
  const { jobs, clock } = parts;
  const now = clock.now();
  switch (event.type) {
    case 'forbidden':
    case 'refused': {
      const change = { ...ended(parts, event.reason), login: event.login ?? null };
      await jobs.move(job.id, 'new', 'failed', change, now, { event: event.type });
      break;
    }
    case 'changedSince':
      await jobs.move(job.id, 'approved', 'void', ended(parts, event.reason), now);
      break;
    case 'approvalNeeded': {
      const { terms } = event.approval;
      const change = {
        ...{ ...event.approval, login: event.login, targetName: event.targetName },
        ...{ dueAt: event.remindAt, hold: null, reason: null, tries: 0 },
      };
      const detail = `${terms.approvals} needed (${terms.rule}); ${job.purpose}`;
      await jobs.move(job.id, 'new', 'awaiting', change, now, { detail });
    }
  }
  parts.tell();
}

/** Where little is known of the words in which such records rest, the list tells before anything is done to them. */
async function learnWords(
  { vocabulary, jobs }: Parts,
  proof: Proof,
  target: Identifier,
  records: RecordReader,
): Promise<void> {
  const isAboutWords = target.noun === 'live' || target.noun === 'clone' || target.noun === 'environment';
  if (!isAboutWords || !target.noun || proof.type === 'gone') return;
  if (!vocabulary.isNewTo(wordGroupOf({ id: target })) && !vocabulary.isDue()) return;
  // Nothing rests on a list that cannot be read: then the dictionary decides.
  if (vocabulary.isNewTo(wordGroupOf({ id: target }))) await records.list(target.noun).catch(() => undefined);
  const inHand = await jobs.inHand();
  vocabulary.observe(await records.listed().catch(() => []), ({ id }) => inHand.has(id.text));
  await vocabulary.keep();
}

/** The refusal of a deletion, with what stands in its way where the records show it (spec §3, rules 2 and 3). */
async function explained(error: Failure, target: Identifier, records: RecordReader): Promise<Failure> {
  if (error.kind !== 'refused') return error;
  const known = await records.list('live').catch(() => undefined);
  const message = withDependents(error.message, target, known?.records ?? []);
  return new Failure(error.kind, message, { cause: error });
}

type Taken = Readonly<{ type: 'taken'; baseline: Baseline; name: string | undefined }>;

/** What the records show before the call: who is there, and how the target stands. */
async function takeBaseline(records: RecordReader, proof: Proof, target: Identifier, values: Values): Promise<Taken> {
  if (proof.type === 'appears') {
    const { records: known, cut } = await records.list('live');
    const ids = packIdentifiers(known.filter(record => record.vendor === target.vendor));
    const source = known.find(record => record.id.text === target.text);
    const environment = source?.environment?.id.text;
    return {
      type: 'taken',
      baseline: { ids, ...(cut ? { cut } : {}), ...(environment === undefined ? {} : { environment }) },
      name: source?.name,
    };
  }
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const record = holder && (await records.one(holder));
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const part = holder && mention && holder !== target ? await records.part(holder, target) : undefined;
  return {
    type: 'taken',
    baseline: {
      ids: {},
      ...(holder ? { holder: holder.text } : {}),
      ...(record ? { target: beforeOf(record, proof.type === 'changes' ? proof.by : 'work') } : {}),
      ...(part ? { part: beforeOf(part) } : {}),
    },
    name: holder === target ? record?.name : mention?.label,
  };
}

function isTaken(before: unknown): before is Taken {
  return typeof before === 'object' && before !== null && 'type' in before && before.type === 'taken';
}

/** A `sending` job whose sender is gone: nobody knows whether the call arrived, so the records have to tell. */
export async function settle(parts: Parts, job: JobIn<'sending'>): Promise<void> {
  parts.log.warn({ job: job.id, operation: job.operation }, 'found in doubt');
  await run(parts, job, { inDoubt: true, reason: 'Dolly was interrupted while it was sending this.' });
}

async function run(parts: Parts, job: Pick<Job, 'id'>, change: { inDoubt: boolean; reason?: string }): Promise<void> {
  const now = parts.clock.now();
  await parts.jobs.move(job.id, 'sending', 'running', { ...change, looks: 0, dueAt: now + firstLook }, now);
  parts.tell();
}

/** The service certainly did nothing: the job waits where waiting can help, else it ends. */
async function notSent(
  parts: Parts,
  job: Sendable,
  from: 'new' | 'approved' | 'sending',
  credential: Credential,
  error: unknown,
): Promise<void> {
  const { jobs, credentials, clock, log } = parts;
  log.info({ job: job.id, operation: job.operation, error }, 'nothing was done by the service');
  const pause = pauseBefore(error, job.tries);
  if (isSignedOut(error) || pause !== undefined) {
    if (isSignedOut(error))
      await credentials.drop({ team: job.team, person: job.person }, credential.token, clock.now());
    const back = from === 'sending' ? await jobs.move(job.id, 'sending', job.state, {}, clock.now()) : job;
    if (!back || !isSendable(back)) return;
    return pause === undefined
      ? holdForSignIn(parts, back, untilExpired(back))
      : wait(parts, back, pause, sentence(error));
  }
  const told = sentence(error);
  const reason = from === 'sending' || told.includes('Nothing was sent') ? told : `${told} Nothing was sent.`;
  await jobs.move(job.id, from, 'failed', ended(parts, reason), clock.now());
  parts.tell();
}

/** When a job that still is not sent expires. */
function untilExpired(job: Sendable): number {
  return job.approval?.expiresAt ?? job.createdAt + keptFor;
}

/** Puts a job off, which says why, and counts how often that was so. */
async function wait(parts: Parts, job: Sendable, pause: number, reason: string): Promise<void> {
  const now = parts.clock.now();
  const change = { hold: 'busy', dueAt: now + pause, tries: job.tries + 1, reason } as const;
  await parts.jobs.note(job.id, job.state, change, job.hold !== 'busy' || job.reason !== reason, now);
  parts.tell();
}

function ended(parts: Parts, reason: string) {
  return { reason, endedAt: parts.clock.now(), dueAt: null, hold: null };
}
