import type { JobOperation, Values } from '../operations/operation.ts';
import type { Job } from '../store/jobs/rows/job.ts';
import { backups } from './impact.ts';
import { operationOf } from './request.ts';

/** A request that takes a restore back. */
type TakeBack = Readonly<{ operation: JobOperation; values: Values }>;

/**
 * The restore that takes back what a plan restored: of the same part, to the snapshot that an earlier step of the plan
 * made. `jobs` are those of its steps; `undefined` where they do not hold both, confirmed.
 */
export function takeBackOf(jobs: readonly Job[]): TakeBack | undefined {
  const done = jobs.filter(({ state }) => state === 'succeeded');
  const restore = done.findLast(job => operationOf(job).rewinds !== undefined);
  if (!restore) return undefined;
  const operation = operationOf(restore);
  const field = operation.fields.find(({ role }) => role === 'snapshot');
  const before = done.slice(0, done.indexOf(restore)).filter(({ target }) => target === restore.target);
  const snapshot = before.findLast(job => backups.includes(job.operation))?.claimed;
  return field && snapshot ? { operation, values: { ...restore.values, [field.name]: snapshot } } : undefined;
}
