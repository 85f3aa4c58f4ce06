import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Max size of a secret, in bytes. */
const maxSize = 4_096;

/** Raised where a secret must not be taken from its file. Its message names neither the file nor anything in it. */
export class SecretFileFault extends Error {
  override readonly name = 'SecretFileFault';
}

/**
 * Reads a secret from a plain file that nobody but the user of this process can read. One line break at its end is left
 * out; blanks may be meant, but not blanks alone. The file is checked after it was opened, so that what is checked is what
 * is read.
 * @throws {SecretFileFault} that says in the rest of a sentence about the file why it is not used
 */
export function readSecretFile(path: string): string {
  const file = open(path);
  try {
    return secretIn(file);
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    // A pipe that nobody writes to must not stop the start.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new SecretFileFault(faults[code] ?? `cannot be opened (${code})`);
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by the user that runs Dolly',
  ELOOP: 'is a symbolic link; name the file itself',
};

function secretIn(file: number): string {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new SecretFileFault('is no plain file');
  if (stat.uid !== (process.getuid?.() ?? stat.uid)) throw new SecretFileFault('belongs to another user than Dolly');
  if ((stat.mode & 0o077) !== 0) throw new SecretFileFault('can be used by others than its owner; run chmod 600 on it');
  const bytes = Buffer.alloc(maxSize + 1);
  const size = readSync(file, bytes, 0, bytes.length, 0);
  if (size > maxSize) throw new SecretFileFault(`is longer than ${maxSize} bytes`);
  const secret = bytes.toString('utf8', 0, size).replace(/\r?\n$|\r$/, '');
  if (secret.trim() === '') throw new SecretFileFault('is empty');
  if (secret.includes('�')) throw new SecretFileFault('is no text in UTF-8');
  return secret;
}
