import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import type { LongList } from './longList.ts';

/** The time for which a list is remembered, in milliseconds. */
const keptFor = 6 * minute;
/** Max bytes of the lists that are remembered. */
const maxKept = 96 * 1024 * 1024;

/** The lists that were read last, by whose sign-in and where: most look the same at the next look. */
export function openRememberedLists(clock: Clock) {
  type Kept = Readonly<{ list: LongList; usedAt: number }>;
  const lists = new LRUCache<string, Kept>({ maxSize: maxKept, sizeCalculation: ({ list }) => list.size });
  const forgetOld = () => {
    for (const [key, { usedAt }] of lists.entries()) if (clock.steady() - usedAt >= keptFor) lists.delete(key);
  };
  return {
    get: (key: string): LongList | undefined => lists.get(key)?.list,
    set(key: string, list: LongList): void {
      lists.set(key, { list, usedAt: clock.steady() });
      void clock.wait(keptFor).then(forgetOld);
    },
  };
}
