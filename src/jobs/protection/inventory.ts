import type { RecordView } from '../../api/reading/recordView.ts';
import type { Clock } from '../../ground/clock.ts';
import { isSignedOut } from '../../ground/failure.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import type { Lease, Leases } from '../../store/tables/leases.ts';

/** One reading of the lists, with the leases of the clones in it. `at` is its time, in milliseconds since the epoch. */
export type Inventory = Readonly<{
  at: number;
  live: readonly RecordView[];
  clones: readonly RecordView[];
  /** `undefined` where the list could not be read. */
  environments: readonly RecordView[] | undefined;
  leases: readonly Lease[];
  /** Whether the service says that a list has more than it showed: then nothing is said of the rest. */
  isPart: boolean;
}>;

/** The eyes of one reading: a team, and the records as one sign-in sees them (`records.of(owner, notBefore)`). */
export type Eyes = Readonly<{ team: string; records: Pick<PersonalRecords, 'list'> }>;

/**
 * Reads each list once, with one sign-in. A list of environments that cannot be read leaves the rest as it is.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function readInventory(
  { leases, clock }: Readonly<{ leases: Pick<Leases, 'open'>; clock: Clock }>,
  { team, records }: Eyes,
): Promise<Inventory> {
  const at = clock.now();
  const [databases, environments, open] = await Promise.all([
    records.list(['live', 'clone']),
    records.list(['environment']).catch((error: unknown) => {
      if (isSignedOut(error)) throw error;
    }),
    leases.open(team),
  ]);
  const clones = databases.records.filter(({ id }) => id.noun === 'clone');
  const seen = new Set(clones.map(({ id }) => id.text));
  return {
    ...{ at, clones },
    live: databases.records.filter(({ id }) => id.noun === 'live'),
    environments: environments?.records,
    leases: open.filter(({ record }) => seen.has(record)),
    isPart: databases.cut || environments?.cut === true,
  };
}
