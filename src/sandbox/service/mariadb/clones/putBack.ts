import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../../estate.ts';
import { copyTree } from '../backup/copying.ts';
import { beginLineage } from '../backup/lineage.ts';
import type { Server } from '../servers/serverCommand.ts';
import { handOverTree } from '../wall/account.ts';
import type { Workshop } from '../workshop.ts';

/** Names of data directories within a home while one takes the place of another. */
const current = (home: string) => join(home, 'data');
const coming = (home: string) => join(home, 'data.new');
/** It stands there from the exchange until the server answers on the new data. */
const replaced = (home: string) => join(home, 'data.before');
/** It stands there for people alone, who may still want it: nothing brings it back. */
const previous = (home: string) => join(home, 'data.old');
const going = (home: string) => join(home, 'data.going');

/**
 * Puts other data, which `fill` brings to the path that it is given, in the place of a server's own and starts it. What was there
 * stays beside it as `data.old`. Where the server does not start on it, all is as it was before, and the reason is thrown.
 */
export async function putBack(
  workshop: Workshop,
  server: Server,
  fill: (coming: string) => Promise<unknown>,
  beforeStart: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { servers, account } = workshop;
  const { home, role } = server;
  await dropPrevious(home);
  await rm(coming(home), { recursive: true, force: true });
  try {
    await fill(coming(home));
    await beginLineage(coming(home));
    if (role === 'live') await handOverTree(account, coming(home));
  } catch (error) {
    await rm(coming(home), { recursive: true, force: true });
    throw error;
  }
  const wasRunning = await servers.isRunning(home);
  await servers.stop(home);
  await rename(current(home), replaced(home));
  await rename(coming(home), current(home));
  try {
    await beforeStart();
    await servers.start(server, signal);
    await rename(replaced(home), previous(home));
  } catch (error) {
    await servers.kill(home);
    await takeBack(home);
    if (wasRunning && !signal.aborted) await servers.start(server, signal);
    throw error;
  }
}

/** Brings a copy of a snapshot to where {@link putBack} wants it. Where live servers are, the guest cannot copy to. */
export function fromSnapshot(
  workshop: Workshop,
  { id }: Readonly<Snapshot>,
  role: Server['role'],
  signal: AbortSignal,
): (coming: string) => Promise<void> {
  const { places } = workshop;
  return async coming => {
    const to = role === 'live' ? join(places.work, `${id}-coming`) : coming;
    try {
      await copyTree(workshop, await workshop.meansTo(to, signal), join(places.snapshots, id), to, signal);
      if (to !== coming) await rename(to, coming);
    } finally {
      if (to !== coming) await rm(to, { recursive: true, force: true });
    }
  };
}

/** Whether {@link putBack} was cut off between the exchange and its end: the files say so, and a record cannot. */
export function isExchanging(home: string): boolean {
  return existsSync(replaced(home));
}

/** Brings back what stood before {@link putBack} where it {@link isExchanging}; then no server may run. */
export async function takeBack(home: string): Promise<void> {
  await rm(coming(home), { recursive: true, force: true });
  if (!isExchanging(home)) return;
  // In two steps, the second of which can be repeated: data that is half removed is never taken for whole.
  if (existsSync(current(home))) await rename(current(home), coming(home));
  await rename(replaced(home), current(home));
  await rm(coming(home), { recursive: true, force: true });
}

/** Removes what was kept from before the last time that data was put back. */
export async function dropPrevious(home: string): Promise<void> {
  // First out of the way, in one step: what a crash left half removed is not to be brought back.
  await rm(going(home), { recursive: true, force: true });
  if (existsSync(previous(home))) await rename(previous(home), going(home));
  await rm(going(home), { recursive: true, force: true });
}
