import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { Engine } from '../src/sandbox/service/engine.ts';
import { openMariadb } from '../src/sandbox/service/mariadb/engine.ts';
import { findTools, type Tools } from '../src/sandbox/service/mariadb/tools.ts';

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
  const above = mkdtempSync(join(tmpdir(), 'dolly-mariadb-'));
  // The engine's user has to get through.
  chmodSync(above, 0o755);
  return { folder: join(above, 'state'), remove: () => rmSync(above, { recursive: true, force: true }) };
}

/** Opens an engine whose example server is small, and which soon notices that a server hangs. */
export async function openEngine(folder: string): Promise<Engine> {
  const opened = await openMariadb({ folder, example: { megabytes: 2 }, pulse: 2_000 });
  if ('reason' in opened) throw new Error(opened.reason);
  return opened.engine;
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
