import type { Dialect, Fact, Noise } from './dialect.ts';
import type { Base, Work } from './estate.ts';
import { habitWord, isHidden, isIdle, snapshotsOf } from './habitShown.ts';
import type { Json } from './json.ts';
import { report } from './report.ts';
import type { Service } from './service.ts';
import type { Rest, Vocabulary } from './words.ts';

/** What is at work on a record now, the latest last. */
export function underWay(base: Base, dialect: Dialect, now: number): Work[] {
  return base.works
    .filter(
      work =>
        work.beginsAt <= now &&
        now < work.endsAt &&
        !isIdle(work, dialect, now) &&
        (work.brings === base.id || !makes(work) || dialect.sourceWorks),
    )
    .toSorted((a, b) => a.beginsAt - b.beginsAt);
}
const makes = ({ kind }: Work) => ['virtual clone', 'physical clone', 'share', 'mount'].includes(kind);

/** A record as this service shows it: in a list, or `alone`. */
export function shown(
  service: Pick<Service, 'records'>,
  dialect: Dialect,
  base: Base,
  alone: boolean,
  now: number,
): Json {
  const { shows, times, children } = dialect;
  const snapshots = snapshotsOf(base, dialect, now);
  const hides = (fact: Fact) => base.isClone && !shows[fact];
  const time = (at: number) => written(at, dialect);
  const record: Json = {
    [dialect.idKey]: base.id,
    ...(hides('name') ? {} : { [dialect.nameKey]: base.name }),
    vendor: dialect.vendor,
    ...(hides('environment') ? {} : { environment: base.environment }),
    ...(hides('port') ? {} : { port: base.port }),
    ...(base.isClone ? kindOf(base, dialect) : {}),
    ...(base.source && !hides('source') ? { sourceDatabase: base.source } : {}),
    ...(base.snapshot && shows.snapshot ? { snapshot: base.snapshot } : {}),
    ...(base.mountBase && shows.mountBase ? { mountBase: base.mountBase } : {}),
    ...(base.project && shows.project ? { project: base.project } : {}),
    ...(shows.owner ? { owner: base.owner } : {}),
    createdAt: time(base.createdAt),
    ...(times.updated === 'at every change' ? { updatedAt: time(base.updatedAt) } : {}),
    ...(times.heartbeat ? { lastSeenAt: time(now - (now % 30_000)) } : {}),
    ...(times.own ? ownTimes(base, time) : {}),
    ...(times.counters && base.done.restore !== undefined ? { restoreCount: base.done.restore } : {}),
    ...(dialect.errorKey ? { [dialect.errorKey]: errorOf(base, dialect) } : {}),
  };
  place(record, dialect, base, stateOf(base, dialect, now), now);
  Object.assign(record, noise(base, dialect, now));
  if (dialect.reports) report(record, base, dialect.reports, dialect, now);
  if (children && !base.isClone && (alone || children.where === 'everywhere'))
    record[children.key] =
      children.as === 'count'
        ? snapshots.length
        : snapshots.map(({ id, name, at, by, beside }) =>
            children.as === 'ids'
              ? id
              : {
                  [dialect.idKey]: id,
                  name,
                  createdAt: time(at),
                  ...(children.byKey === undefined ? {} : { [children.byKey]: by }),
                  ...beside,
                },
          );
  if (dialect.listsClones && (alone || children?.where === 'everywhere'))
    record.clones = [...service.records.values()]
      .filter(one => one.source === base.id && !isHidden(one, dialect, now))
      .map(({ id }) => id);
  return record;
}

/** A time as the service's clock and its way to write times show it. */
function written(at: number, { clock: { form, zone, ahead } }: Dialect): string | number {
  if (form === 'milliseconds') return at + ahead;
  const iso = new Date(at + ahead + (form === 'local' ? zone * 3_600_000 : 0)).toISOString();
  return form === 'local' ? iso.slice(0, 19).replace('T', ' ') : iso;
}

/** What lists show of a record. */
export function summed(record: Json, dialect: Dialect): Json {
  if (dialect.lists === 'all') return record;
  const state = [dialect.statePath[0], 'enabled', 'running', 'inProgress', 'deleted', 'deletedAt'];
  const keys = [dialect.idKey, dialect.nameKey, 'vendor', ...(dialect.lists === 'names' ? [] : state)];
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}

function errorOf({ error }: Base, { errorAs, noError }: Dialect): unknown {
  if (error === undefined) return errorAs === 'list' ? [] : errorAs === 'object' ? null : noError;
  return errorAs === 'list' ? [error] : errorAs === 'object' ? { code: 17, message: error } : error;
}

function kindOf({ isPhysical }: Base, { shows, kindAs }: Dialect): Json {
  if (!shows.kind) return {};
  switch (kindAs) {
    case 'VIRTUALCLONE':
      return { cloneType: isPhysical ? 'PHYSICAL' : 'VIRTUALCLONE' };
    case 'flag':
      return { isVirtual: !isPhysical };
    case 'words':
      return { storageType: isPhysical ? 'full copy' : 'thin' };
  }
}

const timeKeys = {
  backup: 'lastBackupAt',
  'backup logs': 'lastLogBackupAt',
  refresh: 'refreshedAt',
  reset: 'resetAt',
  restore: 'restoredAt',
} as const;

function ownTimes({ doneAt }: Base, written: (at: number) => unknown): Json {
  return Object.fromEntries(
    Object.entries(timeKeys).flatMap(([kind, key]) => {
      const time = Object.entries(doneAt).find(([known]) => known === kind)?.[1];
      return time === undefined ? [] : [[key, written(time)]];
    }),
  );
}

/** How a record stands as the service shows it: at rest, or at work of a kind. */
export function stateOf(base: Base, dialect: Dialect, now: number): { rest: Rest; work: Work | undefined } {
  const own = base.works.find(({ brings }) => brings === base.id);
  const isEarly = base.restsUntil !== undefined && now < base.restsUntil && own !== undefined && now < own.endsAt;
  const work = dialect.showsWork && !isEarly ? underWay(base, dialect, now).at(-1) : undefined;
  const isAsFailed = own !== undefined && isIdle(own, dialect, now);
  return { rest: isAsFailed ? 'broken' : base.rest, work };
}

/** Puts the state into its place. */
function place(
  record: Json,
  dialect: Dialect,
  base: Base,
  { rest, work }: { rest: Rest; work: Work | undefined },
  now: number,
) {
  const { statePath, besideKey } = dialect;
  const vocabulary = base.isClone ? dialect.vocabulary : dialect.liveVocabulary;
  if (base.deletedAt !== undefined) {
    if (dialect.tombstones === 'state') record[statePath[0]] = statePath[1] ? { [statePath[1]]: 'DELETED' } : 'DELETED';
    else record[dialect.tombstones] = dialect.tombstones === 'deleted' ? true : written(base.deletedAt, dialect);
    if (dialect.tombstones === 'state') return;
  }
  if (vocabulary === undefined) return;
  if (vocabulary === 'flags') {
    record.enabled = rest !== 'disabled';
    record.running = rest === 'up';
    if (dialect.showsWork) record.inProgress = work !== undefined;
    return;
  }
  const own = dialect.showsWork ? habitWord(base, dialect, work !== undefined, now) : undefined;
  const busy = own ?? (work && passingWord(vocabulary, work, now));
  const word = typeof busy === 'string' ? busy.replace('{}', String(vocabulary[rest])) : busy;
  const [outer, inner] = statePath;
  const state = besideKey === undefined ? (word ?? vocabulary[rest]) : vocabulary[rest];
  record[outer] = inner === undefined ? state : { [inner]: state };
  if (besideKey !== undefined && dialect.showsWork) record[besideKey] = word ?? null;
}

/** The word for work at that time of it: several follow each other, a minute each where there is no end. */
export function passingWord({ passing }: Vocabulary, work: Work, now: number): string | number | undefined {
  const words = Object.entries(passing).find(([kind]) => kind === work.kind)?.[1] ?? passing.other;
  if (typeof words === 'string' || typeof words === 'number') return words;
  const step = Math.min(60_000, (work.endsAt - work.beginsAt) / words.length);
  return words[Math.min(Math.floor((now - work.beginsAt) / Math.max(step, 1)), words.length - 1)];
}

/** What says nothing of any job, though it may look so. */
function noise(base: Base, dialect: Dialect, now: number): Json {
  const all: Record<Noise, Json> = {
    health: { health: 'GREEN' },
    monitoring: { monitoring: { status: 'ACTIVE', lastCheck: new Date(now - (now % 60_000)).toISOString() } },
    policy: { backupPolicy: { state: 'ENABLED', schedule: 'daily' } },
    agent: { agentStatus: base.rest === 'up' ? 'CONNECTED' : 'UNREACHABLE' },
    version: { version: '8.4.3', compatible: true },
    restarts: { connections: Math.floor(now / 7_000) % 40, sizeInBytes: 7_516_192_768 + Math.floor(now / 60_000) },
    lastBackup: {
      lastBackup: { status: 'SUCCEEDED', time: new Date(base.doneAt.backup ?? base.createdAt).toISOString() },
    },
    tags: { tags: ['DEV', 'FAILED_OVER_ONCE'], description: 'was RESTORED from the archive' },
  };
  return Object.assign({}, ...dialect.noise.map(name => all[name]));
}
