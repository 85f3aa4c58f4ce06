import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTree } from '../backup/copying.ts';
import { furnish, makeFor } from '../places.ts';
import type { Session } from '../restores/rows.ts';
import type { Workshop } from '../workshop.ts';
import { freePort } from './ports.ts';
import { optionFile } from './sessions.ts';

/**
 * Lends a server of its own on a copy of a data directory, for as long as `use` takes. `name` is its folder's, `options` are
 * more of the server's.
 */
export async function onCopy<Result>(
  workshop: Workshop,
  name: string,
  data: string,
  signal: AbortSignal,
  use: (session: Session) => Promise<Result>,
  options: readonly string[] = [],
): Promise<Result> {
  const { places, servers, account, wall } = workshop;
  const home = join(places.work, name);
  try {
    await makeFor(account, home, 0o711);
    await furnish(home, wall.guest);
    await copyTree(workshop, await workshop.meansTo(home, signal), data, join(home, 'data'), signal);
    await servers.settle(home, await freePort());
    await servers.start({ role: 'scratch', home, options }, signal);
    return await use({ options: optionFile(home), ask: servers.ask(home) });
  } finally {
    await servers.kill(home);
    await rm(home, { recursive: true, force: true });
  }
}
