import type { Store } from '../../database.ts';
import { isAnyOf } from '../../lists.ts';
import type { Quarantine } from '../../quarantine.ts';
import { decode, type Knows } from '../rows/decode.ts';
import type { RunningJob, Unreadable } from '../rows/job.ts';
import type { LookRow } from '../rows/jobRow.ts';
import type { Looks } from './looks.ts';

/** Reads the jobs of looks that were taken. */
export function followedIn(store: Store, knows: Knows, quarantine: Quarantine<Unreadable>, looks: Looks) {
  return async (taken: readonly LookRow[], now: number): Promise<RunningJob[]> => {
    if (taken.length === 0) return [];
    const ids = taken.map(({ job }) => job);
    const rows = await store.selectFrom('jobs').selectAll().where(isAnyOf('id', ids)).execute();
    const byId = new Map(rows.map(row => [row.id, row]));
    const stale: LookRow[] = [];
    const others: LookRow[] = [];
    const jobs = taken.flatMap(look => {
      const row = byId.get(look.job);
      const isHere = row?.state === 'running' && row.dueAt === null;
      const { dueAt, looks, fence } = look;
      const job = isHere ? decode({ ...row, dueAt, looks }, knows, { by: 'look', fence }) : undefined;
      if (job?.state === 'running') return [job];
      if (job?.state === 'unreadable') quarantine.put(job, now);
      (job ? others : stale).push(look);
      return [];
    });
    await looks.leave(stale);
    await looks.putBack(others);
    return jobs;
  };
}
