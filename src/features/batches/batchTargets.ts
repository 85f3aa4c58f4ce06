import type { RecordView } from '../../api/reading/recordView.ts';
import { targetNouns, type WriteOperation } from '../../operations/operation.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { code } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { notOne } from '../../slack/forms/fill/inputsInWords.ts';
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
 * Reads words as the names of several records. One whole name comes first; else each word, or each part between commas,
 * names exactly one record.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function targetsNamed(
  { records }: Desk<'records'>,
  owner: Owner,
  operation: WriteOperation,
  words: readonly string[],
): Promise<NamedTargets> {
  const whole = words.join(' ');
  const names = whole.includes(',') ? whole.split(',').map(name => name.trim()) : words;
  const given = [...new Set(names.filter(Boolean))];
  if (given.length < 2 || meantBy(operation, ...words) !== undefined) return { type: 'one' };
  const nouns = targetNouns(operation);
  const seen = records.of(owner);
  if ((await seen.find(whole, nouns)).type !== 'none') return { type: 'one' };
  if (given.length > mostSteps) return fault(`These are ${given.length}, and ${mostSteps} is the most at a time.`);
  const targets = new Map<string, Eligible>();
  for (const name of given) {
    const found = await seen.find(name, nouns);
    if (found.type !== 'one') return fault(`${code(name, 60)} does not name one record. ${notOne(found, name, nouns)}`);
    targets.set(found.id, { id: found.id, name: found.name ?? found.id });
  }
  return { type: 'several', targets: [...targets.values()] };
}

function fault(sentence: string): NamedTargets {
  return { type: 'fault', sentence: `${sentence} Nothing was sent.` };
}
