import { plainKey } from '../../api/reading/jsonTree.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { timeOf } from '../../api/reading/times.ts';
import type { Changes } from '../../operations/proofs.ts';

/** Times (milliseconds since the epoch) and counters of a record, by path. */
export type OwnSigns = Readonly<{
  times: Readonly<Record<string, number>>;
  counters: Readonly<Record<string, number>>;
}>;

/**
 * Reads the times and counters by which a changed record can prove an operation: those under keys that are known to
 * speak of work (api/reading/times.ts), or those under the keys that the operation itself names.
 */
export function ownSignsOf(record: RecordView, by: Changes['by']): OwnSigns {
  if (by === 'work') return { times: record.times, counters: record.counters };
  const wanted = by.map(segmentsOf);
  const times: Record<string, number> = {};
  const counters: Record<string, number> = {};
  for (const { path, value } of record.values) {
    const segments = segmentsOf(path);
    if (!wanted.some(key => key.every((segment, at) => segments.at(at - key.length) === segment))) continue;
    const time = timeOf(value);
    if (time !== undefined) times[path] = time;
    else if (/^\d{1,15}$/.test(value)) counters[path] = Number(value);
  }
  return { times, counters };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('.').map(plainKey);
}
