import pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../ground/clock.ts';
import { second } from '../../ground/durations.ts';
import { codeOf } from '../../ground/failure.ts';

/*
 * A fail-over may end no connection: those that stand are still with the server that was the first one. It answers, and takes
 * no writes.
 */

/** The pause between two looks whether the address leads to a server that takes writes, in milliseconds. */
const lookEvery = 5 * second;

type FailOverNeeds = Readonly<{
  settings: pg.ClientConfig;
  clock: Clock;
  signal: AbortSignal;
  faulty(error: unknown): void;
}>;

/**
 * Connections to PostgreSQL: those of a pool, and one beside it. Once one is with a server that takes no writes, and a
 * new one is with a server that does, new ones take the place of all that stand. One at a time looks for that.
 */
export function leavingReadOnly(pool: pg.Pool, { settings, clock, signal, faulty }: FailOverNeeds) {
  let usable = new WeakSet<pg.PoolClient>();
  pool.on('connect', client => {
    usable.add(client);
    // What a server or a pooler says before it ends a connection comes before that end: by then the client may be idle again.
    if (client instanceof pg.Client)
      client.connection.on('errorMessage', told => isLast(told) && usable.delete(client));
  });
  let beside: pg.Client | undefined;
  const acquire = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (usable.has(client)) return client;
      client.release(true);
    }
  };
  const leave = () => {
    usable = new WeakSet();
    beside?.end().catch(faulty);
    // On the way to a usable one the idle ones end. Those that work end when they are to work again.
    acquire().then(client => client.release(), faulty);
  };
  let isLooking = false;
  let isWaiting = false;
  const look = async () => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    const isWritable = await takesWrites(settings);
    isLooking = false;
    if (signal.aborted) return;
    if (isWritable) return leave();
    if (isWaiting) return;
    isWaiting = true;
    await clock.wait(lookEvery, signal);
    isWaiting = false;
    void look();
  };
  return {
    acquire,
    /** Makes the client beside the pool, which ends when it is to be made anew. */
    connect() {
      beside = new pg.Client(settings);
      // PostgreSQL tells of these settings unasked, and says so to whoever speaks to it: this one does every few seconds.
      beside.connection.on('parameterStatus', told => isReadOnly(told) && void look());
      return beside;
    },
    /** Hears that a server refused a write. */
    refused: () => void look(),
  };
}

const ReadOnly = z.object({
  parameterName: z.enum(['in_hot_standby', 'default_transaction_read_only']),
  parameterValue: z.literal('on'),
});
const isReadOnly = (told: unknown) => ReadOnly.safeParse(told).success;
const isLast = (told: unknown) => /^(08|57P|25P0[34])/.test(codeOf(told));

/** Whether the address leads to a server that takes writes; of a standby all transactions are read-only. */
async function takesWrites(settings: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...settings, query_timeout: settings.connectionTimeoutMillis });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}
