import type { RecordView } from '../../api/reading/recordView.ts';
import type { Clock } from '../../ground/clock.ts';
import { isSignedOut } from '../../ground/failure.ts';
import { mapInSlices } from '../../ground/slices.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import type { Things } from '../../store/things/things.ts';
import { type Lease, leases } from '../leases/lease.ts';
import { backupCoverage } from './coverage.ts';

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
  /** The live databases of which nobody knows whether the list leaves their backups out. */
  doubted: ReadonlySet<string>;
}>;

/** The reader of one reading: a team, and the records as one sign-in sees them (`records.of(owner, notBefore)`). */
export type Watcher = Readonly<{ team: string; records: Pick<PersonalRecords, 'list' | 'alone'> }>;

/**
 * Reads each list once, with one sign-in. A list of environments that cannot be read leaves the rest as it is.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function readInventory(
  { things, clock }: Readonly<{ things: Pick<Things, 'list'>; clock: Clock }>,
  { team, records }: Watcher,
): Promise<Inventory> {
  const at = clock.now();
  const [databases, environments, open] = await Promise.all([
    records.list(['live', 'clone']),
    records.list(['environment']).catch((error: unknown) => {
      if (isSignedOut(error)) throw error;
    }),
    things.list(leases, { team }),
  ]);
  const clones = databases.records.filter(({ id }) => id.noun === 'clone');
  const seen = new Set(clones.map(({ id }) => id.text));
  const listed = databases.records.filter(({ id }) => id.noun === 'live');
  return {
    ...{ at, clones },
    ...(await withBackups(listed, records)),
    environments: environments?.records,
    leases: open.filter(({ record }) => seen.has(record)),
    isPart: databases.cut || environments?.cut === true,
  };
}

/** Max databases whose own records are read, since the list shows no backup of them. */
const maxAlone = 10;

/**
 * Reads alone some of the databases that the list shows without a backup: a list may leave out what the record itself
 * shows. If it does so once, nothing is known of the others.
 */
async function withBackups(
  live: readonly RecordView[],
  records: Watcher['records'],
): Promise<Pick<Inventory, 'live' | 'doubted'>> {
  const bare = (await mapInSlices(live, record => (isBare(record) ? [record] : []))).flat();
  const asked = bare.slice(0, maxAlone);
  const answers = await Promise.all(
    asked.map(({ id }) =>
      records.alone(id).catch((error: unknown) => {
        if (isSignedOut(error)) throw error;
      }),
    ),
  );
  const fuller = new Map(
    answers.flatMap(record => (record && !isBare(record) ? [[record.id.text, record] as const] : [])),
  );
  const unread = asked.filter((_, at) => !answers[at]);
  const doubted = fuller.size > 0 ? [...unread, ...bare.slice(maxAlone)] : unread;
  return {
    live: fuller.size === 0 ? live : live.map(record => fuller.get(record.id.text) ?? record),
    doubted: new Set(doubted.map(({ id }) => id.text)),
  };
}

function isBare(record: RecordView): boolean {
  return backupCoverage(record).type === 'never';
}
