import { deleteDatabase, deleteSnapshot } from '../databases.ts';
import { deleteEnvironment, disableEnvironment, enableEnvironment } from '../environments.ts';
import type { Values, WriteOperation } from '../operation.ts';
import { type PlanStep, planStep } from './plan.ts';
import { type DependentTree, type Lineage, type TreeRoot, treeBelow } from './tree.ts';

/** The record to tear down. */
export type TeardownTarget = TreeRoot &
  Readonly<{
    /** For an environment: whether it is disabled, so that nothing can be done on it (spec §3, rule 1). */
    isDisabled?: boolean | undefined;
  }>;

/** A teardown: the tree that people see, and the steps in their order. */
export type Teardown = Readonly<{
  tree: DependentTree;
  /** The identifiers that stay: the branches that were left out, and everything that they depend on. */
  kept: ReadonlySet<string>;
  /** From the leaves to the target. Empty where everything stays. */
  steps: readonly PlanStep[];
}>;

/**
 * Plans a teardown out of the records: the dependents of the target down the whole tree, each deleted before the record
 * that it depends on (spec §3, rules 2 and 3). A branch that is left out stays whole, and so does all that it depends
 * on, since the service deletes nothing that has dependents.
 */
export function planTeardown(
  target: TeardownTarget,
  records: readonly Lineage[],
  leftOut: readonly string[] = [],
): Teardown {
  const tree = treeBelow(target, records);
  const kept = keptWith(tree, leftOut);
  const names = Object.fromEntries(
    [...tree.nodes.values()].flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])),
  );
  const below = tree.order
    .filter(id => id !== target.id && !kept.has(id))
    .map(id => planStep(deleteDatabase, { database: id }, names));
  return { tree, kept, steps: withTarget(target, { below, goes: !kept.has(target.id), names }) };
}

/** The branches that are left out, whole, and everything that they depend on. */
function keptWith({ nodes }: DependentTree, leftOut: readonly string[]): ReadonlySet<string> {
  const kept = new Set(leftOut.filter(id => nodes.has(id)));
  for (const id of kept) for (const other of nodes.get(id)?.dependents ?? []) kept.add(other);
  for (const id of kept) for (const other of nodes.get(id)?.dependsOn ?? []) kept.add(other);
  return kept;
}

type Below = Readonly<{
  /** The deletions of all that depends on the target. */
  below: readonly PlanStep[];
  /** Whether the target goes, too. */
  goes: boolean;
  names: Readonly<Record<string, string>>;
}>;

/**
 * The deletions below the target, and that of the target itself. An environment is disabled before it is deleted, so
 * that nothing new comes onto it. One that is disabled is enabled first and stays so: the service may refuse even the
 * deletion of one that is disabled (spec §3, rule 1), and then this is the way out.
 */
function withTarget({ id, noun, holder, isDisabled = false }: TeardownTarget, { below, goes, names }: Below) {
  const step = (operation: WriteOperation, more: Values = {}) =>
    planStep(operation, { ...more, [operation.target]: id }, names);
  const wakes = noun === 'environment' && isDisabled && (below.length > 0 || goes);
  const held = holder === undefined ? {} : { database: holder };
  const deletion = noun === 'snapshot' ? step(deleteSnapshot, held) : step(deletionsOf[noun]);
  return [
    ...(wakes ? [step(enableEnvironment)] : []),
    ...below,
    ...(noun === 'environment' && goes && !isDisabled ? [step(disableEnvironment)] : []),
    ...(goes ? [deletion] : []),
  ];
}

const deletionsOf = { live: deleteDatabase, clone: deleteDatabase, environment: deleteEnvironment } as const;
