import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Places } from '../places.ts';
import { commandsOf } from '../programs/commands.ts';
import { findProgram, type Tools } from '../programs/tools.ts';
import { type Account, findGuest, handOver } from './account.ts';
import { type Builders, makeWallFolder, type Wall, type WallKind, wallKinds, wallOf } from './wall.ts';

/**
 * What has to be so behind the wall. Where it is closed: nothing else is there, no program can be changed, and there is no
 * network but the own one. Else: what belongs to others cannot be read.
 */
const conditions = {
  closed:
    '[ $$ = 1 ] && [ -x "$3" ] && [ -w "$2" ] && [ ! -e "$1" ] && [ ! -w /usr/bin ] && [ "$(id -u)" != 0 ] && [ "$(grep -c : /proc/net/dev)" -le 1 ]',
  open: '[ -x "$3" ] && [ -w "$2" ] && [ ! -r "$1" ] && [ "$(id -u)" != 0 ]',
};

/** Milliseconds that a trial may take. */
const patience = 10_000;

/** Finds the strongest wall that this machine can build, of the kinds that may be tried: none is assumed to stand. */
export async function raiseWall(
  account: Account,
  places: Places,
  { server }: Tools,
  signal: AbortSignal,
  kinds: readonly WallKind[] = wallKinds,
): Promise<Wall> {
  const folder = places.wall;
  await makeWallFolder(folder);
  const guest = await findGuest(account);
  const builders = await findBuilders();
  // Without this function of systemd's library it takes no socket that is handed in.
  const takesSockets = (await readFile(server)).includes('sd_listen_fds');
  const [outside, inside] = [join(folder, 'outside'), join(folder, 'inside')];
  await writeFile(outside, '', { mode: 0o600 });
  await mkdir(inside, { mode: 0o700 });
  await handOver(guest, inside);

  async function stands(wall: Wall): Promise<boolean> {
    if (wall.isClosed && !takesSockets) return false;
    const test = wall.isClosed ? conditions.closed : conditions.open;
    const args = ['-c', test, 'sh', outside, inside, server];
    const room = { writes: [inside] };
    try {
      await commandsOf(account, places.state, { wall }).run('/bin/sh', args, { signal, room, limit: patience });
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  for (const kind of kinds) {
    if (kind === 'none' || (kind === 'user' && !account.isOther)) continue;
    const wall = wallOf(kind, { folder, account, guest, builders, server });
    if (await stands(wall)) return wall;
  }
  return wallOf('none', { folder, account, guest, builders, server });
}

async function findBuilders(): Promise<Builders> {
  const found = (['bwrap', 'unshare', 'mount', 'chroot', 'setpriv', 'env'] as const).map(
    async name => [name, await findProgram(name)] as const,
  );
  return Object.fromEntries(
    (await Promise.all(found)).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])),
  );
}
