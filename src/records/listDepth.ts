import type { Noun } from '../api/identifiers.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { minute } from '../ground/durations.ts';
import { snapshotsOf } from './snapshots.ts';

/** Knows, from comparisons, whether lists show everything of a record that tells how a job ends. */
export type ListDepth = Readonly<{
  /** Whether a record's place in the list tells as much as the record alone, by the comparisons so far. */
  isEnough(noun: Noun): boolean;
  /** Whether a record of the noun should be read on its own, to compare. */
  isToCompare(noun: Noun): boolean;
  /** Learns from a record as the list shows it, and as it is shown alone. */
  compare(noun: Noun, listed: RecordView, alone: RecordView): void;
}>;

/** The lifetime of a comparison, in milliseconds: the facts of a record may depend on the last work on it. */
const comparedFor = 5 * minute;

/** Learns how much the lists of a service show. */
export function openListDepth(clock: Clock): ListDepth {
  const known = new Map<Noun, { isEnough: boolean; at: number }>();
  return {
    isToCompare(noun) {
      const last = known.get(noun);
      return !last || Math.abs(clock.now() - last.at) >= comparedFor;
    },
    isEnough: noun => known.get(noun)?.isEnough === true,
    compare(noun, listed, alone) {
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
