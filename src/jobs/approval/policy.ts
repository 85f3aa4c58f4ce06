import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { z } from 'zod';
import { foldings } from '../../ground/lookalikes.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';

/** One or several. */
const some = <T>(one: z.ZodType<T>) => z.union([one, z.array(one).min(1)]).transform(given => [given].flat());

/** A Slack user or user group. */
export const SlackId = z
  .string('must be the id of a Slack user (U…) or user group (S…)')
  .regex(/^[UWS][A-Z0-9]{2,30}$/, 'must be the id of a Slack user (U…) or user group (S…)');

const units = {
  s: 1_000,
  m: minutesToMilliseconds(1),
  h: hoursToMilliseconds(1),
  d: hoursToMilliseconds(24),
} as const;
const durationFault = 'must be a time such as 90s, 30m, 12h or 2d';
const Duration = z
  .string(durationFault)
  .regex(/^[1-9]\d{0,4} ?[smhd]$/, durationFault)
  .transform(text => {
    const unit = text.at(-1);
    return Number.parseInt(text, 10) * (unit === 's' || unit === 'm' || unit === 'h' ? units[unit] : units.d);
  });

const Approvals = z.int('must be a whole number from 1 to 9').min(1).max(9);

/** What is asked for where approval is: by how many of whom, and how long a request stands. */
const asking = {
  approvals: Approvals.optional(),
  approvers: some(SlackId).optional(),
  lifetime: Duration.optional(),
} as const;

const Pattern = z.string().trim().min(1).max(200);
const OperationPattern = Pattern.refine(
  pattern => catalogue.some(({ type, name }) => type === 'write' && fits(pattern, name) === true),
  'must be an operation such as database.delete, or a pattern such as *.delete that some operation fits',
);

const Rule = z
  .strictObject({
    /** Said to people where it forbids or asks; a title of what the rule is about. */
    title: z.string().trim().min(1).max(200).optional(),
    operation: some(OperationPattern).optional(),
    name: some(Pattern).optional(),
    environment: some(Pattern).optional(),
    project: some(Pattern).optional(),
    requester: some(SlackId).optional(),
    decision: z.enum(['allow', 'approve', 'forbid'], 'must be allow, approve or forbid'),
    ...asking,
  })
  .refine(
    rule => rule.decision === 'approve' || Object.keys(asking).every(key => !(key in rule)),
    'approvals, approvers and lifetime belong to the decision approve',
  );
export type Rule = z.infer<typeof Rule>;

/** POLICY_FILE: what needs whose approval, what is forbidden, and who may do without in an emergency. */
export const PolicyFile = z.strictObject({
  ...asking,
  /** How long after the request, and after each reminder, approvers are reminded. */
  reminders: z.array(Duration).max(20).optional(),
  rules: z.array(Rule).default([]),
  breakGlass: z.strictObject({ people: some(SlackId) }).optional(),
});

/** A policy as it is acted on. Times are milliseconds. */
export type Policy = Readonly<{
  approvals: number;
  /** Ids of users and groups; none means everybody else who is signed in. */
  approvers: readonly string[];
  lifetime: number;
  reminders: readonly number[];
  rules: readonly Rule[];
  /** Who may break the glass: nobody where it is empty. */
  emergency: readonly string[];
}>;

/** A policy out of what the file says, over defaults that need none. */
export function policyOf(file: z.infer<typeof PolicyFile>, approvers: readonly string[]): Policy {
  return {
    approvals: file.approvals ?? 1,
    approvers: file.approvers ?? approvers,
    lifetime: file.lifetime ?? units.d,
    reminders: file.reminders ?? [30 * units.m, 2 * units.h, 8 * units.h],
    rules: file.rules,
    emergency: file.breakGlass?.people ?? [],
  };
}

/**
 * What is to be judged. A list that is not known (not read yet, or not shown by the records) is left out, and then
 * nothing that rests on it is certain.
 */
export type Subject = Readonly<{
  operation: WriteOperation;
  /** What the target is called: its name and its identifier, and those of the database of a snapshot. */
  names?: readonly string[] | undefined;
  /** Names and identifiers of every environment that is touched. */
  environments?: readonly string[] | undefined;
  projects?: readonly string[] | undefined;
  /** Whether the requester is one of some users and groups, where Slack tells. */
  isOneOf(ids: readonly string[]): boolean | undefined;
}>;

/** What the policy says. `rule` is the title of what decided. */
export type Verdict =
  | Readonly<{ type: 'allow'; rule: string }>
  | Readonly<{ type: 'forbid'; rule: string }>
  | Readonly<{ type: 'approve'; rule: string; approvals: number; approvers: readonly string[]; lifetime: number }>;

/**
 * What the policy may say of a subject: the first rule that fits decides, and where it is not known whether a rule fits,
 * that rule's verdict is possible as well as what follows. Where all is known, this is one verdict.
 */
export function verdicts(policy: Policy, subject: Subject): readonly [Verdict, ...Verdict[]] {
  const { name, guarded } = subject.operation;
  const usual: Verdict = guarded
    ? verdictOf(policy, { decision: 'approve' }, 'deletions need approval')
    : { type: 'allow', rule: `nothing is said of ${name}` };
  const fitting = policy.rules.flatMap((rule, at) => {
    const fit = fitsRule(rule, subject);
    return fit === false ? [] : [{ fit, verdict: verdictOf(policy, rule, rule.title ?? `rule ${at + 1}`) }];
  });
  const known = fitting.findIndex(({ fit }) => fit);
  const possible = fitting.slice(0, known < 0 ? undefined : known).map(({ verdict }) => verdict);
  return [fitting[known]?.verdict ?? usual, ...possible];
}

/** Whether the policy may ask for approval, whatever the target and whoever asks. */
export function mayAsk(policy: Policy, operation: WriteOperation): boolean {
  return verdicts(policy, { operation, isOneOf: () => undefined }).some(({ type }) => type === 'approve');
}

/**
 * The strictest of what may be said: what cannot be known must not make it easier. Of two that ask for as much, the rule
 * that comes first is meant.
 */
export function strictest([first, ...others]: readonly [Verdict, ...Verdict[]]): Verdict {
  const weight = (verdict: Verdict) =>
    verdict.type === 'forbid' ? Number.POSITIVE_INFINITY : verdict.type === 'approve' ? verdict.approvals : 0;
  return [...others, first].reduce((strict, verdict) => (weight(verdict) > weight(strict) ? verdict : strict));
}

/** Every user and group that the policy lets approve anything; none means everybody else who is signed in. */
export function allApprovers({ approvers, rules }: Policy): readonly string[] {
  return [...new Set([...approvers, ...rules.flatMap(({ approvers: own = [] }) => own)])];
}

/** Every id that the rules ask about the requester. */
export function requesterIds({ rules }: Policy): readonly string[] {
  return [...new Set(rules.flatMap(({ requester = [] }) => requester))];
}

function verdictOf(policy: Policy, rule: Partial<Rule>, title: string): Verdict {
  if (rule.decision !== 'approve') return { type: rule.decision ?? 'allow', rule: title };
  const { approvals = policy.approvals, approvers = policy.approvers, lifetime = policy.lifetime } = rule;
  return { type: 'approve', rule: title, approvals, approvers, lifetime };
}

/** Whether all conditions of a rule are met; `undefined` where that hinges on what is not known. */
function fitsRule(rule: Rule, subject: Subject): boolean | undefined {
  const conditions = [
    fitsAny(rule.operation, [subject.operation.name]),
    fitsAny(rule.name, subject.names),
    fitsAny(rule.environment, subject.environments),
    fitsAny(rule.project, subject.projects),
    rule.requester === undefined || subject.isOneOf(rule.requester),
  ];
  return conditions.includes(false) ? false : conditions.includes(undefined) ? undefined : true;
}

/** Whether any of the texts fits any of the patterns; one that only looks so leaves it open. */
function fitsAny(patterns: readonly string[] | undefined, texts: readonly string[] | undefined): boolean | undefined {
  if (patterns === undefined) return true;
  const found = texts?.flatMap(text => patterns.map(pattern => fits(pattern, text)));
  if (found?.includes(true)) return true;
  return found?.includes(undefined) ? undefined : found && false;
}

/**
 * Whether a text fits a pattern whole, in which `*` stands for anything; case does not matter. `undefined` where it only
 * looks as if it did: by letters that look the same, by marks on them, or by what cannot be seen.
 */
export function fits(pattern: string, text: string): boolean | undefined {
  if (isMatch(pattern.split('*').map(written), written(text))) return true;
  const parts = pattern.split('*').map(foldings);
  const looks = foldings(text).some(all =>
    parts[0]?.some((_, form) =>
      isMatch(
        parts.map(part => part[form] ?? ''),
        all,
      ),
    ),
  );
  return looks ? undefined : false;
}

/** Whether `parts` stand in a text in their order, the first at its beginning and the last at its end. */
function isMatch([first = '', ...rest]: readonly string[], all: string): boolean {
  const last = rest.pop();
  if (last === undefined) return all === first;
  if (!all.startsWith(first) || all.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = all.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return all.endsWith(last) && all.length - last.length >= at;
}

/** A name as it is written, in whatever case. */
function written(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
