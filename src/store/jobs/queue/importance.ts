import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema } from '../../database.ts';

type Where = ExpressionBuilder<Schema, 'jobs'>;

/** Time for which a first message waits behind ends, in milliseconds; then it goes before them. */
const longestForEnds = 2_000;

/**
 * The order of messages, the lowest number first. 0: jobs that wait for a decision, since people wait for their cards.
 * 1: first messages that have waited, so that a channel with more ends than it takes does not hold them back for long.
 * 2: ends. 3: other first messages, and jobs that are not running yet. 4 to 7: those of them that Slack did not take, in
 * the same order, so that they hold back nothing that was not tried. 8: news of running jobs; 12: those that were tried.
 */
export function importance(now: number) {
  return (eb: Where) => {
    const isNew = eb('messageTs', 'is', null);
    const isAwaited = eb.or([isNew, eb('state', '!=', 'running')]);
    const first = eb
      .case()
      .when('state', '=', 'awaiting')
      .then(eb.lit(0))
      .when(eb.and([isNew, eb('createdAt', '<=', now - longestForEnds)]))
      .then(eb.lit(1))
      .when('endedAt', 'is not', null)
      .then(eb.lit(2))
      .when(isAwaited)
      .then(eb.lit(3))
      .else(eb.lit(8))
      .end();
    const tried = eb.case().when('tellTries', '>', 0).then(eb.lit(4)).else(eb.lit(0)).end();
    return sql<number>`${first} + ${tried}`;
  };
}

/**
 * The time since which a job waits. For a first message that is its making: news must not send it back in the queue, but a
 * try does.
 */
export function waitsSince(eb: Where) {
  const isUntried = eb.and([eb('messageTs', 'is', null), eb('tellTries', '=', 0)]);
  return eb.case().when(isUntried).then(eb.ref('createdAt')).else(eb.ref('tellAt')).end();
}
