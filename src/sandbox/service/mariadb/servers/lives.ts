import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Discovered, Found, Observed } from '../../engine.ts';
import type { Database } from '../../estate.ts';
import { handOver } from '../wall/account.ts';
import { megabytes, ofPeople, type Workshop } from '../workshop.ts';
import { freePort, isFree } from './ports.ts';
import { optionFile } from './sessions.ts';
import { shop } from './shop.ts';
import { type Ask, askOf } from './sql.ts';

/** A live server: one that the engine runs in a home of its own, or one that runs elsewhere and was registered. */
export type Live = Readonly<{ name: string; options: string; ask: Ask; home: string | undefined }>;

const option = /^(?<name>[A-Za-z0-9][\w.-]*)\.cnf$/;

/** The live server of a record. Throws where it is neither in the engine's folder nor registered. */
export function liveOf(workshop: Workshop, { name }: Pick<Database, 'name'>): Live {
  const { tools, commands, places, servers } = workshop;
  const home = join(places.live, name);
  if (isOwn(workshop, { name })) return { name, options: optionFile(home), ask: servers.ask(home), home };
  const options = join(places.registered, `${name}.cnf`);
  if (option.test(`${name}.cnf`) && existsSync(options))
    return { name, options, ask: askOf(commands, tools, options), home: undefined };
  throw new Error(`${name} is not in ${places.live}, and there is no ${options}`);
}

/** Whether the engine runs this live server itself. */
export function isOwn({ places }: Workshop, { name }: Pick<Database, 'name'>): boolean {
  return name === join(name, '.') && existsSync(join(places.live, name, 'data'));
}

/** Looks at a live server. */
export async function observe(
  workshop: Workshop,
  live: Live,
  signal: AbortSignal,
): Promise<Observed & { port: number }> {
  const { ask, home, options } = live;
  const [first = [], ...databases] = await ask(
    'SELECT VERSION(), @@port, @@log_bin, @@datadir; SHOW DATABASES',
    signal,
  );
  const [version = '', port = '', logs = '', data = ''] = first;
  // The files as they are: table statistics are old after a restore. Files of a registered server may be out of reach.
  const sizeMb = await megabytes(workshop, data, signal).catch(() => null);
  return {
    contents: { databases: ofPeople(databases) },
    port: Number(port),
    facts: {
      host: '127.0.0.1',
      version,
      sizeMb,
      binaryLogs: logs === '1' ? 'on' : 'off',
      dataDirectory: data,
      origin: home === undefined ? 'registered' : 'made by the sandbox',
      connection: connection(options),
    },
  };
}

/** The command that opens a session: it needs no password to be typed, and shows none. */
export function connection(options: string): string {
  return /\s/.test(options) ? `mariadb --defaults-file='${options}'` : `mariadb --defaults-file=${options}`;
}

/** The example's name; it holds the database `shop`. */
const example = 'webshop';
/** The memory of the example's server while it is filled, in bytes: with less, gigabytes take many minutes. */
const buffer = 1024 ** 3;

/** The approximate size of the example server, and the port that it takes if it is free; any port when left out. */
export type Example = Readonly<{ megabytes: number; port?: number }>;

/** Makes the example server where it is not there yet. */
export async function makeExample(workshop: Workshop, wanted: Example, signal: AbortSignal): Promise<void> {
  const { places, servers, commands, tools, account } = workshop;
  const home = join(places.live, example);
  if (existsSync(home)) return;
  const making = join(places.work, example);
  // A failed attempt may have left something.
  await rm(making, { recursive: true, force: true });
  for (const folder of [making, join(making, 'tmp'), join(making, 'binlog')]) {
    await mkdir(folder);
    await handOver(account, folder);
  }
  // root opens sessions by who they are (unix_socket), and so does the engine's user: nobody gets in without a password.
  const args = ['--auth-root-authentication-method=socket', `--auth-root-socket-user=${account.name}`];
  const data = join(making, 'data');
  await commands.run(tools.install, ['--no-defaults', `--datadir=${data}`, '--skip-test-db', ...args], { signal });
  const port = wanted.port !== undefined && (await isFree(wanted.port)) ? wanted.port : await freePort();
  await servers.settle(making, port);
  const options = [`--innodb-buffer-pool-size=${buffer}`];
  await servers.start({ role: 'live', home: making, options }, signal);
  try {
    await commands.run(tools.client, [`--defaults-file=${optionFile(making)}`], {
      signal,
      input: shop(wanted.megabytes),
    });
  } finally {
    await servers.stop(making);
  }
  // One step: a server that is half made is never found.
  await rename(making, home);
}

/**
 * The servers of the engine's folder and the registered ones that are not known yet, running and observed. Which of all of them
 * cannot be reached is told with the reason.
 */
export async function discover(workshop: Workshop, known: readonly string[], signal: AbortSignal): Promise<Discovered> {
  const { places, servers } = workshop;
  const own = await readdir(places.live);
  const registered = (await readdir(places.registered)).flatMap(file => option.exec(file)?.groups?.name ?? []);
  const unreachable: string[] = [];
  const found = await Promise.all(
    [...new Set([...own, ...registered])].map(async (name): Promise<Found[]> => {
      try {
        const live = liveOf(workshop, { name });
        if (live.home !== undefined) await servers.start({ role: 'live', home: live.home }, signal);
        const observed = await observe(workshop, live, signal);
        return known.includes(name) ? [] : [{ name, vendor: 'MARIADB', ...observed }];
      } catch (error) {
        signal.throwIfAborted();
        unreachable.push(`${name} cannot be reached: ${error instanceof Error ? error.message : error}`);
        return [];
      }
    }),
  );
  // Also where there is none any more: what an earlier look told is to go.
  return { found: found.flat(), facts: { unreachableServers: unreachable.length > 0 ? unreachable.join('\n') : null } };
}
