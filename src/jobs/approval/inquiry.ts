import type { Identifier } from '../../api/identifiers.ts';
import { Failure, failureBut } from '../../ground/failure.ts';
import { deleteDatabase } from '../../operations/databases.ts';
import type { JobOperation, Values } from '../../operations/operation.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Impact } from '../../store/jobs/rows/data.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Owner } from '../../store/vault.ts';
import type { Inquirer, Parts } from '../parts.ts';
import { readImpact } from './facts/impact.ts';
import { type Inspection, inspect } from './facts/inspection.ts';
import { isOwnYoungClone, ownCloneRule } from './policy/ownClone.ts';
import {
  type PolicyVerdict,
  possibleVerdicts,
  type Subject,
  strictest,
  subjectOf,
  withUnknownGroups,
} from './policy/verdict.ts';

/** A request that is checked against the policy and the service's rules. */
export type Question = Readonly<{
  owner: Owner;
  /** The sign-in that the request runs with, if there is one. */
  credential: Credential | undefined;
  operation: JobOperation;
  values: Values;
  /** Absent where a form still has to ask for it. */
  target: Identifier | undefined;
  /** The name of the target, as far as it was found by its name. */
  name?: string | undefined;
  /** The reason that the person gave; `null` where they gave none, absent where a form still asks for it. */
  reason?: string | null | undefined;
  /** The records as this person sees them; absent where nothing may be read. */
  records: RecordReader | undefined;
  /** The job of the request, or its plan, once it has one. */
  job?: string;
}>;

/** A question about a request that is to be sent: its person is signed in, and its target is known. */
export type SendingQuestion = Question &
  Readonly<{ credential: Credential; target: Identifier; records: RecordReader }>;

/** A question with all that is read to answer it. Each thing is read when it is first needed, and only once. */
export type Inquiry<Asked extends Question = Question> = Asked &
  Readonly<{
    parts: Inquirer;
    /** The reading of the target; absent without a target or records. @throws {Failure} `signed-out` */
    reading(): Promise<Inspection | Failure | undefined>;
    /**
     * The verdict of the policy; `open` where it rests on a target that was not read. @throws {Failure} `signed-out`
     */
    verdict(): Promise<PolicyVerdict | Readonly<{ type: 'open' }>>;
    /** The loss by a restore, as far as this sign-in is shown it. @throws {Failure} where the records were not read */
    impact(): Promise<Impact | undefined>;
  }>;

/**
 * Opens an inquiry into a question. With `now`, user groups are read anew: a request that is sent rests on their
 * members at that moment.
 */
export function openInquiry<Asked extends Question>(parts: Inquirer, question: Asked, now?: 'now'): Inquiry<Asked> {
  const { target, records, values, owner, operation, job } = question;
  const reading = once(
    async () => target && records && (await inspect(records, target, values).catch(failureBut('signed-out'))),
  );
  const verdict = once(async () => {
    const subject = await subjectOf(parts, owner, operation, now);
    const free = async (seen: Inspection) =>
      parts.policy.freesOwnClones &&
      operation.name === deleteDatabase.name &&
      records !== undefined &&
      (await isOwnYoungClone(parts, owner, records, seen));
    return meaningOfError(parts, subject, { reading, free });
  });
  const impact = once(
    async () => target && records && (await readImpact(parts, { owner, operation, target, values, records, job })),
  );
  return { ...question, parts, reading, verdict, impact };
}

/** The reading of a target, and whether the policy then leaves it to its maker alone, unless a rule decides on it. */
type Looking = Pick<Inquiry, 'reading'> & Readonly<{ free(seen: Inspection): Promise<boolean> }>;

async function meaningOfError({ policy }: Parts<'policy'>, subject: Subject, { reading, free }: Looking) {
  const unread = possibleVerdicts(policy, subject);
  // Where the request is allowed for any target, the target is not read: a person need not see it to ask for it.
  if (unread.every(({ type }) => type === 'allow')) return unread[0];
  const seen = await reading();
  const isRead = seen !== undefined && !(seen instanceof Failure);
  const possible = isRead ? possibleVerdicts(policy, { ...subject, ...seen }) : unread;
  const verdict = strictest(possible);
  if (isRead && verdict.type === 'approve' && (await free(seen))) {
    const { name } = subject.operation;
    const unguarded = strictest(possibleVerdicts(policy, { ...subject, ...seen, operation: { name } }));
    if (unguarded.type === 'allow') return { ...unguarded, rule: ownCloneRule };
  }
  // As long as the target was not read, one verdict is certain only if no other is possible.
  if (!isRead && possible.some(({ type }) => type !== verdict.type)) return { type: 'open' } as const;
  return withUnknownGroups(verdict, policy, subject);
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
