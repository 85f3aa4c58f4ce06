import type { Transaction } from 'kysely';
import { minute } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { counted } from '../../ground/wording.ts';
import type { Schema } from '../database.ts';
import { idFrom, type NewEntry } from '../tables/audit/audit.ts';

/**
 * How often people may do something: max `most` times in a span, in milliseconds, counted over what is equal in these
 * columns of the trail. Two accounts in Slack that are signed in as one user count as one actor.
 */
export type ActRate = Readonly<{ by: readonly ('actor' | 'target' | 'channel')[]; most: number; within: number }>;

/**
 * Lets no act of a person go on that was done as often as it may be. What was done stands in the trail, so a restart, another
 * process and another release count alike; whoever writes a thing has it for themselves, so that of acts at once each counts.
 * @throws {Failure} `forbidden`, which says when it may be done again
 */
export async function mustBeWithin(changes: Transaction<Schema>, rates: readonly ActRate[], entry: NewEntry) {
  const { team, event, at, login = null } = entry;
  for (const { by, most, within } of rates) {
    const done = await changes
      .selectFrom('audit')
      .select('at')
      .where(({ and }) => and({ team, event }))
      .where('id', '>', idFrom(at - within))
      // The clock may have been set back.
      .where('at', '<=', at)
      .where(({ and, or, eb }) =>
        and(
          by.map(column =>
            column === 'actor' && login !== null
              ? or({ actor: entry.actor, login })
              : eb(column, '=', entry[column] ?? ''),
          ),
        ),
      )
      .orderBy('id', 'desc')
      .limit(most)
      .execute();
    const first = done[most - 1];
    if (!first) continue;
    const again = counted(Math.ceil((first.at + within - at) / minute), 'minute');
    const often = `${counted(most, 'time')} within ${counted(Math.ceil(within / minute), 'minute')}`;
    throw new Failure(
      'forbidden',
      `This is done ${often} at most, so nothing was done now. It can be done again in ${again}.`,
    );
  }
}
