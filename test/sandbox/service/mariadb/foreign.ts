import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { findAccount } from '../../../../src/sandbox/service/mariadb/account.ts';
import { freePort } from '../../../../src/sandbox/service/mariadb/servers.ts';
import { tool } from '../../../mariadb.ts';

const run = promisify(execFile);

/** Another user of the system than the engine's, where one is root. Its files can be read by the engine's group. */
const nobody = 65_534;

export type Foreign = {
  /** The text of an option file that opens a session. */
  options: string;
  ask(statement: string): Promise<readonly string[]>;
  end(): Promise<unknown>;
  send(name: NodeJS.Signals): void;
};

/** A server that somebody else runs, with these options. */
export async function foreignServer(folder: string, args: readonly string[], isOtherUser = false): Promise<Foreign> {
  const account = await findAccount();
  const uid = isOtherUser ? nobody : account?.uid;
  const identity = account?.isOther && uid !== undefined ? { uid, gid: account.gid } : {};
  const env = { ...process.env, UMASK: '0640', UMASK_DIR: '0750' };
  const settings = { ...identity, cwd: folder, env };
  await mkdir(folder, { mode: 0o755 });
  if (account?.isOther && uid !== undefined) await chown(folder, uid, account.gid);
  const basics = ['--no-defaults', `--datadir=${join(folder, 'data')}`];
  await run(tool('install'), [...basics, '--skip-test-db', '--auth-root-authentication-method=normal'], settings);
  await run('chmod', ['-R', 'g+rX', join(folder, 'data')]);
  const port = await freePort();
  const listening = [`--port=${port}`, '--bind-address=127.0.0.1', '--socket=own.sock'];
  const server = spawn(tool('server'), [...basics, ...listening, ...args], { ...settings, stdio: 'ignore' });
  const ended = once(server, 'exit');
  const ask = async (statement: string) => {
    const session = ['--no-defaults', '--protocol=tcp', '--host=127.0.0.1', `--port=${port}`, '--user=root'];
    const { stdout } = await run('mariadb', [...session, '-BN', '-e', statement], { maxBuffer: 64_000_000 });
    return stdout.split('\n').slice(0, -1);
  };
  await vi.waitFor(() => ask('SELECT 1'), { timeout: 30_000, interval: 50 });
  return {
    options: `[client]\nprotocol=tcp\nhost=127.0.0.1\nport=${port}\nuser=root\n`,
    ask,
    end() {
      server.kill();
      return ended;
    },
    send: name => void server.kill(name),
  };
}
