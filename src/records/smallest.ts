/** The first entries of a long list in the order of `compare`, without an order of the others. */
type Smallest<T> = {
  /** Takes an entry into account; of equals, the earlier one comes first. */
  add(entry: T): void;
  /** The number of entries so far. */
  count(): number;
  /** At most as many entries as are kept, in their order. */
  entries(): readonly T[];
};

/** Keeps the `max` smallest of all added entries: most of fifty thousand cost one comparison each. */
export function keepSmallest<T>(max: number, compare: (a: T, b: T) => number): Smallest<T> {
  const kept: T[] = [];
  let count = 0;
  return {
    add(entry) {
      count += 1;
      const last = kept.at(-1);
      if (last !== undefined && kept.length === max && compare(entry, last) >= 0) return;
      let [from, to] = [0, kept.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        const other = kept[middle];
        if (other !== undefined && compare(entry, other) < 0) to = middle;
        else from = middle + 1;
      }
      kept.splice(from, 0, entry);
      if (kept.length > max) kept.pop();
    },
    count: () => count,
    entries: () => kept,
  };
}
