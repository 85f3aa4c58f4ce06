import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Database, JsonValue, Snapshot } from '../../estate.ts';
import { furnish, isScriptFolder, makeFor, scriptFault, scriptFile } from '../places.ts';
import type { Server } from '../servers/serverCommand.ts';
import { optionFile, sessionFile } from '../servers/sessions.ts';
import { writeFor } from '../wall/account.ts';
import type { Workshop } from '../workshop.ts';
import { fromSnapshot } from './putBack.ts';

type Facts = Readonly<Record<string, JsonValue>>;

/** The number of characters that are kept of a script's output: its end. */
const keptOutput = 2_000;
const sessionName = 'client.cnf';

/** In a home: where the data is masked that comes in the place of its own. */
export const maskFolder = (home: string): string => join(home, 'mask');

/**
 * Runs the script of a clone (spec §4.3) on the data of a home, behind the wall, before anybody can reach it: the server has no
 * port yet, only a socket. Resolves with what the record shows of it, empty where there is none. Rejects where it fails.
 */
export async function mask(workshop: Workshop, clone: Database, server: Server, signal: AbortSignal): Promise<Facts> {
  const { specificPostScriptPath: path, id } = clone;
  if (path === undefined) return {};
  const { places, commands, servers, scriptLimit, wall } = workshop;
  // It may be another file by now than the one that was looked at when the request came.
  const fault = scriptFault(places, path);
  if (fault !== undefined) throw new Error(fault);
  const { home } = server;
  const desk = join(home, 'tmp');
  const [, password = ''] = /^password=(.+)$/m.exec(await readFile(optionFile(home), 'utf8')) ?? [];
  const session = join(desk, sessionName);
  await writeFor(wall.guest, session, sessionFile(wall.deskAt(desk), password));
  const plain = (text: string) => text.replaceAll(password, '***');
  const file = scriptFile(path);
  const room = isScriptFolder(places, dirname(file))
    ? { writes: [], reads: [places.scripts], desk }
    : { writes: [], file, desk };
  const env = { DOLLY_CLONE: id, DOLLY_DEFAULTS_FILE: join(wall.deskAt(desk), sessionName) };
  try {
    await servers.start({ ...server, door: 'socket' }, signal);
    const output = await commands.script(file, { signal, limit: scriptLimit, env, room });
    await servers.stop(home);
    return {
      postScript: path,
      postScriptOutput: plain(output).trim().slice(-keptOutput),
      postScriptEnded: `${basename(path)} ended with 0 at ${new Date().toISOString()}`,
    };
  } catch (error) {
    await servers.kill(home);
    throw new Error(plain(error instanceof Error ? error.message : String(error)), { cause: error });
  } finally {
    await rm(session, { force: true });
  }
}

/** What brings the data of a snapshot to where a clone's is put back: masked first, where the clone has a script. */
export function maskedFrom(
  workshop: Workshop,
  clone: Database,
  server: Server,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): { fill(coming: string): Promise<void>; facts(): Facts } {
  const { account, servers, wall } = workshop;
  let facts: Facts = {};
  const fill = fromSnapshot(workshop, snapshot, server.role, signal);
  if (clone.specificPostScriptPath === undefined) return { fill, facts: () => facts };
  const home = maskFolder(server.home);
  return {
    facts: () => facts,
    async fill(coming) {
      await rm(home, { recursive: true, force: true });
      try {
        await makeFor(account, home, 0o711);
        await furnish(home, wall.guest);
        await fill(join(home, 'data'));
        // It never listens on a port.
        await servers.settle(home, 0);
        facts = await mask(workshop, clone, { ...server, home }, signal);
        await rename(join(home, 'data'), coming);
      } finally {
        await servers.kill(home);
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
