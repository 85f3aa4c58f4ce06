import type { RecordView } from '../../api/reading/recordView.ts';
import { togetherNouns } from '../../operations/plans/batch.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { findSeveral, namesInWords } from '../../records/find.ts';
import { marksOf } from '../../records/sameRecord.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { AskedForSeveral } from '../../slack/house.ts';
import { notOne } from '../../slack/records/foundOne.ts';
import { meantBy } from '../../slack/words/otherCommands.ts';
import type { Owner } from '../../store/vault.ts';

/** A record that a batch may be about, as its page shows it: `about` says where it is, and `madeAt` tells it from later ones. */
export type Eligible = Readonly<{
  id: string;
  name: string;
  about?: string | undefined;
  madeAt?: number | undefined;
}>;

/** A record of a list as its page shows it. */
export function eligibleOf(record: RecordView): Eligible {
  const { id, name, environment } = record;
  const about = environment && (environment.label ?? environment.id.text);
  return { id: id.text, name: name ?? id.text, about, madeAt: marksOf(record).madeAt ?? undefined };
}

/** The records that some words name; the sentence about the word that names none; nothing where they may be one name. */
type NamedTargets =
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
  if (many > mostSteps) return fault(`That makes ${many}, but I can do at most ${mostSteps} at a time.`);
  const nouns = togetherNouns(operation);
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
