import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readList } from '../../../src/api/reading/recordList.ts';
import { Mapping } from '../../../src/api/reading/recordMapping.ts';
import { comparableFacts, draftMapping } from '../../../src/jobs/mapping/draftMapping.ts';
import { databases } from '../../api/reading.ts';

const at = '2026-11-21T09:00:00Z';
const later = '2026-11-21T10:00:00Z';

function drafted(records: readonly object[], inForce: Mapping = {}) {
  const before = readList(records, databases, inForce).records;
  const text = draftMapping({ database: before, environment: [], user: [], project: [] });
  const mapping = Mapping.parse(parse(text) ?? {});
  const again = readList(records, databases, mapping).records;
  return { text, mapping, before: before.map(comparableFacts), again: again.map(comparableFacts) };
}

const live = (number: number, more: object) => ({ id: `MYSQL_LIVE_SERVER-${number}`, name: `db-${number}`, ...more });

/* Services that might be, by what their records have of their own. */
const services: Readonly<Record<string, readonly object[]>> = {
  'facts at different places in different records': [
    { id: 'MYSQL_LIVE_SERVER-1', spec: { displayName: 'orders' }, runtime: { status: 'UP' }, status: { x: 1 } },
    { id: 'MYSQL_LIVE_SERVER-2', name: 'shop', spec: { displayName: 'other' }, status: 'RUNNING' },
  ],
  'one report with a number': [
    live(1, { lastJob: { type: 'BKP', id: 7, status: 'SUCCEEDED', startedAt: at, finishedAt: later, user: 'ana' } }),
    live(2, { lastJob: { type: 'RESTORE', id: 9, status: 'FAILED', error: 'disk full', startedAt: at } }),
  ],
  'a list of tries': [
    live(1, { recentTasks: [{ operation: 'CLONE', state: 'FAILED', attempt: 1, maxAttempts: 3 }] }),
    live(2, { recentTasks: [{ operation: 'CLONE', state: 'FAILED', attempt: 3, maxAttempts: 3 }] }),
  ],
  'reports side by side': [
    live(1, {
      lastJobType: 'RESTORE',
      lastJobStatus: 'FAILED',
      lastJobError: 'disk',
      lastBackup: { result: 'PARTIAL' },
    }),
  ],
  'states by yes and no': [live(1, { running: true }), live(2, { status: 'RUNNING', enabled: false })],
  'words about the work of now': [
    live(1, { status: 'RUNNING', busyWith: 'BACKUP' }),
    live(2, { currentOperation: 'COPY' }),
  ],
  'an error under a remark': [
    live(1, { status: 'FAILED', message: 'no space' }),
    live(2, { status: 'UP', message: 'ok' }),
  ],
  'snapshots in lists': [
    live(1, {
      snapshots: [{ ref: 'MYSQL_SNAPSHOT-3', title: 'nightly', taken: at, status: 'FAILED', expiresAt: later }],
    }),
  ],
  'snapshots by their identifiers': [live(1, { snapshots: { 'MYSQL_SNAPSHOT-3': { creationTime: at } } })],
  'bare snapshots': [live(1, { points: { snapshots: ['MYSQL_SNAPSHOT-3', 'MYSQL_SNAPSHOT-4'] } })],
  'times of several works': [live(1, { lastBackupAt: at, lastLogBackupAt: later, refreshedAt: at, updatedAt: later })],
};

describe('the draft of a mapping', () => {
  test.each(Object.entries(services))(
    'a drafted mapping makes Dolly read the same records as it did before: %s',
    (_, records) => {
      const { before, again } = drafted(records);
      expect(again).toEqual(before);
    },
  );
  test.each(Object.entries(services))(
    'a draft that is made while a drafted mapping is in force is the same mapping: %s',
    (_, records) => {
      const { mapping } = drafted(records);
      expect(drafted(records, mapping).mapping).toEqual(mapping);
    },
  );
  test('a drafted mapping says in how many records each path leads to something, and which words it saw', () => {
    const { text } = drafted(services['one report with a number'] ?? []);
    expect(text).toContain('  name: name                           # in 2 of 2 records\n');
    expect(text).toContain(
      '  reports:                             # in 2 of 2 records\n    - at: lastJob\n      kind: type\n',
    );
    expect(text).toContain('# words for works that I did not understand: BKP 1\n');
    expect(text).toContain('  failed: [FAILED]                     # seen: FAILED 1\n');
  });
  test('a drafted mapping leaves out what no path tells for each record', () => {
    const { text, mapping } = drafted(services['words about the work of now'] ?? []);
    expect(text).toContain('# reports: found as before, because no path gives it for each record');
    expect(mapping.database).not.toHaveProperty('reports');
    expect(drafted(services['states by yes and no'] ?? []).mapping.database).not.toHaveProperty('state');
  });
  test('a drafted mapping repeats what the file in force says', () => {
    const inForce: Mapping = {
      database: { name: 'title', reports: [] },
      outcomes: { failed: ['FINE'] },
      dates: 'day-first',
    };
    const { mapping, text } = drafted([live(1, { title: 'orders', lastJob: { status: 'FINE' } })], inForce);
    expect(mapping).toMatchObject(inForce);
    expect(text).toContain('as RECORDS_FILE says');
  });
  test('a drafted mapping shows no password, no name and no sentence that people wrote', () => {
    const job = { type: 'Backup of db-1', status: 'password=s3cretword', user: 'chi', startedAt: at };
    const named = { lastJob: { type: 'chi', status: 'waiting for chi to look at this one again', startedAt: later } };
    const { text } = drafted([live(1, { lastJob: job, 'db-1': { status: 'UP' } }), live(2, named)]);
    for (const word of ['s3cretword', 'db-', 'chi', 'again']) expect(text).not.toContain(word);
  });
  test('a drafted mapping puts into quotes what YAML would take for something else', () => {
    const { mapping, text } = drafted([live(1, { 'the state': { status: 'ON' } }), live(2, { status: 'UP AND OPEN' })]);
    expect(text).toContain('"the state.status"');
    expect(mapping.states?.ok).toEqual(expect.arrayContaining(['ON', 'UP AND OPEN']));
  });
});
