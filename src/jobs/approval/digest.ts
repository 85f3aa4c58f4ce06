import { createHash } from 'node:crypto';
import type { Job } from '../../store/tables/job.ts';
import { type Fact, keyOf } from './fact.ts';

/**
 * Digests a request and the facts that its approvers see, so that a click can name the card that it was made on: 16
 * hexadecimal digits of a SHA-256.
 */
export function digestOf({ operation, inputs }: Pick<Job, 'operation' | 'inputs'>, facts: readonly Fact[]): string {
  const seen = facts.map(one => [keyOf(one), one.compared ?? one.value]);
  return createHash('sha256')
    .update(JSON.stringify([operation, inputs, seen]))
    .digest('hex')
    .slice(0, 16);
}
