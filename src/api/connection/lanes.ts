import pLimit, { type LimitFunction } from 'p-limit';

/**
 * Runs work in the lane of `whose`. Each lane has a concurrency of its own, so that nobody waits for another's work.
 */
type Lanes = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

/** Opens {@link Lanes} with at most `concurrency` pieces of work in flight in each. */
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
