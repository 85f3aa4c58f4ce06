import { z } from 'zod';
import { day, hour, minute } from '../../../ground/durations.ts';
import { type Conditions, conditions, Duration, SlackId, some } from './ruleParts.ts';

const Approvals = z.int('must be a whole number from 1 to 9').min(1).max(9);

/** The terms that a rule may set where it asks for approval: the number of people, their ids, and the lifetime. */
const approvalTerms = {
  approvals: Approvals.optional(),
  approvers: some(SlackId).optional(),
  lifetime: Duration.optional(),
} as const;

const decisions = ['allow', 'approve', 'forbid'] as const;
const decisionFault = 'must be allow, approve or forbid';

const Rule = z
  .strictObject({
    ...conditions,
    decision: z.enum(decisions, decisionFault).optional(),
    /** Lets schedules run what is guarded. Such a rule decides nothing else, and names operations without a pattern. */
    schedule: z.literal('allow', 'must be allow').optional(),
    ...approvalTerms,
  })
  .refine(rule => rule.decision !== undefined || rule.schedule !== undefined, {
    path: ['decision'],
    message: decisionFault,
  })
  .refine(
    rule => rule.schedule === undefined || Object.keys(rule).every(key => ofSchedules.includes(key)),
    'schedule can only stand with operation and title: it holds for every target and every person',
  )
  .refine(rule => rule.schedule === undefined || rule.operation?.every(isNamed), {
    path: ['operation'],
    message: 'must name operations one by one, because schedule lets guarded operations run',
  })
  .refine(
    rule => rule.decision === 'approve' || Object.keys(approvalTerms).every(key => !(key in rule)),
    'approvals, approvers and lifetime belong to the decision approve',
  );
/** A rule that decides on requests. */
export type Rule = Omit<z.infer<typeof Rule>, 'decision' | 'schedule'> &
  Readonly<{ decision: (typeof decisions)[number] }>;

/** The keys of a rule that lets schedules run an operation. */
const ofSchedules: readonly string[] = ['title', 'operation', 'schedule'];

const isNamed = (pattern: string) => !pattern.includes('*');

const ends = ['ask', 'stop', 'delete'] as const;

const LeaseRule = z
  .strictObject({
    ...conditions,
    /** The time for which a clone is kept where nobody says another. */
    default: Duration.optional(),
    /** The longest time, counted from the beginning of the lease. More needs approval. */
    longest: Duration.optional(),
    /** Whether each clone needs an end. */
    required: z.boolean('must be true or false').optional(),
    /** The times before the end at which its owner is warned. */
    warn: z.array(Duration).min(1).max(5).optional(),
    end: z.enum(ends, 'must be ask, stop or delete').optional(),
    /** The time for an answer, and the one in which a stopped clone can be brought back. */
    grace: Duration.optional(),
  })
  .refine(
    rule => rule.default === undefined || rule.longest === undefined || rule.default <= rule.longest,
    'default is longer than longest',
  );
export type LeaseRule = z.infer<typeof LeaseRule>;

const { title, name, environment, project } = conditions;

const ProtectRule = z.strictObject({
  ...{ title, name, environment, project },
  /** The age that the latest backup of a database may reach. */
  backup: Duration.optional(),
  /** The age that the latest backup of its logs may reach. */
  logs: Duration.optional(),
  /** The age from which a clone without a lease is pointed out. */
  keepClones: Duration.optional(),
});

const places = z.number().int().min(1).max(1_000);

/** The contents of POLICY_FILE: the rules, who approves, and who may do without approval in an emergency. */
export const PolicyFile = z.strictObject({
  ...approvalTerms,
  /** The pauses after the request, and after each reminder, until approvers are reminded. */
  reminders: z
    .array(Duration)
    .max(20)
    .readonly()
    .default([30 * minute, 2 * hour, 8 * hour]),
  /** The subjects of tokens that all sign-ins carry, so that they name nobody. */
  sharedSubjects: z.array(z.string()).readonly().default([]),
  /** The time after which what runs by itself, a schedule or a workflow’s step, needs its consent anew. */
  consentLifetime: Duration.default(90 * day),
  /** Lets people delete a virtual clone alone that their own job made less than a day ago. */
  ownClones: z.literal('free', 'must be free, or left out').optional(),
  /** How many requests may be under way at the service, and on one host, before what runs by itself waits. */
  pace: z.strictObject({ service: places.default(40), host: places.default(8) }).prefault({}),
  rules: z.array(Rule).default([]),
  /** How long clones are kept; the first rule that matches decides. */
  leases: z.array(LeaseRule).readonly().default([]),
  /** The protection that is wanted; the first rule that matches decides. */
  protect: z.array(ProtectRule).readonly().default([]),
  breakGlass: z.strictObject({ people: some(SlackId) }).optional(),
});

type File = z.infer<typeof PolicyFile>;

/** The policy in force. Times are in milliseconds. */
export type Policy = Readonly<
  Pick<File, 'reminders' | 'sharedSubjects' | 'consentLifetime' | 'pace' | 'leases' | 'protect'> & {
    approvals: number;
    /** Ids of users and groups; an empty list means everybody else who is signed in. */
    approvers: readonly string[];
    lifetime: number;
    /** Whether people may delete their own young clones alone (ownClone.ts). */
    freesOwnClones: boolean;
    rules: readonly Rule[];
    /** The names of the guarded operations that schedules may run. */
    scheduled: readonly string[];
    /** Ids of those who may break the glass; an empty list means nobody. */
    emergency: readonly string[];
  }
>;

/** The policy that a file describes. Its defaults serve where the file, or all of it, is missing. */
export function policyOf(file: File, approvers: readonly string[]): Policy {
  const { approvals = 1, lifetime = day, ownClones, rules, breakGlass, ...others } = file;
  return {
    ...{ ...others, approvals, lifetime, rules: decidingRules(rules) },
    approvers: file.approvers ?? approvers,
    freesOwnClones: ownClones === 'free',
    scheduled: rules.flatMap(({ schedule, operation = [] }) => (schedule ? operation : [])),
    emergency: breakGlass?.people ?? [],
  };
}

/** The rules that decide. A rule without a title keeps the number that it has in the file. */
function decidingRules(rules: File['rules']): readonly Rule[] {
  const isNumbered = rules.every(({ decision }) => decision);
  return rules.flatMap(({ schedule, decision, ...rule }, at) => {
    const title = isNumbered ? {} : { title: rule.title ?? `rule ${at + 1}` };
    return decision ? [{ ...rule, ...title, decision }] : [];
  });
}

/** Whether schedules may run an operation: a guarded one only where a rule names it. */
export function allowsOnSchedule(
  { scheduled }: Policy,
  { name, guarded = false }: Readonly<{ name: string; guarded?: boolean }>,
): boolean {
  return !guarded || scheduled.some(one => one.toLowerCase() === name.toLowerCase());
}

/** Every user and group that the policy lets approve anything; an empty list means everybody else who is signed in. */
export function allApprovers({ approvers, rules }: Policy): readonly string[] {
  return [...new Set([...approvers, ...rules.flatMap(({ approvers: own = [] }) => own)])];
}

/** Every user and group that some of the rules names as the requester. */
export function requesterIds(rules: readonly Conditions[]): readonly string[] {
  return [...new Set(rules.flatMap(({ requester = [] }) => requester))];
}
