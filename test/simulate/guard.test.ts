import { execFile } from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { guard } from './guard.ts';
import { newKernel } from './kernel.ts';

/** What the guard tells of a run in which a process does something. Vitest's own resources are among it. */
async function toldOf(act: () => unknown): Promise<string> {
  const told: string[] = [];
  const kernel = newKernel('seed', 0, { passes: () => undefined, happened: () => undefined });
  const guarding = guard(what => told.push(what));
  kernel.after(1, kernel.raise('bot 0'), 'act', () => void act());
  await kernel.run(() => false, 10);
  guarding.end();
  return told.join('\n');
}

const here = fileURLToPath(import.meta.url);

const real: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['a file that is read by a promise', () => fs.promises.readFile(here), /FSREQ|FILEHANDLE/],
  ['a file that is looked up by a callback', () => fs.stat(here, () => undefined), /FSREQCALLBACK/],
  ['a name that is looked up', () => dns.lookup('localhost', () => undefined), /GETADDRINFOREQWRAP/],
  ['a connection', () => net.connect(9, '127.0.0.1').on('error', () => undefined), /TCPWRAP/],
  ['a port that is listened to', () => net.createServer().listen(0).close(), /TCPSERVERWRAP/],
  ['a compression', () => zlib.gzip('text', () => undefined), /ZLIB/],
  ['a thread', () => new Worker('', { eval: true }).terminate(), /WORKER/],
  ['a program', () => execFile(process.execPath, ['--version']), /PROCESSWRAP/],
];

test.each(real)(
  'the guard of a simulation notices %s, and names its process and where it began',
  async (_what, act, kind) => {
    const told = await toldOf(act);
    const own = told.split('\n').find(line => kind.test(line) && line.includes('guard.test.ts'));
    expect(own).toMatch(/^bot 0 began a real /);
  },
);

test('a simulation that reads a real file fails, and the finding says where', async () => {
  const script = `
    await import('./test/simulate/tame.ts');
    const { readFile } = await import('node:fs/promises');
    const { simulate } = await import('./test/simulate/simulation.ts');
    const { firstStore } = await import('./test/simulate/firstStore.ts');
    const { drawPlan } = await import('./test/simulate/drawing.ts');
    let notes = 0;
    const plants = () => { if (++notes === 500) readFile('package.json'); };
    const { findings } = await simulate(drawPlan('1'), await firstStore(), plants);
    console.log(JSON.stringify(findings));
  `;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const given = ['--disable-warning=DEP0204', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd });
  expect(stdout).toMatch(/"invariant":"the world","what":"\S.* began a real FSREQPROMISE .*eval/);
});
