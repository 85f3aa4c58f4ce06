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
  remove(home);
});

/** Removes a folder into which the process that makes a bundle may still write: it outlives the bot that began it. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Starts Dolly, asks it whether it is alive, and stops it. Gives what it wrote. */
async function startOnce(): Promise<string> {
  const environment = { ...earth.environment, DATA_DIR: join(home, 'data') };
  const bot = await startProcess(environment, home, join(home, 'src', 'start.js'));
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
  await bot.stop();
  return bot.output();
}

/** What a bundle says of the files of which it was made; empty where there is none. */
function madeOf(): string {
  const list = join(bundle, 'made-of.json');
  return existsSync(list) ? readFileSync(list, 'utf8') : '';
}

/** Waits until a bundle is there that is not made of these files. */
async function bundleMade(before = ''): Promise<void> {
  await vi.waitFor(() => expect(['', before]).not.toContain(madeOf()), { timeout: 60_000, interval: 100 });
}

/** Waits until the bundle is there, and lets it say that it runs: only its sources are compared. */
async function bundleThere(): Promise<void> {
  await bundleMade();
  const main = join(bundle, 'main.js');
  writeFileSync(main, `process.stdout.write('from the bundle');\n${readFileSync(main, 'utf8')}`);
}

test('npm start runs the sources first, and then the bundle, until a file changes', {
  timeout: 120_000,
}, async () => {
  expect(await startOnce()).not.toContain('from the bundle');
  await bundleThere();
  expect(await startOnce()).toContain('from the bundle');

  const old = madeOf();
  const touched = join(home, 'src', 'app', 'app.ts');
  utimesSync(touched, new Date(), new Date());
  expect(await startOnce()).not.toContain('from the bundle');
  await bundleMade(old);

  remove(bundle);
  mkdirSync(bundle, { recursive: true });
  const ofAnotherNode = '{"node":"v0.0.0","files":[]}';
  writeFileSync(join(bundle, 'made-of.json'), ofAnotherNode);
  expect(await startOnce()).not.toContain('from the bundle');
  await bundleMade(ofAnotherNode);
});

test('npm start runs the sources where no bundle can be written', { timeout: 60_000 }, async () => {
  remove(join(home, 'dist'));
  writeFileSync(join(home, 'dist'), '');
  expect(await startOnce()).toContain('SIGTERM');
});
