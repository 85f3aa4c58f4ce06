import { expect, test } from 'vitest';
import { readList } from '../../../src/api/reading/recordList.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { readInventory } from '../../../src/jobs/protection/inventory.ts';
import { databases } from '../../api/reading.ts';
import { testClock } from '../../clock.ts';

const estate = { items: [{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop' }, { id: 'MYSQL_CLONE_SERVER-1' }], total: 2 };

/** Reads an inventory from these answers, and says which lists were asked for. */
async function read(answers: Readonly<{ databases: unknown; environments: unknown }>) {
  const asked: string[] = [];
  const inventory = await readInventory(
    { leases: { open: async () => [] }, clock: testClock(1_000_000) },
    {
      team: 'T1',
      records: {
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
