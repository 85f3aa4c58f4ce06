import { sql } from 'kysely';
import { jsonIn } from '../columns.ts';
import { compiledOnce } from '../compiled.ts';
import type { Store } from '../database.ts';
import type { Owner } from '../vault.ts';
import { JobValues, Labels } from './rows/data.ts';
import { ends } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/** The request of a job, without the rest of its row, which may be large. */
export type KeptRequest = Readonly<{
  requestKey: string;
  operation: string;
  values: JobValues;
  labels: Labels;
  targetName: string | null;
}>;

/** The operations that read no more of jobs than their requests. */
export type JobRequests = {
  /** The person's requests of an operation among their latest jobs, the latest first. Requests that failed are left out. */
  earlier(owner: Owner, operation: string): Promise<readonly KeptRequest[]>;
  /** A team's requests of these operations that have not ended, or that ended after `since`. */
  pending(team: string, operations: readonly string[], since: number): Promise<readonly KeptRequest[]>;
};

/** The number of a person's latest jobs among which earlier requests are searched. */
const latest = 200;
/** The maximum number of requests that are read. */
const most = { earlier: 20, pending: 1_000 } as const;

/** The ends of requests that nobody wants to repeat as they were. */
const vain = ['denied', 'void', 'failed', 'withdrawn', 'expired'];

const columns = ['requestKey', 'operation', 'inputs', 'labels', 'targetName'] as const;
type RequestRow = Readonly<Pick<JobRow, (typeof columns)[number]>>;

export function jobRequestsIn(store: Store): JobRequests {
  return {
    async earlier(owner, operation) {
      const { rows } = await selectEarlier(store, { ...owner, operation });
      return rows.flatMap(readRequest);
    },
    async pending(team, operations, since) {
      if (operations.length === 0) return [];
      const of = store.selectFrom('jobs').select(columns).where('operation', 'in', operations).limit(most.pending);
      // A team has a long history: only the time of the end may lead to those that ended a moment ago.
      const isOfTeam = sql<boolean>`team || '' = ${team}`;
      const [open, ended] = await Promise.all([
        of.where('team', '=', team).where('endedAt', 'is', null).where('state', 'not in', ends).execute(),
        of.where('endedAt', '>', since).where(isOfTeam).where('state', 'not in', vain).execute(),
      ]);
      return [...open, ...ended].flatMap(readRequest);
    },
  };
}

/** Selects what a person asked for with an operation: each form waits for it, so it is compiled once. */
const selectEarlier = compiledOnce(
  (store, { team, person, operation }: Owner & Readonly<{ operation: string }>) =>
    store
      .selectFrom(all =>
        all
          .selectFrom('jobs')
          .select([...columns, 'state', 'createdAt'])
          .where('team', '=', team)
          .where('person', '=', person)
          .orderBy('createdAt', 'desc')
          .limit(latest)
          .as('recent'),
      )
      .select(columns)
      .where('operation', '=', operation)
      .where('state', 'not in', vain)
      .orderBy('createdAt', 'desc')
      .limit(most.earlier)
      .compile(),
  ({ team, person, operation }) => [team, person, latest, operation, ...vain, most.earlier],
);

/** Reads a row; nothing for one that only another release can read. */
function readRequest({ requestKey, operation, inputs, labels, targetName }: RequestRow): KeptRequest[] {
  const [values, names] = [JobValues.safeParse(jsonIn(inputs)), Labels.safeParse(jsonIn(labels))];
  if (!values.success || !names.success) return [];
  return [{ requestKey, operation, values: values.data, labels: names.data, targetName }];
}
