import { day, minute } from '../../../ground/durations.ts';
import type { Contact } from '../../../jobs/slackContact.ts';
import { endOfKeeping, readKeepFor } from '../../../operations/requests/keepFor.ts';
import type { Lease } from '../../../store/tables/leases.ts';
import type { WordToOwner } from '../leaseNotice.ts';
import { isAllowedEnd, type LeaseTerms } from '../leaseRules.ts';

/** What the owner's sign-in shows of a clone. */
export type LeaseSight =
  /** No record has its identifier, or the record that has it shows another clone. */
  | Readonly<{ type: 'gone' }>
  /** It could not be read; `why` is a sentence for people. */
  | Readonly<{ type: 'hidden'; why: string }>
  /**
   * It is there. `doubt` says why nothing may be done to it without asking: something depends on it, it was renamed or
   * made anew, or it is a live database.
   */
  | Readonly<{
      type: 'shown';
      doubt: string | undefined;
      isStopped: boolean;
      isRunning: boolean;
      isPhysical: boolean;
      /** Whether its record says that it failed. */
      isFailed?: boolean;
    }>;

/**
 * How the job of a lease's end stands; `undefined` where it is not known any more. `unclear` is the reason why nobody
 * knows whether it did its work.
 */
export type EndJobState = 'open' | 'done' | Readonly<{ failed: string } | { unclear: string }> | undefined;

/** The next thing about a lease that is due. Times are milliseconds since the epoch. */
export type NextOfLease =
  /** Nothing: it is due again at `dueAt`. */
  | Readonly<{ type: 'wait'; dueAt: number | null }>
  /** The clone is gone, and the lease with it. */
  | Readonly<{ type: 'gone' }>
  /** It runs from now on. `cut` says that it ends sooner than was asked for, `isUntold` that nobody is told so. */
  | Readonly<{
      type: 'runs';
      endsAt: number | null;
      setAt: number;
      dueAt: number | null;
      cut: boolean;
      isUntold?: true;
    }>
  /**
   * The owner is warned, `before` milliseconds before the end. `isLate` says that the end was put off for it, and `why`
   * where there was an earlier warning.
   */
  | Readonly<{ type: 'warn'; before: number; endsAt: number; dueAt: number; isLate: boolean; why?: string }>
  /** The owner is asked. `why` says why the clone is not simply stopped or deleted; `null` where that is the rule. */
  | Readonly<{ type: 'ask'; why: string | null; graceUntil: number }>
  /** The owner has not answered: those who approve are told. */
  | Readonly<{ type: 'tell approvers'; dueAt: number }>
  | Readonly<{ type: 'stop' | 'delete' }>
  /** It is stopped. Where `graceUntil` is set, it is deleted then, unless somebody brings it back. */
  | Readonly<{ type: 'stopped'; graceUntil: number | null }>
  /** It is deleted, as the policy says. */
  | Readonly<{ type: 'deleted' }>;

/**
 * A step that comes so much later than it was due finds Dolly back after a while, or a clock that was set. Then nothing
 * ends before the owner was warned once more. Milliseconds.
 */
const late = 10 * minute;
/** The pause between two looks at a job that stops or deletes, in milliseconds: its end wakes the lease, too. */
const jobRhythm = 5 * minute;
/** The time after which a word that does not reach the owner is a question for others, in milliseconds. */
const patience = 2 * day;
const unreached = 'Slack does not let me write to its owner';
const cameLate = 'my warning reached you late';
const wasAway = 'I was away when it ended, though I had warned you';
const cutOff = 'I could not reach Slack for a while after I warned you';
const notMine = 'I did not make it, and no approver has set its end, so the policy’s rule does nothing to it';
const saidElse = 'its policy has changed since I warned you';
/** What becomes of a clone at its end, the mildest first. */
const fromMild: readonly LeaseTerms['end'][] = ['ask', 'stop', 'delete'];

/**
 * All that the next step of a lease follows from. `isJumped` says that the clock was set beyond the lease's time; `word`
 * is what its end hangs on, and `contact` whether its owner could answer.
 */
export type LeaseFacts = Readonly<{
  lease: Lease;
  now: number;
  terms: LeaseTerms;
  sight: LeaseSight;
  endJob?: EndJobState;
  isJumped?: boolean;
  word?: WordToOwner | undefined;
  contact?: Pick<Contact, 'state' | 'since'> | undefined;
}>;

/** Says what is due about a lease. A pure function: the same facts always give the same step. */
export function nextOfLease(facts: LeaseFacts): NextOfLease {
  const { lease, sight } = facts;
  if (sight.type === 'gone' && lease.state !== 'deleting') return { type: 'gone' };
  return nextIn[lease.state](facts);
}

const nextIn: Readonly<Record<Lease['state'], (facts: LeaseFacts) => NextOfLease>> = {
  ...{ new: begun, kept, asking: asked, stopping: ending, stopped, deleting: ending },
  ended: () => ({ type: 'wait', dueAt: null }),
};

/** The first look: the time that was asked for, or the policy's, and no more than the policy allows. */
function begun({ lease, now, terms, sight }: LeaseFacts): NextOfLease {
  const wish = lease.wish === null ? undefined : readKeepFor(lease.wish);
  const usual = terms.default === undefined ? null : lease.since + terms.default;
  const wanted = wish ? endOfKeeping(wish, lease.since) : usual;
  // Of a clone that failed nobody is told that it is kept.
  const untold = sight.type === 'shown' && sight.isFailed ? ({ isUntold: true } as const) : {};
  if (isAllowedEnd(terms, lease.since, wanted)) return { ...running(lease, terms, wanted), ...untold };
  const most = terms.longest === undefined ? usual : lease.since + terms.longest;
  if (most === null)
    return { type: 'ask', why: 'the policy wants an end for each clone', graceUntil: now + terms.grace };
  return { ...running(lease, terms, most, wish !== undefined), ...untold };
}

/** A lease whose end counts from its beginning: what Dolly slept through of it is to be warned of, too. */
function running({ setAt }: Lease, terms: LeaseTerms, endsAt: number | null, cut = false) {
  return { type: 'runs' as const, endsAt, setAt, dueAt: dueTimeOf({ endsAt, setAt, warned: null }, terms), cut };
}

/** The part of a lease that its next time follows from. */
type Ending = Pick<Lease, 'endsAt' | 'setAt' | 'warned'>;

/** The time of the next warning, or of the end; `null` where there is none. */
export function dueTimeOf(lease: Ending, terms: Pick<LeaseTerms, 'warn'>): number | null {
  const { endsAt } = lease;
  if (endsAt === null) return null;
  const [next] = warningsLeft(lease, terms);
  return next === undefined ? endsAt : endsAt - next;
}

/** The times before the end of the warnings that are still to come. One whose time was over at the beginning is none. */
function warningsLeft({ endsAt, setAt, warned }: Ending, { warn }: Pick<LeaseTerms, 'warn'>): readonly number[] {
  return warn.filter(before => (warned === null || before < warned) && (endsAt ?? 0) - before > setAt);
}

function kept(facts: LeaseFacts): NextOfLease {
  const [{ lease, now, terms }, { endsAt }] = [facts, facts.lease];
  if (endsAt === null) return { type: 'wait', dueAt: null };
  if (lease.mustWarn && endsAt - now <= Math.max(...terms.warn, terms.grace)) return warnedLate(facts);
  // Of an end that was set after the times of all warnings, people heard when it was set.
  const isToWarn = lease.warned === null && warningsLeft(lease, terms).length > 0;
  if (now >= endsAt) {
    const asks = unheard(facts);
    if (asks) return asks;
    if (isToWarn || isLate(facts, endsAt)) return warnedLate(facts, whyLate(facts));
    const over = end(facts);
    if (over.type === 'ask' || over.type === 'gone') return over;
    return isMilderThanNow(facts) ? warnedLate(facts, saidElse) : (held(facts, endsAt, warnedLate) ?? over);
  }
  const before = warningsLeft(lease, terms).findLast(left => now >= endsAt - left);
  const warned = before ?? lease.warned;
  const dueAt = dueTimeOf({ ...lease, warned }, terms) ?? endsAt;
  return before === undefined ? { type: 'wait', dueAt } : { type: 'warn', before, endsAt, dueAt, isLate: false };
}

/** `due` is the time of this step by the lease's own terms; the plan may have had an earlier one, which was missed. */
function isLate({ lease, now, isJumped = false }: LeaseFacts, due: number): boolean {
  return isJumped || now - Math.min(lease.plannedAt ?? now, due) > late;
}

/** Why a lease acts late of which the owner was warned before; `undefined` where no warning reached them. */
const whyLate = ({ lease, word }: LeaseFacts) =>
  lease.warned === null || word?.arrivedAt === null ? undefined : wasAway;

/** Whether the owner was warned of less than what the policy wants now: the rule or the clone's place was another one. */
function isMilderThanNow({ word, terms }: LeaseFacts): boolean {
  return word?.end !== undefined && fromMild.indexOf(word.end) < fromMild.indexOf(terms.end);
}

/**
 * Says what keeps Dolly from acting at `end`: what it hangs on has not reached the owner, or later than it was meant to,
 * or the owner could not answer all the time, since Slack was out of reach. Then the owner still has the whole time that
 * was promised, or is told `again` where most of it was over.
 */
function held(
  facts: LeaseFacts,
  end: number,
  again: (facts: LeaseFacts, why?: string) => NextOfLease,
): NextOfLease | undefined {
  const { word, now, contact } = facts;
  if (!word) return undefined;
  const { saidAt, arrivedAt } = word;
  if (contact?.state === 'lost' || arrivedAt === null) return { type: 'wait', dueAt: now + minute };
  if (arrivedAt - saidAt > late) return again(facts, cameLate);
  if (contact && contact.since > arrivedAt) return again(facts, cutOff);
  const from = arrivedAt + end - saidAt;
  return now < from ? { type: 'wait', dueAt: from } : undefined;
}

/** The owner whom nothing reaches, although Slack is there, is asked: so those who approve hear of it in the end. */
function unheard({ word, contact, now, terms }: LeaseFacts): NextOfLease | undefined {
  if (word?.silentSince === undefined || contact?.state === 'lost') return undefined;
  const isLong = now - Math.max(word.silentSince, contact?.since ?? 0) > patience;
  return isLong ? { type: 'ask', why: unreached, graceUntil: now + terms.grace } : undefined;
}

/** The owner was not warned in time, or could not answer: they are warned now, and have the whole time for an answer. */
function warnedLate({ lease, now, terms }: LeaseFacts, why?: string): NextOfLease {
  const endsAt = Math.max(now + terms.grace, lease.mustWarn ? (lease.endsAt ?? 0) : 0);
  return { type: 'warn', before: 0, endsAt, dueAt: endsAt, isLate: true, ...(why === undefined ? {} : { why }) };
}

/** The end, as the policy wants it; where anything speaks against it, the owner is asked. */
function end({ now, terms, sight }: LeaseFacts): NextOfLease {
  const ask = (why: string | null): NextOfLease => ({ type: 'ask', why, graceUntil: now + terms.grace });
  if (terms.isHeldBack) return ask(notMine);
  if (terms.end === 'ask') return ask(terms.mayAct && sight.type === 'hidden' ? sight.why : null);
  if (sight.type === 'hidden') return ask(sight.why);
  if (sight.type === 'gone') return { type: 'gone' };
  if (sight.doubt !== undefined) return ask(sight.doubt);
  const graceUntil = terms.end === 'delete' ? now + terms.grace : null;
  if (sight.isStopped) return { type: 'stopped', graceUntil };
  if (!sight.isPhysical) return { type: 'stop' };
  return ask('it is a physical clone, which cannot be stopped first');
}

function asked(facts: LeaseFacts): NextOfLease {
  const { lease, now, terms } = facts;
  const { graceUntil, reason } = lease;
  if (graceUntil === null) return { type: 'wait', dueAt: now + day };
  if (now < graceUntil) return { type: 'wait', dueAt: graceUntil };
  if (isLate(facts, graceUntil)) return { type: 'ask', why: reason, graceUntil: now + terms.grace };
  return { type: 'tell approvers', dueAt: now + day };
}

function ending({ lease, now, terms, sight, endJob }: LeaseFacts): NextOfLease {
  const ask = (why: string): NextOfLease => ({ type: 'ask', why, graceUntil: now + terms.grace });
  if (endJob === 'open') return { type: 'wait', dueAt: now + jobRhythm };
  if (lease.state === 'deleting') {
    if (endJob === 'done') return { type: 'deleted' };
    // Somebody else may have deleted it.
    return sight.type === 'gone' ? { type: 'gone' } : ask(failureOf(endJob, 'deleted'));
  }
  if (endJob !== 'done') return ask(failureOf(endJob, 'stopped'));
  return { type: 'stopped', graceUntil: terms.end === 'delete' ? now + terms.grace : null };
}

function failureOf(endJob: Exclude<EndJobState, string>, done: 'stopped' | 'deleted'): string {
  if (!endJob) return `I do not know whether it was ${done}`;
  return 'failed' in endJob
    ? `it could not be ${done}: ${endJob.failed}`
    : `I do not know whether it was ${done}: ${endJob.unclear}`;
}

/**
 * A stopped clone that nobody brought back is deleted, where the policy still says so. One that somebody started is
 * brought back.
 */
function stopped(facts: LeaseFacts): NextOfLease {
  const { lease, now, terms, sight } = facts;
  const { graceUntil } = lease;
  if (graceUntil === null || now < graceUntil) {
    if (sight.type !== 'shown' || !sight.isRunning) return { type: 'wait', dueAt: graceUntil };
    const endsAt = now + broughtBackFor(lease, terms, now);
    const dueAt = dueTimeOf({ endsAt, setAt: now, warned: null }, terms);
    return { type: 'runs', endsAt, setAt: now, dueAt, cut: false };
  }
  const asks = unheard(facts);
  if (asks) return asks;
  if (lease.mustWarn || isLate(facts, graceUntil)) return stoppedAnew(facts);
  const ask = (why: string): NextOfLease => ({ type: 'ask', why, graceUntil: now + terms.grace });
  if (terms.isHeldBack) return ask(notMine);
  if (terms.end !== 'delete') return ask('the policy no longer says to delete it');
  if (sight.type === 'hidden') return ask(sight.why);
  if (sight.type === 'gone') return { type: 'gone' };
  if (sight.doubt !== undefined) return ask(sight.doubt);
  if (sight.isStopped) return held(facts, graceUntil, stoppedAnew) ?? { type: 'delete' };
  return ask(sight.isRunning ? 'it was started again' : 'its record does not show that it is stopped');
}

/** The owner is told once more that it is stopped, and has the whole time to bring it back. */
function stoppedAnew({ now, terms }: LeaseFacts): NextOfLease {
  return { type: 'stopped', graceUntil: now + terms.grace };
}

/**
 * The time for which a clone is kept that was brought back, in milliseconds: the default as far as the policy allows,
 * and the time for an answer at least.
 */
export function broughtBackFor(lease: Pick<Lease, 'since'>, terms: LeaseTerms, now: number): number {
  const most = terms.longest === undefined ? Infinity : lease.since + terms.longest - now;
  return Math.max(Math.min(terms.default ?? terms.grace, most), terms.grace);
}
