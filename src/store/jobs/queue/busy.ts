import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema } from '../../database.ts';
import { isNoneOf } from '../../lists.ts';

/** The limits on the jobs that may be taken at the moment. */
export type Busy = Readonly<{
  /** Channels in which nothing may be posted, except the replies to jobs that ended up to `endedBefore`. */
  places?: readonly string[];
  /** Those of these channels in which such late replies wait, too; for the others, they are told elsewhere by now. */
  resting?: readonly string[];
  /** Milliseconds since the epoch. */
  endedBefore?: number;
  /** Teams in which no message may be changed. */
  teams?: readonly string[];
  /** People whose jobs are left alone. */
  people?: readonly string[];
  /** Jobs that are left alone. */
  jobs?: readonly string[];
}>;

type Where = ExpressionBuilder<Schema, 'jobs'>;

/** The channel of a job’s card, or the one where it will be posted. */
const place = sql<string>`coalesce(place, channel)`;

/**
 * Selects the jobs that may be taken. The first message, the card for those who decide, and the reply at the end are
 * posts; everything else changes a message that is there.
 */
export function mayBeTaken({ places = [], resting = [], endedBefore = 0, teams = [], people = [] }: Busy) {
  return (eb: Where) => {
    const isUnreplied = eb.and([eb('endedAt', 'is not', null), eb('replyTs', 'is', null)]);
    const isPost = eb.or([eb('messageTs', 'is', null), isUnreplied]);
    const lacksCard = eb.and([eb('state', '=', 'awaiting'), eb('cardPlace', 'is not', null), eb('cardTs', 'is', null)]);
    const isOverdue = eb.and([
      isUnreplied,
      eb('messageTs', 'is not', null),
      eb('endedAt', '<=', endedBefore),
      isNoneOf(place, resting),
    ]);
    return eb.and([
      ...(places.length > 0 ? [eb.or([eb.not(isPost), isNoneOf(place, places), isOverdue])] : []),
      ...(people.length > 0 ? [isNoneOf('person', people)] : []),
      ...(teams.length > 0 ? [eb.or([isPost, lacksCard, isNoneOf('team', teams)])] : []),
    ]);
  };
}
