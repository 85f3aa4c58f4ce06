import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { inTrail, type Told } from '../tables/audit/audit.ts';
import { ownTeam } from '../tables/audit/auditSearch.ts';
import { sweepAnswers } from '../tables/stateAnswers.ts';
import { ends } from './rows/job.ts';

/** Max jobs that one sweep deletes: others wait for it. */
const sweptAtOnce = 200;

/** The end of the jobs that ended long ago. */
export type JobSweeping = Readonly<{
  /**
   * Deletes some of the jobs that ended before `time`, with what they claimed and were told, and adds an entry to the trail about
   * that. Gives their number; 0 where none is left. A job stays while its end is untold, while its plan is there, or while
   * a job that may still be looked at was under way beside it: that one must not be proved by the other's record.
   */
  sweep(time: number, now: number): Promise<number>;
}>;

/** `told` is called with its entries in the trail. */
export function jobSweepingIn(store: Store, told?: Told): JobSweeping {
  return {
    async sweep(time, now) {
      const before = Math.min(time, await firstNeeded(store, time));
      const isOver = ({ and, eb, not, exists }: ExpressionBuilder<Schema, 'jobs'>) =>
        and([
          eb('endedAt', 'is not', null),
          eb('endedAt', '<', before),
          eb('state', 'in', ends),
          // Not `is null`: SQLite would then choose the index of that column, which nearly all jobs share.
          eb(eb.fn.coalesce('tellAt', eb.lit(-1)), '=', -1),
          // A plan that goes on would begin a step again of which there is no job.
          not(exists(eb.selectFrom('jobs as plans').select('plans.id').whereRef('plans.id', '=', 'jobs.plan'))),
        ]);
      return inTrail(store, told, async (changes, note) => {
        const some = changes.selectFrom('jobs').select('id').where(isOver).orderBy('endedAt').limit(sweptAtOnce);
        // Checked again on the row itself: somebody may have asked to look again between the choice and the deletion.
        const swept = await changes.deleteFrom('jobs').where('id', 'in', some).where(isOver).returning('id').execute();
        if (swept.length === 0) return 0;
        const ids = swept.map(({ id }) => id);
        await changes.deleteFrom('claims').where(isAnyOf('job', ids)).execute();
        await sweepAnswers(changes, ids);
        const detail = `${ids.length} ${ids.length === 1 ? 'job' : 'jobs'} that ended before ${new Date(time).toISOString()} ${ids.length === 1 ? 'was' : 'were'} cleared away.`;
        await note({ at: now, team: ownTeam, actor: 'dolly', event: 'swept', detail });
        return ids.length;
      });
    },
  };
}

/**
 * The earliest time at which a job began that may be looked at after `time`: it ended later, or not yet. One that has not
 * ended by its deadline never does: no release here can read it, or each look at it fails.
 */
async function firstNeeded(store: Store, time: number): Promise<number> {
  const [open, again] = await Promise.all([
    store
      .selectFrom('jobs')
      .select(eb => eb.fn.min<number | null>('createdAt').as('at'))
      .where('endedAt', 'is', null)
      .where('createdAt', '<', time)
      .where('deadlineAt', '>=', time)
      .executeTakeFirst(),
    store
      .selectFrom('jobs')
      .select('sentAt as at')
      // Written out as in the index (migrations.ts), which a database uses only then.
      .where(sql<boolean>`state in ('finished', 'unconfirmed')`)
      .where('endedAt', '>=', time)
      .where('sentAt', 'is not', null)
      .orderBy('sentAt')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return Math.min(open?.at ?? time, again?.at ?? time);
}
