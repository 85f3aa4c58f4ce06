import { spawn } from 'node:child_process';
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { besidePostgres, hasPostgres } from './postgresServer.ts';
import { scratchFolder } from './scratch.ts';

// Debian puts it where the programs of administrators are.
const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map(folder => join(folder, 'pgbouncer'))
  .find(file => existsSync(file));

/** Whether there is a PgBouncer on this machine. */
export const hasPgBouncer = program !== undefined && hasPostgres;
if (!hasPgBouncer) process.stderr.write('Nothing is tested behind a real PgBouncer here: pgbouncer not found.\n');

const usual = {
  pool_mode: 'transaction',
  // The transactions of a connection are with one server after the other.
  server_round_robin: '1',
  min_pool_size: '4',
  default_pool_size: '8',
  ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
  auth_type: 'any',
};

/** Starts a PgBouncer before the server of a URL until the test ends, and gives the URL that leads through it. */
export async function pooled(
  url: string,
  given: Partial<Record<keyof typeof usual | 'auth_file', string>> & Record<string, string> = {},
): Promise<string> {
  const { pathname, searchParams } = new URL(url);
  const folder = scratchFolder('pool');
  const { uid, before } = besidePostgres();
  const settings = {
    ...usual,
    logfile: join(folder, 'log'),
    unix_socket_dir: folder,
    listen_port: '5432',
    ...given,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  const servers = `* = host=${searchParams.get('host')} user=dolly`;
  writeFileSync(file, ['[databases]', servers, '[pgbouncer]', ...lines, ''].join('\n'));
  if (uid !== undefined) for (const path of [folder, file]) chownSync(path, uid, uid);
  const [command = '', ...args] = [...before, program ?? '', file];
  const running = spawn(command, args, { stdio: 'ignore', ...(uid === undefined ? {} : { uid, gid: uid }) });
  const ended = new Promise(resolve => running.once('exit', resolve));
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!existsSync(join(folder, '.s.PGSQL.5432'))) {
    if (running.exitCode !== null) throw new Error(`pgbouncer ended with ${running.exitCode}`);
    await sleep(10);
  }
  return `postgres://dolly@localhost${pathname}?host=${encodeURIComponent(folder)}`;
}
