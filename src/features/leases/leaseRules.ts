import { day, hour } from '../../ground/durations.ts';
import type { LeaseRule, Policy } from '../../jobs/approval/policy/rules.ts';
import { possibleOf, type RuleSubject } from '../../jobs/approval/policy/verdict.ts';
import { endOfKeeping, readKeepFor, writeDuration } from '../../operations/requests/keepFor.ts';

/** What the rules say of one clone's lease. Durations are in milliseconds. */
export type LeaseTerms = Readonly<{
  /** The title of the rule that decides; `null` where none applies. */
  rule: string | null;
  default: number | undefined;
  longest: number | undefined;
  required: boolean;
  /** The times before the end at which the owner is warned, the longest first. */
  warn: readonly number[];
  end: 'ask' | 'stop' | 'delete';
  /** Whether a rule that may apply stops or deletes: it asks only where it is not known which one does. */
  mayAct: boolean;
  /** Whether a rule may stop or delete, and asks, since nobody allowed that for a clone which Dolly did not make. */
  isHeldBack?: boolean;
  grace: number;
}>;

/** The terms where no rule applies. */
const usual: LeaseTerms = {
  rule: null,
  default: undefined,
  longest: undefined,
  required: false,
  warn: [day, 2 * hour],
  end: 'ask',
  mayAct: false,
  grace: day,
};

/** The terms for a clone to which no rule does anything without the word of somebody who approves. */
export function heldBack(terms: LeaseTerms): LeaseTerms {
  return { ...terms, end: 'ask', mayAct: false, isHeldBack: terms.mayAct };
}

/**
 * Gives the terms of a clone's lease: those of the first rule that applies. Where it is not known whether an earlier
 * rule applies, too, the stricter limits hold, and nothing is done to the clone without asking.
 */
export function leaseTermsOf(policy: Pick<Policy, 'leases'>, subject: RuleSubject): LeaseTerms {
  const possible = possibleOf(policy.leases, subject, termsOf, usual);
  const [decides] = possible;
  const limits = possible.flatMap(({ longest }) => longest ?? []);
  const longest = limits.length > 0 ? Math.min(...limits) : undefined;
  return {
    ...decides,
    longest,
    default: decides.default === undefined ? undefined : Math.min(decides.default, longest ?? decides.default),
    required: possible.some(({ required }) => required),
    mayAct: possible.some(({ end }) => end !== 'ask'),
    end: possible.every(({ end }) => end === decides.end) ? decides.end : 'ask',
  };
}

function termsOf(rule: LeaseRule, at: number): LeaseTerms {
  return {
    ...usual,
    ...rule,
    rule: rule.title ?? `lease rule ${at + 1}`,
    default: rule.default,
    longest: rule.longest,
    required: rule.required ?? false,
    warn: (rule.warn ?? usual.warn).toSorted((a, b) => b - a),
    end: rule.end ?? 'ask',
    grace: rule.grace ?? usual.grace,
  };
}

/** A clone of which nothing but its operation is known yet. */
const unseen = (operation: { name: string }): RuleSubject => ({ operation, isOneOf: () => undefined });

/** The text of the default that a form shows for an operation, such as `2w`; `undefined` where there is none for sure. */
export function leaseDefaultFor(policy: Pick<Policy, 'leases'>, operation: { name: string }): string | undefined {
  const [{ default: time }, ...others] = possibleOf(policy.leases, unseen(operation), termsOf, usual);
  return time === undefined || others.length > 0 ? undefined : writeDuration(time);
}

/**
 * Says what is wrong with the time that a form asks for, as far as the policy says so whatever the clone will be;
 * `undefined` where it may be allowed.
 */
export function leaseFaultFor(
  policy: Pick<Policy, 'leases'>,
  operation: { name: string },
  text: string | undefined,
  now: number,
): string | undefined {
  const keep = text === undefined ? undefined : readKeepFor(text);
  const endsAt = keep && endOfKeeping(keep, now);
  if (typeof endsAt === 'number' && endsAt <= now) return 'That day has passed.';
  const possible = possibleOf(policy.leases, unseen(operation), termsOf, usual);
  if (endsAt === undefined)
    return possible.every(terms => terms.required && terms.default === undefined)
      ? 'Say how long to keep it: the policy wants an end.'
      : undefined;
  if (possible.some(terms => isAllowedEnd(terms, now, endsAt))) return undefined;
  const longest = Math.max(...possible.map(terms => terms.longest ?? 0));
  return longest > 0
    ? `The policy allows at most ${writeDuration(longest)}.`
    : 'The policy wants an end: choose a time.';
}

/** Whether an end may be set without asking: it is no later than the terms allow, and is there where one is needed. */
export function isAllowedEnd(terms: LeaseTerms, since: number, endsAt: number | null): boolean {
  if (endsAt === null) return terms.longest === undefined && !terms.required;
  return terms.longest === undefined || endsAt <= since + terms.longest;
}
