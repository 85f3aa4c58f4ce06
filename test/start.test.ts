import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProcess } from './process.ts';
import { scratchFolder } from './scratch.ts';
import { type World, world } from './world.ts';

/* What `npm start` runs, in a copy of the repository. */

const root = resolve(import.meta.dirname, '..');
const home = scratchFolder('start');
const bundle = join(home, 'dist', 'start');
let earth: World;

beforeAll(async () => {
  for (const path of ['src', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(home, path), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  earth = await world();
});
afterAll(async () => {
  await earth.close();
  rmSync(home, { recursive: true, force: true });
});

/** Starts Dolly, asks it whether it is alive, and stops it. Gives what it wrote. */
async function startOnce(): Promise<string> {
  const environment = { ...earth.environment, DATA_DIR: join(home, 'data') };
  const bot = await startProcess(environment, home, join(home, 'src', 'start.js'));
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
  await bot.stop();
  return bot.output();
}

/** Waits until the bundle is there, and lets it say that it runs: only its sources are compared. */
async function bundleThere(): Promise<void> {
  await vi.waitFor(() => expect(existsSync(join(bundle, 'made-of.json'))).toBe(true), {
    timeout: 60_000,
    interval: 100,
  });
  const main = join(bundle, 'main.js');
  writeFileSync(main, `process.stdout.write('from the bundle');\n${readFileSync(main, 'utf8')}`);
}

test('the first start runs the sources, and the next one the bundle, until a file changes', {
  timeout: 120_000,
}, async () => {
  expect(await startOnce()).not.toContain('from the bundle');
  await bundleThere();
  expect(await startOnce()).toContain('from the bundle');

  const touched = join(home, 'src', 'app', 'app.ts');
  utimesSync(touched, new Date(), new Date());
  expect(await startOnce()).not.toContain('from the bundle');

  rmSync(bundle, { recursive: true, force: true });
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'made-of.json'), '{"node":"v0.0.0","files":[]}');
  expect(await startOnce()).not.toContain('from the bundle');
});

test('where no bundle can be written, the sources run', { timeout: 60_000 }, async () => {
  rmSync(join(home, 'dist'), { recursive: true, force: true });
  writeFileSync(join(home, 'dist'), '');
  expect(await startOnce()).toContain('SIGTERM');
});
