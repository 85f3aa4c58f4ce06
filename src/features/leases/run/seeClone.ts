import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { minute } from '../../../ground/durations.ts';
import { Failure, isSignedOut } from '../../../ground/failure.ts';
import { inRow } from '../../../ground/wording.ts';
import { dependentsOf } from '../../../jobs/approval/facts/facts.ts';
import { type Inspection, inspect } from '../../../jobs/approval/facts/inspection.ts';
import { isApprover } from '../../../jobs/approval/people/hasSay.ts';
import { type RuleSubject, subjectOf } from '../../../jobs/approval/policy/verdict.ts';
import { isOfOtherUser } from '../../../jobs/approval/standingApproval.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import { deleteDatabase } from '../../../operations/databases.ts';
import { isDeleted } from '../../../records/recordReader.ts';
import type { Session } from '../../../records/records.ts';
import { compareRecords, marksOf } from '../../../records/sameRecord.ts';
import type { Lease } from '../../../store/tables/leases.ts';
import type { Owner } from '../../../store/vault.ts';
import { heldBack, type LeaseTerms, leaseTermsOf } from '../leaseRules.ts';
import type { LeaseSight } from './nextOfLease.ts';

/** A clone as somebody's sign-in shows it, for its lease. */
export type CloneSeen = Readonly<{
  sight: LeaseSight;
  /** The clone as the lease rules see it. */
  subject: RuleSubject;
  /** Whether nothing could be read since the person is not signed in, or the service refused the sign-in. */
  lacksSignIn?: boolean;
  /** The records behind it; absent where nothing could be read. */
  inspection?: Inspection | undefined;
}>;

/** The parts of a lease by which its clone is recognised. */
type Recognised = Pick<
  Lease,
  'team' | 'record' | 'name' | 'madeAt' | 'since' | 'operation' | 'endJob' | 'person' | 'login'
>;

/** The difference of clocks up to which a creation time may lie after the beginning of a lease, in milliseconds. */
const clockSlack = 10 * minute;

/**
 * Reads the clone of a lease with a person's sign-in. `session` is absent where that person is not signed in.
 * @throws {Failure} where the service does not answer now: another try may help
 */
export async function seeClone(
  parts: Judge & Parts<'jobs'>,
  lease: Recognised,
  session: Session | undefined,
): Promise<CloneSeen> {
  const unseen = await subjectOfLease(parts, lease, undefined);
  const hidden = async (why: string, lacksSignIn = false): Promise<CloneSeen> => {
    const sight = (await wasDeleted(parts, lease)) ? ({ type: 'gone' } as const) : ({ type: 'hidden', why } as const);
    return { sight, subject: unseen, lacksSignIn };
  };
  const id = parseIdentifier(lease.record);
  if (!id) return hidden('this release does not know such records');
  if (!session) return hidden('I have no sign-in with which I could look at it', true);
  try {
    const inspection = await inspect(session.records, id, {});
    const { record } = inspection;
    const subject = await subjectOfLease(parts, lease, inspection);
    if (!record) return { sight: { type: 'gone' }, subject };
    const differs = differencesOf(lease, record);
    if (differs === 'another') return { sight: { type: 'gone' }, subject };
    const { records, cut } = await session.records.list('live');
    const dependents = (await dependentsOf(id, records)).filter(one => !isDeleted(one));
    const others = (await parts.jobs.openOn(lease.team, lease.record)).filter(job => job.id !== lease.endJob);
    const doubts = [
      isOfOtherUser(lease, session.credential.username)
        ? 'its owner now signs in to the service as a different user than when its end was set'
        : undefined,
      id.noun === 'clone' ? undefined : 'its record may be that of a live database',
      differs,
      dependents.length === 0
        ? undefined
        : `${inRow(
            dependents.map(({ id, name }) => name ?? id.text),
            maxNamed,
          )} ${dependents.length === 1 ? 'depends' : 'depend'} on it`,
      others.length === 0 ? undefined : 'other work is under way on it',
      cut ? 'the service shows only some of its records, so others may depend on it' : undefined,
    ];
    const doubt = doubts.find(one => one !== undefined);
    const state = record.state?.class;
    const is = {
      ...{ isStopped: state === 'stopped' || state === 'disabled', isRunning: state === 'ok' },
      isFailed: state === 'failed',
    };
    return { sight: { type: 'shown', doubt, ...is, isPhysical: record.isPhysical === true }, subject, inspection };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'missing') return { sight: { type: 'gone' }, subject: unseen };
    if (isSignedOut(error)) return hidden('its owner’s sign-in is no longer valid', true);
    if (error.kind === 'forbidden') return hidden('the service no longer shows it to its owner');
    throw error;
  }
}

/** Whether the records proved to somebody that a job of Dolly's deleted the clone since its lease began. */
async function wasDeleted({ jobs }: Parts<'jobs'>, { team, record, since }: Recognised): Promise<boolean> {
  const deletion = await jobs.lastDone(team, record, [deleteDatabase.name]);
  return deletion !== undefined && (deletion.endedAt ?? 0) >= since;
}

/**
 * Says how a record differs from the clone that a lease belongs to, or that it is `another` one; `undefined` where it is
 * the same.
 */
export function differencesOf({ name, madeAt, since }: Pick<Lease, 'name' | 'madeAt' | 'since'>, record: RecordView) {
  const compared = compareRecords({ name, madeAt, thereAt: since + clockSlack }, marksOf(record));
  if (compared.is === 'another') return 'another' as const;
  if (compared.is === 'same') return undefined;
  if (compared.name === false) return `it was renamed: it was ${name} before`;
  if (compared.madeAt === false) return 'its record shows another creation time than before';
  return 'only its identifier tells which clone it is';
}

/**
 * The clone of a lease as the rules see it; without an inspection, only its owner is known. With `now`, user groups are
 * read anew.
 */
export async function subjectOfLease(
  parts: Judge,
  { team, person, operation }: Owner & { operation: string | null },
  inspection: Partial<Inspection> | undefined,
  now?: 'now',
): Promise<RuleSubject> {
  const { isOneOf } = await subjectOf(parts, { team, person }, deleteDatabase, now);
  const { names, environments, projects } = inspection ?? {};
  return { operation: operation === null ? undefined : { name: operation }, names, environments, projects, isOneOf };
}

/**
 * The terms of a lease for its clone as the rules see it. A clone that no job of Dolly's made is stopped and deleted only by
 * the word of somebody who still approves.
 * @throws {Failure} `busy` where Slack does not tell
 */
export async function termsOfLease(
  parts: Judge,
  { team, job, allowedBy }: Pick<Lease, 'team' | 'job' | 'allowedBy'>,
  subject: RuleSubject,
): Promise<LeaseTerms> {
  const terms = leaseTermsOf(parts.policy, subject);
  if (job !== null || !terms.mayAct) return terms;
  const isAllowed = typeof allowedBy === 'string' && (await isApprover(parts, { team, person: allowedBy }));
  return isAllowed ? terms : heldBack(terms);
}

/** Max dependents that a sentence names. */
const maxNamed = 3;
