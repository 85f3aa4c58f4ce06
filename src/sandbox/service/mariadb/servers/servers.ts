import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { causeOf, isFull } from '../programs/causes.ts';
import { type Commands, withFile } from '../programs/commands.ts';
import { gone, markedAs, signal as send } from '../programs/processes.ts';
import type { Tools } from '../programs/tools.ts';
import { until } from '../programs/until.ts';
import { type Account, handOver, writeFor } from '../wall/account.ts';
import type { Wall } from '../wall/wall.ts';
import { handOverSocket, isFree, listens } from './ports.ts';
import { argsOf, homeIn, isServer, pidFileOf, roomOf, type Server, socketOf } from './serverCommand.ts';
import { initFile, optionFile, portOf, settle } from './sessions.ts';
import { settingsOptions } from './settings.ts';
import { type Ask, askOf } from './sql.ts';

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
/** Milliseconds between two looks whether a server that starts waits for space on its disk, which it may do for ever. */
const lookForSpace = 2_000;
const tooLate = `mariadbd did not answer in ${limits.start / 1_000} seconds`;

/** Runs MariaDB servers. Those of a state folder are found again, whatever became of the files in their homes. */
export function serversOf(tools: Tools, commands: Commands, account: Account, state: string, wall: Wall): Servers {
  /** The server that runs in this home, if one does: the system says so, and no file that may be gone with its folder. */
  const pidIn = (home: string): Promise<number | undefined> =>
    markedAs(state, command => isServer(command[0]) && homeIn(command) === home);
  const ask = (home: string) => askOf(commands, tools, optionFile(home));

  async function start(server: Server, signal: AbortSignal, question = 'SELECT 1'): ReturnType<Ask> {
    const { home } = server;
    const port = await portOf(home);
    if (await isUp(home, port)) return ask(home)(question, signal);
    // One that was left by a server that was killed, or copied from a running one, would be taken for that of this start.
    for (const left of [socketOf(server), pidFileOf(server)]) await rm(left, { force: true });
    const log = join(home, 'server.log');
    const from = await sizeOf(log);
    const child = await withFile(log, 'a', to => begin(server, port, to));
    const ended = new AbortController();
    for (const event of ['error', 'exit']) child.once(event, () => ended.abort());
    const full = new AbortController();
    const watch = setInterval(async () => {
      if ((await textFrom(log, from)).split('\n').some(isFull)) full.abort();
    }, lookForSpace);
    const stopped = AbortSignal.any([signal, ended.signal, full.signal]);
    try {
      await opened(server, port, stopped);
      if (server.door === 'socket') return [];
      const answer = await ask(home)(question, stopped, limits.start);
      for (const folder of [home, join(home, 'tmp')]) await rm(join(folder, initFile), { force: true });
      return answer;
    } catch (error) {
      // That a question is not answered is heard before the end of the process is.
      const hasEnded = ended.signal.aborted || (await pidIn(home)) === undefined;
      await endGroup(child, ended.signal);
      signal.throwIfAborted();
      const cause = causeOf(await textFrom(log, from));
      const words = error instanceof Error ? error.message : String(error);
      const message = hasEnded ? 'mariadbd ended while it started' : words;
      throw new Error(cause === '' ? message : `${cause} (${message})`);
    } finally {
      clearInterval(watch);
    }
  }

  /** Nobody else may have it: whoever held it still, or was about to stop it, is gone. It may be about to answer, or to end. */
  async function isUp(home: string, port: number): Promise<boolean> {
    if ((await pidIn(home)) === undefined) return false;
    await until(async () => (await listens(port)) || (await pidIn(home)) === undefined, limits.start, tooLate);
    return (await pidIn(home)) !== undefined;
  }

  /** Resolves when a server that was begun can be asked. */
  async function opened(server: Server, port: number, signal: AbortSignal): Promise<void> {
    // Where its socket was handed in, a question waits there until the server comes to it.
    if (isHanded(server)) return;
    const socket = socketOf(server);
    const isOpen = () => {
      signal.throwIfAborted();
      // The server opens its port before its socket. To look for the port alone takes twelve milliseconds each time.
      return existsSync(socket) && (server.door === 'socket' || listens(port));
    };
    await until(isOpen, limits.start, tooLate);
  }

  /** Behind a closed wall no server can open a port: it gets one that is open. */
  const isHanded = ({ role, door }: Server) => role !== 'live' && door !== 'socket' && wall.isClosed;

  /** A process that ends gives its port back shortly after its command line is gone. */
  async function begin(server: Server, port: number, to: number): Promise<ChildProcess> {
    const { home, role } = server;
    await handOver(account, join(home, 'server.log'));
    const statements = await readFile(join(home, initFile), 'utf8').catch(() => undefined);
    if (statements !== undefined)
      await writeFor(role === 'live' ? account : wall.guest, join(home, 'tmp', initFile), statements);
    // Where the wall is open, no program that somebody has installed, and no engine that calls another server, is loaded.
    const noted = role === 'live' ? [] : await settingsOptions(join(home, 'data'), role);
    const args = [
      ...argsOf({ ...server, options: [...noted, ...(server.options ?? [])] }, port),
      ...(role === 'live' || wall.isClosed ? [] : [`--plugin-dir=${join(home, 'none')}`]),
    ];
    const options = { cwd: join(home, 'data'), to, room: role === 'live' ? undefined : roomOf(home) };
    const inUse = `port ${port} is in use on this machine`;
    if (!isHanded(server)) {
      if (server.door !== 'socket') await until(() => isFree(port), limits.release, inUse);
      return commands.start(tools.server, args, options);
    }
    const start = (socket: number) => commands.start(tools.server, args, { ...options, socket });
    const child = await handOverSocket(port, limits.release, start);
    if (child === undefined) throw new Error(inUse);
    return child;
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
    settle: (home, port) => settle(account, home, port),
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
}

/** Ends a server that did not get so far as to answer, with what stands between it and this process. */
async function endGroup({ pid }: ChildProcess, ended: AbortSignal): Promise<void> {
  if (pid === undefined || ended.aborted) return;
  send(-pid, 'SIGKILL');
  await gone(pid, limits.kill);
}

async function textFrom(path: string, from: number): Promise<string> {
  return (await readFile(path)).subarray(from).toString();
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
