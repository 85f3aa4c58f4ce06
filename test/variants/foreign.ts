import { type Json, recordsOf } from '../../src/sandbox/playground/json.ts';
import { filled, inWords, splitId, type Variant } from './variant.ts';

const states = {
  RUNNING: 'OPEN',
  ENABLED: 'REACHABLE',
  ACTIVE: 'ON_DUTY',
  STOPPED: 'QUIESCED',
  DISABLED: 'SEQUESTERED',
  FAILED: 'DERELICT',
};
/** What a physical clone's number has more than the sandbox's, so that it collides with no live database. */
const shift = 1_000;

/** A physical clone is a live database here. */
function outside(record: Json): unknown {
  const [kind, number] = splitId(record.id);
  return record.cloneType === 'PHYSICAL' ? `${kind.replace('CLONE', 'LIVE')}-${number + shift}` : record.id;
}
const inside = (text: string) =>
  text.replace(
    /(\w+)_LIVE_(SERVER|DATABASE)-1(\d{3})\b/g,
    (_, vendor, kind, number) => `${vendor}_CLONE_${kind}-${Number(number)}`,
  );

/** Another vocabulary; a clone is shown when it is ready only, a physical one as live; jobs are answered by a number. */
export const foreign: Variant = {
  name: 'foreign',
  returns: inside,
  shows: record => {
    const [kind] = splitId(record.id);
    if (record.state === 'CREATING' || (record.state === 'FAILED' && kind.includes('CLONE'))) return undefined;
    return filled({
      REFERENCE: outside(record),
      TITLE: record.name,
      OPERATIONAL_STATUS: inWords(states, record, 'IN_TRANSITION'),
      EXCEPTION: record.error,
      STANDS_ON: record.environment && { REFERENCE: record.environment, TITLE: record.environmentName },
      ORIGIN: record.sourceDatabase && { REFERENCE: record.sourceDatabase, TITLE: record.sourceDatabaseName },
      LISTEN_PORT: record.port,
      CREATION_DATE: record.createdAt,
      RECOVERED_ON: record.restoredAt,
      RECOVERY_POINTS: recordsOf(record.snapshots).map(({ id, name, createdAt }) => ({
        REFERENCE: id,
        TITLE: name,
        CREATION_DATE: createdAt,
      })),
      SOFTWARE: recordsOf(record.installs).map(({ id, name }) => ({ REFERENCE: id, TITLE: name })),
      ACCOUNTS: recordsOf(record.environmentUsers).map(({ id, name }) => ({ REFERENCE: id, TITLE: name })),
    });
  },
  wraps: (records, area) => ({ RESULT: { [area.toUpperCase()]: records }, MORE: false }),
  holds: record => ({ RESULT: record }),
  signs: token => Response.json({ API_TOKEN: token }),
  accepts: request =>
    request.method === 'POST'
      ? Response.json({ JOB: 'J-77' }, { status: 202, headers: { location: '/service/jobs/J-77' } })
      : new Response(null, { status: 204 }),
  refuses: ({ status, message }) =>
    status === 404
      ? new Response(null, { status: 204 })
      : Response.json({ ERRORS: [{ CODE: status, TEXT: message }] }, { status: status === 401 ? 401 : 422 }),
  list: ['orders', 'orders-3320', 'OPEN', 'QUIESCED', 'mysql-prod'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'OPEN', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'],
  install: 'MYSQL 8.4.3',
  snapshot: 'orders-2026-11-18',
  endings: {
    'virtual clone': ['Confirmed', 'shop-3401', 'OPEN', 'dev', '3401', 'shop'],
    'physical clone': ['Finished, result not shown', 'shop-3402', 'OPEN'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Unconfirmed', 'QUIESCED', 'it was OPEN'],
    start: ['Confirmed', 'OPEN', 'it was QUIESCED'],
    disable: ['Unconfirmed', 'SEQUESTERED', 'it was OPEN'],
    enable: ['Confirmed', 'OPEN', 'it was SEQUESTERED'],
    restore: ['Confirmed'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Unconfirmed'],
  },
};
