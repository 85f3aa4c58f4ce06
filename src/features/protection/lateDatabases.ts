import type { RecordView } from '../../api/reading/recordView.ts';
import { inRow } from '../../ground/wording.ts';
import { isBackup } from '../../operations/databases.ts';
import { targetNouns } from '../../operations/operation.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { listIsCut, noneAmong } from '../../records/find.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { AskedForSeveral, MeantTogether } from '../../slack/house.ts';
import type { Owner } from '../../store/vault.ts';
import { readInventory } from './inventory.ts';
import { type ProtectedDatabase, protectionReport } from './report.ts';

type LateReader = Desk<'records' | 'things' | 'policy' | 'clock'>;

/**
 * What `late` means for a backup, where nothing is called so: what is late now by this person’s sign-in. What is disabled or
 * not visible is only named.
 */
export async function meantByLate(desk: LateReader, owner: Owner, { operation, words }: AskedForSeveral) {
  const isLate = words.length === 1 && words[0]?.toLowerCase() === 'late' && isBackup(operation);
  if (!isLate || (await desk.records.of(owner).find('late', targetNouns(operation))).type !== 'none') return undefined;
  return () => lateDatabases(desk, owner, operation.name);
}

/** @throws {Failure} `signed-out`, or where the databases cannot be read */
async function lateDatabases(desk: LateReader, reader: Owner, operation: string): Promise<MeantTogether> {
  const records = desk.records.of(reader, desk.clock.now());
  const inventory = await readInventory(desk, { team: reader.team, records });
  const { databases } = await protectionReport(desk.policy, inventory);
  const some = (fits: (one: ProtectedDatabase) => boolean) => databases.filter(fits).map(({ record }) => record);
  const late = some(({ mend }) => mend === operation);
  const among = { records: inventory.live, cut: inventory.isPart };
  const rest = late.length - mostSteps;
  return {
    records: late.slice(0, mostSteps),
    notes: [
      ...(rest > 0 ? [`${rest} more are late: ask again once these are done.`] : []),
      ...named(
        'Late, but disabled',
        some(({ mend, standing }) => mend === null && (standing === 'never' || standing === 'late')),
      ),
      ...named(
        'The records do not show whether these are late',
        some(({ standing }) => standing === 'unseen'),
      ),
      ...(among.cut && late.length > 0 ? [listIsCut] : []),
    ],
    none: late.length === 0 ? noneAmong('Nothing that you could back up is late', among) : undefined,
  };
}

/** Max names in a note. */
const mostNamed = 30;

function named(lead: string, records: readonly RecordView[]): readonly string[] {
  const names = records.map(({ name, id }) => plain(name ?? id.text, 60));
  return records.length === 0 ? [] : [`${lead}: ${inRow(names, mostNamed)}.`];
}
