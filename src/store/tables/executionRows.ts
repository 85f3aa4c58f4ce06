import { z } from 'zod';
import type { ExecutionRow, Store } from '../database.ts';
import { jsonIn } from '../jobs/decode.ts';

/*
 * The rows of executions: each is one run of a workflow’s step, from Slack’s event until Slack has its outcome. The
 * queries are in executions.ts.
 */

/** The states of an execution that is not over: it is prepared, its work is under way, or Slack is told how it ended. */
export const openExecutionStates = ['asked', 'running', 'telling'] as const;
const executionStates = [...openExecutionStates, 'ended'] as const;

const holds = ['sign-in', 'leave'] as const;

/** The outcome of a step: the values of its outputs, or the sentence that says why there are none. */
const StepResult = z.union([
  z.object({ outputs: z.record(z.string(), z.string()) }).readonly(),
  z.object({ error: z.string() }).readonly(),
]);
export type StepResult = z.infer<typeof StepResult>;

/** An execution as its row has it. */
export type Execution = Readonly<
  Omit<ExecutionRow, 'inputs' | 'declared' | 'result' | 'state' | 'hold'> & {
    inputs: Readonly<Record<string, unknown>>;
    declared: readonly string[];
    result: StepResult | null;
    state: (typeof executionStates)[number];
    hold: (typeof holds)[number] | null;
  }
>;

/** An execution before it is stored. `deadlineAt` is the time until which it waits for a leave. */
export type NewExecution = Pick<
  Execution,
  'team' | 'execution' | 'run' | 'step' | 'inputs' | 'declared' | 'person' | 'createdAt' | 'deadlineAt'
>;

/** The fields of an execution that a step of its way may change. */
export type ExecutionChange = Partial<
  Pick<
    Execution,
    'state' | 'hold' | 'grantId' | 'job' | 'record' | 'result' | 'deadlineAt' | 'endedAt' | 'dueAt' | 'tries'
  >
>;

/** Makes the id of an execution: that of Slack, in its team. */
export function executionIdOf({ team, execution }: Pick<Execution, 'team' | 'execution'>): string {
  return `${team} ${execution}`;
}

/** Makes the row of a new execution: it is due at once. */
export function executionRow({ inputs, declared, ...asked }: NewExecution): ExecutionRow {
  return {
    ...{ ...asked, id: executionIdOf(asked), inputs: JSON.stringify(inputs), declared: JSON.stringify(declared) },
    ...{ state: 'asked', hold: null, grantId: null, job: null, record: null, result: null, endedAt: null },
    ...{ revision: 1, dueAt: asked.createdAt, lockedUntil: 0, tries: 0 },
  };
}

/** The columns that a change sets. */
export function columnsOfExecution({ result, ...rest }: ExecutionChange): Partial<ExecutionRow> {
  return { ...rest, ...(result === undefined ? {} : { result: result && JSON.stringify(result) }) };
}

const Inputs = z.record(z.string(), z.unknown());
const Names = z.array(z.string());

/** Reads a row; empty for one that only another release can read. */
export function readExecution(row: ExecutionRow): Execution[] {
  const [inputs, declared] = [Inputs.safeParse(jsonIn(row.inputs)), Names.safeParse(jsonIn(row.declared))];
  const result = row.result === null ? null : StepResult.safeParse(jsonIn(row.result)).data;
  const state = executionStates.find(known => known === row.state);
  const hold = row.hold === null ? null : holds.find(known => known === row.hold);
  if (!inputs.success || !declared.success || result === undefined || !state || hold === undefined) return [];
  return [{ ...row, inputs: inputs.data, declared: declared.data, result, state, hold }];
}

/**
 * Makes an execution due in a transaction of its cause: its job has ended. The revision changes, so that whoever looked
 * at it before cannot put it off again.
 */
export async function wakeExecution(changes: Store, id: string, now: number): Promise<void> {
  await changes
    .updateTable('executions')
    .set(eb => ({ dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Makes the executions due that wait for a grant, or work with it: it was given, refused or revoked. */
export async function wakeExecutionsOf(changes: Store, grant: string, now: number): Promise<void> {
  await changes
    .updateTable('executions')
    .set(eb => ({ dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
    .where('grantId', '=', grant)
    .where('state', 'in', ['asked', 'running'])
    .execute();
}
