import { createHash } from 'node:crypto';
import type { Fact } from '../../store/jobs/data.ts';
import type { Job } from '../../store/jobs/job.ts';
import { keyOf } from './fact.ts';

/**
 * Digests a request, with the steps of a plan, and the facts that its approvers see, so that a click can name the card that it was made on: 16
 * hexadecimal digits of a SHA-256.
 */
export function digestOf(
  { operation, values, steps }: Pick<Job, 'operation' | 'values'> & Partial<Pick<Job, 'steps'>>,
  facts: readonly Fact[],
): string {
  const seen = facts.map(one => [keyOf(one), one.compared ?? one.value]);
  return createHash('sha256')
    .update(JSON.stringify([operation, values, ...(steps ? [steps] : []), seen]))
    .digest('hex')
    .slice(0, 16);
}
