import type { RecordView } from '../api/reading/recordView.ts';
import type { WriteOperation } from '../operations/operation.ts';

/**
 * The word of the state in which an operation would change nothing, such as a start of what runs; `undefined` where it
 * would, or may. A word is doubted where other records stand in another one of the same meaning: it may say that a job
 * runs, rather than a database.
 * @param others the records of the list that the record stands in
 */
export function pointlessState(
  { pointlessIn = [] }: WriteOperation,
  { id, state }: RecordView,
  others: readonly RecordView[],
): string | undefined {
  if (!state || !pointlessIn.some(one => one === state.class)) return undefined;
  const isOther = (record: RecordView) =>
    record.id.text !== id.text && record.state?.class === state.class && record.state.word !== state.word;
  return others.some(isOther) ? undefined : state.word;
}
