import { recordsOf } from '../../src/sandbox/playground/json.ts';
import { filled, type Variant } from './variant.ts';

const plainText = (text: string, status: number) => new Response(text, { status });

/** No state, no error, no time in any record; what could not be made is not shown. */
export const stateless: Variant = {
  name: 'stateless',
  shows: (record, area) => {
    if (area === 'database') {
      if (record.state === 'FAILED' && recordsOf(record.snapshots).length === 0) return undefined;
      return filled({
        databaseId: record.id,
        databaseName: record.name,
        hostId: record.environment,
        parentId: record.sourceDatabase,
        snapshotIds: recordsOf(record.snapshots).map(({ id }) => id),
      });
    }
    if (area === 'environment')
      return {
        environmentId: record.id,
        hostName: record.name,
        installIds: recordsOf(record.installs).map(({ id }) => id),
        accounts: recordsOf(record.environmentUsers).map(({ id, name }) => ({ accountId: id, login: name })),
      };
    return { [`${area}Id`]: record.id, title: record.name };
  },
  wraps: records => records,
  signs: token => Response.json(token),
  accepts: () => Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null }),
  refuses: ({ status, message }) => plainText(message, status),
  list: ['orders', 'orders-3320', 'MYSQL_CLONE_SERVER-1'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'HOST_ENVIRONMENT-2', 'MYSQL_SNAPSHOT-4'],
  install: 'MYSQL_INSTALL-2',
  snapshot: 'MYSQL_SNAPSHOT-1',
  endings: {
    'virtual clone': ['Unconfirmed', 'shop-3401', 'no state'],
    'physical clone': ['Unconfirmed', 'shop-3402', 'no state'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Unconfirmed'],
    start: ['Unconfirmed'],
    disable: ['Unconfirmed'],
    enable: ['Unconfirmed'],
    restore: ['Unconfirmed'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Failed', 'gone again'],
  },
};
