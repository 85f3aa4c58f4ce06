import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { Failure } from '../../ground/failure.ts';
import type { Values } from '../../operations/operation.ts';
import { namesAround } from '../../records/namesAround.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { holderOf } from '../../records/snapshotHolder.ts';
import { isHolder } from '../../records/snapshots.ts';
import type { Fact } from '../../store/jobs/data.ts';
import { factsOf } from './facts.ts';
import { type TouchedNames, touchedNames } from './touchedNames.ts';

/** A reading of a target: the facts for approvers, and the names that the rules are held against. */
export type Inspection = TouchedNames &
  Readonly<{
    facts: readonly Fact[];
    /** The target's record; that of its database where the target is a snapshot. */
    record: RecordView | undefined;
  }>;

/**
 * Reads a target, and all around it on which a decision rests.
 * @throws {Failure} where the records cannot be read, `missing` where there is no such record
 */
export async function inspect(records: RecordReader, target: Identifier, values: Values): Promise<Inspection> {
  const record = await readRecordOf(records, target, values);
  const databases = await readDatabases(records);
  const part = record && target.noun === 'snapshot' ? await records.part(record.id, target) : record;
  const names = part ? await namesAround(records, part) : new Map<string, string>();
  const reading = { target, record, part, names, databases };
  return { facts: await factsOf(reading), ...(await touchedNames(records, reading, values)), record };
}

/**
 * @throws {Failure} `missing` where no record shows the target, unless it is a snapshot: perhaps nothing shows that
 * (spec §4)
 */
async function readRecordOf(records: RecordReader, target: Identifier, values: Values) {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const found = holder && (await records.one(holder));
  // A database that a person chose beside a snapshot need not be its own.
  const record = found && (holder === target || isHolder(found, target)) ? found : undefined;
  if (!record && target.noun !== 'snapshot') throw new Failure('missing', `No record shows ${target.text}.`);
  return record;
}

/** Without the list nobody knows the dependents, and the facts say so. A failure that a person can mend is thrown. */
async function readDatabases(records: RecordReader): Promise<readonly RecordView[] | undefined> {
  try {
    return (await records.list('live')).records;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out' || error.kind === 'busy') throw error;
    return undefined;
  }
}
