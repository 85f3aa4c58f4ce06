import { saysAbsent } from '../api/answers/refusalWords.ts';
import type { Identifier, Noun } from '../api/identifiers.ts';
import type { RecordList } from '../api/reading/recordList.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import { Failure, failureBut } from '../ground/failure.ts';

/*
 * Not read is not not there. A sign-in is shown nothing where the service says so. Any other answer that cannot be used
 * says nothing of the records: what rests on them waits, and nobody decides on what is left.
 */

/** Whether a failure says that there is no such record. */
export function saysNoRecord({ kind, message }: Failure): boolean {
  return kind === 'missing' || saysAbsent(message);
}

/** Whether the service says that this sign-in is shown nothing there: it may not see it, or there is no such thing. */
export function isHidden(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  return error.kind === 'missing' || error.kind === 'forbidden' || (error.kind === 'refused' && saysNoRecord(error));
}

/** For a `catch` of a read: gives nothing where this sign-in is shown nothing there. @throws any other error */
export function unlessHidden(error: unknown): undefined {
  if (!isHidden(error)) throw error;
}

/** A read that the service refuses for another reason has no answer either, and another try may bring one. */
export function asUnread<E>(error: E): E | Failure {
  const isRefused = error instanceof Failure && error.kind === 'refused';
  return isRefused ? new Failure('unreadable', error.message, { cause: error }) : error;
}

/**
 * Reads a list; `undefined` where this sign-in is shown none. @throws {Failure} where it was not read, of any kind but
 * `missing` and `forbidden`
 */
export async function listIfShown(
  records: Readonly<{ list(noun: Noun): Promise<RecordList> }>,
  noun: Noun,
): Promise<RecordList | undefined> {
  return records.list(noun).catch(unlessHidden);
}

/** What reads records as a reader does (recordReader.ts): from their own GETs, and from lists. */
type Reads = Readonly<{
  one(id: Identifier, isWhole?: boolean): Promise<RecordView | undefined>;
  alone(id: Identifier): Promise<RecordView | undefined>;
}>;

/**
 * A record as fully as it can be had, as `one` gives it; but the list, which may show less, does not stand in for a GET of
 * its own that was not read. @throws {Failure} where it cannot be read
 */
export async function readWhole(records: Reads, id: Identifier): Promise<RecordView | undefined> {
  const alone = await records.alone(id).catch(failureBut('signed-out'));
  if (!(alone instanceof Failure) || isHidden(alone)) return records.one(id, true);
  const found = await records.one(id, true).catch((error: unknown) => {
    throw isHidden(error) ? alone : error;
  });
  // Some services say with the status of a fault that there is no such record, and then no list shows it.
  if (found) throw alone;
  return undefined;
}
