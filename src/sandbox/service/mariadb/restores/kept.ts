import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { liveOf } from '../servers/lives.ts';
import { identifier, literal } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';
import { Wanted, writeWhole } from './journal.ts';
import { nameOf, Part } from './parts.ts';

/** A database of a live server that holds a part as it was, or as it would be, for a while. */
const Kept = z.object({ server: z.string(), database: z.string(), part: Part, wanted: Wanted, until: z.number() });
export type Kept = z.output<typeof Kept>;

/** Milliseconds for which it is kept. */
const lasts = 86_400_000;

const fileOf = ({ places }: Workshop, server: string, database: string) =>
  join(places.kept, `${server}.${database}.json`);

/** Keeps a database of a server for a day. Gives the sentence that says so. */
export async function keep(workshop: Workshop, kept: Omit<Kept, 'until'>, what: string): Promise<string> {
  const until = workshop.clock.now() + lasts;
  await writeWhole(fileOf(workshop, kept.server, kept.database), { ...kept, until });
  return `${what} ${nameOf(kept.part)} is kept in the database ${kept.database} until ${new Date(until).toISOString()}: to bring it in, restore the database ${kept.database}.`;
}

/** What is kept under this name on a server; undefined where nothing is. */
export async function keptAs(workshop: Workshop, server: string, database: string): Promise<Kept | undefined> {
  if (!/^dolly_\w+$/.test(database)) return undefined;
  return keptIn(fileOf(workshop, server, database));
}

async function keptIn(file: string): Promise<Kept | undefined> {
  try {
    return Kept.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // It is gone, or tells of something else: what people put there, or a restore that is unfinished.
    return undefined;
  }
}

/** It is in its place, or gone. */
export async function release(
  workshop: Workshop,
  { server, database }: Pick<Kept, 'server' | 'database'>,
): Promise<void> {
  await rm(fileOf(workshop, server, database), { force: true });
}

/** The turn in which a server's kept databases are brought in or removed. */
export const turnOf = (server: string) => `kept ${server}`;

/** Milliseconds between two looks at what is kept. */
const look = 600_000;

/** Removes what is kept for longer than a day, until the signal aborts. What cannot be removed now, is later. */
export async function dropInTime(workshop: Workshop, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await workshop.clock.wait(look, signal))
    for (const name of await readdir(workshop.places.kept)) {
      const kept = await keptIn(join(workshop.places.kept, name));
      if (kept !== undefined) await workshop.inTurn(turnOf(kept.server), () => dropExpired(workshop, kept, signal));
    }
}

async function dropExpired(workshop: Workshop, { server, database }: Kept, signal: AbortSignal): Promise<void> {
  // It may have been brought in while this waited for its turn.
  const kept = await keptAs(workshop, server, database);
  if (kept === undefined || kept.until > workshop.clock.now()) return;
  // Keys of other tables that still point there are not to keep it.
  const first = 'SET NAMES utf8mb4; SET SESSION foreign_key_checks = 0, lock_wait_timeout = 3';
  try {
    const { ask } = liveOf(workshop, { name: server });
    const tables = await ask(
      `SET NAMES utf8mb4; SELECT table_name FROM information_schema.tables WHERE table_type <> 'VIEW' AND table_schema = ${literal(database)}`,
      signal,
    );
    // The server may not be able to drop the database, since it leaves a link to DATA DIRECTORY behind: at least no rows are kept.
    const drops = tables.map(([name = '']) => `DROP TABLE ${identifier(database)}.${identifier(name)}`);
    await ask([first, ...drops, `DROP DATABASE IF EXISTS ${identifier(database)}`].join('; '), signal);
    await release(workshop, kept);
  } catch {
    // The server is away, or somebody holds a table.
  }
}
