import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';

const most = 10;

/**
 * The records that depend on `target` as far as records show it: those that speak of it as theirs (a clone of its
 * source or snapshot, a database of its environment), and the clones that its own record lists. A physical clone stands
 * on its own.
 */
export function dependentsOf(target: Identifier, records: readonly RecordView[]): readonly RecordView[] {
  const own = records.find(({ id }) => id.text === target.text);
  const listed = own?.mentions.filter(({ id, inList }) => inList && id.noun === 'clone').map(({ id }) => id.text) ?? [];
  const isOn = (record: RecordView) =>
    listed.includes(record.id.text) ||
    // The database of a snapshot may speak of it as its latest one.
    (!(target.noun === 'snapshot' && record.id.noun === 'live') &&
      record.mentions.some(({ id, inList }) => id.text === target.text && !inList));
  return records.filter(record => record.id.text !== target.text && isOn(record) && record.isPhysical !== true);
}

/** A refusal with the dependents that it does not name itself. */
export function withDependents(refusal: string, target: Identifier, records: readonly RecordView[]): string {
  const unnamed = dependentsOf(target, records).filter(({ id }) => !refusal.includes(id.text));
  if (unnamed.length === 0) return refusal;
  const named = unnamed.slice(0, most).map(({ id, name }) => (name === undefined ? id.text : `${name} (${id.text})`));
  const more = unnamed.length > most ? ` and ${unnamed.length - most} more` : '';
  return `${refusal} In the records, these depend on it: ${named.join(', ')}${more}.`;
}
