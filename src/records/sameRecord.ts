import type { RecordView } from '../api/reading/recordView.ts';
import { creationOf } from '../api/reading/times.ts';

/** What tells a record from others that had its identifier. Absent and `null` stand for what it does not show. */
export type Marks = Readonly<{
  name?: string | null | undefined;
  /** The time of its creation, in milliseconds since the epoch. */
  madeAt?: number | null | undefined;
  /**
   * A time at which it was there for sure, with the difference that clocks may have, in milliseconds since the epoch: a
   * record that was made later is not the one that showed no time then.
   */
  thereAt?: number | undefined;
}>;

/**
 * Whether two looks at one identifier met the same record. `untold` proves neither a deletion nor a failure, and permits
 * nothing destructive. `name` and `madeAt` tell whether each agrees; `undefined` where it was not shown both times.
 */
export type Comparison = Readonly<{
  is: 'same' | 'another' | 'untold';
  name: boolean | undefined;
  madeAt: boolean | undefined;
}>;

/**
 * Compares a record with what was shown under its identifier before. One difference alone is no other record: people
 * rename databases, and some services write the time of the last restore where others have that of the creation. A look
 * at which nothing was there needs no comparison: what stands there afterwards is another record.
 */
export function compareRecords(before: Marks, now: Pick<Marks, 'name' | 'madeAt'>): Comparison {
  const name = agreement(before.name, now.name);
  const isTooYoung = before.thereAt !== undefined && now.madeAt != null && now.madeAt > before.thereAt;
  const madeAt = agreement(before.madeAt, now.madeAt) ?? (isTooYoung ? false : undefined);
  const shown = [name, madeAt];
  const is = shown.every(agrees => agrees === false)
    ? 'another'
    : shown.includes(true) && !shown.includes(false)
      ? 'same'
      : 'untold';
  return { is, name, madeAt };
}

/** The marks of a record, as far as it shows them. */
export function marksOf(record: RecordView): Pick<Marks, 'name' | 'madeAt'> {
  return { name: record.name, madeAt: creationOf(record) };
}

/** Whether two values agree; `undefined` where either is not told. */
export function agreement<Value>(before: Value | null | undefined, now: Value | null | undefined): boolean | undefined {
  return before == null || now == null ? undefined : before === now;
}
