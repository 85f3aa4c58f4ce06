import { describe, expect, test } from 'vitest';
import { planTeardown, type TeardownTarget } from '../../../src/operations/plans/teardown.ts';
import { directDependents, type Lineage, treeBelow } from '../../../src/operations/plans/tree.ts';

const live = (number: number, more: Partial<Lineage> = {}): Lineage => ({
  ...{ id: `MYSQL_LIVE_SERVER-${number}`, noun: 'live', name: `live${number}` },
  ...{ sources: [], snapshots: [], clones: [], mentions: [] },
  ...more,
});
const clone = (number: number, ...sources: readonly string[]): Lineage => ({
  ...live(number),
  ...{ id: `MYSQL_CLONE_SERVER-${number}`, noun: 'clone', name: `clone${number}`, sources },
});
const id = (number: number) => `MYSQL_CLONE_SERVER-${number}`;
const shop = 'MYSQL_LIVE_SERVER-1';
const target: TeardownTarget = { id: shop, noun: 'live', name: 'shop' };

/** A chain under a live database, with two branches at its end. */
const family = [
  live(1, { snapshots: ['MYSQL_SNAPSHOT-1'] }),
  live(2),
  clone(1, shop, 'MYSQL_SNAPSHOT-1'),
  clone(2, id(1), 'MYSQL_SNAPSHOT-1'),
  clone(3, id(2)),
  clone(4, id(2)),
  clone(5, 'MYSQL_LIVE_SERVER-2'),
];
const deletedBy = (of: TeardownTarget, records: readonly Lineage[], leftOut: readonly string[] = []) =>
  planTeardown(of, records, leftOut).steps.map(step => `${step.operation} ${String(step.target)}`);

describe('a tree', () => {
  test('a tree of dependents has everything that depends on its root, each record after its dependents', () => {
    const { order, nodes, doubts } = treeBelow(target, family);
    expect(order.toSorted()).toEqual([shop, id(1), id(2), id(3), id(4)].toSorted());
    for (const node of nodes.values())
      for (const below of node.dependents) expect(order.indexOf(below)).toBeLessThan(order.indexOf(node.id));
    expect(order.at(-1)).toBe(shop);
    expect(doubts).toEqual([]);
  });

  test('a tree of dependents draws a record below the nearest of those that it depends on', () => {
    const { nodes } = treeBelow(target, family);
    // It names the live database's snapshot, too.
    expect(nodes.get(id(2))?.under).toBe(id(1));
    expect(nodes.get(id(1))?.under).toBe(shop);
    expect(nodes.get(shop)?.under).toBeUndefined();
  });

  test('a tree of dependents never holds a live database below another, nor what its root depends on', () => {
    const told = [live(1), live(2, { sources: [shop], mentions: [shop] }), { ...clone(1, shop), mentions: [] }];
    expect(treeBelow(target, told).order).toEqual([id(1), shop]);
    const source = { ...clone(1), mentions: [id(2)] };
    expect(treeBelow({ id: id(2), noun: 'clone' }, [source, clone(2, id(1))]).order).toEqual([id(2)]);
  });

  test('a tree of dependents leaves out physical clones, and says that they stay', () => {
    const { order, doubts } = treeBelow(target, [live(1), { ...clone(1, shop), isPhysical: true }]);
    expect(order).toEqual([shop]);
    expect(doubts).toEqual([{ type: 'copies', ids: [id(1)] }]);
  });

  test.each<[string, readonly Lineage[], object]>([
    ['a listed clone that is not shown', [live(1, { clones: [id(9)] })], { type: 'hidden', id: id(9), of: shop }],
    [
      'a clone that only mentions the root',
      [live(1), live(2), { ...clone(1, 'MYSQL_LIVE_SERVER-2'), mentions: [shop] }],
      { type: 'unclear', id: id(1), of: shop },
    ],
    [
      'a listed clone that names another source',
      [live(1, { clones: [id(1)] }), live(2), clone(1, 'MYSQL_LIVE_SERVER-2')],
      { type: 'unclear', id: id(1), of: shop },
    ],
    ['a clone without a source', [live(1), clone(1)], { type: 'sourceless', ids: [id(1)] }],
  ])('a tree of dependents tells of what is unsure: %s', (_, records, doubt) => {
    const tree = treeBelow(target, records);
    expect(tree.order).toEqual([shop]);
    expect(tree.doubts).toEqual([doubt]);
  });

  test('a snapshot’s tree of dependents tells of clones that may be made of it, since they show none', () => {
    const root = { id: 'MYSQL_SNAPSHOT-1', noun: 'snapshot', holder: shop } as const;
    const { order, doubts } = treeBelow(root, [...family, clone(6, shop)]);
    expect(order).not.toContain(id(6));
    expect(doubts).toEqual([{ type: 'unclear', id: id(6), of: root.id }]);
  });

  test('an environment’s tree of dependents tells of databases that show no environment', () => {
    const root = { id: 'HOST_ENVIRONMENT-4', noun: 'environment' } as const;
    const { doubts } = treeBelow(root, [live(1), { ...live(2), environment: 'HOST_ENVIRONMENT-5' }]);
    expect(doubts).toEqual([{ type: 'placeless', ids: [shop] }]);
  });

  test('a tree of dependents holds a listed clone that shows no source itself', () => {
    expect(treeBelow(target, [live(1, { clones: [id(1)] }), clone(1)]).order).toEqual([id(1), shop]);
  });

  test.each<[string, readonly Lineage[]]>([
    ['of two', [live(1), clone(1, shop, id(2)), clone(2, id(1))]],
    ['of three, and one that names itself', [live(1), clone(1, shop, id(3)), clone(2, id(1), id(2)), clone(3, id(2))]],
    ['around the root', [{ ...live(1), ...clone(9, id(1)), id: shop }, clone(1, shop)]],
  ])(
    'a tree of dependents is ordered, and tells of the circle, where records depend on each other: %s',
    (_, records) => {
      const { order, doubts } = treeBelow(target, records);
      expect(order.toSorted()).toEqual(records.map(record => record.id).toSorted());
      expect(order.at(-1)).toBe(shop);
      expect(doubts.map(({ type }) => type)).toContain('circle');
    },
  );

  test('a tree of dependents with ten thousand clones in one chain is ordered', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => clone(at + 2, at === 0 ? shop : id(at + 1)));
    const { order } = treeBelow(target, [live(1), ...chain]);
    expect(order.slice(-2)).toEqual([id(2), shop]);
    expect(order[0]).toBe(id(10_001));
  });

  test('a record’s direct dependents are the clones made from it or from its snapshots', () => {
    const direct = directDependents(family);
    expect(direct.get(shop)).toEqual([id(1), id(2)]);
    expect(direct.get('MYSQL_SNAPSHOT-1')).toEqual([id(1), id(2)]);
    expect(direct.get(id(2))).toEqual([id(3), id(4)]);
    expect(direct.get('MYSQL_LIVE_SERVER-2')).toEqual([id(5)]);
  });
});

describe('a teardown', () => {
  test('a teardown deletes from the leaves to its target, with the names that people know', () => {
    const { steps, kept } = planTeardown(target, family);
    expect(steps.map(({ target: of }) => of).slice(-3)).toEqual([id(2), id(1), shop]);
    expect(steps.every(({ operation, values }) => operation === 'database.delete' && 'database' in values)).toBe(true);
    expect(steps.at(-1)?.targetName).toBe('shop');
    expect(kept.size).toBe(0);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['a leaf keeps all above it', [id(3)], [id(4)]],
    ['a branch keeps what is on it, too', [id(2)], []],
    ['a record outside of the tree keeps nothing', [id(5)], [id(4), id(3), id(2), id(1), shop]],
  ])('a teardown spares a record that stays and all that it depends on: %s', (_, leftOut, goes) => {
    const { steps } = planTeardown(target, family, leftOut);
    expect(steps.map(({ target: of }) => of).toSorted()).toEqual([...goes].toSorted());
  });

  test('a teardown of a snapshot deletes its clones first, and says whose snapshot it is', () => {
    const snapshot: TeardownTarget = { id: 'MYSQL_SNAPSHOT-1', noun: 'snapshot', holder: shop };
    const { steps } = planTeardown(snapshot, family);
    expect(steps.map(({ target: of }) => of).slice(-3)).toEqual([id(2), id(1), 'MYSQL_SNAPSHOT-1']);
    expect(steps.at(-1)).toMatchObject({
      operation: 'snapshot.delete',
      values: { database: shop, snapshot: 'MYSQL_SNAPSHOT-1' },
    });
  });

  const host: TeardownTarget = { id: 'HOST_ENVIRONMENT-4', noun: 'environment', name: 'dev' };
  const onHost = (record: Lineage): Lineage => ({ ...record, environment: host.id });
  const estate = [
    live(1),
    onHost(clone(1, shop)),
    clone(2, id(1)),
    onHost(live(2)),
    { ...onHost(clone(5)), isPhysical: true },
  ];

  test('a teardown of an environment deletes what is on it and depends on that, then disables and deletes it', () => {
    const all = deletedBy(host, estate);
    expect(all.slice(-2)).toEqual([`environment.disable ${host.id}`, `environment.delete ${host.id}`]);
    expect(all.indexOf(`database.delete ${id(2)}`)).toBeLessThan(all.indexOf(`database.delete ${id(1)}`));
    expect(all.slice(0, -2).toSorted()).toEqual(
      [id(1), id(2), id(5), 'MYSQL_LIVE_SERVER-2'].map(one => `database.delete ${one}`).toSorted(),
    );
  });

  test('a teardown of a disabled environment enables it first, and does not disable it again', () => {
    const ends = (steps: readonly string[]) => [steps[0], steps.at(-1), steps.some(step => step.includes('disable'))];
    const woken = [`environment.enable ${host.id}`, `environment.delete ${host.id}`, false];
    expect(ends(deletedBy({ ...host, isDisabled: true }, estate))).toEqual(woken);
    expect(ends(deletedBy({ ...host, isDisabled: true }, [live(1)]))).toEqual(woken);
  });

  test('a teardown of an environment on which something stays leaves the environment as it is', () => {
    const all = deletedBy(host, estate, ['MYSQL_LIVE_SERVER-2']);
    expect(all.some(step => step.includes('environment.'))).toBe(false);
    expect(all).toHaveLength(3);
  });
});
