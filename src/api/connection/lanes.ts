/** Runs work of somebody as soon as fewer than so many of their works are under way; nobody waits for anybody else's. */
export type Lanes = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

/** Makes {@link Lanes} that let `width` works of each go on at once. */
export function openLanes(width: number): Lanes {
  const lanes = new Map<string, { free: number; waiting: (() => void)[] }>();
  return async (whose, work) => {
    const lane = lanes.get(whose) ?? { free: width, waiting: [] };
    lanes.set(whose, lane);
    if (lane.free > 0) lane.free -= 1;
    else await new Promise<void>(resolve => lane.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next) next();
      else {
        lane.free += 1;
        if (lane.free === width) lanes.delete(whose);
      }
    }
  };
}
