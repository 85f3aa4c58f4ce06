import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, inject, test } from 'vitest';
import { type Clock, machineClock } from '../src/sandbox/service/clock.ts';
import type { Engine } from '../src/sandbox/service/engine.ts';
import { openMariadb } from '../src/sandbox/service/mariadb/mariadb.ts';
import { findTools, type Tools } from '../src/sandbox/service/mariadb/programs/tools.ts';
import { isFree } from '../src/sandbox/service/mariadb/servers/ports.ts';
import { type WallKind, wallKinds } from '../src/sandbox/service/mariadb/wall/wall.ts';
import { startService } from '../src/sandbox/service/server.ts';
import { scratchRoot } from './scratch.ts';

const found = await findTools(process.env.PATH ?? '');

/** Where the programs of MariaDB are. @throws Error where they are not */
export function tool(name: keyof Tools): string {
  if ('missing' in found) throw new Error(lacking);
  return found.tools[name];
}

/** Why nothing can be tested on real MariaDB servers here; undefined where it can. */
export const lacking = 'missing' in found ? `${found.missing.join(', ')} not found` : undefined;
if (lacking !== undefined) process.stderr.write(`Real MariaDB servers are not tested here: ${lacking}.\n`);

/** A folder that does not exist yet, for an engine; and what removes it with what is above it. */
export function stateFolder(): { folder: string; remove(): void } {
  const above = mkdtempSync(join(scratchRoot, 'dolly-mariadb-'));
  // The engine's user has to get through.
  chmodSync(above, 0o755);
  return { folder: join(above, 'state'), remove: () => rmSync(above, { recursive: true, force: true }) };
}

/** Opens an engine whose example server is small, and which soon notices that a server hangs. */
export async function openEngine(folder: string, walls?: readonly WallKind[], clock?: Clock): Promise<Engine> {
  await putExample(folder);
  return openBare(folder, walls, clock);
}

async function openBare(folder: string, walls: readonly WallKind[] = wallKinds, clock = machineClock): Promise<Engine> {
  const opened = await openMariadb({ folder, example: { megabytes: 2 }, pulse: 2_000, walls, clock });
  if ('reason' in opened) throw new Error(opened.reason);
  return opened.engine;
}

const example = join('live', 'webshop');

/**
 * Makes a state folder that is not there yet, with the example server in it. An engine would make that server itself, which takes
 * seconds: in each run of the tests one engine makes it once, and from then on it is copied.
 */
export async function putExample(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const from = join(await exampleState(), example);
  mkdirSync(join(folder, 'live'), { recursive: true, mode: 0o700 });
  execFileSync('cp', ['-a', '--reflink=auto', '--', from, join(folder, 'live')]);
  const options = join(folder, example, 'client.cnf');
  const text = readFileSync(options, 'utf8').replace(/^port=\d+$/m, `port=${await ownPort()}`);
  writeFileSync(options, text);
}

/** A free port below those that the kernel gives to callers: until the server starts, nobody else may come to have it. */
async function ownPort(): Promise<number> {
  const port = randomInt(15_000, 32_000);
  return (await isFree(port)) ? port : ownPort();
}

/** A state folder whose example server is at rest. Where several test files make one at the same time, the first one counts. */
async function exampleState(): Promise<string> {
  const ready = join(inject('scratch'), 'example');
  if (existsSync(ready)) return ready;
  const making = mkdtempSync(`${ready}-`);
  chmodSync(making, 0o755);
  const folder = join(making, 'state');
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  const service = await startService({ port: 0, engines: { MARIADB: await openBare(folder) }, stateDir: folder, log });
  await service.close();
  if (!existsSync(join(folder, example))) throw new Error(`the example server was not made: ${said.join('; ')}`);
  try {
    renameSync(folder, ready);
  } catch (error) {
    if (!existsSync(ready)) throw error;
  }
  return ready;
}

const told = (title: string) => (lacking === undefined ? title : `${title} (not tested here: ${lacking})`);

/** A test that needs real servers. Without their programs it is counted as skipped, and says why. */
export function testOnServers(title: string, body: () => Promise<void>, timeout: number): void {
  test.skipIf(lacking !== undefined)(told(title), body, timeout);
}

/** As {@link testOnServers}, for tests that belong together. */
export function describeOnServers(title: string, tests: () => void): void {
  describe.skipIf(lacking !== undefined)(told(title), tests);
}
