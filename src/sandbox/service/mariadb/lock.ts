import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StartFault } from '../startFault.ts';

/**
 * Takes a state folder for this process. Gives what sets it free again. Throws where another process that lives has it:
 * two of them would end each other's servers.
 */
export async function lock(state: string): Promise<() => Promise<void>> {
  const file = join(state, 'lock');
  const { promise: taken, resolve, reject } = Promise.withResolvers<void>();
  // A name of the kernel's (it begins with \0) instead of the file's: one process alone gets it, and it is free when that
  // one ends, however it ends. A file that is left has to be removed first, and two may do so at once.
  const name = createServer().once('error', reject);
  name.listen(`\0dolly-sandbox-${createHash('sha256').update(state).digest('hex')}`, resolve).unref();
  try {
    await taken;
  } catch {
    const pid = await readFile(file, 'utf8').catch(() => '');
    const holder = pid === '' ? 'another process' : `process ${pid}`;
    throw new StartFault(`${state} is in use by ${holder}: end that one, or choose another folder`);
  }
  await rm(file, { force: true });
  await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
  return async () => {
    await rm(file, { force: true });
    name.close();
  };
}
