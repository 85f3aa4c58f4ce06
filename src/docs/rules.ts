import { second } from '../ground/durations.ts';
import { meanings, type Row } from '../jobs/evidence/rows.ts';
import { rowsOf } from '../jobs/evidence/targetProof.ts';

/* The rules of evidence as people read them: by their names, from the tables that judge. */

/** What each kind of proof is about, in a word. */
const kinds = {
  appears: 'new',
  changes: 'change',
  reaches: 'state',
  converts: 'conversion',
  gone: 'deletion',
} as const;

/** The word of a message for what a row means. */
const words = {
  ...{ proved: 'Confirmed', failed: 'Failed', finished: 'Finished, result not shown' },
  ...{ inPart: 'Finished in part', waiting: 'not over' },
} as const;

/** A row of a table whose proof does not matter here. */
type AnyRow = Pick<Row, 'caveats' | 'unless'> & Readonly<{ stands?: number | Readonly<{ says: string }> }>;
type Listed = Readonly<{ name: string; of: string[]; means: string; stands: string }>;

function timeOf({ stands = 10 * second }: AnyRow): string {
  if (typeof stands !== 'number') return stands.says;
  if (!Number.isFinite(stands)) return 'at the deadline';
  return stands < 60 * second ? `${stands / second} seconds` : `${stands / (60 * second)} minutes`;
}

/** Each row with the kinds of jobs that it is asked for, in the order of the tables. */
function listedRows(): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const [kind, rows] of Object.entries(rowsOf))
    for (const [name, row] of Object.entries<AnyRow>(rows)) {
      const means = meanings.flatMap(meaning => (meaning in row ? words[meaning] : [])).join();
      const stands = means === words.waiting ? '' : timeOf(row);
      const key = [name, means, stands].join();
      const known = found.get(key) ?? { name, of: [], means, stands };
      known.of.push(Object.entries(kinds).find(([one]) => one === kind)?.[1] ?? kind);
      found.set(key, known);
    }
  return [...found.values()].toSorted((a, b) => b.of.length - a.of.length);
}

/** The rows as lines of a table: what is seen, in which jobs, what it means, and for how long it must stand. */
export function ruleRows(): readonly (readonly string[])[] {
  const all = Object.keys(kinds).length;
  return listedRows()
    .filter(({ means }) => means !== words.waiting)
    .map(({ name, of, means, stands }) => [name, of.length === all ? 'each' : of.join(', '), means, stands]);
}

/** What may speak against it that something is of the very job. */
export function caveatNames(): readonly string[] {
  const rows = Object.values(rowsOf).flatMap(table => Object.values<AnyRow>(table));
  return [...new Set(rows.flatMap(({ caveats = {} }) => Object.keys(caveats)))];
}
