import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { copyLive, prepare } from './backups.ts';
import { copyTree } from './copying.ts';
import { dump, load } from './dumps.ts';
import { definitionsOf, differences } from './inventory.ts';
import { type Live, liveOf } from './lives.ts';
import { isThere, nameOf, Part } from './parts.ts';
import { putBack } from './putBack.ts';
import { onCopy } from './scratch.ts';
import { identifier } from './sql.ts';
import type { Workshop } from './workshop.ts';

/** A restore that changes a server, written down before it does, so that it can be taken back after a crash. */
const Begun = z.object({ name: z.string(), part: Part, since: z.string() });
export type Begun = z.output<typeof Begun>;

const beginning = '-restore.json';
const fileOf = ({ places }: Workshop, id: string) => join(places.work, id + beginning);

/**
 * Where the data of a whole server lies as it was before a restore of a part of it. The files were copied as they are: what a
 * dump cannot hold, or a dump that does not load, does not matter to them.
 */
export const beforeOf = ({ places }: Workshop, id: string): string => join(places.work, `${id}-before`);

/** Copies the data of a live server as it is now to {@link beforeOf}. One of the engine's own stands still for as long as that takes. */
export async function keepBefore(workshop: Workshop, live: Live, id: string, signal: AbortSignal): Promise<void> {
  const { commands, places, servers } = workshop;
  const { home } = live;
  const tree = beforeOf(workshop, id);
  if (home === undefined) {
    await copyLive(workshop, live, tree, [], signal);
    await prepare(workshop, tree, [], signal);
    return;
  }
  const means = await workshop.meansTo(places.work, signal);
  const copy = () => copyTree(commands, means, join(home, 'data'), tree, signal);
  await withoutCommits(live, signal, () => servers.frozen(home, copy));
}

/** In a session of its own, since the lock ends with it. */
const pause = 'DO SLEEP(86399)';

/**
 * Lets nothing be committed while `work` goes on: a transaction that stands between the data and the binary log at that moment
 * would keep a server from starting on a copy of the data alone.
 */
async function withoutCommits(live: Live, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const statement = `SET SESSION lock_wait_timeout = 60; BACKUP STAGE START; BACKUP STAGE BLOCK_COMMIT; ${pause}`;
  let fault: unknown;
  const session = live.ask(statement, signal, 86_400_000).catch(error => {
    fault = error;
  });
  const find = async () => {
    if (fault !== undefined) throw fault;
    const rows = await live.ask(`SELECT id FROM information_schema.processlist WHERE info = '${pause}'`, signal);
    return rows.flat()[0];
  };
  let holder: string | undefined;
  try {
    while (holder === undefined) holder = await find();
    await work();
  } finally {
    if (holder !== undefined) await live.ask(`KILL ${holder}`, signal).catch(() => undefined);
    await session;
  }
}

/** Writes down that a part of a server is changed from now on. */
export async function begin(workshop: Workshop, id: string, begun: Begun): Promise<void> {
  const file = fileOf(workshop, id);
  await writeFile(`${file}.part`, JSON.stringify(begun), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** The change was made, or taken back: nothing is kept of it. */
export async function forget(workshop: Workshop, id: string): Promise<void> {
  await rm(fileOf(workshop, id), { force: true });
  await rm(beforeOf(workshop, id), { recursive: true, force: true });
}

/**
 * Takes back a restore that has just failed: the part alone where that works, else the whole server where it is the
 * engine's own. Resolves with what people have to know beside the failure, if anything.
 */
export async function takeBackNow(workshop: Workshop, id: string, begun: Begun, signal: AbortSignal): Promise<string> {
  try {
    return leftOutWords(await takeBackPart(workshop, id, begun, signal));
  } catch (error) {
    signal.throwIfAborted();
    const reason = wordsOf(error);
    const { home } = liveOf(workshop, begun);
    if (home === undefined) return setAside(workshop, id, begun, reason);
    try {
      const tree = beforeOf(workshop, id);
      await putBack(
        workshop,
        { role: 'live', home },
        coming => rename(tree, coming),
        () => Promise.resolve(),
        signal,
      );
    } catch (last) {
      signal.throwIfAborted();
      return setAside(workshop, id, begun, `${reason} ${wordsOf(last)}`);
    }
    await forget(workshop, id);
    return `The ${nameOf(begun.part)} could not be taken back alone (${reason}), so the whole server is as it was at ${begun.since}. What others wrote to it since is in its binary logs and in ${join(home, 'data.old')}.`;
  }
}

/** Removes what was kept for a change that did not begin. */
export async function forgetUnbegun(workshop: Workshop, id: string): Promise<void> {
  if (!existsSync(fileOf(workshop, id))) await forget(workshop, id);
}

/** Takes back every restore that a crash cut off. Says, by the identifier of the database, what people have to know. */
export async function takeBackBegun(workshop: Workshop, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (const name of await readdir(workshop.places.work)) {
    if (!name.endsWith(beginning)) continue;
    const id = name.slice(0, -beginning.length);
    try {
      const words = leftOutWords(await takeBackPart(workshop, id, await begunOf(workshop, id), signal));
      if (words !== '') told.set(id, words);
    } catch (error) {
      told.set(
        id,
        `A restore that the stop of the service cut off could not be taken back yet, so that part may be half restored; it is tried again before the next restore there. ${wordsOf(error)}`,
      );
    }
  }
  return told;
}

/** Brings a restore to its end that could not be taken back before. What cannot be even now stands in nobody's way. */
export async function settleBegun(workshop: Workshop, id: string, signal: AbortSignal): Promise<string> {
  await forgetUnbegun(workshop, id);
  if (!existsSync(fileOf(workshop, id))) return '';
  const begun = await begunOf(workshop, id).catch(() => undefined);
  try {
    if (begun === undefined) throw new Error(`${fileOf(workshop, id)} cannot be read.`);
    return leftOutWords(await takeBackPart(workshop, id, begun, signal));
  } catch (error) {
    signal.throwIfAborted();
    return setAside(workshop, id, begun, wordsOf(error));
  }
}

async function begunOf(workshop: Workshop, id: string): Promise<Begun> {
  return Begun.parse(JSON.parse(await readFile(fileOf(workshop, id), 'utf8')));
}

/** Gives the part of a server the content that it had before. Gives the views that were broken already and are gone now. */
async function takeBackPart(
  workshop: Workshop,
  id: string,
  begun: Begun,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { part } = begun;
  const live = liveOf(workshop, begun);
  if (live.home !== undefined) await workshop.servers.start({ role: 'live', home: live.home }, signal);
  const file = join(workshop.places.work, `${id}-before.sql`);
  try {
    const held = await onCopy(workshop, `${id}-undo`, beforeOf(workshop, id), signal, async scratch => {
      if (!(await isThere(scratch.ask, part, signal))) return undefined;
      const leftOut = await dump(workshop, scratch, part, file, signal);
      return { leftOut, definitions: await definitionsOf(scratch.ask, part, leftOut, signal) };
    });
    if (held === undefined) await live.ask(dropOf(part), signal);
    else {
      await load(workshop, live, part, file, signal);
      const differing = differences(held.definitions, await definitionsOf(live.ask, part, held.leftOut, signal));
      if (differing.length > 0) throw new Error(`These came back differently: ${differing.join(', ')}.`);
    }
    await forget(workshop, id);
    return held?.leftOut ?? [];
  } finally {
    await rm(file, { force: true });
  }
}

function dropOf({ databaseName, tableName }: Part): string {
  const database = identifier(databaseName);
  return tableName === undefined
    ? `DROP DATABASE IF EXISTS ${database}`
    : `DROP TABLE IF EXISTS ${database}.${identifier(tableName)}`;
}

/** Puts what is left of an undo where nothing looks for it any more. Says what a database administrator can do with it. */
async function setAside(workshop: Workshop, id: string, begun: Begun | undefined, reason: string): Promise<string> {
  const folder = join(workshop.places.kept, `${id}-${Date.now()}`);
  await mkdir(folder, { mode: 0o700 });
  const data = join(folder, 'data');
  const isCopied = existsSync(beforeOf(workshop, id));
  if (isCopied) await rename(beforeOf(workshop, id), data);
  if (existsSync(fileOf(workshop, id))) await rename(fileOf(workshop, id), join(folder, 'restore.json'));
  const what = begun === undefined ? 'An earlier restore' : `The restore of ${nameOf(begun.part)} of ${begun.since}`;
  return [
    `${what} could not be taken back: ${reason}`,
    isCopied
      ? `All data of the server as it was before that restore is kept in ${data}: a database administrator can start a server on it (mariadbd --no-defaults --datadir=${data} --port=… --socket=…), copy what is needed from there, and then delete ${folder}.`
      : `Nothing is left of what was there before that restore: restore it from a snapshot.`,
  ].join(' ');
}

function leftOutWords(views: readonly string[]): string {
  return views.length === 0 ? '' : `These views were broken before and could not be made again: ${views.join(', ')}.`;
}

/** The words of an error as a whole sentence. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
