import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A defect that is planted to see whether the simulator finds it. `reason` says why it cannot, where it is known not to. */
export type Defect = Readonly<{
  name: string;
  patch: string;
  file: string;
  invariant: string;
  seeds: number;
  reason: string | undefined;
}>;

const root = new URL('../..', import.meta.url).pathname;
const folder = new URL('defects', import.meta.url).pathname;

/** All planted defects. @throws Error where one says neither what finds it nor why nothing does */
export function readDefects(): readonly Defect[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.patch'))
    .sort()
    .map(name => {
      const file = join(folder, name);
      const patch = readFileSync(file, 'utf8');
      const [, reason] = /^not-found: (.+)$/m.exec(patch) ?? [];
      const [, invariant = reason === undefined ? undefined : ''] = /^found-by: (.+)$/m.exec(patch) ?? [];
      const [, seeds] = /^within-seeds: (\d+)$/m.exec(patch) ?? [];
      if (invariant === undefined || seeds === undefined) throw new Error(`${name} does not say what finds it`);
      return { name: name.replace('.patch', ''), patch, file, invariant, seeds: Number(seeds), reason };
    });
}

/** What came of a planted defect: the seed that found it, or what was said in its place. */
export type Search = Readonly<{ foundBy?: string; said: string }>;

/** Plants a defect in a copy of the code and runs seeds until one finds it. */
export async function search({ file, invariant, seeds }: Defect): Promise<Search> {
  const copy = mkdtempSync(join(tmpdir(), 'dolly-defect-'));
  try {
    for (const part of ['src', 'test/simulate', 'test/sandbox', 'test/variants', 'package.json']) {
      mkdirSync(join(copy, part, '..'), { recursive: true });
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    for (const name of readdirSync(join(root, 'test')))
      if (name.endsWith('.ts')) cpSync(join(root, 'test', name), join(copy, 'test', name));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const refused = await promisify(execFile)('git', ['apply', file], { cwd: copy }).then(
      () => undefined,
      (error: unknown) => `The patch no longer applies: ${error}`,
    );
    if (refused !== undefined) return { said: refused };
    const said = await run(copy, { SEED: '1', SEEDS: String(seeds), STOP_AT: invariant });
    const seed = foundIn(said, invariant);
    if (seed === undefined) return { said };
    // What the code finds without the defect proves nothing.
    const without = await run(root, { SEED: seed });
    if (foundIn(without, invariant) !== undefined)
      return { said: `Error: seed ${seed} finds that without the defect.` };
    return { foundBy: seed, said };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Runs seeds of the code in a folder. @returns all that was said */
async function run(cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=DEP0204', 'test/simulate/main.ts'], {
    cwd,
    env: { ...process.env, PLAN: '', SUMMARY: '', SEEDS: '1', ...env },
  });
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
}

/** The first seed that found what breaks an invariant. */
function foundIn(said: string, invariant: string): string | undefined {
  return new RegExp(`^(\\S+)\t.*\tFOUND\n(?: .*\n)*?  ${invariant} at `, 'm').exec(said)?.[1];
}
