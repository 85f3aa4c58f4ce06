import type { Part } from './parts.ts';
import { type Ask, identifier, literal } from './sql.ts';

/** The objects of a part, by kind and name, each with a checksum of its definition or with its number of rows. */
export type Inventory = ReadonlyMap<string, string>;

type Source = Readonly<{
  from: string;
  /** Columns: the database and the table that the object belongs to, the latter missing where it belongs to none. */
  database: string;
  table?: string;
  name: string;
  details: readonly string[];
}>;

/** The columns of the server's own catalogue that define each kind of object. */
const sources: Readonly<Record<string, Source>> = {
  table: {
    from: 'tables',
    database: 'table_schema',
    table: 'table_name',
    name: 'table_name',
    details: ['table_type', 'engine', 'table_collation'],
  },
  column: {
    from: 'columns JOIN information_schema.tables USING (table_schema, table_name)',
    database: 'table_schema',
    table: "IF(table_type = 'VIEW', NULL, table_name)",
    name: "CONCAT(table_name, '.', column_name)",
    details: ['ordinal_position', 'column_type', 'is_nullable', 'column_default', 'extra', 'generation_expression'],
  },
  index: {
    from: 'statistics',
    database: 'table_schema',
    table: 'table_name',
    name: "CONCAT(table_name, '.', index_name, '.', column_name)",
    details: ['non_unique', 'seq_in_index', 'sub_part', 'index_type'],
  },
  check: {
    from: 'check_constraints',
    database: 'constraint_schema',
    table: 'table_name',
    name: "CONCAT(table_name, '.', constraint_name)",
    details: ['check_clause'],
  },
  'foreign key': {
    from: 'referential_constraints',
    database: 'constraint_schema',
    table: 'table_name',
    name: "CONCAT(table_name, '.', constraint_name)",
    details: ['referenced_table_name', 'update_rule', 'delete_rule'],
  },
  partition: {
    from: 'partitions',
    database: 'table_schema',
    table: 'IF(partition_name IS NULL, NULL, table_name)',
    name: "CONCAT_WS('.', table_name, partition_name, subpartition_name)",
    details: ['partition_method', 'partition_expression', 'partition_description'],
  },
  view: {
    from: 'views',
    database: 'table_schema',
    table: 'table_name',
    name: 'table_name',
    details: ['view_definition', 'check_option', 'definer', 'security_type'],
  },
  trigger: {
    from: 'triggers',
    database: 'trigger_schema',
    table: 'event_object_table',
    name: 'trigger_name',
    details: ['action_timing', 'event_manipulation', 'action_order', 'action_statement', 'definer', 'sql_mode'],
  },
  routine: {
    from: 'routines',
    database: 'routine_schema',
    name: "CONCAT(routine_type, ' ', routine_name)",
    details: ['routine_definition', 'definer', 'security_type', 'sql_mode', 'is_deterministic', 'routine_comment'],
  },
  event: {
    from: 'events',
    database: 'event_schema',
    name: 'event_name',
    details: [
      'event_definition',
      'definer',
      'status',
      'execute_at',
      'interval_value',
      'interval_field',
      'starts',
      'ends',
    ],
  },
};

/** Reads how all that a part consists of is defined. `leftOut` are views that do not count. */
export async function definitionsOf(
  ask: Ask,
  { databaseName, tableName }: Part,
  leftOut: readonly string[],
  signal: AbortSignal,
): Promise<Inventory> {
  const statements = Object.entries(sources).flatMap(([kind, { from, database, table, name, details }]) =>
    tableName !== undefined && table === undefined
      ? []
      : [
          `SELECT '${kind}', ${table ?? "''"}, ${name}, MD5(CONCAT_WS('|', ${details.map(detail => `IFNULL(${detail}, '-')`).join(', ')}))
           FROM information_schema.${from} WHERE ${database} = ${literal(databaseName)}`,
        ],
  );
  const found = await ask(statements.join(';\n'), signal);
  return new Map(
    found.flatMap(([kind = '', table = '', name = '', detail = '']) =>
      table === 'NULL' || leftOut.includes(table) || (tableName !== undefined && table !== tableName)
        ? []
        : [[`${kind} ${name}`, detail]],
    ),
  );
}

/** The query that counts the rows of a table, by the type that the catalogue gives it. */
const counts: Readonly<Record<string, (name: string) => string>> = {
  'BASE TABLE': name => `COUNT(*) FROM ${name}`,
  'SYSTEM VERSIONED': name => `COUNT(*) FROM ${name} FOR SYSTEM_TIME ALL`,
  SEQUENCE: name => `next_not_cached_value FROM ${name}`,
};
/** The rows of other engines lie elsewhere. */
const counted = ['InnoDB', 'Aria', 'MyISAM'];

/** Milliseconds that counting may take: more than the engine's other statements. */
const patience = 1_800_000;

/** Counts the rows of each table of a part, with its history. Of a sequence it reads how far it is. */
export async function rowsOf(ask: Ask, { databaseName, tableName }: Part, signal: AbortSignal): Promise<Inventory> {
  const tables = await ask(
    `SELECT table_type, engine, table_name FROM information_schema.tables WHERE table_schema = ${literal(databaseName)}`,
    signal,
  );
  const statements = tables.flatMap(([type = '', engine = '', name = '']) => {
    const count = counts[type]?.(`${identifier(databaseName)}.${identifier(name)}`);
    const isWanted = count !== undefined && counted.includes(engine) && (tableName ?? name) === name;
    return isWanted ? [`SELECT ${literal(name)}, ${count}`] : [];
  });
  const found = await ask(statements.join(';\n'), signal, patience);
  return new Map(found.map(([name = '', count = '']) => [`rows of ${name}`, count]));
}

/** The kinds and names of what differs between two inventories, for people. */
export function differences(one: Inventory, other: Inventory): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(name => one.get(name) !== other.get(name));
}
