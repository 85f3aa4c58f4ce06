import { endOfKeeping, readKeepFor, usualTimes, writeEnd, writeMoment } from '../../../operations/requests/keepFor.ts';
import { hasHolder, type Lease, type LeaseStep } from '../../../store/tables/leases.ts';
import type { NewNotice } from '../../../store/tables/outboxRows.ts';
import { keptUntil } from '../lease.ts';
import type { Addressees, LeaseChanged, LeaseTold } from '../leaseNotice.ts';
import { isAllowedEnd, type LeaseTerms } from '../leaseRules.ts';
import { newsOfWish, type OpenWish } from '../leaseWish.ts';
import type { NextOfLease } from './nextOfLease.ts';

/** All that the step of a lease is made from. `isSignedOut` says that its owner, who is still there, is not signed in. */
type StepFacts = Readonly<{
  lease: Lease;
  next: Exclude<NextOfLease, { type: 'wait' }>;
  terms: LeaseTerms;
  now: number;
  to: Addressees;
  isSignedOut?: boolean;
}>;

/** Max times that a message offers as buttons. */
const maxChoices = 3;

/**
 * The times by which a lease may be extended without asking, as a message offers them. Each counts from the present
 * end, or from now where that is over.
 */
function choicesFor({ since, endsAt }: Pick<Lease, 'since' | 'endsAt'>, terms: LeaseTerms, now: number) {
  const from = Math.max(endsAt ?? now, now);
  return usualTimes
    .filter(({ text }) => {
      const keep = readKeepFor(text);
      return keep?.type === 'for' && isAllowedEnd(terms, since, endOfKeeping(keep, from));
    })
    .slice(1, 1 + maxChoices)
    .map(({ text }) => text);
}

/** What messages say while a job ends a lease, and once it has. They are stored, so the former never change. */
const ends = {
  stopping: { during: 'Its time is up: it is being stopped.', after: 'Its time is up: it is stopped.' },
  deleting: { during: 'Nobody brought it back: it is being deleted.', after: 'Nobody brought it back: it is deleted.' },
} as const;

/**
 * Turns what is due into a step of the lease: its row, its messages, and its entry in the trail. The jobs that stop and
 * delete are made by the caller, since they need the facts of the target.
 */
export function stepOfLease(facts: StepFacts): LeaseStep {
  const { state } = facts.lease;
  const step = ownStep(facts);
  // Of what did not come to its end, the next message tells.
  if ((state !== 'stopping' && state !== 'deleting') || facts.next.type === 'ask') return step;
  const { during: from, after: outcome } = ends[state];
  return { ...step, closed: [...(step.closed ?? []), { outcome, from }] };
}

function ownStep(facts: StepFacts): LeaseStep {
  const { lease, next, terms, now } = facts;
  const { rule } = terms;
  switch (next.type) {
    case 'gone':
      return {
        ...over('The clone is gone.', now),
        closed: [{ outcome: 'The clone is gone, and its lease with it.' }],
        trail: { event: 'lease ended', detail: 'the clone is gone' },
      };
    case 'runs':
      return runningStep(facts, next);
    case 'warn': {
      const { before, endsAt, dueAt, isLate, why = null } = next;
      return {
        changes: { warned: before, endsAt, plannedAt: dueAt, rule, ...(isLate ? { setAt: now, mustWarn: null } : {}) },
        dueAt,
        trail: { event: 'lease warned', detail: `it ends at ${writeMoment(endsAt)}${isLate ? ', put off' : ''}` },
        // Questions about the end stay open while the end stays as it is.
        closed: [{ outcome: 'A later message tells more.', ...(isLate ? {} : { kind: 'lease' }) }],
        notices: messages(facts, isLate ? 'warned late' : 'warned', facts.to.owner, { endsAt, why }),
      };
    }
    case 'ask': {
      const { why, graceUntil } = next;
      return {
        changes: { state: 'asking', graceUntil, plannedAt: graceUntil, reason: why, endJob: null, rule },
        dueAt: graceUntil,
        trail: { event: 'lease over', detail: why === null ? 'its owner is asked' : `its owner is asked: ${why}` },
        closed: [{ outcome: 'Its time is up.', ...(lease.state === 'asking' ? { kind: 'lease' } : {}) }],
        notices: messages(facts, 'asked', facts.to.deciders, { why, graceUntil }),
      };
    }
    case 'tell approvers':
      return {
        changes: { graceUntil: null, plannedAt: next.dueAt, rule },
        dueAt: next.dueAt,
        trail: { event: 'lease unanswered', detail: 'those who approve are told' },
        notices: messages(facts, 'unanswered', facts.to.approvers, { why: lease.reason }),
      };
    case 'stop':
      return {
        changes: { state: 'stopping', graceUntil: null, reason: null, rule },
        trail: { event: 'lease over', detail: `it is stopped, as the rule says: ${rule}` },
        closed: [{ outcome: ends.stopping.during }],
      };
    case 'stopped': {
      const { graceUntil } = next;
      return {
        changes: { state: 'stopped', graceUntil, plannedAt: graceUntil, endJob: null, mustWarn: null, rule },
        dueAt: graceUntil,
        trail: {
          event: 'lease over',
          detail: graceUntil === null ? 'it is stopped' : `it is stopped, and deleted at ${writeMoment(graceUntil)}`,
        },
        closed: [{ outcome: 'It is stopped.', ...(lease.state === 'stopped' ? { kind: 'lease' } : {}) }],
        notices: messages(facts, 'stopped', facts.to.owner, { graceUntil }),
      };
    }
    case 'delete':
      return {
        changes: { state: 'deleting', graceUntil: null, rule },
        trail: { event: 'lease over', detail: `it is deleted, as the rule says: ${rule}` },
        closed: [{ outcome: ends.deleting.during }],
      };
    case 'deleted':
      return {
        ...over('It was deleted at the end of its lease.', now),
        closed: [{ outcome: ends.deleting.after }],
        trail: { event: 'lease ended', detail: `it was deleted, as the rule says: ${rule}` },
      };
  }
}

/** The lease begins, or goes on after the clone was stopped and started again. */
function runningStep(
  facts: StepFacts,
  { endsAt, setAt, dueAt, cut, isUntold }: Extract<NextOfLease, { type: 'runs' }>,
): LeaseStep {
  const {
    lease,
    terms: { rule },
  } = facts;
  const isNew = lease.state === 'new';
  const what: LeaseTold[] = cut ? ['cut'] : (lease.wish === null || !isNew) && endsAt !== null ? ['begun'] : [];
  const told = isUntold ? [] : what;
  return {
    changes: { ...keptUntil(endsAt, setAt), plannedAt: dueAt, rule, wish: null },
    dueAt,
    closed: isNew ? [] : [{ outcome: 'It was started again.' }],
    trail: { event: 'lease begun', detail: `${writeEnd(endsAt)}${rule === null ? '' : ` (${rule})`}` },
    notices: told.flatMap(one => messages(facts, one, facts.to.owner, { endsAt })),
  };
}

/** The part of a step by which a lease is over. */
function over(reason: string, now: number): LeaseStep {
  return { changes: { state: 'ended', endedAt: now, plannedAt: null, graceUntil: null, reason }, dueAt: null };
}

function messages(
  { lease, terms, now, isSignedOut = false }: StepFacts,
  what: LeaseTold,
  to: readonly NewNotice['to'][],
  more: Readonly<{ endsAt?: number | null; graceUntil?: number | null; why?: string | null }>,
): readonly NewNotice[] {
  const { id, team, record, name, person, revision } = lease;
  // The end is in the message, since its buttons count from there.
  const { endsAt = lease.endsAt } = more;
  const choices = choicesFor({ ...lease, endsAt }, terms, now);
  const { end, grace } = terms;
  const lacksSignIn = isSignedOut && terms.mayAct;
  const ends = { end, grace, rule: terms.rule, isEndless: isAllowedEnd(terms, lease.since, null), lacksSignIn };
  const whose = { isHeld: hasHolder(lease), isHeldBack: terms.isHeldBack === true };
  const about = { subject: id, team, kind: 'lease', createdAt: now };
  const data = { what, record, name, person, choices, ...ends, ...whose, ...more, endsAt };
  const key = [id, revision, what];
  return to.map(place => ({ id: JSON.stringify([...key, ...Object.values(place)]), ...about, data, to: place }));
}

/** A change of a lease by a person. `lease` is the lease before it, if there was one. */
type PersonsChange = Readonly<{
  lease: Lease | undefined;
  by: string;
  endsAt: number | null;
  record: string;
  name: string;
  now: number;
  isTakenOver?: boolean;
  /** The wish of somebody else that this grants. */
  wish?: OpenWish | undefined;
}>;

/**
 * Says in the messages of before who changed a lease, and tells its owner where that was somebody else, and the person
 * whose wish it was. An end that the owner is told of is due at once: their contact is watched from then on.
 */
export function noteChange(change: PersonsChange): Pick<LeaseStep, 'closed' | 'notices' | 'dueAt'> {
  const { lease, by, endsAt, record, name, now, isTakenOver = false, wish } = change;
  const outcome = JSON.stringify({ by, endsAt, isTakenOver } satisfies LeaseChanged);
  const news = lease && wish ? [newsOfWish('granted', lease, { wish: wish.wish, by, now })] : [];
  const isSameEnd = lease?.state === 'kept' && lease.endsAt === endsAt;
  const closed = [
    { outcome, ...(isSameEnd ? { kind: 'lease' } : {}) },
    ...(wish ? [{ outcome, notice: wish.id }] : []),
  ];
  if (!lease || lease.person === by) return { closed, notices: news };
  const { id, team, revision, person } = lease;
  const data = { what: isTakenOver ? 'left' : 'changed', record, name, person, endsAt, by, isHeld: hasHolder(lease) };
  const about = { subject: id, team, kind: 'lease', createdAt: now };
  const notice = { id: JSON.stringify([id, revision, data.what, person]), ...about, data, to: { person } };
  const isPromise = endsAt !== null && !isTakenOver;
  return { closed, notices: [...news, notice], ...(isPromise ? { dueAt: now } : {}) };
}
