import { z } from 'zod';
import { type Ask, identifier, literal } from '../servers/sql.ts';

/** The part of a server that a restore concerns: one database, or one table or view of it. */
export const Part = z.object({ databaseName: z.string(), tableName: z.string().optional() });
export type Part = z.output<typeof Part>;

/** A part, for people. */
export function nameOf({ databaseName, tableName }: Part): string {
  return tableName === undefined ? `database ${databaseName}` : `table ${databaseName}.${tableName}`;
}

/** Whether the server has this part, written exactly so. */
export async function isThere(ask: Ask, { databaseName, tableName }: Part, signal: AbortSignal): Promise<boolean> {
  const rows =
    tableName === undefined
      ? await ask('SHOW DATABASES', signal)
      : await ask(
          `SELECT table_name FROM information_schema.tables WHERE table_schema = ${literal(databaseName)} AND table_name = ${literal(tableName)}`,
          signal,
        );
  // The server compares without regard to case; names differ by it.
  return rows.some(([name]) => name === (tableName ?? databaseName));
}

/** A view of a database. `text` is its query as the server keeps it, with full names. */
export type View = Readonly<{ name: string; text: string; isBroken: boolean }>;

/** The views of a database. One that is broken refers to what is not there any more: no dump can be made of it. */
export async function viewsOf(ask: Ask, databaseName: string, signal: AbortSignal): Promise<readonly View[]> {
  // The server looks into a view only for who asks for its rows; the comment is then what is wrong with it.
  const rows = await ask(
    `SELECT table_name, view_definition, table_comment <> 'VIEW' AND table_rows IS NULL FROM information_schema.tables
     JOIN information_schema.views USING (table_schema, table_name) WHERE table_schema = ${literal(databaseName)}`,
    signal,
  );
  return rows.map(([name = '', text = '', isBroken]) => ({ name, text, isBroken: isBroken === '1' }));
}

/** Views in an order in which they can be made: each after those that it reads. */
export function inOrder(views: readonly View[], databaseName: string): readonly string[] {
  const ordered = new Set<string>();
  const begun = new Set<string>();
  const add = ({ name, text }: View): void => {
    if (begun.has(name)) return;
    begun.add(name);
    // A name in a text of the query may look like one that is read. It changes nothing but the order.
    for (const other of views) if (text.includes(`${identifier(databaseName)}.${identifier(other.name)}`)) add(other);
    ordered.add(name);
  };
  for (const view of views) add(view);
  return [...ordered];
}
