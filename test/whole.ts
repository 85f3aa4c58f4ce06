/*
 * What repeats a claim for many cases keeps a few of them in `npm test`. `npm run whole` runs each file that imports this
 * with all of its cases; so does `npm run night`.
 */

/** Whether this run takes all cases. */
export const isWhole = process.env.CASES === 'all';

/** All cases, or in `npm test` the chosen ones. */
export function few<T>(all: readonly T[], isChosen: (one: T, at: number) => boolean): readonly T[] {
  return isWhole ? all : all.filter(isChosen);
}
