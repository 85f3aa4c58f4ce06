import { describe, expect, test } from 'vitest';
import { readList, readRecord } from '../../../src/api/reading/recordList.ts';
import { backupCoverage } from '../../../src/features/protection/coverage.ts';
import { readInventory } from '../../../src/features/protection/inventory.ts';
import { protectionReport } from '../../../src/features/protection/report.ts';
import { hour } from '../../../src/ground/durations.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { databases } from '../../api/reading.ts';
import { testClock } from '../../clock.ts';

const now = Date.UTC(2026, 10, 22, 9);
const estate = { items: [{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop' }, { id: 'MYSQL_CLONE_SERVER-1' }], total: 2 };

/** Reads an inventory from these answers, and says which lists were asked for. `alone` answers for one record. */
async function read(
  answers: Readonly<{
    databases: unknown;
    environments: unknown;
    alone?: (id: string) => object | Failure;
    turn?: number;
    at?: number;
    /** By how much the service's clock is ahead. */
    ahead?: number;
  }>,
) {
  const asked: string[] = [];
  const inventory = await readInventory(
    {
      things: { list: async () => [] },
      clock: testClock(answers.at ?? now),
      records: { ahead: () => answers.ahead ?? 0 },
    },
    {
      team: 'T1',
      ...(answers.turn === undefined ? {} : { turn: answers.turn }),
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

test('an inventory reads each list once, and tells live databases from clones', async () => {
  const { inventory, asked } = await read({ databases: estate, environments: [{ id: 'HOST_ENVIRONMENT-1' }] });
  expect(asked).toEqual(['live', 'environment']);
  expect(names(inventory.live)).toEqual(['MYSQL_LIVE_SERVER-1']);
  expect(names(inventory.clones)).toEqual(['MYSQL_CLONE_SERVER-1']);
  expect(names(inventory.environments)).toEqual(['HOST_ENVIRONMENT-1']);
  expect(inventory.isPart).toBe(false);
});

test('an inventory says of a list that is not whole that it is a part', async () => {
  const { inventory } = await read({ databases: { ...estate, total: 3 }, environments: [] });
  expect(inventory.isPart).toBe(true);
});

test('an inventory goes on without environments that cannot be read, but not without a sign-in', async () => {
  const busy = new Failure('busy', 'The service is busy.');
  const { inventory } = await read({ databases: estate, environments: busy });
  expect(inventory.environments).toBeUndefined();
  await expect(read({ databases: busy, environments: [] })).rejects.toThrow(busy);
  const signedOut = new Failure('signed-out', 'You are signed out.');
  await expect(read({ databases: estate, environments: signedOut })).rejects.toThrow(signedOut);
});

describe('databases of which a list shows no backup', () => {
  const bare = (many: number) =>
    Array.from({ length: many }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, name: `shop-${at}`, snapshots: [] }));
  const numbersOf = (ids: Iterable<string>) => [...ids].map(id => Number(id.split('-')[1])).toSorted((a, b) => a - b);
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const alone = (id: string) => ({
    id,
    ...(id.endsWith('-1') ? { lastBackup: '2026-11-22T02:00:00Z' } : { snapshots: [] }),
  });

  test('databases without a backup in the list are read alone, all 20 of them for a person who waits', async () => {
    const { inventory } = await read({ databases: bare(20), environments: [], alone });
    expect(numbersOf(inventory.alone)).toEqual(numbers(0, 20));
    expect(inventory.unread).toBe(0);
    expect(inventory.live.slice(0, 3).map(record => backupCoverage(record, inventory.at).type)).toEqual([
      'never',
      'at',
      'never',
    ]);
  });

  test('databases without a backup in the list are read alone in turns by a look that comes again', async () => {
    const turns = [];
    for (const turn of [0, 1, 2])
      turns.push(numbersOf((await read({ databases: bare(120), environments: [], alone, turn })).inventory.alone));
    expect(turns).toEqual([numbers(0, 50), numbers(50, 100), [...numbers(0, 30), ...numbers(100, 120)]]);
  });

  test.each([
    ['each second', 1_000],
    ['each day at the same time', 24 * hour],
  ])('databases without a backup in the list are all read in the end for a person who asks %s', async (_, rhythm) => {
    const seen = new Set<string>();
    for (let ask = 0; ask < 12; ask++) {
      const at = now + ask * rhythm;
      const { inventory } = await read({ databases: bare(200), environments: [], alone, at });
      expect([inventory.alone.size, inventory.unread]).toEqual([50, 150]);
      for (const id of inventory.alone) seen.add(id);
    }
    expect(seen.size).toBe(200);
  });

  test('a database is read alone where its list has no field for backups, too', async () => {
    const { inventory } = await read({
      databases: [{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop' }],
      environments: [],
      alone,
    });
    expect(inventory.live.map(record => backupCoverage(record, inventory.at).type)).toEqual(['at']);
  });

  test('a database whose own record cannot be read does not count among those read alone', async () => {
    const busy = new Failure('busy', 'The service is busy.');
    const answers = {
      databases: bare(3),
      environments: [],
      alone: (id: string) => (id.endsWith('-1') ? busy : alone(id)),
    };
    expect(numbersOf((await read(answers)).inventory.alone)).toEqual([0, 2]);
  });
});

test('a backup dated by a service’s clock that is ahead does not count as one of the future', async () => {
  const lastBackup = new Date(now + 3 * hour).toISOString();
  const databases = [{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop', lastBackup }];
  const seen = async (ahead: number) => {
    const { inventory } = await read({ databases, environments: [], ahead });
    const report = await protectionReport({ protect: [] }, inventory);
    return report.databases.map(({ backup }) => backup.type);
  };
  expect(await seen(0)).toEqual(['unseen']);
  expect(await seen(3 * hour)).toEqual(['at']);
  expect(await seen(-3 * hour)).toEqual(['unseen']);
});
