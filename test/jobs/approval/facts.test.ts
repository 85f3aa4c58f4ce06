import { describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { dependentsOf, withDependents } from '../../../src/jobs/approval/facts/facts.ts';
import { recordOf } from '../rows.ts';

function identifier(text: string) {
  const id = parseIdentifier(text);
  if (!id) throw new Error(`${text} is no identifier`);
  return id;
}

const records = [
  recordOf('MYSQL_LIVE_SERVER-1', {
    name: 'orders',
    environment: 'HOST_ENVIRONMENT-1',
    latestSnapshot: 'MYSQL_SNAPSHOT-2',
    snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }, { id: 'MYSQL_SNAPSHOT-2' }],
  }),
  recordOf('MYSQL_CLONE_SERVER-1', {
    name: 'qa',
    sourceDatabase: 'MYSQL_LIVE_SERVER-1',
    snapshot: 'MYSQL_SNAPSHOT-1',
    environment: 'HOST_ENVIRONMENT-2',
  }),
  recordOf('MYSQL_CLONE_SERVER-2', { cloneType: 'PHYSICAL', sourceDatabase: 'MYSQL_LIVE_SERVER-1' }),
  recordOf('MYSQL_CLONE_SERVER-3', { source: { id: 'MYSQL_CLONE_SERVER-1', name: 'qa' } }),
  recordOf('MYSQL_LIVE_SERVER-4', { name: 'shop', clones: ['MYSQL_CLONE_SERVER-5'] }),
  recordOf('MYSQL_CLONE_SERVER-5', { name: 'dark' }),
];
const dependents = async (id: string) => (await dependentsOf(identifier(id), records)).map(({ id: { text } }) => text);

describe('what depends on', () => {
  test.each([
    ['a database: its clones, save physical ones', 'MYSQL_LIVE_SERVER-1', ['MYSQL_CLONE_SERVER-1']],
    ['a clone: what was made from it', 'MYSQL_CLONE_SERVER-1', ['MYSQL_CLONE_SERVER-3']],
    ['a database whose record alone lists its clones', 'MYSQL_LIVE_SERVER-4', ['MYSQL_CLONE_SERVER-5']],
    ['a snapshot: its clones, and not its own database', 'MYSQL_SNAPSHOT-1', ['MYSQL_CLONE_SERVER-1']],
    ['the latest snapshot: not its own database either', 'MYSQL_SNAPSHOT-2', []],
    ['an environment: what is on it', 'HOST_ENVIRONMENT-2', ['MYSQL_CLONE_SERVER-1']],
    ['what nothing speaks of: nothing', 'PROJECT-1', []],
  ])('Dolly finds in the records what depends on %s', async (_, id, expected) => {
    expect(await dependents(id)).toEqual(expected);
  });
});

describe('a refusal', () => {
  const source = identifier('MYSQL_LIVE_SERVER-1');
  test('a refusal by the service is told with the dependents that it did not name', async () => {
    expect(await withDependents('The service refused.', source, records)).toBe(
      'The service refused. In the records, these depend on it: qa (MYSQL_CLONE_SERVER-1).',
    );
  });
  test('a refusal is told as it is where the service named all dependents, or there are none', async () => {
    const said = 'The service refused: “MYSQL_CLONE_SERVER-1 needs it”.';
    expect(await withDependents(said, source, records)).toBe(said);
    expect(await withDependents('No.', identifier('PROJECT-1'), records)).toBe('No.');
  });
  test('a refusal names ten dependents, and counts those beyond', async () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      recordOf(`MYSQL_CLONE_SERVER-${at + 1}`, { source: 'MYSQL_LIVE_SERVER-1' }),
    );
    expect(await withDependents('No.', source, many)).toMatch(/MYSQL_CLONE_SERVER-10 and 2 more\.$/);
  });
});
