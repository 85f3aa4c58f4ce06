import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Means } from '../../src/sandbox/service/mariadb/backup/copying.ts';
import { commandsOf, withFile } from '../../src/sandbox/service/mariadb/programs/commands.ts';
import type { Tools } from '../../src/sandbox/service/mariadb/programs/tools.ts';
import { freePort, handOverSocket, listens } from '../../src/sandbox/service/mariadb/servers/ports.ts';
import { lean, roomOf } from '../../src/sandbox/service/mariadb/servers/serverCommand.ts';
import { optionFile } from '../../src/sandbox/service/mariadb/servers/sessions.ts';
import { handOver } from '../../src/sandbox/service/mariadb/wall/account.ts';
import type { Wall } from '../../src/sandbox/service/mariadb/wall/wall.ts';
import { copyBare, type Place } from './mariadbPlace.ts';

const never = new AbortController().signal;
/** Milliseconds between two looks at a port. */
const look = 2;
const patience = 300_000;

/** A server that runs without engine or service, as few steps as there can be. */
export type Bare = Readonly<{
  home: string;
  port: number;
  /** Duplicates a tree for it. */
  copy(tree: string, means: Means): Promise<void>;
  /** Starts it, with what makes a clone lean. Resolves with its first answer. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Removes its data. */
  empty(): Promise<void>;
  /** Ends and removes it. */
  remove(): Promise<void>;
}>;

/**
 * Makes all that can be there before the clock runs: folders, port, and an option file with the live server's account. It is
 * behind a wall where one is given.
 */
export async function newBare(place: Place, tools: Tools, live: string, wall?: Wall): Promise<Bare> {
  const port = await freePort();
  const guest = wall?.guest ?? place.account;
  const home = join(place.folder, `bare-${port}`);
  for (const folder of [home, join(home, 'tmp')]) {
    await mkdir(folder);
    await handOver(folder === home ? place.account : guest, folder);
  }
  const options = optionFile(home);
  await writeFile(options, (await readFile(optionFile(live), 'utf8')).replace(/^port=.*$/m, `port=${port}`));
  await handOver(place.account, options);
  const data = join(home, 'data');
  const args = [
    `--defaults-file=${data}/backup-my.cnf`,
    `--datadir=${data}`,
    ...lean,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--socket=mariadb.sock',
    `--pid-file=${home}/tmp/mariadbd.pid`,
    `--tmpdir=${home}/tmp`,
  ];
  let ended: Promise<void> | undefined;
  let end: (name: NodeJS.Signals) => void = () => undefined;
  const stop = async (name: NodeJS.Signals) => {
    end(name);
    await ended;
    end = () => undefined;
  };
  async function begun(to: number): Promise<ChildProcess> {
    if (wall === undefined) return place.commands.start(tools.server, args, { cwd: data, to });
    const commands = commandsOf(place.account, place.folder, { wall });
    const start = (socket?: number) =>
      commands.start(tools.server, args, { cwd: data, to, room: roomOf(home), socket });
    const child = wall.isClosed ? await handOverSocket(port, patience, start) : start();
    if (child === undefined) throw new Error(`port ${port} is in use`);
    return child;
  }
  return {
    home,
    port,
    copy: (tree, means) => copyBare({ account: guest, means }, tree, data),
    async start() {
      await withFile(join(home, 'server.log'), 'a', async fd => {
        const child = await begun(fd);
        ended = new Promise(resolve => child.once('exit', () => resolve()));
        // Behind a wall there are others between.
        end = name => void process.kill(-(child.pid ?? 0), name);
      });
      await answered(place, tools, port, options);
    },
    stop: () => stop('SIGTERM'),
    empty: () => rm(data, { recursive: true }),
    async remove() {
      await stop('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Resolves when a server has answered a query of the usual client. It is asked as soon as its port takes connections. */
export async function answered({ commands }: Place, { client }: Tools, port: number, options: string): Promise<void> {
  await changed(port, true);
  await commands.run(client, [`--defaults-file=${options}`, '-e', 'SELECT COUNT(*) FROM shop.products'], {
    signal: never,
  });
}

/** Resolves when a port takes connections, or takes none any more. */
export async function changed(port: number, isOpen: boolean): Promise<void> {
  const began = performance.now();
  while ((await listens(port)) !== isOpen) {
    if (performance.now() - began > patience) throw new Error(`port ${port} did not ${isOpen ? 'open' : 'close'}`);
    await sleep(look);
  }
}
