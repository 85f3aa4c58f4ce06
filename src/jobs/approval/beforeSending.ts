import type { Identifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Job } from '../../store/tables/job.ts';
import type { Parts } from '../parts.ts';
import { approvalsThatCount } from './approvers.ts';
import type { Terms } from './decisions.ts';
import { differencesBetween } from './differences.ts';
import { digestOf } from './digest.ts';
import { factsIn } from './fact.ts';
import { type Inspection, inspect } from './facts.ts';
import { foretold } from './findings.ts';
import { identityOf } from './identity.ts';
import { stands } from './serviceRules.ts';
import {
  forbiddenBy,
  type PolicyVerdict,
  possibleVerdicts,
  type Subject,
  strictest,
  subjectOf,
  untold,
  withUnknownGroups,
} from './verdict.ts';

/**
 * Holds a job that is about to be sent against the policy: lets it pass (`true`), lets it wait for approval, or ends it.
 * What was approved passes only if the target still is what the approvers saw, it runs as whom they were told, and the
 * policy asks for no more since.
 * @throws {Failure} where the records cannot be read that this hinges on
 */
export async function passes(
  parts: Parts,
  job: Job,
  { operation, values }: { operation: WriteOperation; values: Values },
  target: Identifier,
  records: RecordReader,
  credential: Credential,
): Promise<boolean> {
  const subject = await subjectOf(parts, { team: job.team, person: job.person }, operation, 'now');
  if (job.state === 'approved') return stillStands(parts, job, target, values, records, credential, subject);
  if (possibleVerdicts(parts.policy, subject).every(({ type }) => type === 'allow')) return true;
  const seen = await visible(records, target, values);
  const verdict = withUnknownGroups(
    strictest(possibleVerdicts(parts.policy, { ...subject, ...seen })),
    parts.policy,
    subject,
  );
  if (verdict.type === 'allow') return true;
  const now = parts.clock.now();
  if (verdict.type === 'forbid') {
    const change = { ...over(now), reason: `${forbiddenBy(verdict)} Nothing was sent.`, login: credential.username };
    await parts.jobs.move(job.id, 'new', 'failed', change, now, { event: 'forbidden' });
  } else if (job.purpose === null) {
    const reason = `This needs approval (${verdict.rule}), and so a reason. Nothing was sent; ask again and say why.`;
    await parts.jobs.move(job.id, 'new', 'failed', { ...over(now), reason }, now, { event: 'refused' });
  } else {
    const findings = await stands(operation, values, target, seen, records);
    const doom = findings.find(({ gate, result }) => result === 'failed' && foretold.has(gate));
    if (doom) {
      const reason = `The service would refuse this, so nobody was asked to approve it: ${doom.sentence} Nothing was sent.`;
      const change = { ...over(now), reason, login: credential.username };
      await parts.jobs.move(job.id, 'new', 'failed', change, now, { event: 'refused' });
    } else await awaits(parts, job, verdict, seen, credential);
  }
  parts.tell();
  return false;
}

async function visible(records: RecordReader, target: Identifier, values: Values): Promise<Inspection> {
  try {
    return await inspect(records, target, values);
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'forbidden' && error.kind !== 'missing')) throw error;
    const why = `${target.text} cannot be read with your sign-in, so nobody could see what would be approved. Nothing was sent.`;
    throw new Failure('refused', why, { cause: error });
  }
}

async function awaits(
  parts: Parts,
  job: Job,
  { rule, approvals, approvers, lifetime }: Extract<PolicyVerdict, { type: 'approve' }>,
  { facts }: Inspection,
  credential: Credential,
): Promise<void> {
  const { jobs, clock, policy, approvalChannel } = parts;
  const now = clock.now();
  const asker = await identityOf(parts, credential);
  const terms: Terms = { rule, approvals, approvers: [...approvers], asker };
  const change = {
    login: credential.username,
    terms: JSON.stringify(terms),
    facts: JSON.stringify(facts),
    digest: digestOf(job, facts),
    // What the form called it is what the person saw there, not what the records say now.
    targetName: facts.find(({ key }) => key === 'name')?.value ?? null,
    expiresAt: now + lifetime,
    dueAt: now + Math.min(policy.reminders[0] ?? lifetime, lifetime),
    cardPlace: approvalChannel === job.channel ? null : (approvalChannel ?? null),
    hold: null,
    reason: null,
    looks: 0,
  };
  const detail = `${approvals} needed (${rule}); ${job.purpose}`;
  await jobs.move(job.id, 'new', 'awaiting', change, now, { detail });
}

async function stillStands(
  parts: Parts,
  job: Job,
  target: Identifier,
  values: Values,
  records: RecordReader,
  credential: Credential,
  subject: Subject,
): Promise<boolean> {
  const why = await changed(parts, job, target, values, records, credential, subject);
  if (why === undefined) return true;
  const now = parts.clock.now();
  await parts.jobs.move(job.id, 'approved', 'void', { ...over(now), reason: `${why} Nothing was sent.` }, now);
  parts.tell();
  return false;
}

/** What has changed since the approval, in a sentence; `undefined` where nothing has. */
async function changed(
  parts: Parts,
  job: Job,
  target: Identifier,
  values: Values,
  records: RecordReader,
  credential: Credential,
  subject: Subject,
): Promise<string | undefined> {
  if (credential.username !== job.login)
    return `It was approved to run as ${job.login}, and you are signed in as ${credential.username} now.`;
  const seen = await inspect(records, target, values).catch((error: unknown) => {
    if (error instanceof Failure && (error.kind === 'missing' || error.kind === 'forbidden')) return error;
    throw error;
  });
  if (seen instanceof Failure) return `${target.text} could not be read any more: ${seen.message}`;
  const different = differencesBetween(factsIn(job), seen.facts);
  if (different.length > 0) return `What was approved is no longer what is there. ${different.join(' ')}`;
  const verdict = strictest(possibleVerdicts(parts.policy, { ...subject, ...seen }));
  if (verdict.type === 'forbid') return forbiddenBy(verdict);
  if (verdict.type !== 'approve') return undefined;
  if (job.emergency !== null) return emergencyOver(parts, job);
  const given = (await approvalsThatCount(parts, job, verdict.approvers, credential)).length;
  return verdict.approvals > given
    ? `The policy asks for ${verdict.approvals === 1 ? 'one approval' : `${verdict.approvals} approvals`} (${verdict.rule}), and of those that were given, ${given} count now.`
    : undefined;
}

/** Why the person may not do without approval any more; `undefined` where they may. */
async function emergencyOver({ people, policy }: Parts, job: Job): Promise<string | undefined> {
  const listed = await people.isAmong({ team: job.team, person: job.person }, policy.emergency, 'now');
  if (listed === undefined) throw new Failure('busy', untold(policy.emergency));
  return listed ? undefined : 'The policy does not let you do without approval any more.';
}

function over(now: number) {
  return { endedAt: now, dueAt: null, hold: null } as const;
}
