import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNew } from '../wall/account.ts';
import type { Workshop } from '../workshop.ts';

/** Where a backup names the files that a server needs to read its encrypted tables. */
const named = /^(?<option>file_key_management_(?:filename|filekey))=(?<kind>FILE:)?(?<path>\/.+)$/gm;
const keyFile = (option: string) => `dolly-${option}`;

/** The files that {@link bringKeys} makes. */
export const keyFiles = ['filename', 'filekey'].map(name => keyFile(`file_key_management_${name}`));

/**
 * Brings the keys of encrypted tables into a backup, since a copy cannot reach where the live server has them. The user of live
 * servers has to be able to read them.
 */
export async function bringKeys({ commands }: Workshop, tree: string, signal: AbortSignal): Promise<void> {
  const options = join(tree, 'backup-my.cnf');
  const text = await readFile(options, 'utf8');
  const found = [...text.matchAll(named)];
  for (const { groups: { option = '', path = '' } = {} } of found)
    await commands.run('cp', ['--', path, join(tree, keyFile(option))], { signal });
  if (found.length > 0)
    await writeNew(
      options,
      text.replace(named, (_, option: string, kind = '') => `${option}=${kind}./${keyFile(option)}`),
    );
}
