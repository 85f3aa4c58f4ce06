import type { KyselyPlugin } from 'kysely';
import type { Store } from '../../../src/store/database.ts';

/** The moments at which a process can die about a statement: before it is run, or before its answer is heard. */
export const deaths = ['unsent', 'unheard'] as const;
export type Death = (typeof deaths)[number];

/** A store in the hands of a process that can be made to die at one of its statements. */
export type DyingStore = Readonly<{
  store: Store;
  /** Lets the process die at a statement from now on, counted from 0. It does nothing more then. */
  dieAt: (statement: number, death: Death) => void;
  isDead: () => boolean;
}>;

export function dyingStore(of: Store): DyingStore {
  let isDead = false;
  let left = { unsent: Number.POSITIVE_INFINITY, unheard: Number.POSITIVE_INFINITY };
  const passes = (death: Death) => {
    isDead ||= left[death] === 0;
    if (isDead) throw new Error('the process was killed');
    left[death] -= 1;
  };
  const killer: KyselyPlugin = {
    transformQuery({ node }) {
      passes('unsent');
      return node;
    },
    async transformResult({ result }) {
      passes('unheard');
      return result;
    },
  };
  return {
    store: of.withPlugin(killer),
    dieAt(statement, death) {
      left = { ...left, [death]: statement };
    },
    isDead: () => isDead,
  };
}
