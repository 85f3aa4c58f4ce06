import { describe, expect, test } from 'vitest';
import { folder, storeIn } from '../folder.ts';
import { claims } from './claims.ts';
import { keptStores } from './keptStores.ts';
import { notClaimed } from './notClaimed.ts';
import type { QueueCase } from './queue.ts';
import { noLocks, otherLocks, queues } from './queues.ts';

/** The entries of a table with the names that its type knows. */
function entriesOf<Name extends string, Value>(
  table: Readonly<Record<Name, Value>>,
): readonly (readonly [Name, Value])[] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names.map(name => [name, table[name]]);
}

const cases = entriesOf<keyof typeof queues, QueueCase>(queues);
const promises = entriesOf(claims);

describe.each(keptStores)('in %s', (_, emptied) => {
  describe.each(cases)('the queue of %s:', (name, queue) => {
    for (const [claim, holds] of promises) {
      if (notClaimed[claim]?.[name] === undefined) test(claim, async () => holds(queue, await emptied()));
    }
  });
});

test('every lock column of the store is tested as a queue’s lock, or is listed as none', async () => {
  const tables = await (await storeIn(folder())).withoutPlugins().introspection.getTables();
  const columns = tables.flatMap(({ name, columns }) => columns.map(column => `${name}.${column.name}`));
  const locks = columns.filter(column => /(_until|free_at)$/.test(column));
  const known = new Set([...Object.values(queues).map(({ lock }) => lock), ...Object.keys(otherLocks), ...noLocks]);
  expect(locks.toSorted()).toEqual([...known].toSorted());
});
