import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import { codeOf } from './failure.ts';

/** Max size of a secret, in bytes. */
const maxSize = 4_096;

/** Raised where a secret must not be taken from its file. Its message names neither the file nor anything in it. */
export class SecretFileFault extends Error {
  override readonly name = 'SecretFileFault';
}

/**
 * Reads a secret from a plain file of `user`, who runs this process, that nobody else can read; or, as Kubernetes and Docker
 * mount secrets, from one of root's that others may read, since that does not depend on us. Links lead to it where
 * nobody but root and `user` can change what is on the way. One line break at its end is left out; blanks may be meant, but not
 * blanks alone. The file is checked after it was opened, so that what is checked is what is read.
 * @throws {SecretFileFault} that says in the rest of a sentence about the file why it is not used
 */
export function readSecretFile(path: string, user = process.getuid?.()): string {
  const { file, isDirect } = onTheWay(() => open(path));
  try {
    const stat = fstatSync(file);
    const isOwn = stat.uid === (user ?? stat.uid);
    if (!stat.isFile()) throw new SecretFileFault('is not a plain file');
    if (!isOwn && stat.uid !== root) throw new SecretFileFault('belongs to a user other than Dolly’s');
    if (isOwn && (stat.mode & 0o077) !== 0)
      throw new SecretFileFault('can be used by others, not only by its owner; give it the mode 400 or 600');
    if (!(isOwn && isDirect) && !onTheWay(() => stepsTo(path)).every(step => isSafe(step, user)))
      throw new SecretFileFault(
        'can be replaced by users other than root; take their right to write to the folders above it',
      );
    return secretIn(file);
  } finally {
    closeSync(file);
  }
}

const root = 0;

/** Opens a file, and tells whether its name is its own, and no link. A pipe that nobody writes to must not stop the start. */
function open(path: string): Readonly<{ file: number; isDirect: boolean }> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  try {
    return { file: openSync(path, flags | constants.O_NOFOLLOW), isDirect: true };
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error;
    return { file: openSync(path, flags), isDirect: false };
  }
}

/** Does something on the way to a file, which may be taken away at any moment. */
function onTheWay<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SecretFileFault(faults[codeOf(error)] ?? `cannot be opened (${codeOf(error)})`);
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by the user that runs Dolly',
  ELOOP: 'is a symbolic link that leads to itself',
};

type Step = Pick<Stats, 'uid' | 'mode' | 'isDirectory' | 'isSymbolicLink'>;

/** All that leads to a file that was opened, and the file: each folder, and each link with what leads to where it points. */
function stepsTo(path: string): readonly Step[] {
  const steps: Step[] = [];
  const ahead = partsOf(path);
  for (let at = parse(resolve(path)).root, part: string | undefined = ''; part !== undefined; part = ahead.shift()) {
    const next = join(at, part);
    const step = lstatSync(next);
    steps.push(step);
    if (step.isSymbolicLink()) ahead.unshift(...partsOf(resolve(at, readlinkSync(next))));
    at = step.isSymbolicLink() ? parse(next).root : next;
  }
  return steps;
}

const partsOf = (path: string) => resolve(path).split(sep).filter(Boolean);

/** Whether only root and the user can put something else in a place. In a sticky folder nobody replaces what others own. */
function isSafe(step: Step, user: number | undefined): boolean {
  const isSticky = step.isDirectory() && (step.mode & 0o1000) !== 0;
  const isClosed = isSticky || step.isSymbolicLink() || (step.mode & 0o022) === 0;
  return isClosed && (step.uid === root || step.uid === user);
}

function secretIn(file: number): string {
  const bytes = Buffer.alloc(maxSize + 1);
  const size = readSync(file, bytes, 0, bytes.length, 0);
  if (size > maxSize) throw new SecretFileFault(`is longer than ${maxSize} bytes`);
  const secret = bytes.toString('utf8', 0, size).replace(/\r?\n$|\r$/, '');
  if (secret.trim() === '') throw new SecretFileFault('is empty');
  if (secret.includes('�')) throw new SecretFileFault('is not text in UTF-8');
  return secret;
}
