import type { Noun } from '../../api/identifiers.ts';
import { counted } from '../../ground/wording.ts';
import { target as targetField } from '../fields.ts';
import { type Operation, type PlanOperation, targetNouns, type WriteOperation } from '../operation.ts';
import { written } from '../requests/scheduleRequest.ts';
import { type PlanStep, planStep } from './plan.ts';

/*
 * A batch is independent requests of one operation that are asked for together: a job with steps like a plan, but no step
 * waits for another (jobs/plans/nextOfBatch.ts).
 */

/** The name of the batch of an operation. It is stored with each job, so never change it. */
export function batchNameOf({ name }: Pick<WriteOperation, 'name'>): string {
  return `${name}.batch`;
}

/** The operation of a batch, whose target is called “12 databases”. */
export function batchOf(operation: WriteOperation): PlanOperation {
  const { words, summary, target, title, phrases } = operation;
  const fields =
    operation.together === 'clones' ? [targetField(target, 'Clone', togetherNouns(operation))] : operation.fields;
  return {
    ...{ type: 'plan', isBatch: true, name: batchNameOf(operation), of: operation.name },
    ...{ words, summary, target, fields, title },
    phrases: { ...phrases, done: phrases.done.replace('{name} is', '{name} are'), detail: '' },
  };
}

/** The batches of all operations that may be asked for together, and those of what stands on an environment. */
export function batchesOf(catalogue: readonly Operation[]): readonly PlanOperation[] {
  return catalogue.flatMap(operation => {
    if (!isForBatches(operation)) return [];
    return isForLive(operation) ? [batchOf(operation), batchOfEnvironment(operation)] : [batchOf(operation)];
  });
}

function isForLive(operation: WriteOperation): boolean {
  return togetherNouns(operation).includes('live');
}

/** The nouns of the records on which an operation may be asked for together. */
export function togetherNouns(operation: WriteOperation): readonly Noun[] {
  return operation.together === 'clones' ? ['clone'] : targetNouns(operation);
}

/** The name of the batch of the live databases of an environment; `undefined` for what is not for live databases. */
export function environmentBatchNameOf(operation: WriteOperation): string | undefined {
  return isForBatches(operation) && isForLive(operation) ? `${operation.name}.environment` : undefined;
}

/**
 * The batch of all live databases of an environment, which only a schedule asks for: each run has those that stand there
 * then. Its approval binds the rule and the ceiling, which are among its values.
 */
function batchOfEnvironment(operation: WriteOperation): PlanOperation {
  return {
    ...batchOf(operation),
    name: `${operation.name}.environment`,
    target: 'environment',
    fields: [
      targetField('environment', 'Environment', ['environment']),
      written('rule', 'Which databases'),
      written('members', 'Now'),
      written('ceiling', 'At most'),
    ],
    schedulable: true,
  };
}

/** Whether an operation is a batch of what stands on an environment. */
export function isOfEnvironment(operation: Operation): operation is PlanOperation {
  return operation.type === 'plan' && operation.isBatch === true && operation.target === 'environment';
}

/** Whether several requests of an operation may be asked for together: on these records it takes nothing but its target. */
export function isForBatches(operation: Operation): operation is WriteOperation {
  return operation.type === 'write' && operation.together !== undefined;
}

/** The name of the target of a batch. */
export function manyTargets({ fields }: Pick<WriteOperation, 'fields'>, many: number): string {
  const nouns = fields.flatMap(({ role, widget }) =>
    role === 'target' && widget.type === 'record' ? widget.nouns : [],
  );
  return counted(many, nouns.every(one => one === 'clone') ? 'clone' : 'database');
}

/** The steps of a batch on these records; `names` by identifier. */
export function batchSteps(
  operation: WriteOperation,
  targets: readonly string[],
  names: Readonly<Record<string, string>>,
): readonly PlanStep[] {
  return targets.map(id => planStep(operation, { [operation.target]: id }, names));
}
