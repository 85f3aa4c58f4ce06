import type { Identifier } from '../../../api/identifiers.ts';
import type { Names } from '../../../api/reading/labels.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import type { Values } from '../../../operations/operation.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import { holderOf } from '../../../records/snapshotHolder.ts';
import { isHolder } from '../../../records/snapshots.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import { factsOf } from './facts.ts';
import { type TouchedNames, touchedNames } from './touchedNames.ts';

/** A reading of a target: the facts for approvers, and the names for the rules of the policy. */
export type Inspection = TouchedNames &
  Readonly<{
    facts: readonly Fact[];
    /** The target's record; that of its database where the target is a snapshot. */
    record: RecordView | undefined;
  }>;

/**
 * Reads a target, and everything around it that a decision rests on.
 * @throws {Failure} where the records cannot be read, `missing` where there is no such record
 */
export async function inspect(records: RecordReader, target: Identifier, values: Values): Promise<Inspection> {
  // The target comes last: a list that is read after it may show what its own facts do not know yet.
  const databases = await listIfShown(records, 'live');
  const record = await readRecordOf(records, target, values);
  const part = record && target.noun === 'snapshot' ? await records.part(record.id, target) : record;
  const names = part ? await namesAround(records, part) : new Map<string, string>();
  const reading = { target, record, part, names, databases };
  return { facts: await factsOf(reading), ...(await touchedNames(records, reading, values)), record };
}

/**
 * @throws {Failure} `missing` where no record shows the target, unless it is a snapshot, which records may not show
 *   (spec §4)
 */
async function readRecordOf(records: RecordReader, target: Identifier, values: Values) {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const found = holder && (await records.one(holder, true));
  // The database that a person chose beside a snapshot may be another than the snapshot's own.
  const record = found && (holder === target || isHolder(found, target)) ? found : undefined;
  if (!record && target.noun !== 'snapshot') throw new Failure('missing', `No record shows ${target.text}.`);
  return record;
}

/**
 * Reads a list; `undefined` where it cannot be read: then nobody sees what it would show.
 * @throws {Failure} `signed-out` or `busy`, since a sign-in or another try helps
 */
export async function listIfShown(records: Pick<RecordReader, 'list'>, noun: 'live' | 'clone' | 'environment') {
  try {
    return (await records.list(noun)).records;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out' || error.kind === 'busy') throw error;
    return undefined;
  }
}

/**
 * The names of the environment, the project and the source of a record, out of their own lists: a record may show
 * identifiers alone. A record that cannot be read has no name here.
 */
async function namesAround(records: RecordReader, { environment, project, source }: RecordView): Promise<Names> {
  const named = await Promise.all(
    [environment, project, source].map(async mention => {
      if (!mention?.id.noun) return [];
      const list = await records.list(mention.id.noun).catch(() => ({ records: [] }));
      const name = list.records.find(({ id }) => id.text === mention.id.text)?.name;
      return name === undefined ? [] : [[mention.id.text, name] as const];
    }),
  );
  return new Map(named.flat());
}
