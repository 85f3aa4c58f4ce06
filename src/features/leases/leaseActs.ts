import { parseIdentifier } from '../../api/identifiers.ts';
import { creationOf } from '../../api/reading/times.ts';
import { Failure } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import { type Inspection, inspect } from '../../jobs/approval/facts/inspection.ts';
import { hasSayIn } from '../../jobs/approval/people/hasSay.ts';
import { isMadeBy } from '../../jobs/approval/people/maker.ts';
import { forbiddenBy, possibleVerdicts, strictest, subjectOf } from '../../jobs/approval/policy/verdict.ts';
import { newJob } from '../../jobs/newJob.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { startClone } from '../../operations/clones.ts';
import { deleteDatabase } from '../../operations/databases.ts';
import { endOfKeeping, type KeepFor, writeEnd } from '../../operations/requests/keepFor.ts';
import { notSignedIn } from '../../records/records.ts';
import type { NewJob } from '../../store/jobs/rows/job.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';
import { hasHolder, type Lease, type LeaseStep, leaseId, leases } from '../../store/tables/leases.ts';
import type { Owner } from '../../store/vault.ts';
import { keptUntil, type NewLease, newLease } from './lease.ts';
import { isAllowedEnd, type LeaseTerms } from './leaseRules.ts';
import { answeredBefore, askOwner, isOpen, mayAnswerFor, type OpenWish, writeWish } from './leaseWish.ts';
import { noteChange } from './run/leaseSteps.ts';
import { broughtBackFor, dueTimeOf } from './run/nextOfLease.ts';
import { subjectOfLease, termsOfLease } from './run/seeClone.ts';
import { allowedAfter, whoAllows } from './whoAllows.ts';

/* The acts of people on leases. Each outcome is told as it was written: of two acts at once, one counts. */

/** Sets how long clones are kept. */
export type LeaseSetter = Judge & Parts<'credentials' | 'jobs' | 'things' | 'outbox' | 'records' | 'clock'>;

/** A person who acts on the lease of a record; `channel` is the one in which they do, `wish` the one that they grant. */
export type LeaseAct = Owner & Readonly<{ channel: string; record: string; wish?: OpenWish }>;

/**
 * The moment from which a time counts: now, or the present end. With `endsAt` it counts from the end that a button was
 * made for: a second click, or one that comes after another change, finds another end, and changes nothing.
 */
export type CountedFrom = 'now' | 'end' | Readonly<{ endsAt: number | null }>;

/** What came of an act. `endsAt` is the end that was asked for. */
export type LeaseOutcome =
  | Readonly<{ type: 'set'; lease: Lease; terms?: LeaseTerms }>
  /** It is longer than the policy allows: those who approve can be asked. */
  | Readonly<{ type: 'too long'; endsAt: number | null; terms: LeaseTerms; name: string; most: number | undefined }>
  /** It would act with the sign-in of another person, who is asked by this question. */
  | Readonly<{ type: 'asked'; lease: Lease; question: string }>
  /** The owner does not want what somebody wished, or whoever wished it does not any more. */
  | Readonly<{ type: 'declined' | 'withdrawn'; lease: Lease }>
  | Readonly<{ type: 'refused'; sentence: string }>;

/** Tries of an act whose lease changes at the same moment. */
const tries = 5;

/**
 * Sets the end of a clone’s lease, or begins one: of whoever made the clone through Dolly, else of whoever sets it, who holds
 * nothing by that. Whoever sees the clone and may delete it may do so, within what the policy allows. An end that stops or
 * deletes acts with the holder’s sign-in: of anybody else but an approver, it becomes a question to the holder, or to whoever
 * allowed that a rule acts. A wish is granted as long as its question is open.
 * @throws {Failure} `signed-out`, or where the clone cannot be read now
 */
export async function setLease(
  parts: LeaseSetter,
  act: LeaseAct,
  keep: KeepFor,
  from: CountedFrom = 'now',
): Promise<LeaseOutcome> {
  const deletable = await mayDelete(parts, act);
  const by = await actorOf(parts, act, act.channel);
  for (let count = 0; count < tries; count++) {
    const outcome = await setOnce(parts, { act, by, keep, from }, deletable);
    if (outcome) return outcome;
  }
  return refused('Somebody else is changing this lease right now. Look at it again.');
}

/** Sets the end of a lease as it stands now; `undefined` where others change it at the same moment. */
async function setOnce(
  parts: LeaseSetter,
  { act, by, keep, from }: Readonly<{ act: LeaseAct; by: Actor; keep: KeepFor; from: CountedFrom }>,
  { clone, name, terms: termsFor }: Awaited<ReturnType<typeof mayDelete>>,
): Promise<LeaseOutcome | undefined> {
  const { wish } = act;
  const now = parts.clock.now();
  const found = await parts.things.find(leases, leaseId(act.team, act.record));
  const lease = found?.state === 'ended' ? undefined : found;
  const refusal = lease ? sentenceWhileBusy(lease) : await sentenceWhileMade(parts, act);
  const late = refusal ?? sentenceTooLate(lease, from);
  if (late !== undefined) return refused(late);
  // A second click.
  if (keep.type === 'none' && lease?.state === 'kept' && lease.endsAt === null) return { type: 'set', lease };
  const standing = lease ?? (await begun(parts, act, clone, now));
  const whose = {
    ...standing,
    allowedBy: await allowedAfter(parts, { ...standing, allowedBy: lease?.allowedBy }, act),
  };
  const terms = await termsFor(whose);
  const endsAt = endOfKeeping(keep, from === 'now' ? now : Math.max(lease?.endsAt ?? now, now));
  if (endsAt !== null && endsAt <= now) return refused('That time has passed, so I changed nothing.');
  if (wish && !(await isOpen(parts, wish))) return refused(answeredBefore);
  const isAsked = endsAt !== null && terms.mayAct && !(await mayAnswerFor(parts, whose, act));
  if (!isAsked && !isAllowedEnd(terms, whose.since, endsAt)) {
    const most = terms.longest === undefined ? undefined : whose.since + terms.longest;
    return { type: 'too long', endsAt, terms, name, most };
  }
  // What somebody else made is theirs: their lease begins first, without an end, and is then changed as any other one.
  if (!lease && whose.person !== act.person) {
    const trail = { event: 'lease begun', detail: writeEnd(null) };
    await beginLease(parts, whose, { changes: keptUntil(null, now), dueAt: null, trail }, now);
    return undefined;
  }
  if (lease && isAsked) return askOwner(parts, { ...lease, name }, { by, person: act.person, endsAt });
  const ending = keptUntil(endsAt, now);
  const dueAt = dueTimeOf(ending, terms);
  const step: LeaseStep = {
    changes: {
      ...ending,
      ...asUser(lease, by),
      plannedAt: dueAt,
      wish: null,
      rule: terms.rule,
      allowedBy: whose.allowedBy,
    },
    dueAt,
    trail: { ...by, event: 'lease set', detail: wish ? writeWish(wish.wish) : writeEnd(endsAt) },
    ...noteChange({ lease, by: act.person, endsAt, record: act.record, name, now, wish }),
  };
  const written = lease
    ? await parts.things.apply(leases, lease, step, { now })
    : await beginLease(parts, whose, step, now);
  return written && { type: 'set', lease: written, terms };
}

/** The user as whom the owner of a lease sets its end; nothing of what somebody else sets. */
function asUser(lease: Lease | undefined, { actor, login }: Actor) {
  return lease && lease.person !== actor ? {} : { login };
}

/** A lease that an act begins: that of whoever made the clone through Dolly, else of whoever sets its end. */
async function begun(
  { jobs }: Parts<'jobs'>,
  { team, person, channel, record }: LeaseAct,
  { record: shown }: Inspection,
  now: number,
): Promise<NewLease> {
  const job = await jobs.makerOf(team, record);
  const maker = job && shown && isMadeBy(job, shown) ? job : undefined;
  const whose = maker
    ? { person: maker.person, channel: maker.channel, job: maker.plan ?? maker.id, operation: maker.operation }
    : { person, channel, job: null, operation: null };
  const known = { name: shown?.name ?? null, madeAt: (shown && creationOf(shown)) ?? null };
  return { team, record, ...whose, ...known, wish: null, login: null, since: now };
}

/** Begins the lease of a record that has none, as a step says; `undefined` where it has one meanwhile. */
function beginLease({ things }: Parts<'things'>, fresh: NewLease, { changes, ...step }: LeaseStep, now: number) {
  const as = { ...newLease(fresh), ...changes };
  return things.act(leases, as.id, lease => (lease && lease.state !== 'ended' ? undefined : { as, ...step }), now);
}

/** Says how a lease stands now, to whoever clicks a button that was made for another end. */
function sentenceTooLate(lease: Lease | undefined, from: CountedFrom): string | undefined {
  if (typeof from === 'string') return undefined;
  if (!lease) return 'It no longer has a lease, so I changed nothing.';
  if (lease.endsAt === from.endsAt) return undefined;
  return `Its end was already changed: it is now kept ${writeEnd(lease.endsAt)}. I changed nothing more.`;
}

/** Says why nothing can be changed while the clone is being stopped or deleted; `undefined` where something can. */
function sentenceWhileBusy({ state }: Lease): string | undefined {
  if (state === 'stopping') return 'It is being stopped right now. Once it is stopped, you can bring it back.';
  if (state === 'deleting') return 'It is too late: it is being deleted right now.';
  return undefined;
}

/** Says why only the requester can set the end of a clone that a job still makes: their own lease is about to begin. */
async function sentenceWhileMade({ jobs }: Parts<'jobs'>, { record, person }: LeaseAct): Promise<string | undefined> {
  const held = await jobs.claimsOn([record]);
  const making = held.find(({ sign, endedAt }) => sign === '' && endedAt === null);
  const job = making && (await jobs.find(making.job));
  if (!job || job.person === person) return undefined;
  return 'It is still being made, and until it is ready, only the person who asked for it can set its end. I changed nothing.';
}

/** The act of a person on the lease that a clone has: the lease and the clone as they are, and the terms for both. */
async function openAct(parts: LeaseSetter, act: LeaseAct) {
  const { name, terms } = await mayDelete(parts, act);
  const by = await actorOf(parts, act, act.channel);
  const lease = await parts.things.find(leases, leaseId(act.team, act.record));
  return { name, terms, by, now: parts.clock.now(), lease };
}

type ActedOn = Readonly<{ act: LeaseAct; lease: Lease; terms: LeaseTerms; name: string; now: number }>;

/** Keeps a clone for a time from now on, by an act of a person; `more` is what else the act brings. */
async function keepFrom(
  parts: LeaseSetter,
  { act, lease, terms, name, now }: ActedOn,
  time: number,
  { changes, isTakenOver = false, ...more }: LeaseStep & Readonly<{ isTakenOver?: boolean }>,
): Promise<LeaseOutcome> {
  const ending = keptUntil(now + time, now);
  const dueAt = dueTimeOf(ending, terms);
  const changed = { lease, by: act.person, endsAt: ending.endsAt, record: act.record, name, now, isTakenOver };
  const step = { ...more, changes: { ...ending, plannedAt: dueAt, ...changes }, dueAt, ...noteChange(changed) };
  const written = await parts.things.apply(leases, lease, step, { now });
  return written ? { type: 'set', lease: written } : refused('Its lease has just changed. Look at it again.');
}

function refused(sentence: string): LeaseOutcome {
  return { type: 'refused', sentence };
}

/**
 * Starts a clone again that was stopped at the end of its lease, and keeps it for a while.
 * @throws {Failure} `signed-out`, or where the clone cannot be read now
 */
export async function bringBack(parts: LeaseSetter, act: LeaseAct): Promise<LeaseOutcome> {
  const { lease, by, name, now, terms: termsFor } = await openAct(parts, act);
  if (lease?.state !== 'stopped')
    return refused((lease && sentenceWhileBusy(lease)) ?? 'Its lease no longer keeps it stopped.');
  const allowedBy = await allowedAfter(parts, lease, act);
  const terms = await termsFor({ ...lease, allowedBy });
  const time = broughtBackFor(lease, terms, now);
  return keepFrom(parts, { act, lease, terms, name, now }, time, {
    changes: { ...asUser(lease, by), allowedBy, rule: terms.rule },
    trail: { ...by, event: 'lease set', detail: `brought back, ${writeEnd(now + time)}` },
    job: { job: startOf(act, name, { revision: lease.revision, now }), by },
  });
}

function startOf(
  { team, person, channel, record }: LeaseAct,
  name: string,
  { revision, now }: Readonly<{ revision: number; now: number }>,
): NewJob {
  const request = JSON.stringify(['lease', record, revision, 'start']);
  const asked = { team, person, channel, request, labels: { [record]: name }, purpose: null, now };
  return newJob(startClone, { [startClone.target]: record }, asked);
}

/**
 * Makes an approver the owner of a lease whose owner cannot end it: it goes on with the approver’s sign-in, after the
 * whole time for an answer. Where nobody is named as an approver, others may once its owner has left.
 * @throws {Failure} `signed-out`, `forbidden`, or where the clone cannot be read now
 */
export async function takeOver(parts: LeaseSetter, act: LeaseAct): Promise<LeaseOutcome> {
  const { lease, by, name, now, terms: termsFor } = await openAct(parts, act);
  if (!lease || lease.state === 'ended') return refused('It no longer has a lease.');
  const busy = sentenceWhileBusy(lease);
  if (busy !== undefined) return refused(busy);
  if (lease.person === act.person && hasHolder(lease))
    return refused('It is already yours: keep it longer, or delete it.');
  const allowedBy = await whoAllows(parts, lease, act);
  if (allowedBy === null && (lease.person === act.person || !(await hasSayIn(parts, act, lease.person))))
    throw new Failure('forbidden', 'Only approvers can take a lease over.');
  if (lease.state !== 'asking')
    return refused('It is no longer waiting for an answer, so I changed nothing. Look at it again.');
  const terms = await termsFor({ ...lease, allowedBy });
  const changes = { person: act.person, login: by.login, allowedBy };
  const trail = { ...by, event: 'lease taken over', detail: `from ${lease.person}` };
  return keepFrom(parts, { act, lease, terms, name, now }, terms.grace, { changes, trail, isTakenOver: true });
}

/**
 * Lets only people go on who see a clone with their own sign-in, and to whom the policy does not forbid its deletion.
 * @throws {Failure} `signed-out`, `forbidden`, `missing`, or where it cannot be read now
 */
async function mayDelete(parts: Judge & Parts<'records'>, act: LeaseAct) {
  const { team, person } = act;
  const owner = { team, person };
  const id = parseIdentifier(act.record);
  if (id?.noun !== 'clone') throw new Failure('input', 'Only a clone has a lease.');
  const session = await parts.records.session(owner);
  if (!session) throw notSignedIn();
  const clone = await inspect(session.records, id, {});
  const subject = await subjectOf(parts, owner, deleteDatabase, 'now');
  const verdict = strictest(possibleVerdicts(parts.policy, { ...subject, ...clone }));
  if (verdict.type === 'forbid')
    throw new Failure('forbidden', `${forbiddenBy(verdict)} So you cannot set how long it is kept, either.`);
  return {
    clone,
    name: clone.record?.name ?? act.record,
    /** The terms for a lease of this clone: the rules ask about its owner. */
    async terms(lease: Pick<Lease, 'team' | 'person' | 'operation' | 'job' | 'allowedBy'>): Promise<LeaseTerms> {
      return termsOfLease(parts, lease, await subjectOfLease(parts, lease, clone, 'now'));
    },
  };
}
