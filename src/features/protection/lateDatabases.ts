import type { Judge, Parts } from '../../jobs/parts.ts';
import type { Owner } from '../../store/vault.ts';
import { readInventory } from './inventory.ts';
import { type ProtectedDatabase, protectionReport } from './report.ts';

/**
 * Reads which databases are late or were never backed up, as this person sees them now: those that this operation mends,
 * those that are disabled, and those of which the records show no backup. `among` are the databases that were read.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function lateDatabases(
  parts: Pick<Judge, 'policy'> & Parts<'things' | 'records' | 'clock'>,
  reader: Owner,
  operation: string,
) {
  const records = parts.records.of(reader, parts.clock.now());
  const inventory = await readInventory(parts, { team: reader.team, records });
  const { databases } = await protectionReport(parts.policy, inventory);
  const some = (fits: (one: ProtectedDatabase) => boolean) => databases.filter(fits).map(({ record }) => record);
  return {
    late: some(({ mend }) => mend === operation),
    disabled: some(({ mend, standing }) => mend === null && (standing === 'never' || standing === 'late')),
    among: { records: inventory.live, cut: inventory.isPart },
    unseen: some(({ standing }) => standing === 'unseen'),
  };
}
