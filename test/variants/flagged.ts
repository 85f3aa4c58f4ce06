import { recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import { filled, type Variant } from './variant.ts';

const settled = ['RUNNING', 'ENABLED', 'ACTIVE', 'STOPPED', 'DISABLED', 'FAILED', 'LOCKED'];

/** Yes or no in the place of states; errors are pages, refusals problem+json; the token stands beside two others. */
export const flagged: Variant = {
  name: 'flagged',
  shows: (record, area) => {
    const state = stringOf(record.state);
    return filled({
      uid: record.id,
      title: record.name,
      enabled: state !== 'DISABLED',
      ...(area === 'database' ? { running: !['STOPPED', 'DISABLED', 'FAILED', 'CREATING'].includes(state) } : {}),
      inProgress: !settled.includes(state),
      problem: record.error ?? '',
      isVirtual: record.cloneType === undefined ? undefined : record.cloneType !== 'PHYSICAL',
      environment: record.environment && { uid: record.environment, title: record.environmentName },
      parent: record.sourceDatabase && { uid: record.sourceDatabase, title: record.sourceDatabaseName },
      dbPort: record.port,
      creationTimestamp: record.createdAt && Date.parse(stringOf(record.createdAt)),
      recoveryPoints: recordsOf(record.snapshots).map(({ id, name, createdAt }) => ({
        uid: id,
        title: name,
        takenAt: Date.parse(stringOf(createdAt)),
      })),
      software: recordsOf(record.installs).map(({ id, name }) => ({ uid: id, title: name })),
      osUsers: recordsOf(record.environmentUsers).map(({ id, name }) => ({ uid: id, title: name })),
    });
  },
  wraps: (rows, area) => [{ area, rows }],
  holds: row => [row],
  signs: token =>
    Response.json({
      result: {
        auth: {
          refreshToken: { value: 'refresh-0123456789', expires: 1 },
          csrfToken: 'csrf-0123456789',
          bearer: { raw: token },
        },
      },
    }),
  accepts: () => Response.json([]),
  refuses: ({ status, message }) =>
    status === 401 || status === 404
      ? new Response(
          `<!doctype html><html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`,
          {
            status,
            headers: { 'content-type': 'text/html' },
          },
        )
      : Response.json(
          { type: 'https://example.com/problems/refused', title: 'Not possible', status, detail: message },
          { status, headers: { 'content-type': 'application/problem+json' } },
        ),
  list: ['orders', 'orders-3320', 'running: true', 'running: false', 'mysql-prod'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'running: true', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'],
  install: 'MYSQL 8.4.3',
  snapshot: 'orders-2026-11-18',
  endings: {
    'virtual clone': ['Confirmed', 'shop-3401', 'running: true', 'dev', '3401', 'shop'],
    'physical clone': ['Confirmed', 'shop-3402', 'running: true', 'dev', '3402', 'shop'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Confirmed', 'running: false', 'it was running: true'],
    start: ['Confirmed', 'running: true', 'it was running: false'],
    disable: ['Confirmed', 'enabled: false'],
    enable: ['Confirmed', 'running: true'],
    restore: ['Finished, result not shown', 'It was inProgress: true'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Failed', 'no space left on device'],
  },
};
