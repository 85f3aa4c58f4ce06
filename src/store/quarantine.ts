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

/** Remembers the rows that cannot be read here; `hear` is called once for each of them. */
export function quarantineFor<Row extends Readonly<{ id: string }>>(hear: (row: Row) => void): Quarantine<Row> {
  const until = new Map<string, number>();
  return {
    ids: now => [...until].flatMap(([id, at]) => (at > now && at <= now + restTime ? [id] : [])),
    put(row, now) {
      if (!until.delete(row.id)) hear(row);
      until.set(row.id, now + restTime);
      const [oldest] = until.keys();
      if (until.size > max && oldest !== undefined) until.delete(oldest);
    },
  };
}
