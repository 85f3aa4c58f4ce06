import { describe, expect, test } from 'vitest';
import { readList, readRecord } from '../../../src/api/reading/recordList.ts';
import { backupCoverage } from '../../../src/features/protection/coverage.ts';
import { readInventory } from '../../../src/features/protection/inventory.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { databases } from '../../api/reading.ts';
import { testClock } from '../../clock.ts';

const estate = { items: [{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop' }, { id: 'MYSQL_CLONE_SERVER-1' }], total: 2 };

/** Reads an inventory from these answers, and says which lists were asked for. `alone` answers for one record. */
async function read(
  answers: Readonly<{ databases: unknown; environments: unknown; alone?: (id: string) => object | Failure }>,
) {
  const asked: string[] = [];
  const inventory = await readInventory(
    { things: { list: async () => [] }, clock: testClock(1_000_000) },
    {
      team: 'T1',
      records: {
        async alone(id) {
          const answer = answers.alone?.(id.text) ?? new Failure('missing', 'There is no such record.');
          if (answer instanceof Failure) throw answer;
          return readRecord(answer, id);
        },
        async list([noun]) {
          const answer = noun === 'environment' ? answers.environments : answers.databases;
          asked.push(noun ?? '');
          if (answer instanceof Failure) throw answer;
          return readList(answer, noun === 'environment' ? ['environment'] : databases);
        },
      },
    },
  );
  return { inventory, asked };
}

const names = (records: readonly { id: { text: string } }[] | undefined) => records?.map(({ id }) => id.text);

test('reads each list once, and tells live databases from clones', async () => {
  const { inventory, asked } = await read({ databases: estate, environments: [{ id: 'HOST_ENVIRONMENT-1' }] });
  expect(asked).toEqual(['live', 'environment']);
  expect(names(inventory.live)).toEqual(['MYSQL_LIVE_SERVER-1']);
  expect(names(inventory.clones)).toEqual(['MYSQL_CLONE_SERVER-1']);
  expect(names(inventory.environments)).toEqual(['HOST_ENVIRONMENT-1']);
  expect(inventory.isPart).toBe(false);
});

test('says that a list that is not whole is a part', async () => {
  const { inventory } = await read({ databases: { ...estate, total: 3 }, environments: [] });
  expect(inventory.isPart).toBe(true);
});

test('leaves out environments that cannot be read, but not a sign-in that ended', async () => {
  const busy = new Failure('busy', 'The service is busy.');
  const { inventory } = await read({ databases: estate, environments: busy });
  expect(inventory.environments).toBeUndefined();
  await expect(read({ databases: busy, environments: [] })).rejects.toThrow(busy);
  const signedOut = new Failure('signed-out', 'You are signed out.');
  await expect(read({ databases: estate, environments: signedOut })).rejects.toThrow(signedOut);
});

describe('a list that shows empty lists of snapshots', () => {
  const bare = (many: number) =>
    Array.from({ length: many }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, name: `shop-${at}`, snapshots: [] }));
  const doubted = async (alone: (id: string) => object | Failure, many = 20) => {
    const { inventory } = await read({ databases: bare(many), environments: [], alone });
    return { doubted: inventory.doubted.size, backups: inventory.live.map(record => backupCoverage(record).type) };
  };

  test('is believed where the records themselves show the same', async () => {
    expect((await doubted(id => ({ id, snapshots: [] }))).doubted).toBe(0);
  });

  test('is not believed once a record itself shows a backup', async () => {
    const found = await doubted(id => ({
      id,
      ...(id.endsWith('-0') ? { lastBackup: '2026-11-22T02:00:00Z' } : {}),
      snapshots: [],
    }));
    expect(found.backups.slice(0, 2)).toEqual(['at', 'never']);
    expect(found.doubted).toBe(10);
  });

  test('is not believed of a record that cannot be read', async () => {
    const busy = new Failure('busy', 'The service is busy.');
    expect((await doubted(id => (id.endsWith('-1') ? busy : { id, snapshots: [] }))).doubted).toBe(1);
  });
});
