import { setTimeout as sleep } from 'node:timers/promises';
import { identifier } from '../servers/sql.ts';
import { leave, sentence, type Work } from './bring.ts';
import { definitionsOf, differences, isStored, making } from './definitions.ts';
import type { Journal, Wanted } from './journal.ts';
import { checkWhole, type Proofs, proofsOf } from './proofs.ts';
import { type Space, shortOf } from './refusals.ts';
import { load } from './rows.ts';
import { alone, askAlone, FullError } from './session.ts';
import type { Taken } from './wanted.ts';

/** Loads what was taken beside the target and verifies it. Throws, and nothing is left of it, where it is not what the snapshot holds. */
export async function loadBeside(
  work: Work,
  journal: Journal,
  { wanted, proofs, space }: Taken & { space: Space },
  file: string,
): Promise<void> {
  const { workshop, live, signal } = work;
  const { source, stamp } = journal;
  try {
    const tables = wanted.plain.filter(({ kind }) => kind !== 'union');
    const statements = tables.flatMap(definition => [
      making(definition),
      ...stateOf(definition.kind, source, definition.name, proofs),
    ]);
    await askAlone(live, stamp)(
      [
        `CREATE DATABASE ${identifier(source)} COMMENT 'What a restore loads'`,
        `USE ${identifier(source)}`,
        ...statements,
      ].join('; '),
      signal,
    );
    if (tables.some(({ kind }) => kind === 'table'))
      await whileThereIsRoom(space, signal, watched => load(workshop, live, source, alone(stamp), file, watched));
    const made = (await definitionsOf(live.ask, { databaseName: source }, signal)).filter(isStored);
    const [found] = await Promise.all([
      proofsOf(live.ask, source, made, signal),
      checkWhole(live.ask, source, made, signal),
    ]);
    const differing = [
      ...differencesOf(tables, made),
      ...[...proofs].flatMap(([name, proof]) => (found.get(name) === proof ? [] : [`rows of ${name}`])),
    ];
    if (differing.length > 0) throw new Error(`These did not come out as in the snapshot: ${differing.join(', ')}.`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FullError) throw error;
    await leave(work, journal, false);
    throw new Error(`${sentence(error)} Nothing was changed.`, { cause: error });
  }
}

/** Compares to the letter: a counter counts here, since nobody has counted on yet. */
function differencesOf(wanted: Wanted['plain'], found: Wanted['plain']): readonly string[] {
  const texts = new Map(found.map(({ name, text }) => [name, text]));
  return [
    ...differences(wanted, found),
    ...wanted.flatMap(({ name, text }) => (texts.get(name) === text ? [] : [`definition of ${name}`])),
  ];
}

/** A sequence goes on where it was. */
function stateOf(kind: string, database: string, name: string, proofs: Proofs): readonly string[] {
  return kind === 'sequence'
    ? [
        `INSERT INTO ${identifier(database)}.${identifier(name)} VALUES (${proofs.get(name)?.trim().replaceAll(' ', ', ')})`,
      ]
    : [];
}

/** Milliseconds between two looks at the disk. */
const look = 100;

/** A server whose disk is full stands still: the load is stopped before that. */
async function whileThereIsRoom(
  space: Space,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const full = new AbortController();
  const ended = new AbortController();
  const watch = async () => {
    for (;;) {
      await sleep(look, undefined, { signal: ended.signal });
      const short = await shortOf({ ...space, bytes: space.bytes / 11 });
      if (short !== undefined) full.abort(new Error(`The load was stopped, since ${short}: make room.`));
    }
  };
  const watching = watch().catch(() => undefined);
  try {
    await work(AbortSignal.any([signal, full.signal]));
  } catch (error) {
    full.signal.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
    await watching;
  }
}
