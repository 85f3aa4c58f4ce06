import { CompiledQuery, createQueryId, type KyselyPlugin, type QueryId, type RootOperationNode } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ownedAlone } from '../../src/app/storage.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { folder } from '../store/folder.ts';
import { world } from '../world.ts';

/** Notes every statement that runs. */
function recorder(): KyselyPlugin & { nodes: RootOperationNode[] } {
  const nodes: RootOperationNode[] = [];
  // A part of a statement comes by as a node of its own, and never has a result.
  const begun = new WeakMap<QueryId, RootOperationNode>();
  return {
    nodes,
    transformQuery({ node, queryId }) {
      begun.set(queryId, node);
      return node;
    },
    async transformResult({ result, queryId }) {
      nodes.push(...[begun.get(queryId) ?? []].flat());
      return result;
    },
  };
}

test('no statement of a start, of the loops or of a Home reads all jobs, claims or audit entries', async () => {
  const plain = await openStore(folder());
  const record = recorder();
  const earth = await world({ surroundings: { openStorage: async () => ownedAlone(plain.withPlugin(record)) } });
  onTestFinished(() => earth.close());
  await (await earth.enters('ben', 'ben')).opensHome();
  const isReady = async () => (await fetch(`${earth.dolly().url}/readyz`)).ok;
  await earth.until(isReady, 'a turn of each loop');

  const ran = record.nodes.map(node => plain.getExecutor().compileQuery(node, createQueryId()));
  const walks = new Set<string>();
  for (const { sql, parameters } of new Map(ran.map(query => [query.sql, query])).values()) {
    const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    // SQLite says SEARCH where an index leads to the rows, and SCAN where it reads all of them or a whole index.
    const { rows } = await plain.executeQuery(plan);
    // The indexes of what is to be told, and of what is open, hold nothing else.
    const steps = JSON.stringify(rows).replaceAll(/SCAN jobs USING INDEX jobs_(untold|open)\b/g, '');
    // A walk in the order of an index ends at the limit.
    const isBounded = / limit \?$/.test(sql) && !steps.includes('TEMP B-TREE');
    if (/SCAN (jobs|claims|audit)\b/.test(steps) && !isBounded) walks.add(sql);
  }
  expect(ran.length).toBeGreaterThan(30);
  expect([...walks]).toEqual([]);
});
