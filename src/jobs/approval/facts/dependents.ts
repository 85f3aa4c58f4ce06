import type { Identifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import { inRow } from '../../../ground/wording.ts';
import { nameAndId } from './fact.ts';

/** Max dependents that are named in one sentence. */
const maxNamed = 10;

/**
 * Lists the records that depend on `target`, as far as records show it. They name the target as theirs (a clone its
 * source or snapshot, a database its environment), or are clones that the target's own record lists. A physical clone
 * depends on nothing.
 */
export async function dependentsOf(target: Identifier, records: readonly RecordView[]): Promise<readonly RecordView[]> {
  const own = records.find(({ id }) => id.text === target.text);
  const listed = own?.mentions.filter(({ id, inList }) => inList && id.noun === 'clone').map(({ id }) => id.text) ?? [];
  const isOn = (record: RecordView) =>
    listed.includes(record.id.text) ||
    // The database of a snapshot may name it as its latest one.
    (!(target.noun === 'snapshot' && record.id.noun === 'live') &&
      record.mentions.some(({ id, inList }) => id.text === target.text && !inList));
  const found = await mapInSlices(records, record =>
    record.id.text !== target.text && isOn(record) && record.isPhysical !== true ? [record] : [],
  );
  return found.flat();
}

/** Adds to a refusal the dependents that it does not name itself. */
export async function withDependents(
  refusal: string,
  target: Identifier,
  records: readonly RecordView[],
): Promise<string> {
  const unnamed = (await dependentsOf(target, records)).filter(({ id }) => !refusal.includes(id.text));
  if (unnamed.length === 0) return refusal;
  const names = unnamed.map(({ id, name }) => nameAndId(name, id.text));
  return `${refusal} In the records, these depend on it: ${inRow(names, maxNamed)}.`;
}
