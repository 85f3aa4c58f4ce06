import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files of one run have in common, for what is made once. It is empty when the run begins. */
    scratch: string;
  }
}

const memory = '/dev/shm';
/** Servers of several test files at once, and their copies. */
const room = 6e9;
/** btrfs and XFS, by the number that statfs gives (statfs(2)). */
const sharing: readonly number[] = [0x91_23_68_3e, 0x58_46_53_42];

/**
 * The folder for what servers write in tests: in memory where there is room, since the tests ask what a server does and not how
 * fast a disk is. A disk whose files can share blocks is used all the same: what is claimed of that is seen nowhere else.
 */
export const scratchRoot = sharing.includes(statfsSync(tmpdir()).type) || !hasRoom() ? tmpdir() : memory;

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > room;
  } catch {
    return false;
  }
}

/** A new folder for what a test keeps; `name` tells whose it is. Whoever makes it removes it. */
export function scratchFolder(name: string): string {
  return mkdtempSync(join(scratchRoot, `dolly-${name}-`));
}

let common: string;

/** Vitest calls it once, before the first test file. */
export function setup(project: TestProject): void {
  common = mkdtempSync(join(scratchRoot, 'dolly-run-'));
  // Servers run as users of their own.
  chmodSync(common, 0o755);
  project.provide('scratch', common);
}

/** Vitest calls it once, after the last test file. */
export function teardown(): void {
  rmSync(common, { recursive: true, force: true });
}
