import type { Store } from '../database.ts';
import { ends } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/** What a job of anybody’s has to do with records: it was sent for one, and may have made another. */
export type Dealing = Readonly<
  Pick<JobRow, 'operation' | 'target' | 'claimed' | 'state' | 'channel' | 'place' | 'sentAt' | 'endedAt'>
>;

const columns = ['operation', 'target', 'claimed', 'state', 'channel', 'place', 'sentAt', 'endedAt'] as const;

/** The jobs of a team that explain what happens to records, also those of another release. */
export type Dealings = {
  /** The jobs that are under way at the service, and those that ended at or after `since`. */
  dealingsSince(team: string, since: number): Promise<Dealing[]>;
  /** All jobs that were ever sent for one of these records. */
  dealingsWith(team: string, records: readonly string[]): Promise<Dealing[]>;
};

export function dealingsIn(store: Store): Dealings {
  const sent = (team: string) =>
    store.selectFrom('jobs').select(columns).where('team', '=', team).where('sentAt', 'is not', null);
  return {
    async dealingsSince(team, since) {
      const [open, ended] = await Promise.all([
        sent(team).where('state', 'not in', ends).where('endedAt', 'is', null).execute(),
        sent(team).where('endedAt', '>=', since).execute(),
      ]);
      return [...open, ...ended];
    },
    async dealingsWith(team, records) {
      return records.length === 0 ? [] : await sent(team).where('target', 'in', records).execute();
    },
  };
}
