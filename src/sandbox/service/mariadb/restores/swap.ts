import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswer } from '../programs/causes.ts';
import type { Live } from '../servers/lives.ts';
import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';
import { type Definition, making, renamedTrigger } from './definitions.ts';
import { holdersOf } from './holders.ts';
import { begin, type Journal, replaced, reserved } from './journal.ts';
import { nameOf } from './parts.ts';
import { askAlone, endEarlier, FullError, isGone, isHeld } from './session.ts';

/** A restore that nobody but the holders of a lock keeps from its end. */
export class HeldError extends Error {}

const at = (database: string, name: string) => `${identifier(database)}.${identifier(name)}`;

/** Which of these names a database has. */
async function present(
  ask: Ask,
  database: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT table_name FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name IN (${names.map(literal).join(', ')})`,
    signal,
  );
  return new Set(rows.flat());
}

/** The triggers of a part's tables with the reserved names under which they work until they have their own. */
export function triggersOf(journal: Journal): readonly Readonly<{ trigger: Definition; interim: string }>[] {
  return journal.wanted.definitions
    .filter(({ kind }) => kind === 'trigger')
    .map((trigger, index) => ({ trigger, interim: reserved(journal, 't', index) }));
}

/**
 * Brings the tables of the source to the target, under reserved names and as they will be but for foreign keys. Their triggers have
 * reserved names, too, so that those of the tables there need not be dropped: at each moment every table has its triggers.
 */
export async function place(live: Live, journal: Journal, signal: AbortSignal): Promise<void> {
  const { part, source, wanted, changes } = journal;
  const target = part.databaseName;
  const ask = askAlone(live, journal.stamp);
  const comings = changes.flatMap(({ name, coming }) =>
    coming === undefined ? [] : [{ name, coming, plain: wanted.plain.find(one => one.name === name) }],
  );
  const moved = comings
    .filter(({ plain }) => plain?.kind !== 'union')
    .map(({ name, coming }) => `${at(source, name)} TO ${at(target, coming)}`);
  const unions = comings.flatMap(({ name, coming, plain }) =>
    plain?.kind === 'union'
      ? [
          making(
            plain,
            plain.text.replace(`CREATE TABLE ${identifier(name)}`, () => `CREATE TABLE ${identifier(coming)}`),
          ),
        ]
      : [],
  );
  const named = new Map(comings.map(({ name, coming }) => [name, coming]));
  const defaults = wanted.defaults.map(
    ({ table, column, text }) =>
      `ALTER TABLE ${at(target, named.get(table) ?? table)} ALTER ${identifier(column)} SET DEFAULT ${text}`,
  );
  await ask(
    [
      `CREATE DATABASE IF NOT EXISTS ${identifier(target)} ${wanted.settings}`,
      `CREATE DATABASE IF NOT EXISTS ${identifier(replaced(journal))} COMMENT 'What a restore has replaced'`,
      ...(moved.length === 0 ? [] : [`RENAME TABLE ${moved.join(', ')}`]),
      `USE ${identifier(target)}`,
      ...unions,
      ...defaults,
    ].join('; '),
    signal,
  );
  const triggers = triggersOf(journal);
  if (triggers.length === 0) return;
  const made = triggers.map(({ trigger, interim }) =>
    making(trigger, renamedTrigger(trigger, interim, named.get(trigger.table) ?? trigger.table)),
  );
  await ask([`USE ${identifier(target)}`, ...made].join('; '), signal);
}

/** So often the exchange is tried, with a pause in milliseconds in which those who waited behind it go on. */
const tries = 3;
const pause = 1_000;

/** Gives all tables of the part their names in one statement. Throws {@link HeldError} where somebody holds one of them for too long. */
export async function exchange(live: Live, journal: Journal, signal: AbortSignal): Promise<void> {
  const { part, changes } = journal;
  const target = part.databaseName;
  const renames = changes.flatMap(({ name, coming, going }) => [
    ...(going === undefined ? [] : [`${at(target, name)} TO ${at(target, going)}`]),
    ...(coming === undefined || coming === name ? [] : [`${at(target, coming)} TO ${at(target, name)}`]),
  ]);
  if (renames.length === 0) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await askAlone(live, journal.stamp)(`RENAME TABLE ${renames.join(', ')}`, signal);
      return;
    } catch (error) {
      if (error instanceof FullError) throw error;
      // Its end may be what was lost, and not the statement.
      if (await hasExchanged(live, journal, signal)) return;
      if (!isHeld(error)) throw error;
      if (attempt === tries)
        throw new HeldError(
          `Somebody has held the ${nameOf(part)} for too long: ${await holdersOf(live.ask, signal)}.`,
          { cause: error },
        );
      await sleep(pause, undefined, { signal });
    }
  }
}

/** Whether the exchange was made: it is one statement, which is done or not. */
export async function hasExchanged(
  live: Live,
  { stamp, part, changes }: Journal,
  signal: AbortSignal,
): Promise<boolean> {
  await endEarlier(live, stamp, signal);
  const ask = askAlone(live, stamp);
  const comings = changes.flatMap(({ name, coming }) => (coming === undefined || coming === name ? [] : [coming]));
  if (comings.length > 0) return (await present(ask, part.databaseName, comings, signal)).size === 0;
  const goings = changes.flatMap(({ going }) => going ?? []);
  return (await present(ask, part.databaseName, goings, signal)).size > 0;
}

/** Takes back what {@link place} did: the tables are in their source again, and nothing is left in the target. */
export async function takeAway(live: Live, journal: Journal, signal: AbortSignal): Promise<void> {
  const { stamp, part, source, changes, wanted } = journal;
  const target = part.databaseName;
  await endEarlier(live, stamp, signal);
  const ask = askAlone(live, stamp);
  const comings = changes.flatMap(({ name, coming }) => (coming === undefined ? [] : [{ name, coming }]));
  const [there, here] = [
    await present(
      ask,
      target,
      comings.map(({ coming }) => coming),
      signal,
    ),
    await present(
      ask,
      source,
      comings.map(({ name }) => name),
      signal,
    ),
  ];
  const isUnion = (name: string) => wanted.plain.some(one => one.name === name && one.kind === 'union');
  // A sequence that stands there under its own name is not ours while the source still has it.
  const moved = comings.filter(({ name, coming }) => there.has(coming) && !isUnion(name) && !here.has(name));
  const unions = comings.filter(({ name, coming }) => there.has(coming) && isUnion(name));
  await ask(
    [
      ...(there.size === 0 ? [] : triggersOf(journal)).map(
        ({ interim }) => `DROP TRIGGER IF EXISTS ${at(target, interim)}`,
      ),
      ...unions.map(({ coming }) => `DROP TABLE ${at(target, coming)}`),
      ...(moved.length === 0
        ? []
        : [
            // Somebody may have removed it.
            `CREATE DATABASE IF NOT EXISTS ${identifier(source)}`,

            `RENAME TABLE ${moved.map(({ name, coming }) => `${at(target, coming)} TO ${at(source, name)}`).join(', ')}`,
          ]),
      `DROP DATABASE IF EXISTS ${identifier(replaced(journal))}`,
    ].join('; '),
    signal,
  );
  if (journal.makesTarget) await dropEmpty(ask, target, signal);
}

/** Removes a database in which nothing is. */
async function dropEmpty(ask: Ask, database: string, signal: AbortSignal): Promise<void> {
  const name = literal(database);
  const rows = await ask(
    `SELECT 1 FROM information_schema.tables WHERE table_schema = ${name} UNION ALL SELECT 1 FROM information_schema.routines WHERE routine_schema = ${name}
     UNION ALL SELECT 1 FROM information_schema.events WHERE event_schema = ${name}`,
    signal,
  );
  if (rows.length === 0) await ask(`DROP DATABASE IF EXISTS ${identifier(database)}`, signal);
}

/** A rename that failed since the files of a table are not there or cannot be read, by the engine's own number. */
const withoutFiles = /^ERROR (7|1025) .*\((errno|Errcode): (2|126|127|130|144|145|155|194)\b/s;

/**
 * The tables that are to go and cannot even be renamed, since their files are damaged. They will be removed, so the engine
 * has to say so of the attempt, or the server's own check: an attempt alone also fails where the server has just ended, or a
 * right is missing. The check alone calls a table well whose pages are in memory still.
 */
async function damagedOf(
  live: Live,
  { stamp, part, changes }: Journal,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const damaged: string[] = [];
  const ask = askAlone(live, stamp);
  for (const { name, going } of changes) {
    if (going === undefined) continue;
    const [from, to] = [at(part.databaseName, name), at(part.databaseName, going)];
    try {
      await ask(`RENAME TABLE ${from} TO ${to}, ${to} TO ${from}`, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAnswer(error)) throw error;
      const told = error instanceof Error ? error.message : '';
      if (isHeld(error)) continue;
      const found = await ask(`CHECK TABLE ${from} QUICK`, signal);
      // It may be another lock that it waits for, or a right that it lacks.
      const isWrong = ([, , type = '', words = '']: readonly string[]) =>
        /^error$/i.test(type) && !/timeout|denied/i.test(words);
      if (withoutFiles.test(told) || found.some(isWrong)) damaged.push(name);
    }
  }
  return damaged;
}

/** Writes down and makes the exchange. */
export async function swap(
  workshop: Workshop,
  live: Live,
  id: string,
  journal: Journal,
  signal: AbortSignal,
): Promise<Journal> {
  const placing = await begin(workshop, id, journal, 'placing');
  await place(live, placing, signal);
  let exchanging = await begin(workshop, id, placing, 'exchanging');
  try {
    await exchange(live, exchanging, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HeldError || error instanceof FullError || isGone(error)) throw error;
    const lost = await damagedOf(live, exchanging, signal);
    if (lost.length === 0) throw error;
    const changes = exchanging.changes.map(change =>
      lost.includes(change.name) ? { ...change, going: undefined } : change,
    );
    exchanging = await begin(workshop, id, { ...exchanging, changes, lost: [...lost] }, 'exchanging');
    const drop = lost.map(name => `DROP TABLE IF EXISTS ${at(exchanging.part.databaseName, name)}`);
    // It may fail and have removed some files, and then succeeds.
    for (const statement of [...drop, ...drop])
      await askAlone(live, journal.stamp)(statement, signal).catch(() => signal.throwIfAborted());
    await exchange(live, exchanging, signal);
  }
  return begin(workshop, id, exchanging, 'keys');
}
