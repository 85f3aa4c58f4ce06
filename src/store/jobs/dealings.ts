import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import { isOfTeam } from './requests.ts';
import { Evidence } from './rows/data.ts';
import { ends } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/**
 * What a job of anybody’s has to do with records: it was sent for one, and may have made another. `evidence` is what the
 * message of its end told of a record, and `toldIn` the channel where that message stands as it is now.
 */
export type Dealing = Readonly<
  Pick<JobRow, 'operation' | 'person' | 'target' | 'claimed' | 'state' | 'schedule' | 'sentAt' | 'endedAt'> & {
    evidence: Evidence | undefined;
    toldIn: string | null;
  }
>;

/** The jobs of a team that explain what happens to records, also those of another release. */
export type JobDealings = Readonly<{
  /** The jobs that are under way at the service, and those that ended at or after `since`. */
  dealingsSince(team: string, since: number): Promise<readonly Dealing[]>;
  /** The jobs for one of these records that were sent at or after `since`. */
  dealingsWith(team: string, records: readonly string[], since: number): Promise<readonly Dealing[]>;
}>;

export function dealingsIn(store: Store): JobDealings {
  // A step of a plan is told in the plan’s message.
  const sent = () =>
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
      .select(['jobs.plan', 'jobs.schedule'])
      .select(eb => eb.case().when('jobs.endedAt', 'is not', null).then(eb.ref('jobs.evidence')).end().as('evidence'))
      .select(eb =>
        eb.case().when('jobs.shown', '>=', eb.ref('jobs.revision')).then(eb.ref('jobs.place')).end().as('own'),
      )
      .select(eb =>
        eb.case().when('plans.shown', '>=', eb.ref('plans.revision')).then(eb.ref('plans.place')).end().as('ofPlan'),
      )
      .where('jobs.sentAt', 'is not', null)
      .where('jobs.steps', 'is', null);
  return {
    async dealingsSince(team, since) {
      const [open, ended] = await Promise.all([
        sent()
          .where('jobs.team', '=', team)
          .where('jobs.endedAt', 'is', null)
          .where('jobs.state', 'not in', ends)
          .execute(),
        sent().where('jobs.endedAt', '>=', since).where(isOfTeam(team)).execute(),
      ]);
      return [...open, ...ended].map(dealingOf);
    },
    async dealingsWith(team, records, since) {
      if (records.length === 0) return [];
      const ours = sent()
        .where(isAnyOf('jobs.target', records))
        .where('jobs.sentAt', '>=', since)
        .where(isOfTeam(team));
      const [open, ended] = await Promise.all([
        ours.where('jobs.endedAt', 'is', null).execute(),
        // An index has the times of their ends.
        ours.where('jobs.endedAt', '>=', since).execute(),
      ]);
      return [...open, ...ended].map(dealingOf);
    },
  };
}

type SentRow = Omit<Dealing, 'evidence' | 'toldIn'> &
  Pick<JobRow, 'evidence' | 'plan'> & { own: string | null; ofPlan: string | null };

function dealingOf({ evidence, plan, own, ofPlan, ...job }: SentRow): Dealing {
  const read = evidence === null ? undefined : Evidence.safeParse(JSON.parse(evidence)).data;
  return { ...job, evidence: read, toldIn: plan === null ? own : ofPlan };
}
