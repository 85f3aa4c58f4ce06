import { recordsOf } from '../../src/sandbox/playground/json.ts';
import { filled, inSandboxWords, type Variant } from './variant.ts';

/** A list of identifiers and names only; every fact stands in the single record. Its token comes in a header. */
export const terse: Variant = {
  name: 'terse',
  shows: (record, area, alone) =>
    alone
      ? filled({
          id: record.id,
          name: record.name,
          type: record.vendor,
          health: record.state,
          failure: record.error && { code: 17, description: record.error },
          port: record.port,
          environment: record.environment,
          source: record.sourceDatabase,
          since: record.createdAt,
          lastRestored: record.restoredAt,
          related:
            area === 'environment'
              ? {
                  installs: recordsOf(record.installs).map(({ id, name }) => ({ id, name })),
                  environmentUsers: recordsOf(record.environmentUsers).map(({ id, name }) => ({ id, name })),
                }
              : {
                  snapshots: recordsOf(record.snapshots).map(({ id, name, createdAt }) => ({
                    id,
                    name,
                    time: createdAt,
                  })),
                },
        })
      : { id: record.id, name: record.name },
  wraps: (records, area) => ({ response: { [area]: { entry: records } } }),
  holds: record => ({ response: { entry: record } }),
  signs: token => new Response(null, { status: 204, headers: { 'x-auth-token': `Bearer ${token}` } }),
  accepts: () => Response.json({}),
  refuses: ({ status, message }) => Response.json([{ errorCode: status, errorMessage: message }], { status }),
  ...inSandboxWords,
  list: ['orders', 'orders-3320', 'MYSQL_CLONE_SERVER-1'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'RUNNING', 'mysql-prod', 'HOST_ENVIRONMENT-2', '3306', 'MYSQL_SNAPSHOT-4'],
  endings: {
    ...inSandboxWords.endings,
    'virtual clone': ['Confirmed', 'shop-3401', 'RUNNING', 'on dev', '3401'],
    'physical clone': ['Confirmed', 'shop-3402', 'RUNNING', 'on dev', '3402'],
  },
};
