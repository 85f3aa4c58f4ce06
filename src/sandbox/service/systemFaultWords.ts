/** The operating system's error codes, in words for people. */
const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'No space left on the disk',
  EDQUOT: 'No space left of what this user may have on the disk',
  EROFS: 'The disk can only be read',
  EIO: 'The disk failed',
  ENAMETOOLONG: 'A name or a path is too long',
  EMFILE: 'Too many files are open',
  ENFILE: 'Too many files are open',
  EACCES: 'This may not be read or written',
  EPERM: 'This may not be read or written',
};

/** Why something failed, in a sentence for people: a fault of the operating system's with its file, any other by its own words. */
export function faultWords(error: unknown): string {
  return systemWords(error) ?? (error instanceof Error ? error.message : String(error));
}

/** The words of a fault that the operating system told of; undefined of any other. */
export function systemWords(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  const sentence = sentences[error.code];
  if (sentence === undefined) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : '';
  return place === '' ? `${sentence}.` : `${sentence}: ${place.length > 300 ? `${place.slice(0, 300)}…` : place}`;
}
