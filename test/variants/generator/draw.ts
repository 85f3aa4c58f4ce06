import fc from 'fast-check';

/** Takes one of several, by the seed. */
export type Draw = <const T>(...of: readonly T[]) => T;

/** A {@link Draw} that always gives the same for the same seed. */
export function drawing(seed: number): Draw {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (!generate) throw new Error('fast-check gave nothing');
  return (...of) => generate(() => fc.constantFrom(...of));
}
