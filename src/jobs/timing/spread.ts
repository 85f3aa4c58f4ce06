/** A confirmed job as it counts: its title, the place where it was, and its times in milliseconds. */
export type CountedJob = Readonly<{
  /** The name of its operation: titles of several operations may be the same. */
  operation: string;
  title: string;
  /** The name of its environment; `null` where none is known. */
  environment: string | null;
  took: number;
  /** The time when it was confirmed, since the epoch. */
  endedAt: number;
}>;

/** How long some jobs took, in milliseconds: half of them took `median` at most, 95 % took `most` at most. */
type Spread = Readonly<{ jobs: number; median: number; most: number }>;

/** The jobs of one kind on one environment. */
export type SpreadRow = Readonly<Pick<CountedJob, 'operation' | 'title' | 'environment'>> & Spread;

/** The jobs that were confirmed in one week, by the time of its beginning. */
type SpreadWeek = Readonly<{ from: number }> & Spread;

/**
 * The spread of some times, by the nearest rank: a time that was really taken, and not a mean of two.
 * @throws {RangeError} where there are none
 */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((one, other) => one - other);
  const upTo = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  const [median, most] = [upTo(50), upTo(95)];
  if (median === undefined || most === undefined) throw new RangeError('there are no times to spread');
  return { jobs: sorted.length, median, most };
}

/** The spread of each kind of job on each environment, the most frequent first. */
export function spreadRows(jobs: readonly CountedJob[]): SpreadRow[] {
  const kinds = Map.groupBy(jobs, ({ operation, title, environment }) =>
    JSON.stringify([operation, title, environment]),
  );
  return [...kinds.values()]
    .flatMap(some => {
      const spread = spreadOf(some.map(({ took }) => took));
      return some
        .slice(0, 1)
        .map(({ operation, title, environment }) => ({ operation, title, environment, ...spread }));
    })
    .toSorted((one, other) => other.jobs - one.jobs || (wordsOf(one) < wordsOf(other) ? -1 : 1));
}

function wordsOf({ title, environment }: SpreadRow): string {
  return `${title} ${environment ?? ''}`;
}

/** The spread of some jobs in each week that has any, in the order of time. `weeks` are the beginnings of all weeks. */
export function spreadWeeks(jobs: readonly CountedJob[], weeks: readonly number[]): SpreadWeek[] {
  const byWeek = Map.groupBy(jobs, ({ endedAt }) => weeks.findLast(from => from <= endedAt));
  return weeks.flatMap(from => {
    const times = byWeek.get(from)?.map(({ took }) => took) ?? [];
    return times.length === 0 ? [] : [{ from, ...spreadOf(times) }];
  });
}
