import { assumed } from '../../api/reading/assumedKeys.ts';
import { plainKey } from '../../api/reading/jsonTree.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { minute } from '../../ground/durations.ts';
import type { Before } from '../../store/jobs/rows/data.ts';

/*
 * A baseline may come from another release, whose readers of words and times are others. What only these can read proves
 * nothing then, since it may have stood there before the call.
 */

/** The version of the readers in api/reading: it counts up where they read other outcomes, states or times than before. */
export const readersNow = 2;

/** Whether what stood there before the call was read as it is read now. */
export function isReadAlike({ readers }: Pick<Before, 'readers'>): boolean {
  return readers === readersNow;
}

/** Whether a time came later than what stood at its path before the call, or where nothing stood. */
export function hasMoved(before: Before, path: string, time: number, isZoned: boolean): boolean {
  const was = before.times[path];
  if (was === undefined) return isReadAlike(before);
  // Other readers may have taken a time without a zone for one of this machine's zone: whole quarters of an hour off.
  return time > was && (isReadAlike(before) || isZoned || (time - was) % (15 * minute) !== 0);
}

/**
 * Stands in a baseline for a text or number that is no time, and that the readers of 0.2.0 may take for one: they compare,
 * and it is later than all that they read.
 */
export const noTimeThen = Number.MAX_SAFE_INTEGER;

/** The paths whose values the readers of 0.2.0 may take for times, and these do not. */
export function unreadTimes({ times, values }: RecordView): Record<string, number> {
  const mayBe = values.filter(
    ({ path, value }) =>
      /\d{4}/.test(value) &&
      times[path] === undefined &&
      assumed.change.test(plainKey(path.slice(path.lastIndexOf('.') + 1))),
  );
  return Object.fromEntries(mayBe.map(({ path }) => [path, noTimeThen]));
}
