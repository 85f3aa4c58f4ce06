import { withFile } from '../programs/commands.ts';
import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';

/** The way to reach a server. */
export type Session = Readonly<{ options: string; ask: Ask }>;

/** A table that is locked lets nothing be taken from the sequence that a column of it counts with (error 1100). */
const usual = [
  '--single-transaction',
  '--quick',
  '--hex-blob',
  '--complete-insert',
  '--skip-triggers',
  '--no-create-info',
  '--skip-add-locks',
  '--skip-disable-keys',
  '--skip-comments',
  '--max-allowed-packet=1G',
];

/**
 * Statements that make every FLOAT of these tables a DOUBLE, on a copy that is thrown away: as text a FLOAT loses digits that a DOUBLE
 * keeps (16777216 becomes 16777200). Empty where there is none.
 */
export async function widening(
  ask: Ask,
  databaseName: string,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const columns = await ask(
    `SET NAMES utf8mb4; SELECT table_name, column_name, is_nullable FROM information_schema.columns
     WHERE data_type = 'float' AND generation_expression IS NULL AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  const changes = tables.flatMap(table => {
    const own = columns.filter(([name]) => name === table);
    const list = own.map(
      ([, column = '', isNullable]) => `MODIFY ${identifier(column)} DOUBLE${isNullable === 'YES' ? '' : ' NOT NULL'}`,
    );
    return own.length === 0 ? [] : [`ALTER TABLE ${identifier(databaseName)}.${identifier(table)} ${list.join(', ')}`];
  });
  const lenient =
    "SET NAMES utf8mb4; SET SESSION sql_mode = '', foreign_key_checks = 0, check_constraint_checks = 0, system_versioning_alter_history = KEEP";
  return changes.length === 0 ? '' : `${lenient}; ${changes.join('; ')}`;
}

/** Writes the rows of tables to a file of SQL, with their history. */
export async function dump(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  databaseName: string,
  tables: readonly string[],
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const [[versioned] = []] = await ask(
    `SELECT COUNT(*) FROM information_schema.tables WHERE table_type = 'SYSTEM VERSIONED' AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  const history = versioned === '0' ? [] : ['--dump-history'];
  const args = [`--defaults-file=${options}`, ...usual, ...history, '--', databaseName, ...tables];
  await withFile(file, 'w', to => commands.run(tools.dump, args, { signal, to, alive: ask }));
}

/** Comments belong to nothing here. Line ends and zeros stay what they are. */
const faithful = ['--binary-mode', '--max-allowed-packet=1G', '--local-infile=0'];

/** Loads what {@link dump} wrote into tables of a database that are there. `first` are statements for the session. */
export async function load(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  database: string,
  first: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const args = [`--defaults-file=${options}`, ...faithful, `--init-command=${first}`, `--database=${database}`];
  await withFile(file, 'r', from => commands.run(tools.client, args, { signal, from, alive: ask }));
}
