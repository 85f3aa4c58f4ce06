import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { equals } from '../statementParts.ts';
import type { Listed } from './reading.ts';
import { isOfTeam } from './requests.ts';
import { decode, type Knows } from './rows/decode.ts';
import type { JobState } from './rows/job.ts';

/**
 * Which jobs of a team are listed. `from` and `to` are the times between which they were asked for, in milliseconds since the
 * epoch; `seenBy` restricts them to those whose messages stand in a channel, or on which that person decided.
 */
export type ChosenJobs = Readonly<{
  ids?: readonly string[] | undefined;
  states?: readonly JobState[] | undefined;
  person?: string | undefined;
  /** The user of the service that they run as. */
  login?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  seenBy?: Readonly<{ person: string; channel: string }> | undefined;
}>;

/** The jobs of a team that people choose by what is common to them. */
export type JobChoosing = Readonly<{
  /** The latest of them, the newest first; those that ended before `from` are not looked for. In lists, a plan stands for its steps. */
  chosen(team: string, chosen: ChosenJobs, max: number): Promise<readonly Listed[]>;
}>;

export function chosenJobsIn(store: Store, knows: Knows): JobChoosing {
  return {
    async chosen(team, chosen, max) {
      const { ids, states, person, login, from = 0, to = Number.MAX_SAFE_INTEGER, seenBy } = chosen;
      const fitting = store
        .selectFrom('jobs')
        .selectAll()
        .where('createdAt', '>=', from)
        .where('createdAt', '<', to)
        .$if(ids === undefined, query => query.where('plan', 'is', null))
        .$if(states !== undefined, query => query.where('state', 'in', states ?? []))
        .$if(login !== undefined, query => query.where('login', '=', login ?? ''))
        .$if(seenBy !== undefined, query =>
          query.where(({ or, eb }) => {
            const { person: decider, channel } = seenBy ?? { person: '', channel: '' };
            const named = `%${JSON.stringify({ person: decider }).slice(1, -1)}%`;
            return or([eb('place', '=', channel), eb('cardPlace', '=', channel), eb('decisions', 'like', named)]);
          }),
        )
        .orderBy('createdAt', 'desc')
        .limit(max);
      // An index leads to what one person asked for, to those that are named, to those that are open, and to those that ended since.
      const queries = ids
        ? [fitting.where(isAnyOf('id', ids)).where(isOfTeam(team))]
        : person !== undefined
          ? [fitting.where(equals({ team, person }))]
          : [
              fitting.where('team', '=', team).where(sql<boolean>`ended_at is null`),
              fitting.where('endedAt', '>=', from).where(isOfTeam(team)),
            ];
      const rows = (await Promise.all(queries.map(query => query.execute()))).flat();
      const sorted = rows.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, max);
      return sorted.map(row => decode(row, knows));
    },
  };
}
