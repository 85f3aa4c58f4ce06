import { join } from 'node:path';
import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';
import { definitionsOf, isStored, plainly, withoutFolders } from './definitions.ts';
import type { Wanted } from './journal.ts';
import { dropping, keysIn } from './keys.ts';
import { isThere, nameOf, type Part, viewsOf } from './parts.ts';
import { type Proofs, proofsOf } from './proofs.ts';
import { unrestorable } from './refusals.ts';
import { dump, type Session, widening } from './rows.ts';

/** A part as the snapshot holds it: what it is to be, what sums up its rows, and the views that cannot be made. */
export type Taken = Readonly<{ wanted: Wanted; proofs: Proofs; leftOut: readonly string[] }>;

/** Milliseconds that a change of columns may take on the copy. */
const patience = 3_600_000;

/** The settings of a database, as clauses. */
async function settingsOf(ask: Ask, name: string, signal: AbortSignal): Promise<string> {
  const [[set = '', collation = '', comment = ''] = []] = await ask(
    `SET NAMES utf8mb4; SELECT default_character_set_name, default_collation_name, schema_comment FROM information_schema.schemata WHERE schema_name = ${literal(name)}`,
    signal,
  );
  return `CHARACTER SET ${set} COLLATE ${collation} COMMENT ${quoted(comment)}`;
}

/** A text where the grammar takes nothing but a literal. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** What a part of a server is now, without its rows. `plain` is left to who needs it. */
export async function asItIs(ask: Ask, part: Part, signal: AbortSignal): Promise<Wanted> {
  const { databaseName, tableName } = part;
  const definitions = await definitionsOf(ask, part, signal);
  const keys = await keysIn(ask, databaseName, tableName, signal);
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT table_name, column_name, column_default FROM information_schema.columns
     WHERE column_default REGEXP '(nextval|lastval|setval)\\\\(' AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  const defaults = rows.flatMap(([table = '', column = '', text = '']) =>
    definitions.some(({ kind, name }) => kind === 'table' && name === table) ? [{ table, column, text }] : [],
  );
  const settings = (await isThere(ask, { databaseName }, signal)) ? await settingsOf(ask, databaseName, signal) : '';
  return { settings, definitions: [...definitions], plain: [], keys: [...keys], defaults };
}

/**
 * Takes a part out of a copy of the snapshot, which is thrown away after it: its definitions, the sums of its rows, and the rows
 * themselves in `file`. Throws where the snapshot does not have the part or it could not be restored exactly.
 */
export async function takeOut(
  workshop: Workshop,
  copy: Session,
  snapshot: string,
  part: Part,
  file: string,
  signal: AbortSignal,
): Promise<Taken> {
  const { ask } = copy;
  const { databaseName, tableName } = part;
  if (!(await isThere(ask, part, signal))) throw new Error(`${snapshot} has no ${nameOf(part)}`);
  await rollBackPrepared(ask, signal);
  const fault = await unrestorable(ask, part, signal);
  if (fault !== undefined) throw new Error(fault);
  const whole = await asItIs(ask, part, signal);
  const broken = (await viewsOf(ask, databaseName, signal)).filter(({ isBroken }) => isBroken).map(({ name }) => name);
  const leftOut = broken.filter(name => tableName === undefined || name === tableName);
  const definitions = whole.definitions.filter(({ kind, name }) => kind !== 'view' || !leftOut.includes(name));
  const unreadable = definitions.find(({ text }) => text === '');
  if (unreadable !== undefined) throw new Error(`The ${unreadable.kind} ${unreadable.name} of ${snapshot} is broken.`);
  const taken = await plainOf(ask, part, { ...whole, definitions }, signal);
  const tables = taken.plain.filter(({ kind }) => kind === 'table').map(({ name }) => name);
  const widened = await widening(ask, databaseName, tables, signal);
  const summing = proofsOf(ask, databaseName, taken.plain, signal);
  if (widened !== '') {
    await summing;
    await ask(widened, signal, patience);
  }
  const [proofs] = await Promise.all([
    summing,
    tables.length === 0 ? undefined : dump(workshop, copy, databaseName, tables, file, signal),
  ]);
  return { wanted: taken, proofs, leftOut };
}

/** Takes foreign keys and defaults that count off the tables of a copy, and reads how they are made without. */
async function plainOf(ask: Ask, part: Part, wanted: Wanted, signal: AbortSignal): Promise<Wanted> {
  const stored = wanted.definitions.filter(isStored);
  const changes = stored.flatMap(({ name }) => {
    const keys = wanted.keys.filter(({ table }) => table === name).map(key => dropping(key.name));
    const defaults = wanted.defaults
      .filter(({ table }) => table === name)
      .map(({ column }) => `ALTER ${identifier(column)} DROP DEFAULT`);
    const clauses = [...keys, ...defaults];
    return clauses.length === 0
      ? []
      : [`ALTER TABLE ${identifier(part.databaseName)}.${identifier(name)} ${clauses.join(', ')}`];
  });
  if (changes.length > 0) await ask(`${plainly}; SET SESSION foreign_key_checks = 0; ${changes.join('; ')}`, signal);
  const plain = (await definitionsOf(ask, part, signal)).filter(isStored).map(withoutFolders);
  return { ...wanted, plain };
}

/** A transaction that was prepared when the backup was made is not committed. It would hold its rows. */
async function rollBackPrepared(ask: Ask, signal: AbortSignal): Promise<void> {
  const prepared = await ask("XA RECOVER FORMAT = 'SQL'", signal);
  const statements = prepared.map(([, , , id = '']) => `XA ROLLBACK ${id}`);
  if (statements.length > 0) await ask(statements.join('; '), signal);
}

/** Where the rows that {@link takeOut} takes lie. */
export const fileOf = ({ places }: Workshop, id: string) => join(places.work, `${id}-rows.sql`);
