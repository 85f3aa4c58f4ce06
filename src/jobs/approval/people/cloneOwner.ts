import type { RecordView } from '../../../api/reading/recordView.ts';
import { compareRecords, type Marks, marksOf } from '../../../records/sameRecord.ts';
import type { Parts } from '../../parts.ts';

/** Whose a clone is: a person in Slack, else the name that its record shows, else nobody. */
export type CloneOwner = Readonly<{ person?: string; named?: string }>;

/**
 * Reads whose some clones are, for whatever shows it: whoever keeps one, else the person whose confirmed job made it, else
 * whom its record names. Whoever kept or made what had its identifier before owns another one.
 */
export async function ownersOfClones(
  { jobs, keepersOf }: Parts<'jobs' | 'keepersOf'>,
  team: string,
  clones: readonly RecordView[],
): Promise<(clone: RecordView) => CloneOwner> {
  const ids = clones.map(({ id }) => id.text);
  const [keepers, claimants] = await Promise.all([keepersOf(team, ids), jobs.claimantsOf(team, ids)]);
  return clone => {
    const marks = marksOf(clone);
    const isThis = (one: Marks | undefined) => one && compareRecords(one, marks).is === 'same';
    const person = [keepers.get(clone.id.text), claimants.get(clone.id.text)].find(isThis)?.person;
    const [named] = clone.askedBy;
    return person !== undefined ? { person } : named === undefined ? {} : { named };
  };
}
