import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observed } from '../../engine.ts';
import type { Database, Snapshot } from '../../estate.ts';
import { lineageOf } from '../backup/lineage.ts';
import type { Workshop } from '../workshop.ts';
import { homeMust, observe, portOf, serverOf } from './clones.ts';
import { maskedFrom } from './masking.ts';
import { dropPrevious, putBack } from './putBack.ts';

/** Gives a clone the content of its snapshot again. Where that fails it is as it was. */
export async function reset(
  workshop: Workshop,
  clone: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): Promise<Observed> {
  const home = await homeMust(workshop, clone);
  const settle = () => workshop.servers.settle(home, portOf(clone));
  const server = serverOf(workshop, clone, home);
  const { fill, facts } = maskedFrom(workshop, clone, server, snapshot, signal);
  await writeFile(resetFrom(home), await lineageOf(join(home, 'data')));
  try {
    await putBack(workshop, server, fill, settle, signal);
  } finally {
    if (!signal.aborted) await rm(resetFrom(home), { force: true });
  }
  await dropPrevious(home);
  const observed = await observe(workshop, clone, home, signal);
  return { ...observed, facts: { ...observed.facts, ...facts() } };
}

/** The line of data that a reset began on, for as long as it goes on. */
const resetFrom = (home: string) => join(home, 'reset-from');

/** Whether a reset that was cut off had come to its end. */
export async function wasReset(home: string): Promise<boolean> {
  const from = await readFile(resetFrom(home), 'utf8').catch(() => undefined);
  await rm(resetFrom(home), { force: true });
  return from !== undefined && from !== (await lineageOf(join(home, 'data')));
}
