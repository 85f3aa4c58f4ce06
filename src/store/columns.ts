/*
 * A column is written once: its definition gives the type of the rows, the statement that makes the table, and the values
 * of a new row. Columns are text and integers only, times milliseconds since the epoch (UTC), structures JSON as text,
 * flags 0 or 1: nothing here depends on which database keeps it. One column of an index that can be made anew has bytes.
 */

/** A column: its type in SQL, and its value in a new row where all of those have the same. `holds` is a type alone. */
type Column<Value, Initial = undefined> = Readonly<{ type: string; initial: Initial; holds?: Value }>;
type Columns = Readonly<Record<string, Column<unknown, unknown>>>;

/** A table, with the key or the uniqueness of several columns together. */
type TableDefinition<Of extends Columns = Columns> = Readonly<{ columns: Of; constraint?: string }>;

/** A row of a table. */
export type RowOf<T extends TableDefinition> = {
  [C in keyof T['columns']]: T['columns'][C] extends Column<infer Value, unknown> ? Value : never;
};

type InitialName<T extends TableDefinition> = {
  [C in keyof T['columns']]: T['columns'][C]['initial'] extends undefined ? never : C;
}[keyof T['columns']];

/** The columns of a row that have the same value in all new rows. */
type InitialOf<T extends TableDefinition> = Pick<RowOf<T>, InitialName<T>>;

export const anyText: Column<string> = { type: 'text not null', initial: undefined };
export const key: Column<string> = { type: 'text primary key', initial: undefined };
export const uniqueText: Column<string> = { type: 'text not null unique', initial: undefined };
export const int: Column<number> = { type: 'integer not null', initial: undefined };
export const time: Column<number> = { type: 'bigint not null', initial: undefined };
export const maybeText: Column<string | null, null> = { type: 'text', initial: null };
export const maybeInt: Column<number | null, null> = { type: 'integer', initial: null };
export const maybeTime: Column<number | null, null> = { type: 'bigint', initial: null };
/** SQLite keeps bytes in a column of any type. */
export const maybeBytes: Column<Uint8Array | null, null> = { type: 'bytea', initial: null };

/** A text that is one of a few words. */
export function oneOf<Word extends string>(): Column<Word> {
  return { type: anyText.type, initial: undefined };
}

/** A column that has this value in each new row. */
export function initially<Value extends string | number>(
  { type }: Column<Value>,
  initial: Value,
): Column<Value, Value> {
  return { type, initial };
}

export function table<Of extends Columns>(columns: Of): TableDefinition<Of> {
  return { columns };
}

/** A table with the key, or the uniqueness, of several columns together. */
export function tableWith<Of extends Columns>(constraint: string, columns: Of): TableDefinition<Of> {
  return { columns, constraint };
}

/** The values of all columns that have the same one in each new row. */
export function initialOf<T extends TableDefinition>(table: T): InitialOf<T>;
export function initialOf({ columns }: TableDefinition): Readonly<Record<string, unknown>> {
  const all = Object.entries(columns).map(([name, { initial }]) => [name, initial] as const);
  return Object.fromEntries(all.filter(([, initial]) => initial !== undefined));
}

/** The names of all columns. */
export function namesIn<T extends TableDefinition>(table: T): readonly (keyof T['columns'] & string)[];
export function namesIn({ columns }: TableDefinition): readonly string[] {
  return Object.keys(columns);
}

/** Makes the function that takes the part of a row that these columns are. */
export function partOf<T extends TableDefinition>(table: T): (row: RowOf<T>) => RowOf<T>;
export function partOf(
  table: TableDefinition,
): (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> {
  const names = namesIn(table);
  return row => {
    const part: Record<string, unknown> = {};
    for (const name of names) part[name] = row[name];
    return part;
  };
}

/** The statement that makes a table. */
export function tableStatement(name: string, { columns, constraint = '' }: TableDefinition): string {
  const parts = Object.entries(columns).map(([column, { type, initial }]) => {
    const value = typeof initial === 'string' ? `'${initial}'` : initial;
    return `${inSql(column)} ${type}${value === undefined || value === null ? '' : ` default ${value}`}`;
  });
  return `create table ${inSql(name)} (${[...parts, constraint].filter(Boolean).join(', ')})`;
}

/** The name of a table or a column in SQL, as the plugin of Kysely writes it: `requestKey` is `request_key`. */
export function inSql(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
