import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { isShared } from '../lock.ts';
import { type JobState, unsent } from './job.ts';

/** How the run of a workflow's step names the leave that it works with: the kind of that thing before its id. */
const named = 'consent ';

/** Whether a step of a job begins its work: it is sent, or its plan begins. */
export function beginsWork(from: JobState, to: JobState): boolean {
  return unsent.some(state => state === from) && (to === 'sending' || to === 'running');
}

/**
 * Whether a job may begin as far as it needs somebody's leave: it has none of a workflow's step, or its leave stands. Where
 * processes share the store, nobody takes it back before the transaction ends.
 */
export function hasLeave(store: Store) {
  return ({ eb, or, exists, selectFrom }: ExpressionBuilder<Schema, 'jobs'>) => {
    const leave = selectFrom('things as run')
      .innerJoin('things as leave', join =>
        join.on('leave.kind', '=', named.trim()).on('leave.id', '=', sql`substr(run.waits_for, ${named.length + 1})`),
      )
      .select('leave.id')
      .where('run.kind', '=', 'execution')
      .whereRef('run.id', '=', 'jobs.execution')
      .where('leave.state', '=', 'given');
    return or([eb('jobs.execution', 'is', null), exists(isShared(store) ? leave.forShare(['leave']) : leave)]);
  };
}
