import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd, newFolder } from './child.ts';
import { type Build, type Figure, own, type Part, type Run } from './part.ts';
import { median } from './statistics.ts';

/**
 * Puts the sources of a commit into a folder of their own, with the packages of this one, until this process ends. @throws
 * Error where git knows no such commit
 */
export function checkOut(commit: string): string {
  const root = join(newFolder(), 'build');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: own, stdio: 'pipe' });
  git('worktree', 'add', '--detach', root, commit);
  atEnd(() => git('worktree', 'remove', '--force', root));
  symlinkSync(join(own, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/**
 * Measures two builds in turns, and compares what both tell, by its name: the other one stands in the place of the floor.
 * Who is first changes with each turn, so what else the machine does falls on both alike.
 */
export async function measureBoth(part: Part, run: Run, other: Build): Promise<readonly Figure[]> {
  const values = { this: new Map<string, number[]>(), other: new Map<string, number[]>() };
  const units = new Map<string, Figure['unit']>();
  for (const which of run.quick ? turns.slice(0, 2) : turns) {
    run.say(which === 'this' ? 'this build' : 'the other build');
    const figures = await part.measure(which === 'this' ? run : { ...run, build: other });
    for (const { name, unit, rounds } of figures) {
      units.set(name, unit);
      const known = values[which].get(name) ?? [];
      values[which].set(name, [...known, median(rounds.map(({ dolly }) => dolly))]);
    }
  }
  return [...units].flatMap(([name, unit]): Figure[] => {
    const [these = [], others = []] = [values.this.get(name), values.other.get(name)];
    const rounds = these.flatMap((dolly, turn) => {
      const bare = others[turn];
      return bare === undefined ? [] : [{ dolly, bare }];
    });
    return rounds.length > 0 ? [{ name: name.replace(/ \(floor: .*\)$/, ''), unit, rounds }] : [];
  });
}

const turns = ['this', 'other', 'other', 'this', 'this', 'other'] as const;
