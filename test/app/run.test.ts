import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFault } from '../../src/app/run.ts';
import { StoreTrouble } from '../../src/ground/failure.ts';

test.each([
  [
    'SQLITE_FULL',
    new StoreTrouble('My store has a problem (there is no space left for it), so nothing was sent. Wait.'),
  ],
  ['ENOSPC', Object.assign(new Error('write'), { code: 'ENOSPC' })],
])('A full disk at the start (%s) is told in a sentence', (_, error) => {
  const said = startFault(error);
  expect(said).toMatch(/^Dolly cannot start: .*no space (is )?left/);
  expect(said).not.toMatch(/\n|nothing was sent/);
});

const program = (path: string) => new URL(path, import.meta.url).pathname;

test('A stop ends although work hangs and nobody reads the last lines of the process', async () => {
  const child = spawn(process.execPath, [program('./hanging.ts')], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([null, 'SIGKILL']);
});

test.each([
  ['SLACK_SIGNING_SECRET', 'a'.repeat(32)],
  ['SLACK_APP_TOKEN', 'xapp-1-A-1-a'],
  ['SLACK_CLIENT_SECRET', 'b'.repeat(32)],
  ['SERVICE_URL', 'https://service.example.com'],
  ['TOKEN_KEYS', Buffer.alloc(32, 1).toString('base64')],
])('No sandbox starts where %s is set, but one message names what is missing', async (key, value) => {
  const cwd = mkdtempSync(join(tmpdir(), 'dolly-keys-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const child = spawn(process.execPath, [program('../../src/main.ts')], {
    ...{ cwd, env: { [key]: value, PORT: '0' } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('listens at') || output.includes('http://')) child.kill('SIGKILL');
    });
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([1, expect.stringContaining('Dolly cannot start:')]);
  expect(output).toMatch(/SLACK_BOT_TOKEN: is missing|SLACK_CLIENT_ID: is missing/);
  expect(output).not.toContain(value);
});
