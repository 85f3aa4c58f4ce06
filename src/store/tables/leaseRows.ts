import type { Transaction } from 'kysely';
import type { LeaseRow, Schema } from '../database.ts';
import { closeNotices } from './notices.ts';

/*
 * The statements by which the end of a job changes the lease of its clone, in the transaction of that end. The rest of
 * the leases' queries is in leases.ts.
 */

/**
 * The states of a lease. A `new` one has not been compared with the policy yet; a `kept` one runs. `asking` waits for an
 * answer. `stopping` and `deleting` wait for the job that does it; a `stopped` clone can be brought back.
 */
export const openLeaseStates = ['new', 'kept', 'asking', 'stopping', 'stopped', 'deleting'] as const;
export type LeaseState = (typeof openLeaseStates)[number] | 'ended';

/** A lease that begins. */
export type NewLease = Pick<
  LeaseRow,
  'team' | 'record' | 'name' | 'madeAt' | 'person' | 'job' | 'operation' | 'channel' | 'wish' | 'since'
>;

/** The lease of the clone that a plan has made again: its owner, and the parts from which its time follows. */
export type EarlierLease = Pick<LeaseRow, 'person' | 'wish' | 'since' | 'endsAt'>;

/**
 * A clone that a plan made takes the lease over that the plan's own target had: its owner, and the time that `wishAfter`
 * makes of it. `isAlone` says that there is no other reason for a lease.
 */
export type MovedLease = Readonly<{
  plan: string;
  wishAfter(before: EarlierLease): string | null;
  isAlone: boolean;
}>;

/** What the end of a job means for leases: one begins, one is to be looked at, or one has a new end. */
export type LeaseNews =
  | Readonly<{ type: 'begins'; lease: NewLease; moved?: MovedLease | undefined }>
  | Readonly<{ type: 'look'; team: string; record: string; states: readonly LeaseState[] }>
  | Readonly<{ type: 'extended'; lease: NewLease; endsAt: number | null; outcome: string }>;

/** The id of the lease of a record: a record has one at most. */
export function leaseId(team: string, record: string): string {
  return `${team} ${record}`;
}

/** The row of a lease that begins. It is due at once, since the policy is to be asked about it. */
export function newLeaseRow(lease: NewLease): LeaseRow {
  return {
    ...lease,
    id: leaseId(lease.team, lease.record),
    state: 'new',
    dueAt: lease.since,
    setAt: lease.since,
    ...{ endsAt: null, warned: null, graceUntil: null, rule: null, reason: null, endJob: null, endedAt: null },
    ...{ revision: 1, lockedUntil: 0, tries: 0 },
  };
}

/** Writes in a transaction what the end of a job means for leases. */
export async function noteLeaseNews(changes: Transaction<Schema>, news: LeaseNews, now: number): Promise<void> {
  switch (news.type) {
    case 'begins':
      return beginMoved(changes, news.lease, news.moved);
    case 'look':
      await changes
        .updateTable('leases')
        // A step that was made from what was before must not overwrite it.
        .set(eb => ({ dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
        .where('id', '=', leaseId(news.team, news.record))
        .where('state', 'in', news.states)
        .execute();
      return;
    case 'extended': {
      const { lease, endsAt, outcome } = news;
      const { id, ...fresh } = { ...newLeaseRow(lease), ...keptUntil(endsAt, now), dueAt: now };
      const extended = await changes
        .updateTable('leases')
        .set(eb => ({ ...keptUntil(endsAt, now), dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('state', 'in', openLeaseStates)
        .executeTakeFirst();
      // The clone had no lease, or had one that ended.
      if (extended.numUpdatedRows === 0n)
        await changes
          .insertInto('leases')
          .values({ ...fresh, id })
          .onConflict(conflict =>
            conflict
              .column('id')
              .doUpdateSet(eb => ({ ...fresh, revision: eb('leases.revision', '+', 1) }))
              .where('leases.state', '=', 'ended'),
          )
          .execute();
      return closeNotices(changes, id, { outcome, now });
    }
  }
}

/** The columns of a lease that runs until this end from now on. */
export function keptUntil(endsAt: number | null, now: number) {
  return {
    state: 'kept',
    endsAt,
    setAt: now,
    warned: null,
    graceUntil: null,
    reason: null,
    endJob: null,
    endedAt: null,
  } as const;
}

/** Begins a lease, which goes on with that of the clone before where a plan made the clone again. */
async function beginMoved(changes: Transaction<Schema>, lease: NewLease, moved: MovedLease | undefined): Promise<void> {
  const before = moved && (await leaseOfTarget(changes, moved.plan));
  if (moved?.isAlone && !before) return;
  return begin(changes, before ? { ...lease, person: before.person, wish: moved.wishAfter(before) } : lease);
}

/** The lease of a plan's target, where it was open when the plan was asked for. */
function leaseOfTarget(changes: Transaction<Schema>, plan: string): Promise<EarlierLease | undefined> {
  return changes
    .selectFrom('jobs')
    .innerJoin('leases', join => join.onRef('leases.record', '=', 'jobs.target').onRef('leases.team', '=', 'jobs.team'))
    .select(['leases.person', 'leases.wish', 'leases.since', 'leases.endsAt'])
    .where('jobs.id', '=', plan)
    .where(({ or, eb }) => or([eb('leases.endedAt', 'is', null), eb('leases.endedAt', '>=', eb.ref('jobs.createdAt'))]))
    .executeTakeFirst();
}

/** Begins a lease. That of an earlier clone under the same identifier is over; that of the same job goes on. */
async function begin(changes: Transaction<Schema>, lease: NewLease): Promise<void> {
  const { id, revision: _, ...row } = newLeaseRow(lease);
  const begun = await changes
    .insertInto('leases')
    .values({ ...row, id, revision: 1 })
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet(eb => ({ ...row, revision: eb('leases.revision', '+', 1) }))
        .where(({ or, eb }) => or([eb('leases.job', 'is', null), eb('leases.job', '!=', lease.job ?? '')])),
    )
    .returning('revision')
    .executeTakeFirst();
  if (begun && begun.revision > 1)
    await closeNotices(changes, id, { outcome: 'Another clone has this identifier now.', now: lease.since });
}
