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
 * Whether a job may begin as far as it needs somebody's consent: neither it nor its plan is of a workflow's step, or the consent
 * of that stands. A plan goes on after the end of that step only where its person lets it. Where processes share the store,
 * nobody takes the consent back before the transaction ends.
 */
export function hasConsent(store: Store) {
  return ({ and, eb, fn, not, or, exists, selectFrom }: ExpressionBuilder<Schema, 'jobs'>) => {
    const ofPlan = selectFrom('jobs as whole').select('whole.execution').whereRef('whole.id', '=', 'jobs.plan');
    const underWay = selectFrom('things as step')
      .select('step.id')
      .where('step.kind', '=', 'execution')
      .where('step.state', '=', 'running')
      .where('step.id', '=', ofPlan);
    const consent = selectFrom('things as run')
      .innerJoin('things as consent', join =>
        join
          .on('consent.kind', '=', named.trim())
          .on('consent.id', '=', sql`substr(run.waits_for, ${named.length + 1})`),
      )
      .select('consent.id')
      .where('run.kind', '=', 'execution')
      .where('run.id', '=', fn.coalesce('jobs.execution', ofPlan))
      .where('consent.state', '=', 'given');
    const needsNone = and([eb('jobs.execution', 'is', null), not(exists(underWay))]);
    return or([needsNone, exists(isShared(store) ? consent.forShare(['consent']) : consent)]);
  };
}
