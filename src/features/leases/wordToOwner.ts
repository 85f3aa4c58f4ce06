import { parseJson } from '../../api/reading/jsonTree.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { Lease } from './lease.ts';
import { LeaseNotice, type LeaseTold } from './leaseNotice.ts';

/**
 * What the owner was told of what is about to be done, in milliseconds since the epoch: when it was written first, and
 * when it reached them; `null` while the last of it has not.
 */
export type WordToOwner = Readonly<{ saidAt: number; arrivedAt: number | null }>;

/** The messages that an end hangs on: the warnings. Where there is none, those that told the end when it was set. */
const warnings: readonly LeaseTold[] = ['warned', 'warned late', 'changed'];
const beginnings: readonly LeaseTold[] = ['begun', 'cut'];

/**
 * Reads what the owner of a lease was told of its end, or of the deletion of the stopped clone. Only their direct
 * messages count: nobody knows who reads a thread. `undefined` where the owner set the end, and so needs no word.
 */
export async function wordToOwner(
  { notices }: Parts<'notices'>,
  { id, person, state, setAt }: Lease,
): Promise<WordToOwner | undefined> {
  if (state !== 'kept' && state !== 'stopped') return undefined;
  const messages = await notices.toPerson(id, person);
  const told = messages.flatMap(({ data, createdAt, ts, arrivedAt }) => {
    const what = LeaseNotice.safeParse(parseJson(data)).data?.what;
    return what ? [{ what, createdAt, arrivedAt: arrivedAt ?? (ts === null ? null : createdAt) }] : [];
  });
  const among = (whats: readonly LeaseTold[]) => told.filter(one => one.createdAt >= setAt && whats.includes(one.what));
  const warned = among(warnings);
  const words = state === 'stopped' ? among(['stopped']).slice(-1) : warned.length > 0 ? warned : among(beginnings);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return undefined;
  const arrivals = words.flatMap(({ arrivedAt }) => arrivedAt ?? []);
  return { saidAt: first.createdAt, arrivedAt: last.arrivedAt === null ? null : Math.min(...arrivals) };
}
