import { cloneOperations } from './clones.ts';
import { databaseOperations } from './databases.ts';
import { environmentOperations } from './environments.ts';
import type { JobOperation, Operation, WriteOperation } from './operation.ts';
import { plansAfterBackup } from './plans/afterBackup.ts';
import { batchesOf } from './plans/batch.ts';
import { lifecycleOperations } from './plans/teardownAndRenew.ts';
import { leaseRequest } from './requests/leaseRequest.ts';
import { scheduleRequest } from './requests/scheduleRequest.ts';
import { workflowRequest } from './requests/workflowRequest.ts';
import { restoreOperations } from './restores.ts';
import { directoryOperations } from './usersAndProjects.ts';

/** Everything that can be asked of the service, in the order of the help. An entry is added in the file of its noun. */
export const catalogue: readonly Operation[] = [
  ...databaseOperations,
  ...cloneOperations,
  ...restoreOperations,
  ...environmentOperations,
  ...directoryOperations,
  ...lifecycleOperations,
];

/** All that a job can be about, by name: also what no command asks for, but forms and buttons do. */
const askedFor = new Map(
  [
    ...catalogue,
    ...plansAfterBackup(catalogue),
    ...batchesOf(catalogue),
    ...[leaseRequest, scheduleRequest, workflowRequest],
  ].map(operation => [operation.name, operation]),
);

/** All operations by the first word of their commands, the longest commands first. */
const byFirstWord = Map.groupBy(
  catalogue.toSorted((a, b) => b.words.length - a.words.length),
  ({ words }) => words[0],
);

/** The operation that a command's words begin with (the longest match), and the words that are left. */
export function findOperation(words: readonly string[]): { operation: Operation; rest: readonly string[] } | undefined {
  const lower = words.map(word => word.toLowerCase());
  const operation = byFirstWord.get(lower[0])?.find(entry => entry.words.every((word, at) => lower[at] === word));
  return operation && { operation, rest: words.slice(operation.words.length) };
}

/** The write operation of that name; `undefined` for a name that another release may have stored. */
export function writeOperation(name: string): WriteOperation | undefined {
  const operation = catalogue.find(entry => entry.name === name);
  return operation?.type === 'write' ? operation : undefined;
}

/** The operation of that name that a job can be about; `undefined` likewise. */
export function jobOperation(name: string): JobOperation | undefined {
  const operation = askedFor.get(name);
  return operation?.type === 'read' ? undefined : operation;
}

/** The operation whose form asks for what a job is about. */
export function formOperation(operation: JobOperation): JobOperation {
  const asked = operation.type === 'plan' && operation.of !== undefined ? writeOperation(operation.of) : undefined;
  return asked ?? operation;
}
