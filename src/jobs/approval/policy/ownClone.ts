import { creationOf } from '../../../api/reading/times.ts';
import { day } from '../../../ground/durations.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import { compareRecords, marksOf } from '../../../records/sameRecord.ts';
import { listIfShown } from '../../../records/shown.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Parts } from '../../parts.ts';
import { dependentsOf } from '../facts/facts.ts';
import type { Inspection } from '../facts/inspection.ts';

/** The rule by which `ownClones: free` in the policy frees a deletion, as people read it. */
export const ownCloneRule = 'it is your own clone, made less than a day ago';

/** The longest age of a clone that its maker deletes alone, in milliseconds. */
const longestAge = day;

/**
 * Whether a target is a young virtual clone of a person's own, on which nothing depends: a confirmed job of theirs made
 * this identifier, name and creation time, and nobody else has its lease. What is not shown counts against it.
 * @throws {Failure} where the list of databases was not read
 */
export async function isOwnYoungClone(
  { jobs, keepersOf, clock }: Parts<'jobs' | 'keepersOf' | 'clock'>,
  { team, person }: Owner,
  records: Pick<RecordReader, 'list'>,
  { record }: Pick<Inspection, 'record'>,
): Promise<boolean> {
  if (record?.id.noun !== 'clone' || record.isPhysical !== false || record.state?.class === 'busy') return false;
  const id = record.id.text;
  const maker = await jobs.makerOf(team, id);
  const { evidence, sentAt } = maker ?? {};
  if (maker?.person !== person || evidence?.id !== id || sentAt == null) return false;
  const { name, madeAt } = compareRecords(evidence, marksOf(record));
  const oldest = clock.now() - longestAge;
  if (!name || !madeAt || sentAt < oldest || (creationOf(record) ?? 0) < oldest) return false;
  const keeper = (await keepersOf(team, [id])).get(id);
  if (keeper !== undefined && keeper.person !== person) return false;
  const { records: all, cut } = (await listIfShown(records, 'live')) ?? { records: [], cut: true };
  const listed = record.mentions.some(mention => mention.inList && mention.id.noun === 'clone');
  return !cut && !listed && (await dependentsOf(record.id, all)).length === 0;
}
