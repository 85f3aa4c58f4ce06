import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { Evidence } from './rows/data.ts';
import { ends } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/**
 * What a job of anybody’s has to do with records: it was sent for one, and may have made another. `evidence` is what its
 * message told of a record, and `toldIn` the channel where that message stands as it is now.
 */
export type Dealing = Readonly<
  Pick<JobRow, 'operation' | 'person' | 'target' | 'claimed' | 'state' | 'schedule' | 'sentAt' | 'endedAt'> & {
    evidence: Evidence | undefined;
    toldIn: string | null;
  }
>;

/** The jobs of a team that explain what happens to records, also those of another release. */
export type Dealings = ReturnType<typeof dealingsIn>;

export function dealingsIn(store: Store) {
  // A step of a plan is told in the plan’s message.
  const sent = (team: string) =>
    store
      .selectFrom('jobs')
      .leftJoin('jobs as plans', 'plans.id', 'jobs.plan')
      .select([
        'jobs.operation',
        'jobs.person',
        'jobs.target',
        'jobs.claimed',
        'jobs.state',
        'jobs.sentAt',
        'jobs.endedAt',
      ])
      .select(['jobs.evidence', 'jobs.plan', 'jobs.schedule'])
      .select(eb =>
        eb.case().when('jobs.shown', '>=', eb.ref('jobs.revision')).then(eb.ref('jobs.place')).end().as('own'),
      )
      .select(eb =>
        eb.case().when('plans.shown', '>=', eb.ref('plans.revision')).then(eb.ref('plans.place')).end().as('ofPlan'),
      )
      .where('jobs.team', '=', team)
      .where('jobs.sentAt', 'is not', null)
      .where('jobs.steps', 'is', null);
  return {
    /** The jobs that are under way at the service, and those that ended at or after `since`. */
    async dealingsSince(team: string, since: number) {
      const [open, ended] = await Promise.all([
        sent(team).where('jobs.state', 'not in', ends).where('jobs.endedAt', 'is', null).execute(),
        sent(team).where('jobs.endedAt', '>=', since).execute(),
      ]);
      return [...open, ...ended].map(dealingOf);
    },
    /** All jobs that were ever sent for one of these records. */
    async dealingsWith(team: string, records: readonly string[]) {
      return records.length === 0
        ? []
        : (await sent(team).where(isAnyOf('jobs.target', records)).execute()).map(dealingOf);
    },
  };
}

type SentRow = Omit<Dealing, 'evidence' | 'toldIn'> &
  Pick<JobRow, 'evidence' | 'plan'> & { own: string | null; ofPlan: string | null };

function dealingOf({ evidence, plan, own, ofPlan, ...job }: SentRow): Dealing {
  const read = evidence === null ? undefined : Evidence.safeParse(JSON.parse(evidence)).data;
  return { ...job, evidence: read, toldIn: plan === null ? own : ofPlan };
}
