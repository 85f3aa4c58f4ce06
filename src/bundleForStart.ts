import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative } from 'node:path';

/*
 * Makes the bundle that the next `npm start` takes, with the list of the files of which it was made. It is made in a
 * folder of its own and renamed into place, so that no start finds half of it. What stands in its way ends it: where the
 * folder cannot be written, or the bundler is not installed, the sources run as before. The argument names the folder in
 * which its compiled code is kept; without one, none is.
 */
const [, , compiled] = process.argv;
setPriority(constants.priority.PRIORITY_LOW);
const root = join(import.meta.dirname, '..');
const place = join(root, 'dist', 'start');
const making = `${place}.${process.pid}`;

/** Everything that a bundle may be made of: path from the root on, size in bytes, time of the last change. */
function filesNow(): readonly (readonly [path: string, size: number, time: number])[] {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.startsWith(join('src', 'sandbox')));
  return [...sources, 'package.json', 'package-lock.json', join('node_modules', '.package-lock.json')]
    .filter(path => statSync(join(root, path), { throwIfNoEntry: false }))
    .map(path => {
      const { size, mtimeMs } = statSync(join(root, path));
      return [path, size, mtimeMs] as const;
    });
}

try {
  mkdirSync(making, { recursive: true });
  const files = filesNow();
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), making], { stdio: 'ignore' });
  writeFileSync(join(making, 'made-of.json'), JSON.stringify({ node: process.version, files }));
  // What changed meanwhile may be in it or not.
  if (JSON.stringify(filesNow()) !== JSON.stringify(files)) throw new Error('the sources changed meanwhile');
  rmSync(place, { recursive: true, force: true });
  renameSync(making, place);
  if (compiled !== undefined)
    execFileSync(process.execPath, [join(place, 'main.js'), 'compile'], {
      stdio: 'ignore',
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    });
} finally {
  rmSync(making, { recursive: true, force: true });
}
