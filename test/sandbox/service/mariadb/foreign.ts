import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, vi } from 'vitest';
import { findAccount } from '../../../../src/sandbox/service/mariadb/wall/account.ts';
import { tool } from '../../../mariadb.ts';
import { field, rows } from '../client.ts';
import { newPort } from './newPort.ts';
import { hostOf, type Real } from './real.ts';

const run = promisify(execFile);

/** Another user of the system than the engine's, where one is root. Its files can be read by the engine's group. */
const nobody = 65_534;

export type Foreign = {
  /** The text of an option file that opens a session. */
  options: string;
  ask(statement: string, ...more: string[]): Promise<string[]>;
  end(): Promise<unknown>;
  send(name: NodeJS.Signals): void;
};

/** A server that somebody else runs, with these options, and starts again whenever it ends. */
export async function foreignServer(folder: string, args: readonly string[], isOtherUser = false): Promise<Foreign> {
  const account = await findAccount();
  const uid = isOtherUser ? nobody : account?.uid;
  const identity = account?.isOther && uid !== undefined ? { uid, gid: account.gid } : {};
  const env = { ...process.env, UMASK: '0640', UMASK_DIR: '0750' };
  const settings = { ...identity, cwd: folder, env };
  await mkdir(folder, { mode: 0o755 });
  if (account?.isOther && uid !== undefined) await chown(folder, uid, account.gid);
  // A server that starts removes the temporary tables of all others that share its folder for them.
  const scratch = join(folder, 'tmp');
  await mkdir(scratch);
  if (account?.isOther && uid !== undefined) await chown(scratch, uid, account.gid);
  const basics = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--tmpdir=${scratch}`];
  await run(tool('install'), [...basics, '--skip-test-db', '--auth-root-authentication-method=normal'], settings);
  await run('chmod', ['-R', 'g+rX', join(folder, 'data')]);
  const port = await newPort();
  const listening = [`--port=${port}`, '--bind-address=127.0.0.1', '--socket=own.sock'];
  const begin = () => {
    const child = spawn(tool('server'), [...basics, ...listening, ...args], { ...settings, stdio: 'ignore' });
    const ended = once(child, 'exit');
    void ended.then(() => {
      if (!isEnding) server = begin();
    });
    return { child, ended };
  };
  let isEnding = false;
  let server = begin();
  const ask = async (statement: string, ...more: string[]) => {
    const session = ['--no-defaults', '--protocol=tcp', '--host=127.0.0.1', `--port=${port}`, '--user=root'];
    const { stdout } = await run(
      'mariadb',
      [...session, '--default-character-set=utf8mb4', '-BN', ...more, '-e', statement],
      { maxBuffer: 64_000_000 },
    );
    return stdout.split('\n').slice(0, -1);
  };
  await vi.waitFor(() => ask('SELECT 1'), { timeout: 30_000, interval: 50 });
  return {
    options: `[client]\nprotocol=tcp\nhost=127.0.0.1\nport=${port}\nuser=root\n`,
    ask,
    end() {
      isEnding = true;
      server.child.kill();
      return server.ended;
    },
    send: name => void server.child.kill(name),
  };
}

/** A replica of a server with this option file's text, from the first of its binary logs on. */
export async function replicaOf(folder: string, options: string): Promise<Foreign> {
  const replica = await foreignServer(folder, ['--server-id=2', '--innodb-flush-log-at-trx-commit=0']);
  onTestFinished(async () => {
    await replica.end();
  });
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(options)?.[1] ?? '';
  // The sandbox's definer, which it makes past the binary log.
  await replica.ask('CREATE USER dolly@localhost; GRANT ALL ON *.* TO dolly@localhost');
  await replica.ask(
    `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${value('port')}, MASTER_USER='${value('user')}', MASTER_PASSWORD='${value('password')}',
     MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4, MASTER_CONNECT_RETRY=1; START SLAVE`,
  );
  return replica;
}

/** Waits until a replica has all that its server has, and still runs: as long as it goes on, on a busy machine. */
export async function caughtUp(replica: Foreign, position: string | undefined): Promise<void> {
  const wait = () => replica.ask(`SELECT MASTER_GTID_WAIT('${position}', 60), @@gtid_slave_pos`);
  let [reached = '', before] = ['-1', ''];
  for (let at = '0'; reached === '-1' && at !== before; )
    [before, [reached = '', at = '']] = [at, (await wait()).flatMap(row => row.split('\t'))];
  const fault = `${await replica.ask('SHOW SLAVE STATUS')}`;
  expect(reached, fault).toBe('0');
  expect(fault).toContain('\tYes\tYes\t');
}

/** Registers a server that somebody else runs, as another user of the system. */
export async function register(
  real: Real,
  name: string,
  args: readonly string[],
): Promise<{ id: string; server: Foreign }> {
  const server = await foreignServer(join(real.folder, '..', name), args, true);
  onTestFinished(async () => {
    await server.end();
  });
  await writeFile(join(real.folder, 'registered', `${name}.cnf`), server.options, { mode: 0o644 });
  const environment = String(field(await hostOf(real.send), 'id'));
  await real.ask('PUT /environment/refresh', environment);
  await vi.waitFor(async () => expect(await real.record(environment)).toMatchObject({ state: 'ENABLED' }), 20_000);
  const listed = rows((await real.send('GET /database/list')).body);
  const found = listed.find(record => field(record, 'name') === name);
  expect(found, JSON.stringify(await real.record(environment))).toBeDefined();
  return { id: String(field(found, 'id')), server };
}
