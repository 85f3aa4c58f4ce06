import { z } from 'zod';
import { day, hour, minute } from '../../ground/durations.ts';
import { catalogue } from '../../operations/catalogue.ts';
import { matchesPattern } from './pattern.ts';

/** One entry or a list of them, read as a list. */
const some = <T>(one: z.ZodType<T>) => z.union([one, z.array(one).min(1)]).transform(given => [given].flat());

/** A Slack user or user group. */
export const SlackId = z
  .string('must be the id of a Slack user (U…) or user group (S…)')
  .regex(/^[UWS][A-Z0-9]{2,30}$/, 'must be the id of a Slack user (U…) or user group (S…)');

const units = {
  s: 1_000,
  m: minute,
  h: hour,
  d: day,
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

/** The terms that a rule may set where it asks for approval: the number of people, their ids, and the lifetime. */
const approvalTerms = {
  approvals: Approvals.optional(),
  approvers: some(SlackId).optional(),
  lifetime: Duration.optional(),
} as const;

const Pattern = z.string().trim().min(1).max(200);
const OperationPattern = Pattern.refine(
  pattern => catalogue.some(({ type, name }) => type === 'write' && matchesPattern(pattern, name) === true),
  'must be an operation such as database.delete, or a pattern such as *.delete that matches some operation',
);

const Rule = z
  .strictObject({
    /** Names the rule to people whose request it forbids or holds for approval. */
    title: z.string().trim().min(1).max(200).optional(),
    operation: some(OperationPattern).optional(),
    name: some(Pattern).optional(),
    environment: some(Pattern).optional(),
    project: some(Pattern).optional(),
    requester: some(SlackId).optional(),
    decision: z.enum(['allow', 'approve', 'forbid'], 'must be allow, approve or forbid'),
    ...approvalTerms,
  })
  .refine(
    rule => rule.decision === 'approve' || Object.keys(approvalTerms).every(key => !(key in rule)),
    'approvals, approvers and lifetime belong to the decision approve',
  );
export type Rule = z.infer<typeof Rule>;

/** The contents of POLICY_FILE: the rules, who approves, and who may do without approval in an emergency. */
export const PolicyFile = z.strictObject({
  ...approvalTerms,
  /** The pauses after the request, and after each reminder, until approvers are reminded. */
  reminders: z.array(Duration).max(20).optional(),
  rules: z.array(Rule).default([]),
  breakGlass: z.strictObject({ people: some(SlackId) }).optional(),
});

/** The policy in force: the file over its defaults. Times are in milliseconds. */
export type Policy = Readonly<{
  approvals: number;
  /** Ids of users and groups; an empty list means everybody else who is signed in. */
  approvers: readonly string[];
  lifetime: number;
  reminders: readonly number[];
  rules: readonly Rule[];
  /** Ids of those who may break the glass; an empty list means nobody. */
  emergency: readonly string[];
}>;

/** The policy that a file describes. Its defaults serve where the file, or all of it, is missing. */
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

/** Every user and group that the policy lets approve anything; an empty list means everybody else who is signed in. */
export function allApprovers({ approvers, rules }: Policy): readonly string[] {
  return [...new Set([...approvers, ...rules.flatMap(({ approvers: own = [] }) => own)])];
}

/** Every user and group that some rule names as the requester. */
export function requesterIds({ rules }: Policy): readonly string[] {
  return [...new Set(rules.flatMap(({ requester = [] }) => requester))];
}
