import { type Identifier, type Noun, typedIdentifier } from '../../../api/identifiers.ts';
import { Failure, failureBut } from '../../../ground/failure.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import type { Finding } from '../../../jobs/approval/facts/findings.ts';
import {
  type FoundSeveral,
  find,
  findSeveral,
  isOneOf,
  type Named,
  type NamedList,
  noneAmong,
  partsAsList,
  unread,
} from '../../../records/find.ts';
import type { RecordReader } from '../../../records/recordReader.ts';

/** A named record: its identifier and name, or the finding that there is none, with similar records. */
type NamedTarget = Readonly<{ id?: Identifier; name?: string; finding?: Finding; near?: readonly Named[] }>;

/** Looks up the record by a typed name or identifier. @throws {Failure} `signed-out` */
export async function findTarget(records: RecordReader, nouns: readonly Noun[], typed: string): Promise<NamedTarget> {
  if (typed === '') return {};
  const all = await namesIn(records, nouns).catch(failureBut('signed-out'));
  if (all instanceof Failure && !isOneOf(typedIdentifier(typed), nouns)) {
    const sentence = `I could not look for “${typed}”: ${all.message}`;
    return { finding: { gate: 'target', result: 'hidden', sentence, stops: 'unknown' } };
  }
  const found = find(typed, nouns, all instanceof Failure ? unread : all);
  switch (found.type) {
    case 'wrong':
      return { finding: targetFailure(found.sentence) };
    case 'several':
      return { finding: targetFailure(`${found.records.length} are called “${typed}”.`), near: found.records };
    case 'none':
      return { finding: targetFailure(noneAmong(`Nothing is called “${typed}”`, found.among)), near: found.close };
    case 'one': {
      const id = typedIdentifier(found.id);
      return { ...(id ? { id } : {}), ...(found.name === undefined ? {} : { name: found.name }) };
    }
  }
}

/** The records that some words name; empty where they are one name, or one of them names none. */
export async function findTargets(
  records: RecordReader,
  nouns: readonly Noun[],
  words: readonly string[],
): Promise<Extract<FoundSeveral, { type: 'several' }>['records']> {
  if (words.length < 2) return [];
  const all = await namesIn(records, nouns);
  const found = await findSeveral(words, name => find(name, nouns, all));
  return found.type === 'several' ? found.records : [];
}

/** Checks whether the service shows a record to this person. @throws {Failure} `signed-out` */
export async function checkShown(records: RecordReader, id: Identifier, name: string | undefined): Promise<Finding> {
  const what = name === undefined || name === id.text ? id.text : `${name} is ${id.text}`;
  const seen = await records.one(id).catch(failureBut('signed-out'));
  if (!seen) return targetFailure(`No record shows ${id.text}.`);
  if (!(seen instanceof Failure)) return { gate: 'target', result: 'passed', sentence: `${what}.` };
  return seen.kind === 'forbidden'
    ? targetFailure(seen.message)
    : { gate: 'target', result: 'hidden', sentence: seen.message };
}

/** A fault of the target that stops the command. */
export function targetFailure(sentence: string): Finding {
  return { gate: 'target', result: 'failed', sentence, stops: 'refused' };
}

/** The records of a list. Snapshots have no list of their own: they come from all databases. */
async function namesIn(records: RecordReader, nouns: readonly Noun[]): Promise<NamedList> {
  const [noun = 'live'] = nouns;
  if (noun !== 'snapshot') return records.list(noun);
  const { records: all, cut } = await records.list('live');
  const mentions = await mapInSlices(all, record => record.mentions);
  return partsAsList({ parts: mentions.flat().filter(({ id }) => id.noun === noun), cut });
}
