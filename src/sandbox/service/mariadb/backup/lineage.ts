import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNew } from '../wall/account.ts';

/*
 * The line of changes that a data directory belongs to. An increment on a snapshot of another line would succeed, pass every
 * check of tables and hold wrong data. So the line is written into the data itself: a record could be behind it after a crash.
 */

const file = 'dolly-lineage';

/** The line that this data directory belongs to; empty for one that no restore of the server has replaced. */
export function lineageOf(data: string): Promise<string> {
  return readFile(join(data, file), 'utf8').catch(() => '');
}

/** Begins a line: what follows stands on no snapshot that was taken before. */
export async function beginLineage(data: string): Promise<void> {
  await writeLineage(data, randomUUID());
}

/** Notes of a snapshot's data to which line it belongs. */
export async function writeLineage(data: string, lineage: string): Promise<void> {
  await writeNew(join(data, file), lineage);
}
