import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { RecordView } from '../api/records.ts';
import type { Proof } from '../operations/proofs.ts';
import { type Baseline, type Evidence, wasThere } from './evidence.ts';

/** What the records say of a job: it is proved, it failed (with the service's reason), or it is not over. */
export type Verdict = { type: 'proved' } | { type: 'failed'; reason: string } | { type: 'waiting' };

/** How long a state of unknown meaning must stand before it counts as one that stays. */
const settlesAfter = minutesToMilliseconds(2);

/**
 * The records that may be the one that the proof waits for, the likeliest first: new since the baseline, of the right
 * vendor, and contradicting nothing that was asked for where they show it.
 */
export function candidates(
  proof: Proof,
  vendor: string | undefined,
  baseline: Baseline,
  records: readonly RecordView[],
): RecordView[] {
  return (
    records
      .filter(record => record.id.noun && proof.nouns.includes(record.id.noun) && record.vendor === vendor)
      .filter(record => !wasThere(baseline, record))
      .map(record => ({
        record,
        likeness: likeness(proof, record),
        rank: record.id.noun ? proof.nouns.indexOf(record.id.noun) : 0,
      }))
      // A new live database can be there for other reasons, so it must show that it is the one.
      .filter(({ likeness, rank }) => likeness !== undefined && (rank === 0 || likeness > 0))
      .sort((a, b) => (b.likeness ?? 0) - (a.likeness ?? 0) || a.rank - b.rank || compareNumbers(a.record, b.record))
      .map(({ record }) => record)
  );
}

/** How many facts agree; `undefined` where one contradicts. */
function likeness(proof: Proof, record: RecordView): number | undefined {
  const { source, environment, port, names = [] } = proof.like;
  const shown: (boolean | undefined)[] = [
    // A clone of a clone names that clone as its source, which says nothing against the live database behind it.
    record.source?.id.noun === 'live' && source ? record.source.id.text === source : undefined,
    record.environment && environment ? record.environment.id.text === environment : undefined,
    record.port !== undefined && port !== undefined ? record.port === port : undefined,
    record.name !== undefined && names.length > 0 ? namesAgree(names, record) : undefined,
  ];
  return shown.includes(false) ? undefined : shown.filter(agrees => agrees).length;
}

/** Whether any plain value of the record is one of the names, in any case: which one a service shows is not specified. */
function namesAgree(names: readonly string[], record: RecordView): boolean {
  const wanted = names.map(name => name.toLowerCase());
  return record.values.some(({ value }) => wanted.includes(value.toLowerCase()));
}

/** What a record that is the job's own says about the job. `others` are the records beside it. */
export function judge(seen: Evidence, others: readonly RecordView[]): Verdict {
  switch (seen.stateClass) {
    case 'failed':
      return { type: 'failed', reason: seen.error ?? `Its state is ${seen.state}.` };
    case 'busy':
      return { type: 'waiting' };
    case undefined:
      return seen.error ? { type: 'failed', reason: seen.error } : { type: 'proved' };
    case 'unknown': {
      // A word that other records show, too, or that does not change, is a state to stay in.
      const common = others.some(other => other.id.text !== seen.id && other.state?.word === seen.state);
      return common || seen.seenAt - seen.since >= settlesAfter ? { type: 'proved' } : { type: 'waiting' };
    }
    default:
      return { type: 'proved' };
  }
}

function compareNumbers(a: RecordView, b: RecordView): number {
  const [left, right] = [BigInt(a.id.number), BigInt(b.id.number)];
  return left < right ? -1 : left > right ? 1 : 0;
}
