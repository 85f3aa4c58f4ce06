import type { Operation, PlanOperation, WriteOperation } from '../operation.ts';

/** The name of the plan that backs up before an operation. It is stored with each job, so never change it. */
export function afterBackupOf({ name }: Pick<WriteOperation, 'name'>): string {
  return `${name}.afterBackup`;
}

/**
 * The plan of a backup and then the operation. Its name is another than that of the operation, which is one of its steps.
 */
export function afterBackup(operation: WriteOperation): PlanOperation {
  const { words, summary, target, fields, title, phrases, warning, rewinds, guarded, typed } = operation;
  return {
    type: 'plan',
    name: afterBackupOf(operation),
    of: operation.name,
    ...{ words, summary, target, fields },
    title: values => `${title(values)} after a backup`,
    phrases: {
      ...phrases,
      asks: `back up {name} and then ${phrases.asks}`,
      running: `${phrases.running} after a backup`,
    },
    ...(warning ? { warning } : {}),
    ...(rewinds ? { rewinds } : {}),
    ...(guarded ? { guarded } : {}),
    ...(typed ? { typed } : {}),
  };
}

/** The plans with a backup first of all operations that have the field for it. */
export function plansAfterBackup(catalogue: readonly Operation[]): readonly PlanOperation[] {
  return catalogue.flatMap(operation =>
    operation.type === 'write' && operation.fields.some(({ role }) => role === 'backUpFirst')
      ? [afterBackup(operation)]
      : [],
  );
}
