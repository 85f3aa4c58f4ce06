import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFor } from '../places.ts';
import type { Commands } from '../programs/commands.ts';
import { type Account, handOver } from '../wall/account.ts';
import type { Wall } from '../wall/wall.ts';

/** The means to duplicate a folder tree: share its blocks until they change, or copy it byte by byte. */
export type Means = 'reflink' | 'copy';

/** The size of the file that tries whether blocks can be shared, in bytes: a whole block of every file system. */
const probeSize = 16 * 1024;
const probe = '.probe';
const probeCopy = '.probe-copy';

/** Finds the best means between two folders: XFS and btrfs share blocks (reflink), ext4 does not. */
export async function meansBetween(
  commands: Commands,
  account: Account,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Means> {
  const one = join(from, probe);
  const other = join(to, probeCopy);
  try {
    await writeFile(one, Buffer.alloc(probeSize, 1));
    await handOver(account, one);
    await commands.run('cp', ['--reflink=always', '--', one, other], { signal });
    return 'reflink';
  } catch {
    signal.throwIfAborted();
    return 'copy';
  } finally {
    await Promise.all([rm(one, { force: true }), rm(other, { force: true })]);
  }
}

/** Removes what a probe that was cut off has left in these folders. */
export async function removeProbes(folders: readonly string[]): Promise<void> {
  const files = folders.flatMap(folder => [join(folder, probe), join(folder, probeCopy)]);
  await Promise.all(files.map(file => rm(file, { force: true })));
}

/**
 * Looks for tables whose rows lay elsewhere (`DATA DIRECTORY`). They are in the tree, and behind a wall a server finds them there alone;
 * without one it would open, and write, those of the live server.
 * @throws Error where that would be so
 */
export async function refuseElsewhere(
  { commands, wall }: Readonly<{ commands: Commands; wall: Wall }>,
  tree: string,
  signal: AbortSignal,
): Promise<void> {
  if (wall.kind !== 'none') return;
  const found = await commands.run('find', [tree, '-name', '*.isl', '-print', '-quit'], { signal });
  if (found !== '')
    throw new Error(
      `${found.trim().slice(tree.length + 1, -'.isl'.length)} has its rows elsewhere (DATA DIRECTORY), and without a wall a copy would work on the live ones: install bubblewrap, or allow user namespaces`,
    );
}

/**
 * Duplicates a tree of the guest. `to` is made where it is not there, and must be empty. A physical copy says `copy`: on XFS a plain cp would share blocks silently,
 * and what is then called a copy would hang on its source.
 */
export async function copyTree(
  { commands, wall }: Readonly<{ commands: Commands; wall: Wall }>,
  means: Means,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const reflink = means === 'reflink' ? 'always' : 'never';
  await refuseElsewhere({ commands, wall }, from, signal);
  if (!existsSync(to)) await makeFor(wall.guest, to);
  await commands.run('cp', ['-a', `--reflink=${reflink}`, '-T', '--', from, to], { signal, asGuest: true });
}
