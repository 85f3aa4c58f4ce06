import { z } from 'zod';
import { day, hour, minute } from '../../../ground/durations.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import { leaseRequest } from '../../../operations/requests/leaseRequest.ts';
import { scheduleRequest } from '../../../operations/requests/scheduleRequest.ts';
import { workflowRequest } from '../../../operations/requests/workflowRequest.ts';
import { matchesPattern } from './pattern.ts';

/* The parts of which the rules of a policy consist: conditions, people and times. */

/** One entry or a list of them, read as a list. */
export const some = <T>(one: z.ZodType<T>) => z.union([one, z.array(one).min(1)]).transform(given => [given].flat());

/** A Slack user or user group. */
export const SlackId = z
  .string('must be the id of a Slack user (U…) or user group (S…)')
  .regex(/^[UWS][A-Z0-9]{2,30}$/, 'must be the id of a Slack user (U…) or user group (S…)');

const units: Readonly<Record<string, number>> = { s: 1_000, m: minute, h: hour, d: day, w: 7 * day };
const durationFault = 'must be a time such as 90s, 30m, 12h, 2d or 2w';

/** A duration as it is written in the file, in milliseconds. */
export const Duration = z
  .string(durationFault)
  .regex(/^[1-9]\d{0,4} ?[smhdw]$/, durationFault)
  .transform(text => Number.parseInt(text, 10) * (units[text.slice(-1)] ?? day));

const Pattern = z.string().trim().min(1).max(200);
const OperationPattern = Pattern.refine(
  pattern =>
    [...catalogue, leaseRequest, scheduleRequest, workflowRequest].some(
      ({ type, name }) => type !== 'read' && matchesPattern(pattern, name) === true,
    ),
  'must be an operation such as database.delete, or a pattern such as *.delete that matches some operation',
);

/** The keys that every rule has: its title, and its conditions. */
export const conditions = {
  /** Names the rule to people to whom it applies. */
  title: z.string().trim().min(1).max(200).optional(),
  operation: some(OperationPattern).optional(),
  name: some(Pattern).optional(),
  environment: some(Pattern).optional(),
  project: some(Pattern).optional(),
  requester: some(SlackId).optional(),
} as const;

/** The conditions of a rule, as they are read. */
export type Conditions = Readonly<{ [Key in keyof typeof conditions]?: z.infer<(typeof conditions)[Key]> }>;
