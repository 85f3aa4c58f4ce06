import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { atEnd } from './child.ts';
import { type Build, own } from './part.ts';

/** Dolly as the production image has it: the arguments and the environment with which Node runs it. */
export type Bundle = Readonly<{
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  remove(): void;
}>;

/** Makes the bundle of a build, and compiles its code, by the programs that its Dockerfile runs. */
export function makeBundle({ root = own }: Pick<Build, 'root'>): Bundle {
  // Where the package with the native part is found, and git looks at nothing.
  const place = join(root, 'dist', 'bench');
  const code = `${join(place, 'app')}/`;
  const compiled = join(place, 'compiled');
  const remove = atEnd(() => rmSync(place, { recursive: true, force: true }));
  const environment = { NODE_COMPILE_CACHE: compiled };
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, args, { env: { PATH: process.env.PATH, ...environment }, stdio: 'pipe' });
  mkdirSync(place, { recursive: true });
  run(join(root, 'src', 'bundle.ts'), code);
  const args = commandIn(readFileSync(join(root, 'Dockerfile'), 'utf8')).map(arg => arg.replace(/^dist\//, code));
  run(...args, 'compile');
  return { args, environment, remove };
}

/** The arguments of Node in the command of the image. */
function commandIn(dockerfile: string): readonly string[] {
  const [, ...args] = z.array(z.string()).parse(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]'));
  return args;
}
