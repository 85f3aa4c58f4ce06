import type { RecordView } from '../../api/reading/recordView.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import type { Owner } from '../../store/vault.ts';
import { readInventory } from './inventory.ts';
import { type ProtectedDatabase, protectionReport } from './report.ts';

/** What is late now: what an operation mends, what is disabled, and what the records do not show a backup of. */
export type LateDatabases = Readonly<Record<'late' | 'disabled' | 'unseen', readonly RecordView[]>>;

/**
 * Reads which databases are late or were never backed up, as this person sees them now, and which of them this operation
 * mends.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function lateDatabases(
  parts: Pick<Judge, 'policy'> & Parts<'things' | 'records' | 'clock'>,
  reader: Owner,
  operation: string,
): Promise<LateDatabases> {
  const records = parts.records.of(reader, parts.clock.now());
  const inventory = await readInventory(parts, { team: reader.team, records, turn: 0 });
  const { databases } = await protectionReport(parts.policy, inventory);
  const some = (fits: (one: ProtectedDatabase) => boolean) => databases.filter(fits).map(({ record }) => record);
  return {
    late: some(({ mend }) => mend === operation),
    disabled: some(({ mend, standing }) => mend === null && (standing === 'never' || standing === 'late')),
    unseen: some(({ standing }) => standing === 'unseen'),
  };
}
