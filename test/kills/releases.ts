import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../scratch.ts';
import { type Bot, type World, type WorldOptions, world } from '../world.ts';
import type { Crew } from './kills.ts';
import { onStore } from './stoppedStore.ts';

/* An older release and the present code on one store: one after the other, or beside each other. */

/** The commit of each release that is run here: the first one whose CHANGELOG.md dates it. */
const commits = { '0.2.0': 'fadbfc086f346dc5335b84b00432efca05399d4c' } as const;

export type Release = keyof typeof commits | 'present';

const root = new URL('../..', import.meta.url).pathname;

/** Why an older release cannot be run here, as in a clone that is not whole; `undefined` where it can. */
export function lacks(release: keyof typeof commits): string | undefined {
  const found = spawnSync('git', ['cat-file', '-e', `${commits[release]}:src/main.ts`], { cwd: root, stdio: 'ignore' });
  return found.status === 0 ? undefined : `this clone has no commit ${commits[release]}, of release ${release}`;
}

const programs = new Map<Release, string>();

/** The program of a release, in a folder of its own with the packages of this one; `undefined` stands for the present one. */
export function programOf(release: Release): string | undefined {
  if (release === 'present') return undefined;
  const known = programs.get(release);
  if (known !== undefined) return known;
  const folder = scratchFolder(`release-${release}`);
  const archive = execFileSync('git', ['archive', commits[release], 'src', 'package.json'], {
    cwd: root,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const program = join(folder, 'src/main.ts');
  programs.set(release, program);
  globalThis.endsOfTestFile?.push(() => {
    programs.delete(release);
    rmSync(folder, { recursive: true });
  });
  return program;
}

/**
 * Runs one release after the other on one store. Each is killed in the middle of what it does as its act ends, and the
 * last one is stopped.
 */
export async function throughReleases(
  options: WorldOptions,
  acts: readonly (readonly [Release, (earth: World) => Promise<void>])[],
): Promise<void> {
  let release: Release = acts[0]?.[0] ?? 'present';
  const earth = await world({ ...options, ownProcess: true, program: () => programOf(release) });
  try {
    for (const [index, [next, act]] of acts.entries()) {
      release = next;
      if (index > 0) {
        await earth.kill();
        await earth.start();
      }
      await act(earth);
    }
  } finally {
    await earth.close();
  }
}

/** What was under way as a release took over, and how often. */
export type Handed = Record<Release, Map<string, number>>;

/** One process. Whenever it is killed, the other release goes on, and `handed` notes with what. */
export function inTurns(handed: Handed): Crew {
  let release: Release = '0.2.0';
  return {
    options: { program: () => programOf(release) },
    dies: earth => earth.kill(),
    async comes(earth) {
      release = release === 'present' ? '0.2.0' : 'present';
      for (const what of await underWay(earth)) handed[release].set(what, (handed[release].get(what) ?? 0) + 1);
      await earth.start();
    },
  };
}

/** A process of each release on one PostgreSQL, which Slack asks in turn. One of them is killed, and comes again. */
export function besideEachOther(random: () => number): Crew {
  let release: Release = '0.2.0';
  let present: Bot | undefined;
  const joins = async (earth: World) => {
    present = await earth.joins();
  };
  return {
    options: { store: 'PostgreSQL', balanced: true, program: () => programOf(release) },
    async gathers(earth) {
      release = 'present';
      await joins(earth);
    },
    async dies(earth) {
      release = random() < 0.5 ? 'present' : '0.2.0';
      await (release === 'present' ? present?.kill?.() : earth.kill());
    },
    comes: earth => (release === 'present' ? joins(earth) : earth.start()),
    leaves: async () => present?.stop(),
  };
}

/** What the store of a bot that does not run says is under way: such as `clone.create running`, or `lease kept`. */
function underWay(earth: World): Promise<ReadonlySet<string>> {
  return onStore(earth, async store => {
    const [jobs, things, kept, notices] = await Promise.all([
      store
        .selectFrom('jobs')
        .select(['operation', 'state', 'step', 'endedAt'])
        .where(({ eb, or }) => or([eb('endedAt', 'is', null), eb('tellAt', 'is not', null)]))
        .execute(),
      store.selectFrom('things').select(['kind', 'state']).where('endedAt', 'is', null).execute(),
      store.selectFrom('inbox').select('action').execute(),
      store.selectFrom('outbox').select('kind').where('ts', 'is', null).execute(),
    ]);
    return new Set([
      ...jobs.map(({ operation, state, step, endedAt }) =>
        endedAt === null ? `${operation} ${state}${step ? ' after its first step' : ''}` : 'untold: job',
      ),
      ...things.map(({ kind, state }) => `${kind} ${state}`),
      ...kept.map(({ action }) => `kept: ${action}`),
      ...notices.map(({ kind }) => `untold: ${kind}`),
    ]);
  });
}
