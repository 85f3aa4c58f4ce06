import type { RecordView } from '../../api/reading/recordView.ts';
import { targetNouns } from '../../operations/operation.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { findSeveral, namesInWords } from '../../records/find.ts';
import { code } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { AskedForSeveral } from '../../slack/house.ts';
import { notOne } from '../../slack/records/foundOne.ts';
import { meantBy } from '../../slack/words/otherCommands.ts';
import type { Owner } from '../../store/vault.ts';

/** A record that a batch may be about, as its page shows it. */
export type Eligible = Readonly<{ id: string; name: string; place?: string | undefined }>;

/** A record of a list as its page shows it. */
export function eligibleOf({ id, name, environment }: RecordView): Eligible {
  return { id: id.text, name: name ?? id.text, place: environment && (environment.label ?? environment.id.text) };
}

/** The records that some words name; the sentence about the word that names none; nothing where they may be one name. */
export type NamedTargets =
  | Readonly<{ type: 'several'; targets: readonly Eligible[] }>
  | Readonly<{ type: 'fault'; sentence: string }>
  | Readonly<{ type: 'one' }>;

/**
 * Reads words as the names of several records.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function targetsNamed(
  { records }: Desk<'records'>,
  owner: Owner,
  { operation, words }: AskedForSeveral,
): Promise<NamedTargets> {
  const many = namesInWords(words).length;
  if (many < 2 || meantBy(operation, ...words) !== undefined) return { type: 'one' };
  if (many > mostSteps) return fault(`These are ${many}, and ${mostSteps} is the most at a time.`);
  const nouns = targetNouns(operation);
  const seen = records.of(owner);
  const found = await findSeveral(words, name => seen.find(name, nouns));
  if (found.type === 'one') return found;
  if (found.type === 'fault')
    return fault(`${code(found.name, 60)} does not name one record. ${notOne(found.found, found.name, nouns)}`);
  return { type: 'several', targets: found.records.map(({ id, name = id }) => ({ id, name })) };
}

function fault(sentence: string): NamedTargets {
  return { type: 'fault', sentence: `${sentence} Nothing was sent.` };
}
