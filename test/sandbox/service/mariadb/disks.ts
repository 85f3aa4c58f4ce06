import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File systems that share blocks, and that do not. */
export const disks = { xfs: ['mkfs.xfs', '-q', '-m', 'reflink=1'], ext4: ['mkfs.ext4', '-q'] } as const;
export type Disk = keyof typeof disks;

/** A folder on a file system of its own, in a file; undefined where this user may not mount, or cannot make one. */
export function mounted(disk: Disk): { folder: string; remove(): void } | undefined {
  const above = mkdtempSync(join(tmpdir(), `dolly-${disk}-`));
  const [image, folder] = [join(above, 'image'), join(above, 'disk')];
  const [program, ...options] = disks[disk];
  try {
    mkdirSync(folder);
    execFileSync('truncate', ['-s', '6G', image]);
    execFileSync(program, [...options, image], { stdio: 'ignore' });
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
  } catch {
    rmSync(above, { recursive: true, force: true });
    return undefined;
  }
  // The servers' users have to get through.
  for (const path of [above, folder]) chmodSync(path, 0o755);
  return {
    folder,
    remove() {
      execFileSync('umount', ['-l', folder]);
      rmSync(above, { recursive: true, force: true });
    },
  };
}
