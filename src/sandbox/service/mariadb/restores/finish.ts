import { setTimeout as sleep } from 'node:timers/promises';
import type { Live } from '../servers/lives.ts';
import { type Ask, identifier, literal } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';
import { type Definition, definitionsOf, differences, replacing } from './definitions.ts';
import { begin, type Change, type Journal, replaced, reserved, type Step } from './journal.ts';
import { adding, dropping, type Key, keysIn, keysTo, orphansOf } from './keys.ts';
import { inOrder } from './parts.ts';
import { askAlone, endEarlier, isHeld } from './session.ts';
import { triggersOf } from './swap.ts';

/*
 * What follows on the exchange. Each step can be made again and does only what is left of it, so that a restore that was cut off is
 * brought to its end.
 */

const at = (database: string, name: string) => `${identifier(database)}.${identifier(name)}`;

type Work = Readonly<{ live: Live; ask: Ask; journal: Journal; signal: AbortSignal }>;

/** The steps with their work, in their order. Each gives sentences for people. */
const steps: readonly (readonly [Step, (work: Work) => Promise<readonly string[]>])[] = [
  ['keys', pointAnew],
  ['triggers', nameTriggers],
  ['moving', moveAway],
  ['definitions', define],
  ['tidying', tidy],
];

/** So often a step that meets a lock is tried, with a pause in milliseconds. After that it is left for later. */
const tries = 5;
const pause = 1_000;

/** Brings a restore whose exchange was made to its end. Gives what people have to know of it. */
export async function finish(
  workshop: Workshop,
  live: Live,
  id: string,
  begun: Journal,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await endEarlier(live, begun.stamp, signal);
  const ask = askAlone(live, begun.stamp);
  let journal = begun;
  if (journal.step === 'exchanging' || journal.step === 'keys') {
    const found = await outsideOf(ask, journal, signal);
    journal = await begin(workshop, id, { ...journal, outside: [...journal.outside, ...found] }, 'keys');
  }
  const first = steps.findIndex(([step]) => step === journal.step);
  const told: string[] = [];
  for (const [step, work] of steps.slice(Math.max(first, 0))) {
    if (step !== journal.step) journal = await begin(workshop, id, journal, step);
    told.push(...(await insistently(() => work({ live, ask, journal, signal }), signal)));
  }
  return told;
}

async function insistently<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isHeld(error)) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
}

const goings = ({ changes }: Journal) =>
  changes.filter((change): change is Change & { going: string } => change.going !== undefined);

/** The keys of other tables that point to the tables that went, as they shall point. */
async function outsideOf(ask: Ask, journal: Journal, signal: AbortSignal): Promise<readonly Key[]> {
  const { part } = journal;
  const gone = new Map(goings(journal).map(({ name, going }) => [going, name]));
  const [[count = '0'] = []] = await ask(
    `SELECT COUNT(*) FROM information_schema.innodb_sys_foreign WHERE ref_name LIKE ${literal(`%/dolly\\_${journal.stamp.replaceAll('_', '\\_')}\\_o%`)}`,
    signal,
  );
  if (count === '0') return [];
  const found = await keysTo(ask, part.databaseName, [...gone.keys()], signal);
  const isKnown = (key: Key) =>
    journal.outside.some(
      ({ database, table, name }) => database === key.database && table === key.table && name === key.name,
    );
  return found
    .filter(key => !(key.database === part.databaseName && gone.has(key.table)) && !isKnown(key))
    .map(key => ({ ...key, toTable: gone.get(key.toTable) ?? key.toTable }));
}

/**
 * Keys of other tables point to what came, by definition alone: they get a reserved name first, since a statement cannot take away and
 * add one of the same name, and there shall be one at each moment. Then the keys of the part itself.
 */
async function pointAnew({ ask, journal, signal }: Work): Promise<readonly string[]> {
  const { part, outside, wanted } = journal;
  const old = new Set(goings(journal).map(({ going }) => going));
  for (const [index, key] of outside.entries()) {
    const interim = reserved(journal, 'k', index);
    const table = `ALTER TABLE ${at(key.database, key.table)}`;
    const find = async (name: string) =>
      (await keysIn(ask, key.database, key.table, signal)).find(one => one.name === name);
    const before = await find(key.name);
    if (before !== undefined && before.toDatabase === part.databaseName && old.has(before.toTable))
      await ask(`${table} ${dropping(key.name)}, ${adding(key, interim)}, ALGORITHM=INSTANT`, signal);
    if ((await find(interim)) !== undefined)
      await ask(`${table} ${dropping(interim)}, ${adding(key)}, ALGORITHM=INSTANT`, signal);
  }
  const there = await keysIn(ask, part.databaseName, undefined, signal);
  const taken = goings(journal).flatMap(({ going }) => {
    const own = there.filter(({ table }) => table === going);
    return own.length === 0
      ? []
      : [`ALTER TABLE ${at(part.databaseName, going)} ${own.map(({ name }) => dropping(name)).join(', ')}`];
  });
  const missing = wanted.keys.filter(key => !there.some(({ table, name }) => table === key.table && name === key.name));
  const given = [...new Set(missing.map(({ table }) => table))].map(
    table =>
      `ALTER TABLE ${at(part.databaseName, table)} ${missing
        .filter(key => key.table === table)
        .map(key => adding(key))
        .join(', ')}`,
  );
  const statements = [...taken, ...given];
  if (statements.length > 0) await ask(statements.join('; '), signal);
  const pointed = outside.map(
    ({ database, table, name }) => `The foreign key ${name} of ${database}.${table} was pointed anew.`,
  );
  // Whether the server shows those that point nowhere, nobody needs to wait for.
  const leaving = wanted.keys.filter(
    ({ toDatabase, toTable }) =>
      part.tableName !== undefined ||
      toDatabase !== part.databaseName ||
      !wanted.plain.some(({ name }) => name === toTable),
  );
  const orphans = await orphansOf(ask, [...outside, ...leaving], signal).catch(() => []);
  return [...pointed, ...orphans];
}

/** Why nobody writes to a table whose server ended while its triggers got their names. */
const refused = 'A restore of this table is being finished: try again in a moment.';

/**
 * The triggers get their own names. Nobody can write to a table meanwhile, and the end of the service ends no statement. Where the
 * server itself ends, the lock is gone: so triggers that refuse stand there until all have their names.
 */
async function nameTriggers({ ask, journal, signal }: Work): Promise<readonly string[]> {
  const { part, changes } = journal;
  const target = part.databaseName;
  const rows = await ask(
    `SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE trigger_schema = ${literal(target)}`,
    signal,
  );
  const triggers = triggersOf(journal);
  for (const [index, { name, coming, going }] of changes.entries()) {
    const old = rows.filter(([, table]) => table === going).map(([trigger = '']) => trigger);
    const own = coming === undefined ? [] : triggers.filter(({ trigger }) => trigger.table === name);
    const refusing = ['INSERT', 'UPDATE', 'DELETE'].map((event, at) => ({
      event,
      trigger: reserved(journal, 'b', 3 * index + at),
    }));
    const passing = [...own.map(({ interim }) => interim), ...refusing.map(({ trigger }) => trigger)];
    const isNamed = !rows.some(([trigger = '']) => passing.includes(trigger));
    if (old.length === 0 && isNamed) continue;
    const locked = [...(coming === undefined ? [] : [name]), ...(going !== undefined && old.length > 0 ? [going] : [])];
    const drop = (trigger: string) => `DROP TRIGGER IF EXISTS ${at(target, trigger)}`;
    const statements = [
      ...(own.length === 0 ? [] : refusing).map(({ event, trigger }) => {
        const text = `CREATE OR REPLACE TRIGGER ${at(target, trigger)} BEFORE ${event} ON ${at(target, name)} FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${refused}'`;
        return `EXECUTE IMMEDIATE ${literal(text)}`;
      }),
      ...[...old, ...own.map(({ interim }) => interim)].map(drop),
      ...own.map(({ trigger }) => replacing(trigger)),
      ...(own.length === 0 ? [] : refusing).map(({ trigger }) => drop(trigger)),
    ];
    await ask(
      [
        `USE ${identifier(target)}`,
        `LOCK TABLES ${locked.map(table => `${at(target, table)} WRITE`).join(', ')}`,
        `${compound(statements)}UNLOCK TABLES`,
      ].join(';\n'),
      signal,
    );
  }
  return [];
}

/** Statements as one, which the server carries out to its end whatever becomes of the client. */
function compound(statements: readonly string[]): string {
  return `DELIMITER //\nBEGIN NOT ATOMIC ${statements.join('; ')}; END //\nDELIMITER ;\n`;
}

/** What went is put into a database of its own. Views that went are gone: {@link Journal.before} has them. */
async function moveAway({ ask, journal, signal }: Work): Promise<readonly string[]> {
  const target = journal.part.databaseName;
  const rows = await ask(
    `SET NAMES utf8mb4; SELECT table_name FROM information_schema.tables WHERE table_schema = ${literal(target)}`,
    signal,
  );
  const there = new Set(rows.flat());
  const left = goings(journal).filter(({ going }) => there.has(going));
  const tables = left
    .filter(({ isView }) => !isView)
    .map(({ name, going }) => `${at(target, going)} TO ${at(replaced(journal), name)}`);
  const views = left.filter(({ isView }) => isView).map(({ going }) => at(target, going));
  const statements = [
    ...(tables.length === 0 ? [] : [`RENAME TABLE ${tables.join(', ')}`]),
    ...(views.length === 0 ? [] : [`DROP VIEW ${views.join(', ')}`]),
  ];
  if (statements.length > 0) await ask(statements.join('; '), signal);
  return [];
}

const code = ['function', 'procedure', 'package', 'package body'];

/** Routines, views and events are replaced where they are, which keeps their grants. What cannot be made is told. */
async function define({ ask, journal, signal }: Work): Promise<readonly string[]> {
  const { part, wanted } = journal;
  const target = part.databaseName;
  const there = await definitionsOf(ask, part, signal);
  const isWanted = ({ kind, name }: Definition) =>
    wanted.definitions.some(one => one.kind === kind && one.name === name);
  const gone = there.filter(definition => !isStoredOrTrigger(definition) && !isWanted(definition)).toReversed();
  const views = wanted.definitions.filter(({ kind }) => kind === 'view');
  const order = inOrder(
    views.map(({ name, text }) => ({ name, text, isBroken: false })),
    target,
  );
  const made = [
    ...wanted.definitions.filter(({ kind }) => code.includes(kind)),
    ...order.flatMap(name => views.filter(view => view.name === name)),
    ...wanted.definitions.filter(({ kind }) => kind === 'event'),
  ].filter(
    definition =>
      differences(
        [definition],
        there.filter(({ kind, name }) => kind === definition.kind && name === definition.name),
      ).length > 0,
  );
  await ask(
    [
      ...(part.tableName === undefined ? [`ALTER DATABASE ${identifier(target)} ${wanted.settings}`] : []),
      ...gone.map(({ kind, name }) => `DROP ${kind} IF EXISTS ${at(target, name)}`),
    ].join('; '),
    signal,
  );
  const told: string[] = [];
  for (const definition of made) {
    try {
      await ask(`USE ${identifier(target)}; ${replacing(definition)}`, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isHeld(error)) throw error;
      told.push(
        `The ${definition.kind} ${definition.name} could not be made: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  return told;
}

const isStoredOrTrigger = ({ kind }: Definition) => ['table', 'union', 'sequence', 'trigger'].includes(kind);

/** The database that the tables came from is empty. Says what differs from what was wanted. */
async function tidy({ ask, journal, signal }: Work): Promise<readonly string[]> {
  const { part, source, wanted } = journal;
  await ask(`DROP DATABASE IF EXISTS ${identifier(source)}`, signal);
  const differing = differences(wanted.definitions, await definitionsOf(ask, part, signal));
  return differing.length === 0 ? [] : [`These are not as they were: ${differing.join(', ')}.`];
}
