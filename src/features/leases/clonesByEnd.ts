import type { RecordView } from '../../api/reading/recordView.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { byName, matches } from '../../records/find.ts';
import { momentIn } from '../../slack/blocks/moments.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { type Lease, leases } from '../../store/tables/leases.ts';
import type { Owner } from '../../store/vault.ts';

/** A clone with its lease, if it has one. */
export type LeaseLine = Readonly<{ record: RecordView; lease: Lease | undefined }>;

/**
 * The clones that have all of the words, those that end first at the top, those without an end last. `list` are all clones
 * that this person sees.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function clonesByEnd(
  { records, things }: Desk<'records' | 'things'>,
  owner: Owner,
  words: readonly string[],
) {
  const [list, open] = await Promise.all([
    records.of(owner).list(['clone']),
    things.list(leases, { team: owner.team }),
  ]);
  const byRecord = new Map(open.map(lease => [lease.record, lease]));
  const fitting = await mapInSlices(list.records, (record): readonly LeaseLine[] =>
    matches(record, words) ? [{ record, lease: byRecord.get(record.id.text) }] : [],
  );
  const rows = await sortInSlices(
    fitting.flat(),
    (a, b) => orderOf(a.lease) - orderOf(b.lease) || byName(a.record, b.record),
  );
  return { list, rows };
}

/** Puts leases in the order of their ends; those without an end, and clones without a lease, come last. */
function orderOf(lease: Lease | undefined): number {
  if (!lease) return Number.MAX_VALUE;
  return endsNext(lease) ?? Number.MAX_SAFE_INTEGER;
}

/** The time at which something happens to a clone by its lease; `null` where nothing does. */
export function endsNext({ graceUntil, endsAt }: Pick<Lease, 'graceUntil' | 'endsAt'>): number | null {
  return graceUntil ?? endsAt;
}

/** How each lease stands, in a cell. */
export const leaseStands = {
  new: 'kept',
  kept: 'kept',
  asking: 'owner is asked',
  stopping: 'being stopped',
  stopped: 'stopped',
  deleting: 'being deleted',
  ended: 'no lease',
} as const satisfies Record<Lease['state'], string>;

/** How a clone is kept, in plain words for a page that takes no times of Slack’s: “kept until 2026-12-24 18:00”. */
export function keptInWords(lease: Lease | undefined, zone: string): string {
  if (!lease || lease.state === 'ended') return 'no lease';
  const until = endsNext(lease);
  const stands = leaseStands[lease.state];
  return until === null
    ? `${stands}, no end`
    : `${stands} until ${momentIn(zone, until).slice(0, 'yyyy-mm-dd hh:mm'.length)}`;
}
