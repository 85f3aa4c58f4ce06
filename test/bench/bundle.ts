import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { atEnd } from './child.ts';

/** Where the package with the native part is found, and git looks at nothing. */
const place = new URL('../../dist/bench/', import.meta.url);
const code = fileURLToPath(new URL('app/', place));
const compiled = fileURLToPath(new URL('compiled/', place));

/** Dolly as the production image has it: the arguments and the environment with which Node runs it. */
export type Bundle = Readonly<{
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  remove(): void;
}>;

/** Makes the bundle, and compiles its code, by the programs that the Dockerfile runs. */
export function makeBundle(): Bundle {
  const remove = atEnd(() => rmSync(place, { recursive: true, force: true }));
  const environment = { NODE_COMPILE_CACHE: compiled };
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, args, { env: { PATH: process.env.PATH, ...environment }, stdio: 'pipe' });
  mkdirSync(place, { recursive: true });
  run(fileURLToPath(new URL('../../src/bundle.ts', import.meta.url)), code);
  const args = commandIn(readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')).map(arg =>
    arg.replace(/^dist\//, code),
  );
  run(...args, 'compile');
  return { args, environment, remove };
}

/** The arguments of Node in the command of the image. */
function commandIn(dockerfile: string): readonly string[] {
  const [, ...args] = z.array(z.string()).parse(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]'));
  return args;
}
