import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { lists } from '../api/call.ts';
import { parseIdentifier } from '../api/identifiers.ts';
import { readList } from '../api/records.ts';
import { Failure, sentence } from '../failure.ts';
import type { Credential } from '../store/credentials.ts';
import type { Job } from '../store/jobs.ts';
import { baselineOf } from './evidence.ts';
import { holdForSignIn } from './hold.ts';
import { asked, type Parts } from './parts.ts';

/** How long a job that could not be sent yet is kept. */
const keptFor = hoursToMilliseconds(24);

/** The first look at the records follows the acceptance this soon, in milliseconds. */
const firstLook = 1_000;

/**
 * A `new` job: takes the baseline, writes `sending`, calls the service once, and writes what came of it. What was
 * certainly not accepted goes back to `new` (to wait) or ends as failed; what may have been accepted becomes `running`,
 * in doubt, and is never sent again.
 */
export async function send(parts: Parts, job: Job): Promise<void> {
  const { jobs, credentials, service, clock } = parts;
  const owner = { team: job.team, person: job.person };
  if (clock.now() >= untilExpired(job)) {
    await jobs.move(job.id, 'new', 'expired', ended(parts, 'Nothing was sent: it waited for a day.'), clock.now());
    return;
  }
  const credential = await credentials.find(owner);
  if (!credential) return holdForSignIn(parts, job, untilExpired(job));

  const { operation, values } = asked(job);
  const vendor = parseIdentifier(job.target)?.vendor;
  if (!vendor) throw new Error(`job ${job.id} has the target ${job.target}, which has no vendor`);
  const proof = operation.proof(values);
  const records = await service.fetch(credential.token, lists.databases).then(
    body => readList(body, ['live', 'clone']).records,
    (error: unknown) => error,
  );
  // Who may not read the list may still clone: nothing to compare with means that nothing can be confirmed, not that
  // nothing may be asked.
  const hidden = records instanceof Failure && (records.kind === 'forbidden' || records.kind === 'missing');
  if (!Array.isArray(records) && !hidden) return notSent(parts, job, 'new', credential, records);
  const known = Array.isArray(records) ? records : [];

  const sentAt = clock.now();
  const sending = await jobs.move(
    job.id,
    'new',
    'sending',
    {
      hold: null,
      reason: null,
      sentAt,
      deadlineAt: sentAt + proof.within,
      leaseUntil: job.leaseUntil,
      baseline: hidden ? null : JSON.stringify(baselineOf(known.filter(record => record.vendor === vendor))),
      targetName: known.find(record => record.id.text === job.target)?.name ?? job.targetName,
    },
    sentAt,
  );
  parts.tell();
  if (!sending) return;

  try {
    await service.submit(credential.token, operation.call(vendor, values));
    await run(parts, job, { inDoubt: 0 });
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unclear') return notSent(parts, job, 'sending', credential, error);
    parts.log.warn({ job: job.id, operation: job.operation, error }, 'whether the service accepted is unknown');
    await run(parts, job, { inDoubt: 1, reason: sentence(error) });
  }
}

/** A `sending` job whose sender is gone: nobody knows whether the call arrived, so the records have to tell. */
export async function settle(parts: Parts, job: Job): Promise<void> {
  parts.log.warn({ job: job.id, operation: job.operation }, 'found in doubt after a stop');
  await run(parts, job, { inDoubt: 1, reason: 'Dolly was stopped while it was sending this.' });
}

async function run(parts: Parts, job: Job, change: { inDoubt: 0 | 1; reason?: string }): Promise<void> {
  const now = parts.clock.now();
  await parts.jobs.move(job.id, 'sending', 'running', { ...change, looks: 0, dueAt: now + firstLook }, now);
  parts.tell();
}

/** The service certainly did nothing: the job waits where waiting can help, else it ends. */
async function notSent(
  parts: Parts,
  job: Job,
  from: 'new' | 'sending',
  credential: Credential,
  error: unknown,
): Promise<void> {
  const { jobs, credentials, clock, log } = parts;
  log.info({ job: job.id, operation: job.operation, error }, 'nothing was done by the service');
  const kind = error instanceof Failure ? error.kind : undefined;
  if (kind === 'signed-out' || kind === 'busy') {
    if (kind === 'signed-out') await credentials.drop({ team: job.team, person: job.person }, credential.token);
    const back = from === 'new' ? job : await jobs.move(job.id, 'sending', 'new', {}, clock.now());
    if (!back) return;
    const retryAfter = error instanceof Failure ? error.retryAfter : undefined;
    return kind === 'signed-out' ? holdForSignIn(parts, back, untilExpired(back)) : wait(parts, back, retryAfter);
  }
  const told = sentence(error);
  const reason = from === 'sending' || told.includes('Nothing was sent') ? told : `${told} Nothing was sent.`;
  await jobs.move(job.id, from, 'failed', ended(parts, reason), clock.now());
  parts.tell();
}

/** When a job that still is not sent expires. */
function untilExpired(job: Job): number {
  return job.createdAt + keptFor;
}

/** Puts a job off for as long as the service asks. */
async function wait(parts: Parts, job: Job, retryAfter = 10_000): Promise<void> {
  const now = parts.clock.now();
  await parts.jobs.note(job.id, 'new', { hold: 'busy', dueAt: now + retryAfter }, job.hold !== 'busy', now);
  parts.tell();
}

function ended(parts: Parts, reason: string) {
  return { reason, endedAt: parts.clock.now(), dueAt: null, hold: null };
}
