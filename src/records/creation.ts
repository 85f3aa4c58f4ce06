import type { RecordView } from '../api/reading/recordView.ts';

/** Keys for a time that says when a record was made. Another time may be a new one in each reading. */
const creation = /creat|snap|taken/i;

/** The time at which a record was made, in milliseconds since the epoch; `undefined` where none is shown for sure. */
export function creationOf({
  createdAt,
  createdFrom,
}: Pick<RecordView, 'createdAt' | 'createdFrom'>): number | undefined {
  return createdFrom && creation.test(createdFrom.path) ? createdAt : undefined;
}
