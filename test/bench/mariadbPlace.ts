import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Means, meansBetween } from '../../src/sandbox/service/mariadb/backup/copying.ts';
import { type Commands, commandsOf } from '../../src/sandbox/service/mariadb/programs/commands.ts';
import { mark } from '../../src/sandbox/service/mariadb/programs/processes.ts';
import { type Account, handOver, handOverTree } from '../../src/sandbox/service/mariadb/wall/account.ts';
import { atEnd, newFolder } from './child.ts';

/** A file system to measure on, and how it duplicates a tree. */
export type Place = Readonly<{
  means: Means;
  /** For data; what every program below it leaves is gone at the end, however that comes. */
  folder: string;
  commands: Commands;
  account: Account;
  /** MB that are taken of the file system, or, where others write to it, by these trees. */
  taken(...trees: readonly string[]): Promise<number>;
  /** Waits until all is on disk. */
  sync(): void;
  /** Ends what runs in it, and removes it. */
  remove(): void;
}>;

const never = new AbortController().signal;
const pool = new URL('../../src/sandbox/pool.sh', import.meta.url).pathname;

/** The ordinary file system, and before it a pool of its own where the ordinary one cannot share blocks and root asks. */
export async function placesFor(account: Account, say: (line: string) => void): Promise<readonly Place[]> {
  const ordinary = await placeIn(account, false);
  if (ordinary.means === 'reflink') {
    say('mariadb: the file system shares blocks itself: nothing is measured with plain copies');
    return [ordinary];
  }
  try {
    return [await placeIn(account, true), ordinary];
  } catch (error) {
    say(`mariadb: there can be no pool that shares blocks (${error}): measured with plain copies alone`);
    return [ordinary];
  }
}

async function placeIn(account: Account, isPool: boolean): Promise<Place> {
  const base = newFolder();
  // The servers' user has to get through.
  chmodSync(base, 0o711);
  const folder = join(base, 'data');
  mkdirSync(folder);
  await handOver(account, folder);
  const remove = () => {
    endMarked(base);
    if (isPool) unmount(folder);
    rmSync(base, { recursive: true, force: true });
  };
  const sync = () => void execFileSync('sync', ['-f', folder]);
  atEnd(remove);
  if (isPool) execFileSync('sh', [pool, folder, '30G', account.name], { stdio: ['ignore', 'ignore', 'pipe'] });
  const commands = commandsOf(account, folder);
  const means = await meansBetween(commands, account, folder, folder, never);
  if (isPool && means !== 'reflink') throw new Error('it shares no blocks');
  return {
    means,
    folder,
    commands,
    account,
    remove,
    sync,
    async taken(...trees) {
      sync();
      if (!isPool)
        return Number(execFileSync('du', ['-scm', ...trees], { encoding: 'utf8' }).match(/\d+(?=\ttotal)/)?.[0]);
      const { blocks, bfree, bsize } = await statfs(folder);
      return ((blocks - bfree) * bsize) / 1e6;
    },
  };
}

/** Ends every process that was started from a state folder below `base`, and waits until it has. */
function endMarked(base: string): void {
  for (let tries = 0; tries < 100; tries++) {
    const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && isMarked(name, base));
    if (pids.length === 0) return;
    for (const pid of pids) process.kill(Number(pid), 'SIGKILL');
    pause();
  }
}

function isMarked(pid: string, base: string): boolean {
  try {
    // One that has ended and waits to be noticed has no environment any more.
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${mark}=${base}/`);
  } catch {
    return false;
  }
}

function unmount(folder: string): void {
  for (let tries = 0; tries < 100; tries++) {
    try {
      execFileSync('mountpoint', ['-q', folder]);
    } catch {
      return;
    }
    try {
      execFileSync('umount', [folder], { stdio: 'ignore' });
    } catch {
      pause();
    }
  }
}

/** Without giving way: at the end of the process nothing else is carried out any more. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

/** Duplicates a tree with nothing but the system's own program, for the user of a bare server. */
export async function copyBare(
  { account, means }: Pick<Place, 'account' | 'means'>,
  from: string,
  to: string,
): Promise<void> {
  execFileSync('cp', ['-a', `--reflink=${means === 'reflink' ? 'always' : 'never'}`, '-T', '--', from, to]);
  await handOverTree(account, to);
}
