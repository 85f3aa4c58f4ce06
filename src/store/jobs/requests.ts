import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { parseJson } from '../../ground/json.ts';
import { compiledOnce } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { equals } from '../statementParts.ts';
import type { Owner } from '../vault.ts';
import { JobValues, Labels } from './rows/data.ts';
import type { NewJob, Takes } from './rows/job.ts';
import type { JobRow } from './rows/jobRow.ts';

/** The request of a job, without the rest of its row, which may be large. */
type KeptRequest = Pick<NewJob, 'operation' | 'values' | 'labels' | 'targetName'>;

/** The number of a person's latest jobs among which earlier requests are searched. */
const latest = 200;
/** The maximum number of earlier requests that are read. */
const most = 20;

/** The ends of requests that nobody wants to repeat as they were. */
export const vain = ['denied', 'void', 'failed', 'withdrawn', 'expired'];

const columns = ['operation', 'inputs', 'labels', 'targetName'] as const;
type RequestRow = Readonly<Pick<JobRow, (typeof columns)[number]>>;

/** The operations that read no more of jobs than their requests. */
export type JobRequests = Readonly<{
  /** The person's requests of an operation among their latest jobs, the latest first. Requests that failed are left out. */
  earlier(owner: Owner, operation: string): Promise<readonly KeptRequest[]>;
  /** What a team's requests take on an environment that have not ended, or ended after `since` and may be in no list yet. */
  taken(team: string, on: string, since: number): Promise<readonly Takes[]>;
}>;

export function jobRequestsIn(store: Store): JobRequests {
  return {
    async earlier(owner, operation) {
      const { rows } = await selectEarlier(store, { ...owner, operation });
      return rows.flatMap(readRequest);
    },
    async taken(team, on, since) {
      const of = store.selectFrom('jobs').select(['takesPort as port', 'takesName as name', 'takesPath as path']);
      const there = of.where('takesOn', '=', on);
      const [open, ended] = await Promise.all([
        there.where('team', '=', team).where('endedAt', 'is', null).execute(),
        there.where(endedSince(team, since)).execute(),
      ]);
      return [...open, ...ended].map(row => ({ on, ...row }));
    },
  };
}

/**
 * Selects a team's jobs that ended after a time and may have made a record. A team has a long history: the time of the end
 * leads to them.
 */
export function endedSince(team: string, since: number) {
  return ({ eb, and }: ExpressionBuilder<Schema, 'jobs'>) =>
    and([eb('endedAt', '>', since), isOfTeam(team), eb('state', 'not in', vain)]);
}

/** Whether a job is of a team, where something else leads to it than the team. */
export function isOfTeam(team: string): RawBuilder<boolean> {
  return sql<boolean>`jobs.team || '' = ${team}`;
}

/** Selects what a person asked for with an operation: each form waits for it, so it is compiled once. */
const selectEarlier = compiledOnce(
  (store, { team, person, operation }: Owner & Readonly<{ operation: string }>) =>
    store
      .selectFrom(all =>
        all
          .selectFrom('jobs')
          .select([...columns, 'state', 'createdAt'])
          .where(equals({ team, person }))
          .orderBy('createdAt', 'desc')
          .limit(latest)
          .as('recent'),
      )
      .select(columns)
      .where('operation', '=', operation)
      .where('state', 'not in', vain)
      .orderBy('createdAt', 'desc')
      .limit(most),
  ({ team, person, operation }) => [team, person, latest, operation, ...vain, most],
);

/** Reads a row; nothing for one that only another release can read. */
function readRequest({ operation, inputs, labels, targetName }: RequestRow): KeptRequest[] {
  const [values, names] = [JobValues.safeParse(parseJson(inputs)), Labels.safeParse(parseJson(labels))];
  if (!values.success || !names.success) return [];
  return [{ operation, values: values.data, labels: names.data, targetName }];
}
