import type pg from 'pg';
import { type Clock, seldom } from '../../ground/clock.ts';
import { codeOf } from '../../ground/failure.ts';
import type { History, StorePlace } from '../history/history.ts';

/** Where a server stands that takes writes: its timeline is new where it took over from another one. */
const lookText = `
  select pg_is_in_recovery() as standby, pg_postmaster_start_time()::text as start,
    case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as line,
    case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as position`;

type ServerLook = Readonly<{ standby: boolean; start: string; line: string | null; position: number | null }>;

/** Errors of a server that is no PostgreSQL of the usual kind, and does not tell: nothing is compared on it then. */
const untold = /^(0A|42|55)/;

type ArrivalNeeds = Readonly<{
  pool: Readonly<{ connect(): Promise<pg.PoolClient> }>;
  clock: Clock;
  faulty(error: unknown): void;
}>;

/**
 * Hands out connections once this process may work on the store behind them. Each is asked once, when it is new: a server
 * ends its connections before another state of the store stands behind them. A standby takes no writes on one that began
 * there, also after it took over.
 */
export function arrivingFirst({ pool, clock, faulty }: ArrivalNeeds) {
  const tell = seldom(clock, faulty);
  const arrived = new WeakSet<pg.PoolClient>();
  let history: History | undefined;
  const lookWith = async (client: pg.PoolClient): Promise<StorePlace | 'standby'> => {
    const { rows } = await client.query<ServerLook>(lookText).catch((error: unknown) => {
      if (!untold.test(codeOf(error))) throw error;
      tell(error);
      return { rows: [{ standby: false, start: '', line: '', position: 0 }] };
    });
    const [{ standby, start, line, position } = { standby: true, start: '', line: null, position: null }] = rows;
    return standby || line === null || position === null ? 'standby' : { line, start, position };
  };
  /** Whether a connection may be used at once; else it is free again, and where its store stands. */
  const check = async (client: pg.PoolClient, { isHere }: History) => {
    if (arrived.has(client)) return true;
    try {
      const place = await lookWith(client);
      if (place === 'standby') await client.query('set default_transaction_read_only = on');
      if (place === 'standby' || isHere(place)) {
        arrived.add(client);
        return true;
      }
      client.release();
      return place;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  return {
    async connect(): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect();
        if (!history) return client;
        const place = await check(client, history);
        if (place === true) return client;
        await history.arrive(place);
      }
    },
    /** From now on no connection is handed out before that. */
    follow(followed: History): void {
      history = followed;
    },
    /** Where the store stands now. @throws Error where only a standby answers */
    async look(): Promise<StorePlace> {
      const client = await pool.connect();
      const place = await lookWith(client).finally(() => client.release());
      if (place === 'standby') throw new Error('the server is a standby');
      return place;
    },
  };
}
