import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { optionFile } from '../../src/sandbox/service/mariadb/servers/sessions.ts';
import { newBare } from './mariadbBare.ts';
import { copyBare } from './mariadbPlace.ts';
import { newestTree, pairs, type Subject, timed } from './mariadbSubject.ts';
import type { Figure } from './part.ts';

const never = new AbortController().signal;

/** What is taken from a live server, and put back to it. */
export async function backups(subject: Subject, say: (line: string) => void): Promise<readonly Figure[]> {
  const { place, tools, api, live, home, name, counts } = subject;
  const { commands, means } = place;
  const options = `--defaults-file=${optionFile(home)}`;
  const work = join(place.folder, 'bare-backup');
  const changes = join(place.folder, 'bare-changes');
  const run = (program: string, ...args: string[]) => commands.run(program, args, { signal: never });
  const settled = async (path: string, method: 'PUT' | 'POST', body: Readonly<Record<string, string>>) => {
    await api.send(method, path, { database: live, ...body });
    return api.settled(live);
  };
  const sync = (type: string) =>
    timed(async () => {
      const { snapshots } = await settled('/database/sync', 'PUT', {});
      if (snapshots.at(-1)?.type !== type) throw new Error(`the backup was to be ${type}`);
    });
  /** Some days' work: pages all over the table. */
  const change = () => run(tools.client, options, '-e', 'UPDATE shop.orders SET note = UUID() WHERE id MOD 500 = 0');
  const prepare = (...more: string[]) =>
    run(tools.backup, '--prepare', '--use-memory=256M', `--target-dir=${work}`, ...more);

  async function bareIncrement(): Promise<void> {
    const base = await newestTree(subject);
    const lsn = /^to_lsn = (\d+)$/m.exec(await readFile(join(base, 'xtrabackup_checkpoints'), 'utf8'))?.[1];
    await run(tools.backup, options, '--backup', `--target-dir=${changes}`, `--incremental-lsn=${lsn}`);
    await copyBare(place, base, work);
    await prepare(`--incremental-dir=${changes}`);
  }
  async function bareFull(): Promise<void> {
    await run(tools.backup, options, '--backup', `--target-dir=${work}`);
    await prepare();
  }
  const cleared = async (took: number) => {
    for (const folder of [work, changes]) await rm(folder, { recursive: true, force: true });
    return took;
  };

  say(`${name} incremental backups`);
  const increments = await pairs(place, counts.rounds, async kind => {
    await change();
    return kind === 'dolly' ? sync('INCREMENTAL') : cleared(await timed(bareIncrement));
  });
  say(`${name} restores`);
  const part = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'shop', tableName: 'orders' };
  const file = join(place.folder, 'orders.sql');
  const table = await pairs(place, Math.min(counts.rounds, 3), async kind => {
    if (kind === 'dolly') return timed(() => settled('/database/restore', 'POST', part));
    const took = await timed(async () => {
      await run(tools.dump, options, '--single-transaction', `--result-file=${file}`, 'shop', 'orders');
      await run(tools.client, options, '-e', 'CREATE DATABASE loaded_again');
      await run(tools.client, options, 'loaded_again', '-e', `SOURCE ${file}`);
    });
    await run(tools.client, options, '-e', 'DROP DATABASE loaded_again');
    await rm(file);
    return took;
  });
  const fulls: { dolly: number; bare: number }[] = [];
  const server = await newBare(place, tools, home);
  await server.copy(await newestTree(subject), means);
  await server.start();
  const restores = await pairs(place, counts.rounds, async kind => {
    if (kind === 'bare')
      return timed(async () => {
        await server.stop();
        await server.empty();
        await server.copy(await newestTree(subject), means);
        await server.start();
      });
    const took = await timed(() =>
      settled('/database/restore', 'POST', { objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' }),
    );
    // After a restore of the server no base is safe, so the next backup is a full one.
    fulls.push(
      ...(await pairs(place, 1, async which => (which === 'dolly' ? sync('FULL') : cleared(await timed(bareFull))))),
    );
    return took;
  });
  await server.remove();

  return [
    { name: `${name} incremental backup (floor: mariadb-backup, cp, prepare)`, unit: 'ms', rounds: increments },
    { name: `${name} full backup (floor: mariadb-backup, prepare)`, unit: 'ms', rounds: fulls },
    { name: `${name} restore of a table, shop.orders (floor: dump, load)`, unit: 'ms', rounds: table },
    { name: `${name} restore of the server (floor: stop, cp, lean start)`, unit: 'ms', rounds: restores },
  ];
}
