import { resolve } from 'node:path';
import { openMariadb } from './service/mariadb/mariadb.ts';
import type { ServiceOptions } from './service/server.ts';
import { StartFault } from './service/startFault.ts';

/** The options that start the sandbox service with MariaDB or without, and a line that tells people so. */
export type RealServers = Readonly<{ options: Pick<ServiceOptions, 'engines' | 'stateDir'>; said: string }>;

/** Beside the usual one, which a server of the machine's own may have. */
const examplePort = 3316;

/** The environment variables that decide on real MariaDB servers in the sandbox. None of them concerns the bot. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the sandbox's MariaDB servers: beside the bot's data, which nobody else may enter. */
export function mariadbFolder(env: Environment, dataDir: string): string {
  return resolve(env.SANDBOX_MARIADB_DIR ?? `${dataDir}-mariadb`);
}

/**
 * Opens the engine of real MariaDB servers where their programs are found. `SANDBOX_MARIADB` is `auto`, `on` (without them
 * the start fails) or `off`; `SANDBOX_MARIADB_MB` is the example's size, `SANDBOX_MARIADB_ROOTS` more folders for clones,
 * with colons between. Throws with a sentence for people.
 */
export async function realServers(env: Environment, dataDir: string): Promise<RealServers> {
  const wish = env.SANDBOX_MARIADB ?? 'auto';
  if (!['auto', 'on', 'off'].includes(wish)) throw new StartFault('SANDBOX_MARIADB must be auto, on or off.');
  const megabytes = Number(env.SANDBOX_MARIADB_MB ?? 40);
  if (!(megabytes >= 1 && megabytes <= 100_000))
    throw new StartFault('SANDBOX_MARIADB_MB must be a number from 1 to 100000.');
  if (wish === 'off') return simulated('SANDBOX_MARIADB is off');
  const folder = mariadbFolder(env, dataDir);
  const roots = (env.SANDBOX_MARIADB_ROOTS ?? '').split(':').filter(root => root !== '');
  const opened = await openMariadb({ folder, example: { megabytes, port: examplePort }, roots });
  if ('engine' in opened) {
    const { engine } = opened;
    return {
      options: { engines: { MARIADB: engine }, stateDir: folder },
      said: [
        `MariaDB is real: servers of this machine, in ${folder}. Everything else is simulated.`,
        `Between clones and the rest of this machine: ${engine.host?.facts.wall}.`,
        `Try: /clone webshop port=3401 mountBase=${engine.host?.mountRoot ?? folder}/first`,
      ].join('\n  '),
    };
  }
  if (wish === 'on') throw new StartFault(`SANDBOX_MARIADB is on, but ${opened.reason}.`);
  return simulated(opened.reason);
}

function simulated(reason: string): RealServers {
  return { options: {}, said: `Everything is simulated, MariaDB too: ${reason}.` };
}
