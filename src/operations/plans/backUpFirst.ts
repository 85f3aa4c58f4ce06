import { backUpDatabase } from '../databases.ts';
import type { Field, Values, WriteOperation } from '../operation.ts';
import { keptBy, type PlannedSteps, planStep } from './plan.ts';

/** The field by which an operation asks for a backup first; `undefined` where it has none. */
export function backUpField(operation: Pick<WriteOperation, 'fields'>): Field | undefined {
  return operation.fields.find(({ role }) => role === 'backUpFirst');
}

/**
 * Plans a request that is made after a backup of its target, once the new snapshot is confirmed. An operation that makes
 * something out of a snapshot uses the new one. One that goes back to a snapshot needs an older one, which must be
 * named: after the backup, the latest snapshot would be the backup itself (spec §3, rule 4).
 */
export function planAfterBackup(
  operation: WriteOperation,
  values: Values,
  names: Readonly<Record<string, string>>,
): PlannedSteps {
  const target = String(values[operation.target] ?? '');
  const { feeds, name: backUpFirst = '' } = backUpField(operation) ?? {};
  const snapshot = operation.fields.find(({ role }) => role === 'snapshot')?.name;
  if (snapshot !== undefined && feeds !== snapshot && values[snapshot] === undefined)
    return keptBy(
      snapshot,
      'Choose the snapshot to go back to: after the backup, the latest one would be the backup itself.',
    );
  const brought = feeds === undefined ? {} : { [feeds]: { step: 0, brings: 'snapshot' } as const };
  const { [backUpFirst]: _, ...others } = values;
  const backup = planStep(backUpDatabase, { [backUpDatabase.target]: target }, names);
  return { ok: true, steps: [backup, planStep(operation, { ...others, ...brought }, names)] };
}
