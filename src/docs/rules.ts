import { second } from '../ground/durations.ts';
import { meanings, type Row } from '../jobs/evidence/rows.ts';
import { stands as endStands } from '../jobs/evidence/standingEnd.ts';
import { rowsOf } from '../jobs/evidence/targetProof.ts';

/* The rules of evidence as people read them: by their names, from the tables that judge. */

/** The word of a message for what a row means. */
const words = {
  ...{ proved: 'Confirmed', failed: 'Failed', finished: 'Finished, result not shown' },
  ...{ inPart: 'Finished in part', waiting: 'not over' },
} as const;

/** A row of a table whose proof does not matter here. */
type AnyRow = Pick<Row, 'caveats'> & Readonly<{ stands?: number | Readonly<{ says: string }> }>;

/** The tables, each with what its jobs do in a word. */
const tables: readonly (readonly [string, Readonly<Record<string, AnyRow>>])[] = [
  ['new', rowsOf.appears],
  ['change', rowsOf.changes],
  ['state', rowsOf.reaches],
  ['conversion', rowsOf.converts],
  ['deletion', rowsOf.gone],
];

type Listed = Readonly<{ name: string; of: string[]; means: string; stands: string }>;

/** For how long a row must stand: where it says nothing, as long as each end. */
function timeOf({ stands = endStands.for }: AnyRow): string {
  if (typeof stands !== 'number') return stands.says;
  if (!Number.isFinite(stands)) return 'at the deadline';
  return stands < 60 * second ? `${stands / second} seconds` : `${stands / (60 * second)} minutes`;
}

/** Each row with the kinds of jobs that it is asked for, in the order of the tables. */
function listedRows(): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const [kind, rows] of tables)
    for (const [name, row] of Object.entries(rows)) {
      const means = meanings.flatMap(meaning => (meaning in row ? words[meaning] : [])).join();
      const stands = means === words.waiting ? '' : timeOf(row);
      const key = [name, means, stands].join();
      const known = found.get(key) ?? { name, of: [], means, stands };
      known.of.push(kind);
      found.set(key, known);
    }
  return [...found.values()].toSorted((a, b) => b.of.length - a.of.length);
}

/** The rows as lines of a table: what is seen, in which jobs, what it means, and for how long it must stand. */
export function ruleRows(): readonly (readonly string[])[] {
  return listedRows()
    .filter(({ means }) => means !== words.waiting)
    .map(({ name, of, means, stands }) => [name, of.length === tables.length ? 'each' : of.join(', '), means, stands]);
}

/** What may speak against it that something is of the very job. */
export function caveatNames(): readonly string[] {
  const rows = tables.flatMap(([, table]) => Object.values(table));
  return [...new Set(rows.flatMap(({ caveats = {} }) => Object.keys(caveats)))];
}
