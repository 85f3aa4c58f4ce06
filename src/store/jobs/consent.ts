import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { isShared } from '../lock.ts';
import { type JobState, unsent } from './rows/job.ts';

/** How the run of a workflow's step names the consent that it works with: the kind of that thing before its id. */
const named = 'consent ';

/** Whether a step of a job begins its work: it is sent, or its plan begins. */
export function beginsWork(from: JobState, to: JobState): boolean {
  return unsent.some(state => state === from) && (to === 'sending' || to === 'running');
}

/**
 * Whether a job may begin as far as it needs somebody's consent: it has none of a workflow's step, or its consent stands. Where
 * processes share the store, nobody takes it back before the transaction ends.
 */
export function hasConsent(store: Store) {
  return ({ eb, or, exists, selectFrom }: ExpressionBuilder<Schema, 'jobs'>) => {
    const consent = selectFrom('things as run')
      .innerJoin('things as consent', join =>
        join
          .on('consent.kind', '=', named.trim())
          .on('consent.id', '=', sql`substr(run.waits_for, ${named.length + 1})`),
      )
      .select('consent.id')
      .where('run.kind', '=', 'execution')
      .whereRef('run.id', '=', 'jobs.execution')
      .where('consent.state', '=', 'given');
    return or([eb('jobs.execution', 'is', null), exists(isShared(store) ? consent.forShare(['consent']) : consent)]);
  };
}
