import { type Json, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import { filled, inWords, type Variant } from './variant.ts';

const states = {
  RUNNING: [20, 'running'],
  ENABLED: [20, 'running'],
  ACTIVE: [20, 'running'],
  STOPPED: [30, 'shut down'],
  DISABLED: [40, 'disabled by operator'],
  FAILED: [99, 'failed'],
  CREATING: [11, 'being created'],
  BACKING_UP: [12, 'backup runs'],
  RESTORING: [13, 'restore runs'],
  STOPPING: [14, 'stopping'],
  STARTING: [15, 'starting'],
} as const;

const seconds = (time: unknown) => (typeof time === 'string' ? Math.floor(Date.parse(time) / 1_000) : undefined);
const byId = (records: readonly Json[], entry: (record: Json) => Json) =>
  Object.fromEntries(records.map(record => [stringOf(record.oid ?? record.id), entry(record)]));

/** snake_case, a number for a state with its text beside it, `oid` for `id`, and lists that are objects keyed by it. */
export const numbered: Variant = {
  name: 'numbered',
  shows: (record, area) => {
    const [db_state, db_state_text] = inWords<readonly [number, string]>(states, record, [19, 'working']);
    return filled({
      oid: record.id,
      ...(area === 'database' ? { db_name: record.name } : { [`${area}_name`]: record.name }),
      ...(area === 'database' ? { db_state, db_state_text } : { status: db_state, status_text: db_state_text }),
      error_text: record.error,
      host_id: record.environment,
      host_name: record.environmentName,
      parent_id: record.sourceDatabase,
      parent_name: record.sourceDatabaseName,
      listen_port: record.port,
      created_at: seconds(record.createdAt),
      restored_at: seconds(record.restoredAt),
      snapshots: byId(recordsOf(record.snapshots), snapshot => ({
        snapshot_name: snapshot.name,
        taken_at: seconds(snapshot.createdAt),
      })),
      ...(area === 'environment'
        ? {
            installs: byId(recordsOf(record.installs), ({ path, version }) => ({ version, oracle_home: path })),
            users: byId(recordsOf(record.environmentUsers), ({ name }) => ({ user_name: name })),
          }
        : {}),
    });
  },
  wraps: (records, area) => ({ [`${area}s`]: byId(records, record => record), record_count: records.length }),
  holds: record => ({ result_code: 0, result: record }),
  signs: token =>
    Response.json({ access_token: token, token_type: 'bearer', expires_in: 28_800, refresh_token: 'r-0000' }),
  accepts: () => Response.json({ result_code: 0, result_text: 'job queued', job_id: 4711 }),
  refuses: ({ status, message }) => Response.json({ error_code: `E-${status}`, error_text: message }, { status }),
  list: ['orders', 'orders-3320', 'running', 'shut down', 'mysql-prod'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'running', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'],
  install: '/usr/local/mysql-8.4',
  snapshot: 'orders-2026-11-18',
  endings: {
    'virtual clone': ['Confirmed', 'shop-3401', 'running', 'dev', '3401', 'shop'],
    'physical clone': ['Confirmed', 'shop-3402', 'running', 'dev', '3402', 'shop'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Confirmed', 'shut down', 'it was running'],
    start: ['Confirmed', 'running', 'it was shut down'],
    disable: ['Confirmed', 'disabled by operator'],
    enable: ['Confirmed', 'running'],
    restore: ['Confirmed'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Failed', 'no space left on device'],
  },
};
