import type { Noun } from '../api/identifiers.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { minute } from '../ground/durations.ts';
import { snapshotsOf } from './snapshots.ts';

/** Knows, from comparisons, whether lists show everything of a record that tells how a job ends. */
export type ListDepth = ReturnType<typeof openListDepth>;

/** The lifetime of a comparison, in milliseconds: the facts of a record may depend on the last work on it. */
const comparedFor = 5 * minute;

/** Learns how much the lists of a service show. */
export function openListDepth(clock: Clock) {
  const known = new Map<Noun, { isEnough: boolean; at: number }>();
  return {
    /** Whether a record of the noun should be read on its own, to compare. */
    isToCompare(noun: Noun) {
      const last = known.get(noun);
      return !last || Math.abs(clock.now() - last.at) >= comparedFor;
    },
    /** Whether its place in the list tells as much as the record alone, by the comparisons so far. */
    isEnough: (noun: Noun) => known.get(noun)?.isEnough === true,
    compare(noun: Noun, listed: RecordView, alone: RecordView) {
      // If one record shows more alone, others will, too.
      const isEnough = known.get(noun)?.isEnough !== false && tellsAsMuch(listed, alone);
      known.set(noun, { isEnough, at: clock.now() });
    },
  };
}

function tellsAsMuch(listed: RecordView, alone: RecordView): boolean {
  const signs = (record: RecordView) => [
    ...snapshotsOf(record),
    ...Object.keys(record.times),
    ...Object.keys(record.counters),
    ...record.reports.map(({ identity }) => identity),
    ...(record.state ? ['state'] : []),
    ...(record.error === undefined ? [] : ['error']),
    ...(record.isPhysical === undefined ? [] : ['kind']),
  ];
  const shown = new Set(signs(listed));
  return signs(alone).every(sign => shown.has(sign));
}
