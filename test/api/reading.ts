import { type Noun, parseIdentifier } from '../../src/api/identifiers.ts';
import { readList } from '../../src/api/reading/recordList.ts';
import type { RecordView } from '../../src/api/reading/recordView.ts';

export const databases: readonly Noun[] = ['live', 'clone'];
/** A time that several answers tell. */
export const at = Date.UTC(2026, 10, 1, 10);

/** An identifier out of its text. */
export function id(text: string) {
  const parsed = parseIdentifier(text);
  if (!parsed) throw new Error(`${text} is no identifier`);
  return parsed;
}

/** The one record that a list holds. */
export function only(body: unknown, nouns = databases): RecordView {
  const { records } = readList(body, nouns);
  const [first] = records;
  if (!first || records.length !== 1) throw new Error(`expected one record, read ${records.length}`);
  return first;
}

/** The identifiers of all the records of a list. */
export function ids(body: unknown, nouns = databases): readonly string[] {
  return readList(body, nouns).records.map(record => record.id.text);
}
