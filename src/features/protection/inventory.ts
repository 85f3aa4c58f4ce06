import type { RecordView } from '../../api/reading/recordView.ts';
import type { Clock } from '../../ground/clock.ts';
import { second } from '../../ground/durations.ts';
import { isSignedOut } from '../../ground/failure.ts';
import { mapInSlices } from '../../ground/slices.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import { nowByEither, type Records } from '../../records/records.ts';
import { type Lease, leases } from '../../store/tables/leases.ts';
import type { Things } from '../../store/things/things.ts';
import { backupCoverage } from './coverage.ts';
import { maintainedIn } from './maintenance/maintenance.ts';

/** One reading of the lists, with the leases of the clones in it. `at` is its time, in milliseconds since the epoch. */
export type Inventory = Readonly<{
  at: number;
  /** The present time by which backups are judged, where the service's clock is ahead. */
  nowThere?: number;
  live: readonly RecordView[];
  clones: readonly RecordView[];
  /** `undefined` where the list could not be read. */
  environments: readonly RecordView[] | undefined;
  leases: readonly Lease[];
  /** The environments that are in maintenance, by their identifiers. */
  maintained: ReadonlySet<string>;
  /** Whether the service says that a list has more than it showed: then nothing is said of the rest. */
  isPart: boolean;
  /** The live databases whose own records were read: a list may leave their backups out. */
  alone: ReadonlySet<string>;
  /** The number of those whose list shows no backup, and whose own records had no turn. */
  unread: number;
}>;

/**
 * The reader of one reading: a team, and the records as one sign-in sees them (`records.of(owner, notBefore)`). Who looks
 * by the clock says which `turn` it is; other readings begin at another place each time. At most `most` records are read alone.
 */
type Watcher = Readonly<{
  team: string;
  records: Pick<PersonalRecords, 'list' | 'alone'>;
  turn?: number | undefined;
  most?: number | undefined;
}>;

/**
 * Reads each list once, with one sign-in. A list of environments that cannot be read leaves the rest as it is.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function readInventory(
  parts: Readonly<{ things: Pick<Things, 'list'>; clock: Clock; records: Pick<Records, 'ahead'> }>,
  { team, records, turn, most }: Watcher,
): Promise<Inventory> {
  const { things, clock } = parts;
  const at = clock.now();
  const [databases, environments, open, maintained] = await Promise.all([
    records.list(['live', 'clone']),
    records.list(['environment']).catch(unlessSignedOut),
    things.list(leases, { team }),
    maintainedIn({ things }, team, at),
  ]);
  const nowThere = nowByEither(parts);
  const clones = databases.records.filter(({ id }) => id.noun === 'clone');
  const seen = new Set(clones.map(({ id }) => id.text));
  const listed = databases.records.filter(({ id }) => id.noun === 'live');
  return {
    ...{ at, nowThere, clones },
    ...(await withBackups(listed, { records, turn, most, at: nowThere })),
    environments: environments?.records,
    leases: open.filter(({ record }) => seen.has(record)),
    maintained: new Set(maintained.keys()),
    isPart: databases.cut || environments?.cut === true,
  };
}

/** Max databases whose own records are read at once, since the list shows no backup of them. */
export const maxAlone = 50;

/**
 * Reads alone some of the databases that the list shows without a backup, in turns: a list may leave out what the record
 * itself shows.
 */
async function withBackups(
  live: readonly RecordView[],
  { records, turn, most = maxAlone, at }: Omit<Watcher, 'team'> & Readonly<{ at: number }>,
) {
  const bare = (await mapInSlices(live, record => (isBare(record, at) ? [record] : []))).flat();
  const asked = someFrom(bare, turn === undefined ? placeAt(at, bare.length) : turn * most, most);
  const answers = await Promise.all(asked.map(({ id }) => records.alone(id).catch(unlessSignedOut)));
  const own = new Map(answers.flatMap(record => (record ? [[record.id.text, record] as const] : [])));
  const seen = own.size === 0 ? live : live.map(record => own.get(record.id.text) ?? record);
  return { live: seen, alone: new Set(own.keys()), unread: bare.length - asked.length };
}

/** At most so many of some things, in a turn. Each has its turn, also where many cannot be read. */
export function whoseTurn<T>(all: readonly T[], turn: number, most: number): readonly T[] {
  return someFrom(all, turn * most, most);
}

/** At most `most` of some things from a place on; those behind the last one are the first ones. */
function someFrom<T>(all: readonly T[], place: number, most: number): readonly T[] {
  const from = all.length > most ? place % all.length : 0;
  return [...all.slice(from), ...all.slice(0, from)].slice(0, most);
}

/**
 * A place among so many for readings at no fixed times. It moves by the golden ratio with each second: by a whole number,
 * somebody who looks each day at the same time could find the same place for ever.
 */
function placeAt(at: number, many: number): number {
  return Math.floor((((at / second) * goldenRatio) % 1) * many);
}

const goldenRatio = (Math.sqrt(5) - 1) / 2;

function unlessSignedOut(error: unknown): undefined {
  if (isSignedOut(error)) throw error;
}

function isBare(record: RecordView, at: number): boolean {
  const { type } = backupCoverage(record, at);
  return type === 'never' || type === 'unseen';
}
