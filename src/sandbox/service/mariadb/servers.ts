import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type Account, handOver } from './account.ts';
import { causeOf } from './causes.ts';
import { type Commands, withFile } from './commands.ts';
import { gone, markedAs, signal as send } from './processes.ts';
import { type Ask, askOf } from './sql.ts';
import type { Tools } from './tools.ts';
import { until } from './until.ts';

/** A server that the engine runs: what it is for, and its home, whose option file says on which port it listens. */
export type Server = Readonly<{
  role: 'live' | 'clone' | 'scratch';
  home: string;
  /** More options, as the server takes them. */
  options?: readonly string[] | undefined;
}>;

export type Servers = Readonly<{
  /**
   * Starts a server, or finds it running. Resolves with its answer to a first question, any when left out. Rejects with the
   * server's own last words.
   */
  start(server: Server, signal: AbortSignal, question?: string): ReturnType<Ask>;
  /** Says where a home's server will listen (always on loopback), and gives it an account of its own at its next start. */
  settle(home: string, port: number): Promise<void>;
  /** Shuts down, and waits until it has. Nothing happens where nothing runs. */
  stop(home: string): Promise<void>;
  /** Ends it at once: for what is thrown away. */
  kill(home: string): Promise<void>;
  /** Holds a running server still while `work` copies its files; without a running one it just works. */
  frozen<Result>(home: string, work: () => Promise<Result>): Promise<Result>;
  isRunning(home: string): Promise<boolean>;
  /** Whether it runs and is so far that sessions can be opened. */
  isListening(home: string): Promise<boolean>;
  ask(home: string): Ask;
}>;

/** Milliseconds. A server may have much to recover before it answers. */
const limits = { start: 180_000, stop: 60_000, kill: 10_000, release: 1_000 } as const;

/** Options that keep a clone small: a start on the defaults writes 108 MB, a start on these 7 MB (measured). */
export const lean = [
  '--skip-log-bin',
  '--innodb-log-file-size=4M',
  '--innodb-temp-data-file-path=ibtmp1:1M:autoextend',
  '--innodb-autoextend-increment=1',
  '--innodb-buffer-pool-load-at-startup=OFF',
  '--innodb-buffer-pool-dump-at-shutdown=OFF',
  // The source may be a replica. A clone of it must not replicate.
  '--skip-slave-start',
];

const byRole: Record<Server['role'], readonly string[]> = {
  live: [
    '--log-bin=../binlog/binlog',
    '--server-id=1',
    '--innodb-buffer-pool-size=128M',
    // A restore of a part copies all files, and half of a small server's would be these.
    '--innodb-log-file-size=16M',
    // So would be a file of temporary tables that grows by 64 MB at a time.
    '--innodb-temp-data-file-path=ibtmp1:1M:autoextend',
    '--innodb-autoextend-increment=1',
  ],
  clone: lean,
  // A scratch server is thrown away, so it need not outlive a power cut.
  scratch: [...lean, '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF', '--sync-frm=OFF'],
};

/** The engine's account in the servers that it runs. */
const user = 'dolly';
const initFile = 'account.sql';
/** Below the data directory: a path to a socket may have 107 characters only. */
const socketFile = 'mariadb.sock';

/** Runs MariaDB servers. Those of a state folder are found again, whatever became of the files in their homes. */
export function serversOf(tools: Tools, commands: Commands, account: Account, state: string): Servers {
  /** The server that runs in this home, if one does: the system says so, and no file that may be gone with its folder. */
  const pidIn = (home: string): Promise<number | undefined> => markedAs(state, command => homeIn(command) === home);
  const ask = (home: string) => askOf(commands, tools, optionFile(home));

  async function start(server: Server, signal: AbortSignal, question = 'SELECT 1'): ReturnType<Ask> {
    const { home } = server;
    const port = await portOf(home);
    const tooLate = `mariadbd did not answer in ${limits.start / 1_000} seconds`;
    if ((await pidIn(home)) !== undefined) {
      // Nobody else may have it: whoever held it still, or was about to stop it, is gone. It may be about to answer, or to end.
      const isSettled = async () => (await listens(port)) || (await pidIn(home)) === undefined;
      await until(isSettled, limits.start, tooLate);
      if ((await pidIn(home)) !== undefined) return ask(home)(question, signal);
    }
    // A process that ends gives its port back shortly after its command line is gone.
    await until(() => isFree(port), limits.release, `port ${port} is in use on this machine`);
    // One that was left by a server that was killed, or copied from a running one, would be taken for that of this start.
    const socket = join(home, 'data', socketFile);
    await rm(socket, { force: true });
    const log = join(home, 'server.log');
    const from = await sizeOf(log);
    const child = await withFile(log, 'a', async fd => {
      await handOver(account, log);
      return commands.start(tools.server, argsOf(server, port), join(home, 'data'), fd);
    });
    let hasEnded = false;
    child.once('error', () => {
      hasEnded = true;
    });
    child.once('exit', () => {
      hasEnded = true;
    });
    try {
      await until(
        () => {
          signal.throwIfAborted();
          // The server opens its port before its socket. To look for the port alone takes twelve milliseconds each time.
          return hasEnded || (existsSync(socket) && listens(port));
        },
        limits.start,
        tooLate,
      );
      if (hasEnded) throw new Error('mariadbd ended while it started');
      const answer = await ask(home)(question, signal);
      await rm(join(home, initFile), { force: true });
      return answer;
    } catch (error) {
      if (child.pid !== undefined && !hasEnded) {
        send(child.pid, 'SIGKILL');
        await gone(child.pid, limits.kill);
      }
      signal.throwIfAborted();
      const cause = causeOf((await readFile(log)).subarray(from).toString());
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(cause === '' ? message : `${cause} (${message})`);
    }
  }

  async function end(home: string, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const pid = await pidIn(home);
    if (pid === undefined) return;
    send(pid, name);
    // One that is held still hears only after it goes on.
    send(pid, 'SIGCONT');
    try {
      await gone(pid, name === 'SIGTERM' ? limits.stop : limits.kill);
    } catch (error) {
      if (name === 'SIGKILL') throw error;
      await end(home, 'SIGKILL');
    }
  }

  return {
    ask,
    start,
    async settle(home, port) {
      const password = randomBytes(24).toString('base64url');
      await own(join(home, 'client.cnf'), optionsFor(port, password));
      await own(join(home, initFile), accountSql(password));
    },
    stop: home => end(home, 'SIGTERM'),
    kill: home => end(home, 'SIGKILL'),
    async frozen(home, work) {
      const pid = await pidIn(home);
      if (pid === undefined) return work();
      send(pid, 'SIGSTOP');
      try {
        return await work();
      } finally {
        send(pid, 'SIGCONT');
      }
    },
    isRunning: async home => (await pidIn(home)) !== undefined,
    async isListening(home) {
      const port = await portOf(home).catch(() => undefined);
      return port !== undefined && (await listens(port)) && (await pidIn(home)) !== undefined;
    },
  };

  async function own(path: string, text: string): Promise<void> {
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    await handOver(account, path);
  }
}

/** The option file that opens a session with the server of a home, for the engine and for people. */
export function optionFile(home: string): string {
  return join(home, 'client.cnf');
}

function optionsFor(port: number, password: string): string {
  return `[client]\nprotocol=tcp\nhost=127.0.0.1\nport=${port}\nuser=${user}\npassword=${password}\n`;
}

async function portOf(home: string): Promise<number> {
  const file = optionFile(home);
  const [, port] = /^port=(\d+)$/m.exec(await readFile(file, 'utf8')) ?? [];
  if (port === undefined) throw new Error(`${file} names no port`);
  return Number(port);
}

/** Both, since a server may be told not to look up the name of an address. */
function accountSql(password: string): string {
  const accounts = ['localhost', '127.0.0.1'].map(host => `'${user}'@'${host}'`);
  // Each statement waits for the disk: two for all.
  return [
    'SET SESSION sql_log_bin = 0;',
    `CREATE OR REPLACE USER ${accounts.map(name => `${name} IDENTIFIED BY '${password}'`).join(', ')};`,
    `GRANT ALL ON *.* TO ${accounts.join(', ')} WITH GRANT OPTION;`,
    '',
  ].join('\n');
}

function argsOf({ role, home, options = [] }: Server, port: number): string[] {
  // Options of the snapshot's own server that its files depend on, such as the page size.
  const basis = join(home, 'data', 'backup-my.cnf');
  return [
    existsSync(basis) ? `--defaults-file=${basis}` : '--no-defaults',
    `--datadir=${join(home, 'data')}`,
    ...byRole[role],
    ...options,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${socketFile}`,
    `--pid-file=${join(home, 'mariadbd.pid')}`,
    `--tmpdir=${join(home, 'tmp')}`,
    `--secure-file-priv=${join(home, 'tmp')}`,
    ...(existsSync(join(home, initFile)) ? [`--init-file=${join(home, initFile)}`] : []),
  ];
}

/** The home of the server that this command runs; undefined where it is no server. */
export function homeIn(command: readonly string[]): string | undefined {
  const data = command.find(word => word.startsWith('--datadir='))?.slice('--datadir='.length);
  return command[0]?.endsWith('mariadbd') && data !== undefined ? dirname(data) : undefined;
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Why a clone cannot listen on this port, for people; undefined where it can. */
export function portFault(port: number): string | undefined {
  return port >= 1_024 && port <= 65_535
    ? undefined
    : `${port} is no port for a clone: those below 1024 belong to the system, and 65535 is the last one`;
}

/** Whether a server of ours could listen on this port. */
export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

/** Ports below those that systems give to callers: such a caller could take the port of a server that just stopped. */
const [lowest, highest] = [10_000, 30_000];

/**
 * A port of this machine that nobody uses.
 * @throws Error where none is found
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${lowest} to ${highest} is free on this machine`);
}

/**
 * Whether a server listens there. It is read, not tried: who tries to connect to a port that nobody has, in the range that
 * the kernel gives to callers, once in some thousand times is given that port and reaches nobody but itself.
 */
export async function listens(port: number): Promise<boolean> {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const table = await readFile('/proc/net/tcp', 'utf8');
  // Number, local address, remote address, state: 0A is LISTEN (proc(5)).
  return table.split('\n').some(line => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local === wanted && state === '0A';
  });
}
