import type { Clock } from '../../../ground/clock.ts';
import type { JobOperation, Role } from '../../../operations/operation.ts';
import type { Inputs } from '../../newJob.ts';
import type { Policy } from './rules.ts';

/** What the policy says about the fields of one role, whatever the record will be. */
export type FieldRule = Readonly<{
  role: Role;
  /** The text of the default that a form shows; `undefined` where there is none for sure. */
  defaultFor(policy: Policy, operation: JobOperation): string | undefined;
  /** Says in a sentence what is wrong with a text; `undefined` where it may be allowed. */
  faultOf(policy: Policy, operation: JobOperation, text: string | undefined, now: number): string | undefined;
}>;

/** The policy, with what it says about fields. */
type Ruled = Readonly<{ policy: Policy; fieldRules: readonly FieldRule[] }>;

/** The defaults that the policy gives to the fields of an operation, by their roles. */
export function defaultsByPolicy(
  { policy, fieldRules }: Ruled,
  operation: JobOperation,
): Readonly<Partial<Record<Role, string>>> {
  const found = fieldRules.flatMap(rule => {
    const hasRole = operation.fields.some(({ role }) => role === rule.role);
    const text = hasRole ? rule.defaultFor(policy, operation) : undefined;
    return text === undefined ? [] : [[rule.role, text] as const];
  });
  return Object.fromEntries(found);
}

/** The first field whose text the policy does not allow, with the sentence that says why. */
export function faultByPolicy(
  { policy, fieldRules, clock }: Ruled & Readonly<{ clock: Clock }>,
  operation: JobOperation,
  inputs: Inputs,
): Readonly<{ field: string; sentence: string }> | undefined {
  for (const { role, faultOf } of fieldRules) {
    const field = operation.fields.find(one => one.role === role);
    const sentence = field && faultOf(policy, operation, inputs[field.name], clock.now());
    if (field && sentence !== undefined) return { field: field.name, sentence };
  }
  return undefined;
}
