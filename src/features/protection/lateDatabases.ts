import type { RecordView } from '../../api/reading/recordView.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import type { Owner } from '../../store/vault.ts';
import { readInventory } from './inventory.ts';
import { protectionReport } from './report.ts';
import { mendFor } from './summarize.ts';

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
  const { databases, environments = [] } = await protectionReport(
    parts.policy,
    await readInventory(parts, { team: reader.team, records, turn: 0 }),
  );
  const places = new Map(environments.map(({ environment }) => [environment.id.text, environment]));
  const seen = databases.map(one => ({ ...one, mend: mendFor(one, places) }));
  const some = (fits: (one: (typeof seen)[number]) => boolean) => seen.filter(fits).map(({ record }) => record);
  return {
    late: some(({ mend }) => mend === operation),
    disabled: some(({ mend, standing }) => mend === null && (standing === 'never' || standing === 'late')),
    unseen: some(({ standing }) => standing === 'unseen'),
  };
}
