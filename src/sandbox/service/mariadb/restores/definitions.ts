import { z } from 'zod';
import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Part } from './parts.ts';

const kinds = [
  'table',
  'union',
  'sequence',
  'view',
  'trigger',
  'function',
  'procedure',
  'package',
  'package body',
  'event',
] as const;

/** One object of a database, with the statement that makes it and the settings that the statement has to be read with. */
export const Definition = z.object({
  kind: z.enum(kinds),
  name: z.string(),
  /** The table of a trigger; empty for all else. */
  table: z.string(),
  text: z.string(),
  mode: z.string(),
  client: z.string(),
  collation: z.string(),
  zone: z.string(),
});
export type Definition = z.output<typeof Definition>;
type Kind = Definition['kind'];

/** The settings of a session that reads or writes definitions: they say the same on every server then. */
export const plainly = "SET NAMES utf8mb4; SET SESSION sql_mode = '', sql_quote_show_create = 1, time_zone = '+00:00'";

/** Whether an object holds rows or a state of its own, which a swap has to carry. */
export const isStored = ({ kind }: Pick<Definition, 'kind'>) =>
  kind === 'table' || kind === 'union' || kind === 'sequence';

const kindOfTable: Readonly<Record<string, Kind>> = { SEQUENCE: 'sequence', VIEW: 'view' };

/** How all that a part consists of is defined, in an order in which it can be made but for views. */
export async function definitionsOf(
  ask: Ask,
  { databaseName, tableName }: Part,
  signal: AbortSignal,
): Promise<readonly Definition[]> {
  const database = literal(databaseName);
  const listed = await ask(
    `${plainly};
     SELECT table_type, table_name, IFNULL(engine, '') FROM information_schema.tables WHERE table_schema = ${database} AND table_type <> 'TEMPORARY';
     SELECT 'trigger', trigger_name, event_object_table FROM information_schema.triggers WHERE trigger_schema = ${database}
     ORDER BY event_object_table, action_timing, event_manipulation, action_order;
     SELECT LOWER(routine_type), routine_name, '' FROM information_schema.routines WHERE routine_schema = ${database} ORDER BY routine_type;
     SELECT 'event', event_name, '' FROM information_schema.events WHERE event_schema = ${database}`,
    signal,
  );
  const found = listed.flatMap(([type = '', name = '', more = '']) => {
    const kind =
      kinds.find(word => word === type) ?? (more === 'MRG_MyISAM' ? 'union' : (kindOfTable[type] ?? 'table'));
    const table = kind === 'trigger' ? more : '';
    const isMeant = tableName === undefined || (isOfTable(kind) && tableName === (table || name));
    return isMeant ? [{ kind, name, table }] : [];
  });
  if (found.length === 0) return [];
  const statements = found.map(
    ({ kind, name }) =>
      `SHOW CREATE ${kind === 'union' ? 'TABLE' : kind} ${identifier(databaseName)}.${identifier(name)}`,
  );
  const shown = await ask(`${plainly}; ${statements.join('; ')}`, signal).catch(async () => {
    signal.throwIfAborted();
    const rows: (readonly string[])[] = [];
    // Of an object that is broken nobody can read how it is defined: its text is empty.
    for (const statement of statements)
      rows.push((await ask(`${plainly}; ${statement}`, signal).catch(() => []))[0] ?? []);
    return rows;
  });
  if (shown.length !== found.length) throw new Error(`Not all definitions of ${databaseName} can be read.`);
  return found.map((object, at) => ({ ...object, ...shownAs(object.kind, shown[at] ?? []) }));
}

const isOfTable = (kind: Kind) => kind === 'view' || kind === 'trigger' || isStored({ kind });

type Settings = Omit<Definition, 'kind' | 'name' | 'table'>;

/** The columns of SHOW CREATE differ by kind. */
function shownAs(kind: Kind, row: readonly string[]): Settings {
  const usual = { mode: '', client: 'utf8mb4', collation: 'utf8mb4_general_ci', zone: '+00:00' };
  if (isStored({ kind })) return { ...usual, text: row[1] ?? '' };
  if (kind === 'view') return { ...usual, text: row[1] ?? '', client: row[2] ?? '', collation: row[3] ?? '' };
  const [, mode = '', ...rest] = row;
  const [zone = '', text = '', client = '', collation = ''] = kind === 'event' ? rest : ['+00:00', ...rest];
  if (text === 'NULL')
    throw new Error(`The account may not see how the ${kind} ${row[0]} is defined (SELECT on mysql.proc).`);
  return { text, mode, client, collation, zone };
}

/** Statements that make an object in the session's database, by `text` where it is not to be made as it was. */
export function making({ mode, client, collation, zone, text }: Definition, as = text): string {
  return [
    `SET SESSION sql_mode = ${literal(mode)}, character_set_client = ${client}, collation_connection = ${collation}, time_zone = ${literal(zone)}`,
    // As a value it is taken letter for letter, comments included, and read in the character set that it was written in.
    `EXECUTE IMMEDIATE ${literal(as)}`,
    plainly,
  ].join('; ');
}

/** As {@link making}, in place of one that may be there: it keeps its grants. */
export function replacing(definition: Definition): string {
  return making(definition, definition.text.replace(/^CREATE /, 'CREATE OR REPLACE '));
}

const folder = / (?:DATA|INDEX) DIRECTORY ?= ?'(?:[^'\\]|\\.|'')*'/g;

/** How a table is made in the data directory, wherever its files lay: the folder may be another one now, or another server's. */
export const withoutFolders = (definition: Definition): Definition => ({
  ...definition,
  text: definition.text.replace(folder, ''),
});

/** What differs between two readings, by kind and name, for people. How far a counter is does not count: others count on. */
export function differences(wanted: readonly Definition[], found: readonly Definition[]): readonly string[] {
  const [one, other] = [wanted, found].map(
    definitions =>
      new Map(definitions.map(definition => [`${definition.kind} ${definition.name}`, essence(definition)])),
  );
  return [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].filter(
    name => one?.get(name) !== other?.get(name),
  );
}

function essence({ text, table, mode, client, collation, zone }: Definition): string {
  return JSON.stringify([
    text.replace(/^(\) ENGINE=\w+) AUTO_INCREMENT=\d+/m, '$1').replace(folder, ''),
    table,
    mode,
    client,
    collation,
    zone,
  ]);
}

const word = '(?:`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^\\s`".]+)';
const qualified = `${word}(?:\\s*\\.\\s*${word})?`;
const head = new RegExp(
  `^(CREATE DEFINER=${word}@${word} TRIGGER\\s+)(?:IF\\s+NOT\\s+EXISTS\\s+)?${qualified}(\\s+(?:BEFORE|AFTER)\\s+\\w+\\s+ON\\s+)${qualified}(?=\\s)`,
  'i',
);

/** A trigger's statement with other names for the trigger and its table. @throws Error where a comment stands between those */
export function renamedTrigger({ text, name }: Definition, trigger: string, table: string): string {
  if (!head.test(text))
    throw new Error(`The trigger ${name} has a comment before its body, and cannot be made under another name.`);
  return text.replace(
    head,
    (_, create: string, on: string) => `${create}${identifier(trigger)}${on}${identifier(table)}`,
  );
}
