import { createHash } from 'node:crypto';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { keyOf } from './fact.ts';

/**
 * Digests all that a permission covers, in whichever way it is given: 32 hexadecimal digits of a SHA-256. Nobody finds two
 * requests with the same 128 bits, of which one would be approved and the other one done.
 */
export function digestOfPermitted(covers: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(covers)).digest('hex').slice(0, 32);
}

/**
 * Digests a request, with the steps of a plan, and the facts that its approvers see, so that a click can name the card
 * that it was made on.
 */
export function digestOf(
  { operation, values, steps }: Pick<Job, 'operation' | 'values'> & Partial<Pick<Job, 'steps'>>,
  facts: readonly Fact[],
): string {
  const seen = facts.map(one => [keyOf(one), one.compared ?? one.value]);
  return digestOfPermitted([operation, values, ...(steps ? [steps] : []), seen]);
}
