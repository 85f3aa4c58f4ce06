import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Definition } from './definitions.ts';

/** What sums up the rows of each table, or tells how far a sequence is, by its name. */
export type Proofs = ReadonlyMap<string, string>;

/** Milliseconds that reading all rows may take. */
const patience = 3_600_000;

const kept = ['table', 'sequence'];

/** The types whose values have a length of their own. CHECKSUM takes ('ab', 'c') for ('a', 'bc'). */
const long = /char|text|blob|binary|json|geometry|point|linestring|polygon/;

/**
 * Sums up every row, with history. The checksum of the server has 32 bits, is blind to lengths, and differs for equal rows of MyISAM's fixed
 * format, whose columns are summed up one by one instead.
 */
export async function proofsOf(
  ask: Ask,
  database: string,
  definitions: readonly Definition[],
  signal: AbortSignal,
): Promise<Proofs> {
  const wanted = definitions.filter(({ kind }) => kept.includes(kind));
  if (wanted.length === 0) return new Map();
  const columns = await ask(
    `SET NAMES utf8mb4; SELECT table_name, column_name, data_type, table_type, CONCAT(IFNULL(engine, ''), ' ', IFNULL(row_format, ''))
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = ${literal(database)}
     ORDER BY table_name, ordinal_position`,
    signal,
  );
  const statements = wanted.map(({ kind, name }) => {
    const at = `${identifier(database)}.${identifier(name)}`;
    if (kind === 'sequence')
      return `SELECT CONCAT_WS(' ', next_not_cached_value, minimum_value, maximum_value, start_value, increment, cache_size, cycle_option, cycle_count) FROM ${at}`;
    const own = columns.filter(([table]) => table === name);
    const [[, , , type = '', format = ''] = []] = own;
    const isFixed = format === 'MyISAM Fixed';
    const sums = own.flatMap(([, column = '', data = '']) => {
      const named = identifier(column);
      if (isFixed) return [`SUM(CRC32(CONCAT(${data === 'float' ? `CAST(${named} AS DOUBLE)` : named})))`];
      return long.test(data) ? [`SUM(LENGTH(${named}))`] : [];
    });
    const history = type === 'SYSTEM VERSIONED' ? ' FOR SYSTEM_TIME ALL' : '';
    const counts = `SELECT CONCAT_WS(' ', ${['COUNT(*)', ...sums.map(sum => `IFNULL(${sum}, '-')`)].join(', ')}) FROM ${at}${history}`;
    return isFixed ? counts : `${counts}; CHECKSUM TABLE ${at} EXTENDED`;
  });
  const rows = await ask(
    `SET NAMES utf8mb4; SET SESSION time_zone = '+00:00'; ${statements.join('; ')}`,
    signal,
    patience,
  );
  let at = 0;
  return new Map(
    wanted.map(({ name }, index) => {
      const [[counts = ''] = []] = [rows[at++]];
      const [, sum = ''] = statements[index]?.includes('CHECKSUM TABLE') ? (rows[at++] ?? []) : [];
      if (sum === 'NULL') throw new Error(`The table ${database}.${name} cannot be summed up.`);
      return [name, `${counts} ${sum}`];
    }),
  );
}

/** Throws where a table of a database is not whole, or an index over words does not find. */
export async function checkWhole(
  ask: Ask,
  database: string,
  definitions: readonly Definition[],
  signal: AbortSignal,
): Promise<void> {
  const tables = definitions
    .filter(({ kind }) => kind === 'table')
    .map(({ name }) => `${identifier(database)}.${identifier(name)}`);
  if (tables.length === 0) return;
  const rows = await ask(`SET NAMES utf8mb4; CHECK TABLE ${tables.join(', ')} EXTENDED`, signal, patience);
  for (const [table = '', , type = '', words = ''] of rows)
    if (type === 'error' || type === 'Error' || (type === 'status' && words !== 'OK'))
      throw new Error(`CHECK TABLE ${table}: ${words}.`);
  const indexes = await ask(
    `SET NAMES utf8mb4; SELECT table_name, GROUP_CONCAT(CONCAT('\`', REPLACE(column_name, '\`', '\`\`'), '\`') ORDER BY seq_in_index) FROM information_schema.statistics
     WHERE index_type = 'FULLTEXT' AND table_schema = ${literal(database)} GROUP BY table_name, index_name`,
    signal,
  );
  const finds = indexes.map(
    ([table = '', columns = '']) =>
      `SELECT COUNT(*) FROM ${identifier(database)}.${identifier(table)} WHERE MATCH (${columns}) AGAINST ('dolly' IN BOOLEAN MODE)`,
  );
  if (finds.length > 0) await ask(`SET NAMES utf8mb4; ${finds.join('; ')}`, signal, patience);
}
