import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { processorTime } from './child.ts';

/**
 * Looks at the connections of Dolly, until its result is called: the part of the statements under way that wait for the lock of
 * another one, and the seconds of processor time that they use.
 */
export async function watchDatabase(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const times = new Map<number, readonly [number, number]>();
  const counts = { active: 0, waiting: 0 };
  const stopping = new AbortController();
  const look = async () => {
    const { rows } = await client.query<{ pid: number; isActive: boolean; waits: boolean }>(
      `select pid, state = 'active' as "isActive", coalesce(wait_event_type = 'Lock', false) as waits
       from pg_stat_activity where application_name = 'dolly' and datname = current_database()`,
    );
    for (const { pid, isActive, waits } of rows) {
      const used = processorTime(pid);
      times.set(pid, [times.get(pid)?.[0] ?? used, used]);
      counts.active += Number(isActive);
      counts.waiting += Number(isActive && waits);
    }
  };
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(50);
    }
  })();
  // Whoever fails before it asks for the result has a reason of its own to tell.
  looking.catch(() => undefined);
  return async () => {
    stopping.abort();
    await looking;
    await client.end();
    const used = [...times.values()].reduce((all, [first, last]) => all + last - first, 0);
    return { used, waiting: counts.active === 0 ? 0 : counts.waiting / counts.active };
  };
}
