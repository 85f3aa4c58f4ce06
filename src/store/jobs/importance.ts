import type { ExpressionBuilder } from 'kysely';
import type { JobRow, Schema } from '../database.ts';

type Where = ExpressionBuilder<Schema, 'jobs'>;

/** Time for which a first message waits behind ends, in milliseconds; then it goes before them. */
const longestForEnds = 2_000;

/**
 * The order of messages, the lowest number first. 0: jobs that wait for a decision, since people wait for their cards.
 * 1: first messages that have waited, so that a channel with more ends than it takes does not hold them back for long.
 * 2: ends. 3: other first messages, and jobs that are not running yet. 4: news of running jobs.
 */
export function importance(now: number) {
  return (eb: Where) => {
    const isNew = eb('messageTs', 'is', null);
    const isAwaited = eb.or([isNew, eb('state', '!=', 'running')]);
    return eb
      .case()
      .when('state', '=', 'awaiting')
      .then(0)
      .when(eb.and([isNew, eb('createdAt', '<=', now - longestForEnds)]))
      .then(1)
      .when('endedAt', 'is not', null)
      .then(2)
      .when(isAwaited)
      .then(3)
      .else(4)
      .end();
  };
}

/** The {@link importance} of a row that was read. */
export function rank({ endedAt, messageTs, state, createdAt }: JobRow, now: number): number {
  if (state === 'awaiting') return 0;
  if (messageTs === null && Number(createdAt) <= now - longestForEnds) return 1;
  if (endedAt !== null) return 2;
  return messageTs === null || state !== 'running' ? 3 : 4;
}

/**
 * The time since which a job waits. For a first message that is its making: news must not send it back in the queue.
 */
export function waitsSince(eb: Where) {
  return eb.case().when('messageTs', 'is', null).then(eb.ref('createdAt')).else(eb.ref('tellAt')).end();
}

/** The same time of a row that was read, as {@link waitsSince} selects it. */
export function since({ messageTs, createdAt, tellAt }: JobRow): number {
  return Number(messageTs === null ? createdAt : tellAt);
}
