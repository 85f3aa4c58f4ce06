import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { Noun } from '../api/identifiers.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { snapshotsOf } from './snapshots.ts';

/** Whether lists show all of their records that tells how a job ends, as far as that was compared. */
export type ListDepth = {
  /** Whether a record of the noun should be read on its own, to compare. */
  isToCompare(noun: Noun): boolean;
  /** Whether its place in the list was found to tell as much as the record alone. */
  isEnough(noun: Noun): boolean;
  compare(noun: Noun, listed: RecordView, alone: RecordView): void;
};

/** How long a comparison holds, in milliseconds: what records show may depend on what was done to them last. */
const comparedFor = minutesToMilliseconds(5);

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
      // What one record showed alone, others will, too.
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
