import type { Ask } from '../servers/sql.ts';

/** Seconds for which a session has done something before it counts as one that holds others up. */
const long = 3;

/** Who may hold a table, in words: the server tells of which tables only where its plugin METADATA_LOCK_INFO is there. */
export async function holdersOf(ask: Ask, signal: AbortSignal): Promise<string> {
  const sessions = await ask(
    `SELECT p.id, p.user, p.host, IFNULL(t.trx_started, ''), p.time FROM information_schema.processlist p
     LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id
     WHERE p.id <> CONNECTION_ID() AND (t.trx_started < NOW() - INTERVAL ${long} SECOND
       OR (p.command NOT IN ('Sleep', 'Daemon', 'Binlog Dump', 'Slave_IO', 'Slave_SQL') AND p.time >= ${long} AND p.state NOT LIKE 'Waiting for table%'))`,
    signal,
  );
  const prepared = await ask("XA RECOVER FORMAT = 'SQL'", signal);
  const words = [
    ...sessions.map(([id, user, host, since, time]) =>
      since === ''
        ? `session ${id} of ${user}@${host} (for ${time} seconds)`
        : `session ${id} of ${user}@${host} (a transaction since ${since})`,
    ),
    ...prepared.map(([, , , id]) => `the prepared transaction XA ${id}`),
  ];
  return words.length === 0 ? 'a session with LOCK TABLES, which SHOW PROCESSLIST shows' : words.join(', ');
}
