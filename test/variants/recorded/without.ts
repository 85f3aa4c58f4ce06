import { rowsOf } from '../../../src/jobs/evidence/targetProof.ts';
import { constraints } from '../../../src/jobs/evidence/whose.ts';

/* The rules of evidence by their names: rows, caveats, and the constraints by which a trace is nobody else's. */

const tables = Object.values(rowsOf);
const caveats = tables.flatMap(rows => Object.values<{ caveats?: object }>(rows).flatMap(row => row.caveats ?? []));
const all: readonly object[] = [...tables, ...caveats, constraints];

/** The names of all rules. */
export const ruleNames: readonly string[] = [...new Set(all.flatMap(some => Object.keys(some)))];

/** Does something while the rule of a name is nowhere. */
export async function without<T>(name: string, act: () => Promise<T>): Promise<T> {
  const before = all.map(some => Object.entries(some));
  for (const some of all) Reflect.deleteProperty(some, name);
  try {
    return await act();
  } finally {
    // Rules are asked in their order.
    for (const [at, some] of all.entries()) {
      for (const key of Object.keys(some)) Reflect.deleteProperty(some, key);
      for (const [key, rule] of before[at] ?? []) Reflect.set(some, key, rule);
    }
  }
}
