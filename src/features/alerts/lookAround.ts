import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { creationOf } from '../../api/reading/times.ts';
import { minute } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { lockTime } from '../../ground/loop.ts';
import { breath, mapInSlices } from '../../ground/slices.ts';
import type { Parts } from '../../jobs/parts.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { works } from '../../operations/work.ts';
import { isDeleted } from '../../records/recordReader.ts';
import { compareRecords, marksOf } from '../../records/sameRecord.ts';
import { saysNoRecord } from '../../records/shown.ts';
import { ownSnapshots, unfitAt } from '../../records/snapshots.ts';
import type { Dealing } from '../../store/jobs/dealings.ts';
import type { KeptSight } from '../../store/tables/alerts/alertRows.ts';
import type { HeldWatcher, SightChanges } from '../../store/tables/alerts/sights.ts';
import { type Inventory, readInventory, whoseTurn } from '../protection/inventory.ts';
import { maintainedAt, maintenances } from '../protection/maintenance/maintenance.ts';
import { protectionReport } from '../protection/report.ts';
import { type Schedule, schedules } from '../schedules/schedule.ts';
import { type Look, newsOf, type RecordSeen } from './newsOf.ts';
import { type TroubleFacts, troublesOf } from './troublesOf.ts';
import { usualDurations } from './workTroubles.ts';

/** Sights that are read, and written, in one statement. */
const pageSize = 250;
const batchSize = 100;
/** Max records that one look asks for on their own, since no list shows them any more. */
const maxAsked = 50;
/** The difference of clocks, for what is compared with the time of a look, in milliseconds. */
const clockSlack = 10 * minute;

/** The watcher of a look: a row that this process has taken, the look, and the jobs that are under way. */
type LookingWatcher = Readonly<{ watcher: HeldWatcher; look: Look; dealings: readonly Dealing[] }>;

/** Reads lists, and what they showed before. */
type Looker = Parts<'jobs' | 'things' | 'sights' | 'policy' | 'records' | 'clock'>;

/**
 * Reads the lists once, and writes what changed since the look before, in parts, between which others have their turn:
 * the embedded store answers without a pause. Its news stay in the sights until they
 * are told. Gives the names of the environments; `undefined` where another process has the watcher meanwhile.
 * @throws {Failure} where the databases cannot be read: nothing changes then
 */
export async function lookAround(parts: Looker, looking: LookingWatcher) {
  const { watcher, look } = looking;
  const records = parts.records.of({ team: watcher.team, person: watcher.person }, look.at);
  const inventory = await readInventory(parts, { team: watcher.team, records, turn: look.turn });
  const shown = await readShown(parts, inventory, looking);
  const batch = batchesOf(parts, watcher);
  const absent: KeptSight[] = [];
  const visited = new Set<string>();
  for (let after = ''; ; ) {
    await breath();
    const page = await parts.sights.page(watcher.id, after, pageSize);
    const met = await mapInSlices(page, before => {
      visited.add(before.record);
      const facts = shown.get(before.record);
      if (!facts) return { before, next: before };
      return { before, next: newsOf(before, before.record, seenIn(before, facts, looking), look) };
    });
    for (const { before, next } of met)
      if (!shown.has(before.record)) absent.push(before);
      else if (next !== before && !(await batch.add(before.record, next))) return undefined;
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = last.record;
  }
  for (const [record, facts] of shown)
    if (
      !visited.has(record) &&
      !(await batch.add(record, newsOf(undefined, record, seenIn(undefined, facts, looking), look)))
    )
      return undefined;
  const missed = await seeAbsent(parts, { ...looking, inventory, absent });
  for (const { before, seen } of missed) {
    const next = newsOf(before, before.record, seen, look);
    if (next !== before && !(await batch.add(before.record, next))) return undefined;
  }
  if (!(await batch.end())) return undefined;
  return new Map(inventory.environments?.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name]])));
}

/** Gathers sights, and writes them some at a time. */
function batchesOf({ sights, clock }: Parts<'sights' | 'clock'>, watcher: HeldWatcher) {
  let written: KeptSight[] = [];
  let deleted: string[] = [];
  const write = async () => {
    const changes: SightChanges = { written, deleted };
    [written, deleted] = [[], []];
    await breath();
    return sights.write(watcher, changes, clock.now() + lockTime);
  };
  return {
    async add(record: string, sight: KeptSight | undefined): Promise<boolean> {
      if (sight) written.push(sight);
      else deleted.push(record);
      return written.length + deleted.length < batchSize || write();
    },
    end: write,
  };
}

/** What is known of a record of the lists. */
type ShownFacts = Omit<TroubleFacts, 'before'>;

/** What the lists show of each record, by its identifier; records that are shown as deleted are none. */
async function readShown(
  parts: Parts<'policy' | 'jobs' | 'things'>,
  inventory: Inventory,
  { watcher, look, dealings }: LookingWatcher,
): Promise<ReadonlyMap<string, ShownFacts>> {
  const report = await protectionReport(parts.policy, inventory);
  const protection = new Map(report.databases.map(one => [one.record.id.text, one]));
  const leases = new Map(inventory.leases.map(lease => [lease.record, lease]));
  const usual = await usualDurations(parts.jobs, { team: watcher.team, dealings, at: look.at });
  const scheduled = new Map<string, Schedule[]>();
  for (const one of await parts.things.list(schedules, { team: watcher.team }))
    for (const id of one.state === 'on' ? [one.target, ...Object.keys(one.failing ?? {})] : [])
      scheduled.set(id, [...(scheduled.get(id) ?? []), one]);
  const dealt = new Map<string | null, Dealing[]>();
  for (const job of dealings)
    for (const id of new Set([job.target, job.claimed])) dealt.set(id, [...(dealt.get(id) ?? []), job]);
  const maintenance = await parts.things.list(maintenances, { team: watcher.team, withOver: true });
  const notBefore = look.isFirst || watcher.lookedAt === null ? undefined : watcher.lookedAt - clockSlack;
  const all = [...inventory.live, ...inventory.clones, ...(inventory.environments ?? [])];
  const facts = await mapInSlices(all, record => {
    const id = record.id.text;
    const own = dealt.get(id) ?? [];
    const isBusy = own.some(job => isAtWork(job, id));
    const isMaintained = (maintained: Pick<ReadonlySet<string>, 'has'>) =>
      maintained.has(id) || maintained.has(record.environment?.id.text ?? '');
    // A first look tells nothing, and has nothing from before: what it left out would be told as over.
    const isExcused = isMaintained(inventory.maintained) && !look.isFirst;
    const runs = scheduled.get(id) ?? [];
    const wasExcused = ({ lastAt, leftAt }: Schedule) =>
      [lastAt, leftAt].some(time => time != null && isMaintained(maintainedAt(maintenance, time)));
    const areRunsExcused = isExcused || (!look.isFirst && runs.some(wasExcused));
    const excuses = { isExcused, areRunsExcused };
    const is = { protection: protection.get(id), lease: leases.get(id), isBusy, ...excuses, dealings: own, usual };
    // The facts are read here, where other work has its turn.
    return isDeleted(record) ? undefined : ([id, { record, ...is, schedules: runs, notBefore, at: look.at }] as const);
  });
  return new Map(facts.filter(one => one !== undefined));
}

/** A record of a list as it compares with the sight before. */
function seenIn(before: KeptSight | undefined, facts: ShownFacts, { watcher, look }: LookingWatcher): RecordSeen {
  const { record, dealings } = facts;
  const [name, madeAt] = [record.name ?? null, creationOf(record) ?? null];
  if (before && isAnother(before, record)) {
    const lookedAt = watcher.lookedAt ?? look.at;
    const isOurs = dealings.some(job => job.target === before.record && takesAway(job, before, lookedAt));
    return { type: 'replaced', isOurs, name, madeAt };
  }
  // Once it was seen, nobody asks again: to read the snapshots of fifty thousand records takes seconds.
  const isNew = (before?.backedAt ?? null) === null;
  const isBacked = isNew && ownSnapshots(record).some(one => unfitAt(one, look.at) === undefined);
  const place = record.environment?.id.text ?? null;
  return { type: 'shown', name, madeAt, place, isBacked, troubles: troublesOf({ ...facts, before }) };
}

/** Whether a record is another one than was seen under its identifier. */
function isAnother(before: KeptSight, record: RecordView): boolean {
  return compareRecords(before, marksOf(record)).is === 'another';
}

type Absent = LookingWatcher & Readonly<{ inventory: Inventory; absent: readonly KeptSight[] }>;

/**
 * Says what became of records that no list shows any more. A list that is cut, failed or suddenly empty says nothing; of
 * a whole one, the record's own GET has the last word.
 */
async function seeAbsent(
  parts: Parts<'jobs' | 'records'>,
  { watcher, look, inventory, absent }: Absent,
): Promise<readonly Readonly<{ before: KeptSight; seen: RecordSeen }>[]> {
  const { live, clones, environments, isPart } = inventory;
  const known = absent.flatMap(before => {
    const id = parseIdentifier(before.record);
    return id ? [{ before, id }] : [];
  });
  const isWhole = ({ noun }: Identifier) =>
    !isPart && (noun === 'environment' ? (environments?.length ?? 0) > 0 : live.length + clones.length > 0);
  const missing = known.filter(({ id }) => isWhole(id));
  // Nobody was told of them yet.
  if (look.isFirst) return missing.map(({ before }) => ({ before, seen: { type: 'hidden' } }));
  const ofEnvironments = missing.filter(({ id }) => id.noun === 'environment');
  const gone = missing.filter(({ id, before }) => id.noun !== 'environment' && before.goneAt !== null);
  const open = missing.filter(({ id, before }) => id.noun !== 'environment' && before.goneAt === null);
  const asked = whoseTurn(open, look.turn, maxAsked);
  const ours = await parts.jobs.dealingsWith(
    watcher.team,
    asked.map(({ before }) => before.record),
    Math.min(...asked.map(({ before }) => before.since)),
  );
  const seen = [];
  for (const { before, id } of asked) {
    const isOurs = ours.some(
      job => job.target === before.record && takesAway(job, before, watcher.lookedAt ?? look.at),
    );
    seen.push({ before, seen: await askFor(parts, { watcher, look, before, id, isOurs }) });
  }
  return [
    ...ofEnvironments.map(({ before }) => ({ before, seen: { type: 'gone', isOurs: true } as const })),
    ...gone.map(({ before }) => ({ before, seen: { type: 'gone', isOurs: false } as const })),
    ...seen,
  ];
}

/**
 * Whether a job explains that its target vanished since the look before: it deletes it, or makes another record of it. One
 * that failed explains nothing, and one that ended without a result does for as long again as it ran.
 */
function takesAway({ operation, state, sentAt, endedAt }: Dealing, { since }: KeptSight, lookedAt: number): boolean {
  if (sentAt === null || sentAt < since || state === 'failed') return false;
  const isLate = state !== 'succeeded' && endedAt !== null && lookedAt > endedAt + (endedAt - sentAt);
  const known = jobOperation(operation);
  const isSuch = !known || known.deletes === true || (known.type === 'write' && known.work.name === works.convert.name);
  return isSuch && !isLate;
}

/** Whether a job is working on a record: one that makes another of it leaves it as it is. */
function isAtWork({ operation, claimed, endedAt }: Dealing, record: string): boolean {
  const known = jobOperation(operation);
  const leavesIt = claimed !== record && known?.type === 'write' && known.proof.type === 'appears';
  return endedAt === null && !leavesIt;
}

/** A record that is to be asked for, and whether a job of Dolly's explains that it is gone. */
type RecordToAsk = Pick<LookingWatcher, 'look' | 'watcher'> &
  Readonly<{ before: KeptSight; id: Identifier; isOurs: boolean }>;

/** Asks for one record by its own GET. */
async function askFor(
  parts: Parts<'records'>,
  { watcher, look, before, id, isOurs }: RecordToAsk,
): Promise<RecordSeen> {
  try {
    const record = await parts.records.of({ team: watcher.team, person: watcher.person }, look.at).alone(id);
    if (!record || isDeleted(record)) return { type: 'gone', isOurs };
    if (!isAnother(before, record)) return { type: 'unknown' };
    return { type: 'replaced', isOurs, name: record.name ?? null, madeAt: creationOf(record) ?? null };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind === 'forbidden') return { type: 'hidden' };
    return saysNoRecord(error) ? { type: 'gone', isOurs } : { type: 'unknown' };
  }
}
