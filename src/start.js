import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * What `npm start` runs. A bundle of Dolly starts three times as fast as its sources, so it is taken where it was made of
 * exactly what lies here now. Else the sources run, and a bundle for the next start is made beside them. This file is
 * plain JavaScript, since Node takes a moment before it can read TypeScript.
 */

const root = new URL('../', import.meta.url);
const bundle = new URL('dist/start/', root);

if (existsSync('.env')) process.loadEnvFile('.env');
if (isFresh()) {
  const { isForReal } = await import(new URL('realKeys.js', bundle).href);
  // The sandbox is not in the bundle.
  await import(isForReal(process.env) ? new URL('main.js', bundle).href : './main.ts');
} else {
  const { compiled } = await import('./main.ts');
  const { isForReal } = await import('./app/config/realKeys.ts');
  if (isForReal(process.env)) bundleBeside(compiled);
}

/** Whether there is a bundle, and every file of which it was made is as it was then. */
function isFresh() {
  try {
    const { node, files } = JSON.parse(readFileSync(new URL('made-of.json', bundle), 'utf8'));
    return (
      node === process.version &&
      files.every(([path, size, time]) => {
        const now = statSync(new URL(path, root));
        return now.size === size && now.mtimeMs === time;
      })
    );
  } catch {
    return false;
  }
}

/** Makes the bundle in a process of the lowest priority, which may outlive this one. Where it cannot, the sources do. */
function bundleBeside(compiled) {
  const code = fileURLToPath(new URL('bundleForStart.ts', import.meta.url));
  // Only the store makes the folder around that of compiled code.
  const args = existsSync(dirname(compiled)) ? [code, compiled] : [code];
  const maker = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
  maker.on('error', () => undefined).unref();
}
