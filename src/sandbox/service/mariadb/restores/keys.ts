import { z } from 'zod';
import { type Ask, identifier, literal } from '../servers/sql.ts';

/** A foreign key: what points where, and what follows a change there. */
export const Key = z.object({
  database: z.string(),
  table: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  toDatabase: z.string(),
  toTable: z.string(),
  toColumns: z.array(z.string()),
  onUpdate: z.string(),
  onDelete: z.string(),
});
export type Key = z.output<typeof Key>;

/** Reads foreign keys. `where` speaks of `k`, a row of key_column_usage. */
export async function keysOf(ask: Ask, where: string, signal: AbortSignal): Promise<readonly Key[]> {
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT k.table_schema, k.table_name, k.constraint_name, k.referenced_table_schema, k.referenced_table_name,
            r.update_rule, r.delete_rule, k.column_name, k.referenced_column_name
     FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
       ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
     WHERE k.referenced_table_name IS NOT NULL AND ${where} ORDER BY 1, 2, 3, k.ordinal_position`,
    signal,
  );
  const keys = new Map<string, Key>();
  for (const [
    database = '',
    table = '',
    name = '',
    toDatabase = '',
    toTable = '',
    onUpdate = '',
    onDelete = '',
    from = '',
    to = '',
  ] of rows) {
    const id = JSON.stringify([database, table, name]);
    const known = keys.get(id) ?? {
      database,
      table,
      name,
      columns: [],
      toDatabase,
      toTable,
      toColumns: [],
      onUpdate,
      onDelete,
    };
    keys.set(id, { ...known, columns: [...known.columns, from], toColumns: [...known.toColumns, to] });
  }
  return [...keys.values()];
}

/** The foreign keys of a database, or of one table of it. */
export function keysIn(
  ask: Ask,
  database: string,
  table: string | undefined,
  signal: AbortSignal,
): Promise<readonly Key[]> {
  const only = table === undefined ? '' : ` AND k.table_name = ${literal(table)}`;
  return keysOf(ask, `k.table_schema = ${literal(database)}${only}`, signal);
}

/** The foreign keys that point to these tables of a database, from anywhere. */
export async function keysTo(
  ask: Ask,
  database: string,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<readonly Key[]> {
  if (tables.length === 0) return [];
  const names = tables.map(literal).join(', ');
  return keysOf(
    ask,
    `k.referenced_table_schema = ${literal(database)} AND k.referenced_table_name IN (${names})`,
    signal,
  );
}

/** The clause of ALTER TABLE that adds a key. */
export function adding(key: Key, name = key.name): string {
  const list = (columns: readonly string[]) => columns.map(identifier).join(', ');
  // Said out loud, RESTRICT would be written down as NO ACTION.
  const rule = (event: string, action: string) => (action === 'RESTRICT' ? '' : ` ON ${event} ${action}`);
  const rules = rule('DELETE', key.onDelete) + rule('UPDATE', key.onUpdate);
  return `ADD CONSTRAINT ${identifier(name)} FOREIGN KEY (${list(key.columns)}) REFERENCES ${identifier(key.toDatabase)}.${identifier(key.toTable)} (${list(key.toColumns)})${rules}`;
}

export const dropping = (name: string) => `DROP FOREIGN KEY ${identifier(name)}`;

/** Milliseconds that the search for orphans may take. */
const patience = 600_000;

/** Which of these keys have rows that point to none, in words. */
export async function orphansOf(ask: Ask, keys: readonly Key[], signal: AbortSignal): Promise<readonly string[]> {
  const statements = keys.map(({ database, table, columns, toDatabase, toTable, toColumns }) => {
    const joined = columns
      .map((column, at) => `c.${identifier(column)} = p.${identifier(toColumns[at] ?? '')}`)
      .join(' AND ');
    const set = columns.map(column => `c.${identifier(column)} IS NOT NULL`).join(' AND ');
    return `SELECT COUNT(*) FROM ${identifier(database)}.${identifier(table)} c WHERE ${set} AND NOT EXISTS (SELECT 1 FROM ${identifier(toDatabase)}.${identifier(toTable)} p WHERE ${joined})`;
  });
  if (statements.length === 0) return [];
  const counts = await ask(`SET NAMES utf8mb4; ${statements.join('; ')}`, signal, patience);
  return keys.flatMap(({ database, table, name, toDatabase, toTable }, at) => {
    const count = Number(counts[at]?.[0]);
    return count === 0
      ? []
      : [
          `${count} ${count === 1 ? 'row' : 'rows'} of ${database}.${table} point to no row of ${toDatabase}.${toTable} (foreign key ${name}).`,
        ];
  });
}
