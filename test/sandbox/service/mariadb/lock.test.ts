import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lock } from '../../../../src/sandbox/service/mariadb/lock.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'dolly-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const source = new URL('../../../../src/sandbox/service/mariadb/lock.ts', import.meta.url).href;

/** A process that takes the lock at a moment, says whether it has it, and lives until its input ends. */
function taker(state: string, moment: number) {
  const code = `
    const { lock } = await import(${JSON.stringify(source)});
    while (Date.now() < ${moment});
    process.stdout.write(await lock('${state}').then(() => 'taken', error => error.message) + '\\n');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('the lock of a folder in use is refused with the process that has it, and can be taken after it', async () => {
  const state = folder();
  const release = await lock(state);
  await expect(lock(state)).rejects.toThrow(`${state} is in use by process ${process.pid}`);
  await release();
  await (await lock(state))();
});

test('the lock of a process that was killed can be taken by another', async () => {
  const state = folder();
  const child = taker(state, 0);
  expect(String(await once(child.stdout, 'data'))).toContain('taken');
  await expect(lock(state)).rejects.toThrow(`in use by process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await lock(state))();
});

test('a lock file that names a living process which never had the lock does not keep others from it', async () => {
  const state = folder();
  writeFileSync(join(state, 'lock'), String(process.ppid));
  const release = await lock(state);
  expect(readFileSync(join(state, 'lock'), 'utf8')).toContain(String(process.pid));
  await release();
});

test.each(['nobody', 'a dead process'])(
  'of six processes that come at once for a lock that %s had, one alone takes it',
  async who => {
    for (let round = 0; round < 4; round += 1) {
      const state = folder();
      if (who !== 'nobody') writeFileSync(join(state, 'lock'), '4194305');
      const moment = Date.now() + 500;
      const answers = await Promise.all(
        Array.from({ length: 6 }, async () => String(await once(taker(state, moment).stdout, 'data'))),
      );
      expect(answers.filter(answer => answer === 'taken\n')).toHaveLength(1);
    }
  },
);
