import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/**
 * The bot's program and the folder for what Node compiles of it, for bots that are processes of their own. It is a bundle,
 * as in production, which starts in a third of the time that the sources take. Each run of the tests makes it once; where
 * several test files do so at the same time, the first one counts.
 */
export function bundledBot(): { program: string; compiled: string } {
  const home = join(inject('scratch'), 'bundled');
  if (!existsSync(home)) makeIn(home);
  return { program: join(home, 'dist', 'main.js'), compiled: join(home, 'compiled') };
}

function makeIn(home: string): void {
  const making = mkdtempSync(`${home}-`);
  const made = spawnSync(process.execPath, ['src/bundle.ts', join(making, 'dist')], { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`the bundle was not made: ${made.stdout}${made.stderr}`);
  writeFileSync(join(making, 'package.json'), '{"type":"module"}');
  // SQLite has a native part, which it finds beside itself.
  mkdirSync(join(making, 'node_modules'));
  symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(making, 'node_modules', 'better-sqlite3'));
  // Where it is not there, the first start fills it by a process more.
  mkdirSync(join(making, 'compiled'));
  try {
    renameSync(making, home);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}
