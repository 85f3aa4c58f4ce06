import { type Json, recordsOf } from '../../src/sandbox/playground/json.ts';
import { filled, inWords, type Variant } from './variant.ts';

const conditions = {
  RUNNING: { code: 'C-10', text: 'Up' },
  ENABLED: { code: 'C-10', text: 'Up' },
  ACTIVE: { code: 'C-10', text: 'Up' },
  STOPPED: { code: 'C-20', text: 'Shut down' },
  DISABLED: { code: 'C-30', text: 'Suspended by an administrator' },
  FAILED: { code: 'C-90', text: 'Broken' },
};
const working = { code: 'C-50', text: 'Work in progress' };

const reference = (id: unknown, displayName?: unknown) =>
  id === undefined ? undefined : filled({ reference: id, displayName });
const entry = ({ id, name, createdAt, version }: Json) => ({
  meta: { reference: id, ...(createdAt === undefined ? {} : { bornAt: createdAt, created: createdAt }) },
  spec: filled({ displayName: name, release: version }),
});

/** Everything three levels deep. */
export const nested: Variant = {
  name: 'nested',
  shows: (record, area) => ({
    meta: filled({ reference: record.id, revision: 7, created: record.createdAt }),
    spec: filled({
      displayName: record.name,
      engine: record.vendor && { family: record.vendor, release: record.version },
      listener: record.port && { port: record.port },
      placement: filled({
        environment: reference(record.environment, record.environmentName),
        installation: reference(record.install),
        account: reference(record.environmentUser),
      }),
      lineage: filled({
        origin: reference(record.sourceDatabase, record.sourceDatabaseName),
        basedOn: reference(record.snapshot),
        method: record.cloneType && { cloneType: record.cloneType },
      }),
      ...(area === 'environment'
        ? {
            software: recordsOf(record.installs).map(entry),
            accounts: recordsOf(record.environmentUsers).map(entry),
          }
        : {}),
    }),
    runtime: filled({
      condition: inWords(conditions, record, working),
      failure: record.error && { message: { text: record.error } },
      restored: record.restoredAt && { restoredAt: record.restoredAt },
    }),
    history: {
      recoveryPoints: { total: recordsOf(record.snapshots).length, items: recordsOf(record.snapshots).map(entry) },
    },
  }),
  wraps: items => ({ data: { items, page: { number: 1, total: items.length } } }),
  holds: item => ({ data: { item } }),
  signs: value => Response.json({ data: { session: { accessToken: { value, kind: 'opaque' } } } }),
  accepts: () => Response.json({ data: { outcome: { accepted: true } } }),
  refuses: ({ status, message }) =>
    Response.json({ fault: { category: 'client', reason: { text: message } } }, { status }),
  list: ['orders', 'orders-3320', 'Up', 'Shut down', 'mysql-prod'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'Up', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'],
  install: 'MYSQL 8.4.3',
  snapshot: 'orders-2026-11-18',
  endings: {
    'virtual clone': ['Confirmed', 'shop-3401', 'Up', 'dev', '3401', 'shop'],
    'physical clone': ['Confirmed', 'shop-3402', 'Up', 'dev', '3402', 'shop'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Confirmed', 'Shut down', 'it was Up'],
    start: ['Confirmed', 'Up', 'it was Shut down'],
    disable: ['Confirmed', 'Suspended by an administrator'],
    enable: ['Confirmed', 'Up'],
    restore: ['Confirmed'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Failed', 'no space left on device'],
  },
};
