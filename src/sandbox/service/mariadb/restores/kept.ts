import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { liveOf } from '../servers/lives.ts';
import { identifier } from '../servers/sql.ts';
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
  const until = Date.now() + lasts;
  await writeWhole(fileOf(workshop, kept.server, kept.database), { ...kept, until });
  return `${what} ${nameOf(kept.part)} is kept in the database ${kept.database} until ${new Date(until).toISOString()}: to bring it in, restore the database ${kept.database}.`;
}

/** What is kept under this name on a server; undefined where nothing is. */
export async function keptAs(workshop: Workshop, server: string, database: string): Promise<Kept | undefined> {
  if (!/^dolly_\w+$/.test(database)) return undefined;
  const text = await readFile(fileOf(workshop, server, database), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Kept.parse(JSON.parse(text));
}

/** It is in its place, or gone. */
export async function release(
  workshop: Workshop,
  { server, database }: Pick<Kept, 'server' | 'database'>,
): Promise<void> {
  await rm(fileOf(workshop, server, database), { force: true });
}

/** Removes what a server has kept for longer than a day. What cannot be removed now, is later. */
export async function dropExpired(workshop: Workshop, server: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(workshop.places.kept)) {
    if (!name.startsWith(`${server}.dolly_`) || !name.endsWith('.json')) continue;
    const kept = await keptAs(workshop, server, name.slice(server.length + 1, -'.json'.length));
    if (kept === undefined || kept.until > Date.now()) continue;
    try {
      // Keys of other tables that still point there are not to keep it.
      const first = 'SET NAMES utf8mb4; SET SESSION foreign_key_checks = 0, lock_wait_timeout = 3';
      await liveOf(workshop, { name: server }).ask(
        `${first}; DROP DATABASE IF EXISTS ${identifier(kept.database)}`,
        signal,
      );
      await release(workshop, kept);
    } catch {
      signal.throwIfAborted();
    }
  }
}
