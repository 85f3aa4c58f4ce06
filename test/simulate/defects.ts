import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A defect that is planted to see whether the simulator finds it. */
export type Defect = Readonly<{ name: string; patch: string; invariant: string; seeds: number }>;

const root = new URL('../..', import.meta.url).pathname;
const folder = new URL('defects', import.meta.url).pathname;

/** All planted defects. @throws Error where one does not say what finds it */
export function readDefects(): readonly Defect[] {
  return readdirSync(folder).map(file => {
    const patch = readFileSync(join(folder, file), 'utf8');
    const [, invariant] = /^found-by: (.+)$/m.exec(patch) ?? [];
    const [, seeds] = /^within-seeds: (\d+)$/m.exec(patch) ?? [];
    if (invariant === undefined || seeds === undefined) throw new Error(`${file} does not say what finds it`);
    return { name: file.replace('.patch', ''), patch, invariant, seeds: Number(seeds) };
  });
}

/** What came of a planted defect: the seed that found it, or what was found in its place. */
export type Search = Readonly<{ foundBy?: string; said: string }>;

/**
 * Plants a defect in a copy of the code and runs seeds until one finds it.
 * @throws Error where the patch no longer applies
 */
export function search({ patch, invariant, seeds }: Defect): Search {
  const copy = mkdtempSync(join(tmpdir(), 'dolly-defect-'));
  try {
    for (const part of ['src', 'test/simulate', 'test/sandbox', 'package.json']) {
      mkdirSync(join(copy, part, '..'), { recursive: true });
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    for (const file of readdirSync(join(root, 'test')))
      if (file.endsWith('.ts')) cpSync(join(root, 'test', file), join(copy, 'test', file));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['apply', '-'], { cwd: copy, input: patch });
    const { stdout, stderr } = spawnSync(process.execPath, ['test/simulate/main.ts'], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, SEED: '1', SEEDS: String(seeds), STOP_AT: invariant },
    });
    const seed = new RegExp(`^(\\S+)\t.*\tFOUND\n(?: .*\n)*?  ${invariant} `, 'm').exec(stdout)?.[1];
    return { ...(seed === undefined ? {} : { foundBy: seed }), said: stdout + stderr };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
