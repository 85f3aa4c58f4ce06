import type { Transaction } from 'kysely';
import { minute } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { bareName, looksLike } from '../../ground/lookalikes.ts';
import { counted } from '../../ground/wording.ts';
import type { Schema } from '../database.ts';
import { equals } from '../statementParts.ts';
import { idFrom, type NewEntry } from '../tables/audit/audit.ts';

/**
 * How often people may do something: max `most` times in a span, in milliseconds, counted over what is equal in these
 * columns of the trail. Accounts in Slack that are signed in as one user count as one actor, however its name is spelled.
 */
export type ActRate = Readonly<{ by: readonly ('actor' | 'target' | 'channel')[]; most: number; within: number }>;

/** Max acts of a span that are compared one by one: those of everybody in the team. */
const mostCompared = 2_000;

/**
 * Lets no act of a person go on that was done as often as it may be. What was done stands in the trail, so a restart, another
 * process and another release count alike; whoever writes a thing has it for themselves, so that of acts at once each counts.
 * @throws {Failure} `forbidden`, which says when it may be done again
 */
export async function mustBeWithin(changes: Transaction<Schema>, rates: readonly ActRate[], entry: NewEntry) {
  const { team, event, at } = entry;
  for (const { by, most, within } of rates) {
    const isByActor = by.includes('actor');
    const rows = await changes
      .selectFrom('audit')
      .select(['at', 'actor', 'login'])
      .where(equals({ team, event }))
      .where('id', '>', idFrom(at - within))
      // The clock may have been set back.
      .where('at', '<=', at)
      .where(({ and, eb }) =>
        and(by.flatMap(column => (column === 'actor' ? [] : [eb(column, '=', entry[column] ?? '')]))),
      )
      .orderBy('id', 'desc')
      .limit(isByActor ? mostCompared : most)
      .execute();
    const done = isByActor ? rows.filter(row => isOneUser(row, entry)) : rows;
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

type Doer = Pick<NewEntry, 'actor' | 'login'>;

/**
 * Whether two entries are of one person in Slack, or of one user of the service as far as the trail tells: `eve`,
 * `CORP\EVE` and `eve@example.com` may be one. To count one act too many does less harm here than to count one too few.
 */
function isOneUser(one: Doer, other: Doer): boolean {
  if (one.actor === other.actor) return true;
  return one.login != null && other.login != null && looksLike(bareName(one.login), bareName(other.login));
}
