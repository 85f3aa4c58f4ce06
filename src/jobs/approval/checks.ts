import type { Identifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Job } from '../../store/tables/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Parts } from '../parts.ts';
import { type Inspection, inspect } from './facts.ts';
import type { Finding } from './findings.ts';
import { stands } from './serviceRules.ts';
import { forbiddenBy, type PolicyVerdict, possibleVerdicts, strictest, subjectOf } from './verdict.ts';

/** What would be asked for. Without a target, or without records, what rests on them stays hidden. */
export type Question = Readonly<{
  owner: Owner;
  operation: WriteOperation;
  values: Values;
  target: Identifier | undefined;
  /** What the target is called, as far as it was found by name. */
  name: string | undefined;
  records: RecordReader | undefined;
}>;

/**
 * Holds a command against every gate behind the sign-in, as the sending of it would, and sends nothing but reads.
 * @throws {Failure} `signed-out` where the service refuses the token meanwhile
 */
export async function examine(parts: Parts, question: Question): Promise<readonly Finding[]> {
  const { owner, operation, values, target, name, records } = question;
  const seen = target && records ? await readFor(records, target, values) : undefined;
  const inspection = seen instanceof Failure ? undefined : seen;
  const subject = await subjectOf(parts, owner, operation);
  const possible = possibleVerdicts(parts.policy, inspection ? { ...subject, ...inspection } : subject);
  const shown = target && records ? [visible(target, name, seen)] : [];
  return [
    ...shown,
    ...(await judged(parts, owner, possible, seen)),
    ...(target && records && inspection ? await stands(operation, values, target, inspection, records) : []),
    // What others do to a record is for those to know who see it.
    ...(target && inspection ? [underWay(await parts.jobs.openOn(owner.team, target.text), target, inspection)] : []),
  ];
}

async function readFor(records: RecordReader, target: Identifier, values: Values): Promise<Inspection | Failure> {
  try {
    return await inspect(records, target, values);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    return error;
  }
}

function visible(target: Identifier, name: string | undefined, seen: Inspection | Failure | undefined): Finding {
  const called = seen instanceof Failure || seen?.record?.id.text !== target.text ? name : (seen.record.name ?? name);
  const what = called === undefined || called === target.text ? target.text : `${called} is ${target.text}`;
  if (seen instanceof Failure) {
    if (seen.kind === 'missing')
      return { gate: 'target', result: 'failed', sentence: `No record shows ${target.text}.` };
    return { gate: 'target', result: 'hidden', sentence: `${what}. Its record could not be read: ${seen.message}` };
  }
  return seen?.record
    ? { gate: 'target', result: 'passed', sentence: `${what}.` }
    : { gate: 'target', result: 'hidden', sentence: `No record shows ${target.text}; it is used as typed.` };
}

/** What the policy says, and who would have to approve. */
async function judged(
  parts: Parts,
  owner: Owner,
  possible: ReturnType<typeof possibleVerdicts>,
  seen: Inspection | Failure | undefined,
): Promise<Finding[]> {
  const verdict = strictest(possible);
  const isRead = seen !== undefined && !(seen instanceof Failure);
  // As long as the target was not read, one verdict is certain only if no other is possible.
  if (!isRead && possible.some(({ type }) => type !== verdict.type)) {
    const sentence = 'What it says rests on the target, which was not read.';
    return [{ gate: 'policy', result: 'hidden', sentence }];
  }
  if (verdict.type === 'forbid') return [{ gate: 'policy', result: 'failed', sentence: forbiddenBy(verdict) }];
  if (verdict.type === 'allow')
    return [{ gate: 'policy', result: 'passed', sentence: `It needs no approval: ${verdict.rule}.` }];
  const policy = {
    gate: 'policy',
    result: 'passed',
    sentence: `It is allowed with approval: ${verdict.rule}.`,
  } as const;
  if (seen instanceof Failure && (seen.kind === 'missing' || seen.kind === 'forbidden')) {
    const sentence = 'The target cannot be read with your sign-in, so nobody could see what would be approved.';
    return [policy, { gate: 'approval', result: 'failed', sentence }];
  }
  return [policy, await approvalOf(parts, owner, verdict)];
}

async function approvalOf(
  { people, policy, clock }: Parts,
  owner: Owner,
  { approvals, approvers, lifetime }: Extract<PolicyVerdict, { type: 'approve' }>,
): Promise<Finding> {
  const members = await Promise.all(approvers.map(async id => ({ id, who: await people.membersOf([id]) })));
  const others = new Set(members.flatMap(({ who }) => who).filter(id => id !== owner.person));
  // Of a group that shows no members it is not known who is in it.
  const isKnown = approvers.length > 0 && members.every(({ who }) => who.length > 0);
  const mayBreakGlass = (await people.isAmong(owner, policy.emergency)) === true;
  const terms = { approvals, approvers, until: clock.now() + lifetime, mayBreakGlass };
  if (isKnown && others.size < approvals) {
    const many = others.size === 0 ? 'nobody but you is listed' : `only ${others.size} beside you are listed`;
    const sentence = `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed, and ${many}.`;
    return { gate: 'approval', result: mayBreakGlass ? 'waits' : 'failed', sentence, terms };
  }
  const sentence = `${approvals === 1 ? 'One other person has' : `${approvals} other people have`} to approve it.`;
  return { gate: 'approval', result: 'waits', sentence, terms };
}

function underWay(jobs: readonly Job[], target: Identifier, { record }: Inspection): Finding {
  const state = record?.id.text === target.text ? record.state : undefined;
  if (jobs.length > 0) return { gate: 'jobs', result: 'failed', sentence: 'Something else is under way on it:', jobs };
  return state?.class === 'busy'
    ? { gate: 'jobs', result: 'failed', sentence: `The service is at work on it: it is ${state.word}.` }
    : { gate: 'jobs', result: 'passed', sentence: 'I have nothing else under way on it.' };
}
