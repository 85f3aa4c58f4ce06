import { asClause } from '../../../ground/wording.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { leaseRequest } from '../../../operations/requests/leaseRequest.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Judge } from '../../parts.ts';
import { matchesPattern } from './pattern.ts';
import type { Conditions } from './ruleParts.ts';
import { type Policy, type Rule, requesterIds } from './rules.ts';

/* The verdict of the rules on a request. */

/**
 * A request as the rules see it. A list that is not known (not read yet, or not shown by the records) is left out, and
 * then no condition that rests on it is certain.
 */
export type Subject = Readonly<{
  operation: Pick<JobOperation, 'name' | 'guarded'>;
  /** The target's name and identifier, and those of the database of a snapshot. */
  names?: readonly string[] | undefined;
  /** Names and identifiers of every environment that is touched. */
  environments?: readonly string[] | undefined;
  projects?: readonly string[] | undefined;
  /** Whether the requester is one of some users and groups, where Slack tells. */
  isOneOf(ids: readonly string[]): boolean | undefined;
}>;

/** The answer of the policy. `rule` is the title of the rule that gave it. */
export type PolicyVerdict =
  | Readonly<{ type: 'allow'; rule: string }>
  | Readonly<{ type: 'forbid'; rule: string }>
  | Readonly<{ type: 'approve'; rule: string; approvals: number; approvers: readonly string[]; lifetime: number }>;

/** The verdict that asks for approval. */
export type ApprovalVerdict = Extract<PolicyVerdict, { type: 'approve' }>;

/**
 * Lists the verdicts that the policy may have on a subject. The first rule that fits decides. Where it is not known
 * whether a rule fits, its verdict is possible, and so are later ones. Where everything is known, there is one verdict.
 */
export function possibleVerdicts(policy: Policy, subject: Subject): readonly [PolicyVerdict, ...PolicyVerdict[]] {
  const { name, guarded } = subject.operation;
  const usual: PolicyVerdict = guarded
    ? verdictOf(policy, { decision: 'approve' }, usualTitle(name))
    : { type: 'allow', rule: `no rule applies to ${name}` };
  const said = (rule: Rule, at: number) => verdictOf(policy, rule, rule.title ?? `rule ${at + 1}`);
  const [first, ...others] = possibleOf(policy.rules, subject, said, usual);
  if (!asksForAccount(name)) return [first, ...others];
  // The service account never acts on the word of one person, whatever the rules allow.
  const atLeast = (verdict: PolicyVerdict) => (verdict.type === 'allow' ? usual : verdict);
  return [atLeast(first), ...others.map(atLeast)];
}

/** The title of the default policy for an operation that is guarded. */
function usualTitle(name: string): string {
  if (name === leaseRequest.name) return 'longer leases than the rules allow need approval';
  return asksForAccount(name) ? 'what the service account does needs approval' : 'deletions need approval';
}

/** Whether the policy may ask for approval of an operation, for some target or some person. */
export function mayNeedApproval(policy: Policy, operation: Subject['operation']): boolean {
  return possibleVerdicts(policy, { operation, isOneOf: () => undefined }).some(({ type }) => type === 'approve');
}

/**
 * Picks the strictest of the possible verdicts: an unknown must not make a request easier. Of verdicts that are equally
 * strict, it picks the one whose rule comes first.
 */
export function strictest([first, ...others]: readonly [PolicyVerdict, ...PolicyVerdict[]]): PolicyVerdict {
  const weight = (verdict: PolicyVerdict) =>
    verdict.type === 'forbid' ? Number.POSITIVE_INFINITY : verdict.type === 'approve' ? verdict.approvals : 0;
  return [...others, first].reduce((strict, verdict) => (weight(verdict) > weight(strict) ? verdict : strict));
}

/**
 * Collects the operation and the requester for the rules, before any record is read. With `now`, user groups are read
 * anew: a request that is sent rests on their members at that moment.
 */
export async function subjectOf(
  { policy, people }: Judge,
  owner: Owner,
  operation: Subject['operation'],
  now?: 'now',
): Promise<Subject> {
  const ids = requesterIds([...policy.rules, ...policy.leases]);
  const known = new Map(await Promise.all(ids.map(async id => [id, await people.isAmong(owner, [id], now)] as const)));
  return {
    operation,
    isOneOf(some) {
      const found = some.map(id => known.get(id));
      return found.includes(true) ? true : found.includes(undefined) ? undefined : false;
    },
  };
}

/** Adds a note to the rule of a verdict that may be wrong, since Slack does not tell who is in some of the groups. */
export function withUnknownGroups(verdict: PolicyVerdict, policy: Policy, { isOneOf }: Subject): PolicyVerdict {
  const hidden = requesterIds(policy.rules).filter(id => isOneOf([id]) === undefined);
  return hidden.length === 0 ? verdict : { ...verdict, rule: `${verdict.rule} (${asClause(untold(hidden))})` };
}

/** The sentence that Slack does not tell who is in the groups among `ids`; readers are shown them by name. */
export function untold(ids: readonly string[]): string {
  return `Slack cannot tell me at the moment who is in ${ids.filter(id => id.startsWith('S')).join(' or ')}.`;
}

/** The sentence on a request that the policy forbids. */
export function forbiddenBy({ rule }: PolicyVerdict): string {
  return `The policy forbids this here: ${rule}.`;
}

function verdictOf(policy: Policy, rule: Partial<Rule>, title: string): PolicyVerdict {
  if (rule.decision !== 'approve') return { type: rule.decision ?? 'allow', rule: title };
  const { approvals = policy.approvals, approvers = policy.approvers, lifetime = policy.lifetime } = rule;
  return { type: 'approve', rule: title, approvals, approvers, lifetime };
}

/** What the conditions of rules are compared with. Some rules are about records, and no operation. */
export type RuleSubject = Omit<Subject, 'operation'> & Readonly<{ operation: { name: string } | undefined }>;

/**
 * What the rules that may decide say: the first one that applies for certain, or `usual` where none does, then those
 * before it that may apply.
 */
export function possibleOf<R extends Conditions, Said>(
  rules: readonly R[],
  subject: RuleSubject,
  said: (rule: R, at: number) => Said,
  usual: Said,
): readonly [Said, ...Said[]] {
  const fitting = rules.flatMap((rule, at) => {
    const fit = ruleFits(rule, subject);
    return fit === false ? [] : [{ fit, said: said(rule, at) }];
  });
  const certain = fitting.findIndex(({ fit }) => fit);
  const uncertain = fitting.slice(0, certain < 0 ? undefined : certain);
  return [fitting[certain]?.said ?? usual, ...uncertain.map(one => one.said)];
}

/** Whether all conditions of a rule are met; `undefined` where that rests on something unknown. */
function ruleFits(rule: Conditions, subject: RuleSubject): boolean | undefined {
  const conditions = [
    matchesAny(rule.operation, subject.operation && [subject.operation.name]),
    matchesAny(rule.name, subject.names),
    matchesAny(rule.environment, subject.environments),
    matchesAny(rule.project, subject.projects),
    rule.requester === undefined || subject.isOneOf(rule.requester),
  ];
  return conditions.includes(false) ? false : conditions.includes(undefined) ? undefined : true;
}

/** Whether any of the texts matches any of the patterns; `undefined` where one only looks as if it did. */
function matchesAny(patterns: readonly string[] | undefined, texts: readonly string[] | undefined) {
  if (patterns === undefined) return true;
  const found = texts?.flatMap(text => patterns.map(pattern => matchesPattern(pattern, text)));
  if (found?.includes(true)) return true;
  return found?.includes(undefined) ? undefined : found && false;
}
