import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kept, keptText, parseKept } from './keptEstate.ts';
import { StartFault } from './startFault.ts';

/** Where the estate is kept below a folder. */
export const estateFile = (stateDir: string): string => join(stateDir, 'estate.json');

/** Reads the kept estate; undefined when none was kept yet. Throws a sentence for people, and leaves the file as it is. */
export function readEstate(file: string): Kept | undefined {
  try {
    return parseKept(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFault(
      `The estate kept in ${file} cannot be read (${reason}). Bring the file back from a copy, or delete it to begin with the example estate; the service has not touched it.`,
      { cause: error },
    );
  }
}

/** Keeps everything: after a crash at any moment the file holds either what it held or all of this. Throws. */
export function writeEstate(file: string, kept: Kept): void {
  const next = `${file}.next`;
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  // A file that a crash left there may have another mode, and the file holds the sandbox's passwords.
  rmSync(next, { force: true });
  const descriptor = openSync(next, 'wx', 0o600);
  try {
    writeFileSync(descriptor, keptText(kept));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}
