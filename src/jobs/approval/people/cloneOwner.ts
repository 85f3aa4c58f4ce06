import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Parts } from '../../parts.ts';
import { shownMarks } from '../sameAsShown.ts';
import { holdersByRecord } from './holder.ts';

/** Whose a clone is: a person in Slack, else the name that its record shows, else nobody. */
export type CloneOwner = Readonly<{ person?: string; named?: string }>;

/** Reads whose some clones are, for whatever shows it: whoever holds one, else whom its record names. */
export async function ownersOfClones(
  parts: Parts<'jobs' | 'keepersOf'>,
  team: string,
  clones: readonly RecordView[],
): Promise<(clone: RecordView) => CloneOwner> {
  const holders = await holdersByRecord(parts, team, shownMarks(clones));
  return clone => {
    const person = holders.get(clone.id.text);
    const [named] = clone.askedBy;
    return person !== undefined ? { person } : named === undefined ? {} : { named };
  };
}
