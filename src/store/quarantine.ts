import { isToCome } from '../ground/clock.ts';
import { minute } from '../ground/durations.ts';

/**
 * The rows of another release that this process leaves alone for a while. They do not show it, so that the other release
 * may take them at any time.
 */
export type Quarantine<Row> = {
  /** The ids of the rows that are left alone now. */
  ids(now: number): readonly string[];
  put(row: Row, now: number): void;
};

/** The time after which such a row is looked at again: the other release may have ended it. Milliseconds. */
const restTime = minute;
/** Max rows that are remembered: a statement of SQLite has room for 32,766 values. */
const max = 10_000;

/** Max takings of one call, in case that nothing but rows of another release is due. */
const maxTakings = 10;

/** What was taken, and the number of rows that were taken beside that and came to nothing. */
export type TakenRows<T> = Readonly<{ given: readonly T[]; lost: number }>;

/**
 * Takes up to `wanted`, and others for what comes to nothing: loops that are given fewer take it that no more are due, and
 * would leave the rest until something else is.
 */
export async function takeAll<T>(wanted: number, take: (max: number) => Promise<TakenRows<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let [left, takings] = [wanted, 0]; left > 0 && takings < maxTakings; takings++) {
    const { given, lost } = await take(left);
    all.push(...given);
    left = lost;
  }
  return all;
}

/** Remembers the rows that cannot be read here; `hear` is called once for each of them. */
export function quarantineFor<Row extends Readonly<{ id: string }>>(hear: (row: Row) => void): Quarantine<Row> {
  const until = new Map<string, number>();
  return {
    ids: now => [...until].flatMap(([id, at]) => (isToCome(at, now, restTime) ? [id] : [])),
    put(row, now) {
      if (!until.delete(row.id)) hear(row);
      until.set(row.id, now + restTime);
      const [oldest] = until.keys();
      if (until.size > max && oldest !== undefined) until.delete(oldest);
    },
  };
}
