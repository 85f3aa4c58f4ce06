/** The value in the middle; between the middle two where there is none. @throws RangeError for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2;
}

/**
 * The smallest of the values that at least `percent` of them do not exceed (nearest rank: always a value that was
 * measured). @throws RangeError for no values, or a percentage outside 0 to 100
 */
export function percentile(values: readonly number[], percent: number): number {
  if (!(percent >= 0 && percent <= 100)) throw new RangeError(`${percent} is no percentage`);
  const sorted = values.toSorted((a, b) => a - b);
  return at(sorted, Math.max(Math.ceil((percent / 100) * sorted.length), 1) - 1);
}

/** What was measured right after one another, of Dolly and of the bare app it is compared with. */
export type Pair = Readonly<{ dolly: number; bare: number }>;

/** How many times the bare app's value Dolly's is, pair by pair: what the machine did meanwhile touched both. */
export function ratios(pairs: readonly Pair[]): number[] {
  return pairs.map(({ dolly, bare }) => dolly / bare);
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new RangeError('there are no values');
  return value;
}
