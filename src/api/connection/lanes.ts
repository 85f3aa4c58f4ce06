import pLimit, { type LimitFunction } from 'p-limit';

/** Runs work of somebody as soon as fewer than so many of their works are in flight; nobody waits for anybody else's. */
export type Lanes = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

/** Makes {@link Lanes} that let `concurrency` works of each go on at once. */
export function openLanes(concurrency: number): Lanes {
  const lanes = new Map<string, LimitFunction>();
  return async (whose, work) => {
    const lane = lanes.get(whose) ?? pLimit(concurrency);
    lanes.set(whose, lane);
    try {
      return await lane(work);
    } finally {
      if (lane.activeCount + lane.pendingCount === 0) lanes.delete(whose);
    }
  };
}
