import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findTools, type Tools } from '../../src/sandbox/service/mariadb/programs/tools.ts';
import { findAccount } from '../../src/sandbox/service/mariadb/wall/account.ts';
import { startMariadbService } from './mariadbApi.ts';
import { backups } from './mariadbBackups.ts';
import { clones } from './mariadbClones.ts';
import { type Place, placesFor } from './mariadbPlace.ts';
import type { Counts, Subject } from './mariadbSubject.ts';
import type { Figure, Part } from './part.ts';

const never = new AbortController().signal;

/** Sizes of the example to be asked for, in MB: snapshots of about 0.35 and 2 GB. */
const small = 250;
const large = 1_900;

/**
 * The sandbox's engine of real MariaDB servers, through its service over HTTP, on a pool that shares blocks and with plain
 * copies. The floor is done by MariaDB's programs, `cp` and a lean start alone.
 */
export const mariadb: Part = {
  name: 'mariadb',
  summary: 'clones, backups and restores of real MariaDB servers, shared blocks and plain copies',
  group: 'Real MariaDB servers',
  async measure({ quick, say }) {
    const found = await findTools(process.env.PATH ?? '');
    if ('missing' in found) {
      say(`mariadb: ${found.missing.join(', ')} not found: no figures`);
      return [];
    }
    const account = await findAccount();
    if (account === undefined) {
      say('mariadb: the servers do not run as root, and there is no user mysql or nobody: no figures');
      return [];
    }
    const figures: Figure[] = [];
    const places = await placesFor(account, say);
    try {
      for (const megabytes of quick ? [small] : [small, large]) {
        let before: Service | undefined;
        for (const place of places) {
          const service = { place, megabytes, state: join(place.folder, `state-${megabytes}`) };
          if (before !== undefined) await handDown(before, service);
          before = service;
          try {
            figures.push(...(await measureAt(service, countsFor(place, megabytes, quick), found.tools, say)));
          } catch (error) {
            // What was measured before is not lost with it.
            say(`✗ mariadb, ${place.means}, ${megabytes} MB: ${error}`);
            process.exitCode = 1;
          }
        }
        if (before !== undefined) await rm(before.state, { recursive: true, force: true });
      }
    } finally {
      for (const place of places) place.remove();
    }
    return figures;
  },
};

/** A service to be measured: its state folder, and how large its example is to be. */
type Service = Readonly<{ place: Place; megabytes: number; state: string }>;

/** Gives the example of a service that has stopped to the next one: to make one of gigabytes takes minutes. */
async function handDown({ place: { commands }, state }: Service, next: Service): Promise<void> {
  await commands.run('mkdir', ['-m', '700', next.state], { signal: never });
  await commands.run('cp', ['-a', join(state, 'live'), next.state], { signal: never });
  await rm(state, { recursive: true, force: true });
}

/** Copies of much data take seconds and more, and ten of them gigabytes. */
function countsFor({ means }: Place, megabytes: number, quick: boolean): Counts {
  if (quick) return { turns: means === 'reflink' ? 10 : 4, rounds: 1, crowd: 10 };
  if (means === 'reflink') return { turns: 40, rounds: 5, crowd: 10 };
  return megabytes === small ? { turns: 10, rounds: 3, crowd: 10 } : { turns: 4, rounds: 1, crowd: 0 };
}

async function measureAt(
  { place, megabytes, state }: Service,
  counts: Counts,
  tools: Tools,
  say: (line: string) => void,
): Promise<readonly Figure[]> {
  const means = place.means === 'reflink' ? 'reflink' : 'copies';
  say(`mariadb, ${means}: an example of about ${megabytes} MB is made`);
  const api = await startMariadbService(state, place.folder, megabytes);
  try {
    const live = (await api.list()).find(({ id }) => id.startsWith('MARIADB_LIVE_SERVER'));
    if (live === undefined) throw new Error('the example was not made');
    const snapshot = join(state, 'snapshots', live.snapshots[0]?.id ?? '');
    const size = Number(execFileSync('du', ['-sm', snapshot], { encoding: 'utf8' }).split('\t')[0]);
    const name = `${means}, ${(size / 1_000).toFixed(2)} GB:`;
    say(`mariadb, ${name} asked for ${megabytes} MB, a snapshot has ${size}`);
    const home = join(state, 'live', live.name);
    const subject: Subject = { place, tools, api, state, live: live.id, home, name, counts };
    return [...(await clones(subject, say)), ...(await backups(subject, say))];
  } finally {
    await api.stop();
  }
}
