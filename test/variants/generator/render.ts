import type { Dialect, Fact, Reports } from './dialect.ts';
import type { Base, Work } from './estate.ts';
import type { Service } from './service.ts';
import type { Rest } from './words.ts';

export type Json = { [key: string]: unknown };

/** Writes keys as this service does. Values stay as they are. */
export function restyled(value: unknown, style: Dialect['keys']): unknown {
  if (Array.isArray(value)) return value.map(one => restyled(one, style));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [styled(key, style), restyled(one, style)]));
}

function styled(key: string, style: Dialect['keys']): string {
  if (/-\d+$/.test(key)) return key;
  const parts = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
  switch (style) {
    case 'camel':
      return key;
    case 'snake':
      return parts.join('_');
    case 'kebab':
      return parts.join('-');
    case 'upper':
      return parts.join('_').toUpperCase();
    case 'Pascal':
      return parts.map(capital).join('');
  }
}

/** What is at work on a record now, the latest last. */
export function underWay(base: Base, dialect: Dialect, now: number): Work[] {
  return base.works.filter(
    work =>
      work.beginsAt <= now && now < work.endsAt && (work.brings === base.id || !makes(work) || dialect.sourceWorks),
  );
}
const makes = ({ kind }: Work) => ['virtual clone', 'physical clone', 'share', 'mount', 'discovery'].includes(kind);

/** A record as this service shows it: in a list, or `alone`. */
export function shown(service: Service, dialect: Dialect, base: Base, alone: boolean, now: number): Json {
  const { shows, times, children } = dialect;
  const hides = (fact: Fact) => base.isClone && !shows[fact];
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
    createdAt: new Date(base.createdAt).toISOString(),
    ...(times.updated === 'at every change' ? { updatedAt: new Date(base.updatedAt).toISOString() } : {}),
    ...(times.heartbeat ? { lastSeenAt: new Date(now - (now % 30_000)).toISOString() } : {}),
    ...(times.own ? ownTimes(base) : {}),
    ...(times.counters && base.done.restore !== undefined ? { restoreCount: base.done.restore } : {}),
    ...(dialect.errorKey ? { [dialect.errorKey]: base.error ?? null } : {}),
  };
  place(record, dialect, stateOf(base, dialect, now));
  if (dialect.reports) report(record, base, dialect.reports, now);
  if (children && !base.isClone && (alone || children.where === 'everywhere'))
    record[children.key] =
      children.as === 'count'
        ? base.snapshots.length
        : base.snapshots.map(({ id, name, at }) =>
            children.as === 'ids' ? id : { [dialect.idKey]: id, name, createdAt: new Date(at).toISOString() },
          );
  if (dialect.listsClones && (alone || children?.where === 'everywhere'))
    record.clones = [...service.records.values()].filter(({ source }) => source === base.id).map(({ id }) => id);
  return record;
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

function ownTimes({ doneAt }: Base): Json {
  return Object.fromEntries(
    Object.entries(timeKeys).flatMap(([kind, key]) => {
      const time = Object.entries(doneAt).find(([known]) => known === kind)?.[1];
      return time === undefined ? [] : [[key, new Date(time).toISOString()]];
    }),
  );
}

/** How a record stands as the service shows it: at rest, or at work of a kind. */
export function stateOf(base: Base, dialect: Dialect, now: number): { rest: Rest; work: Work | undefined } {
  const own = base.works.find(({ brings }) => brings === base.id);
  const isEarly = base.restsUntil !== undefined && now < base.restsUntil && own !== undefined && now < own.endsAt;
  const work = dialect.showsWork && !isEarly ? underWay(base, dialect, now).at(-1) : undefined;
  return { rest: base.rest, work };
}

/** Puts the state into its place. */
function place(record: Json, dialect: Dialect, { rest, work }: { rest: Rest; work: Work | undefined }) {
  const { vocabulary, statePath } = dialect;
  if (vocabulary === undefined) return;
  if (vocabulary === 'flags') {
    record.enabled = rest !== 'disabled';
    record.running = rest === 'up';
    if (dialect.showsWork) record.inProgress = work !== undefined;
    return;
  }
  const { passing } = vocabulary;
  const word = work
    ? (Object.entries(passing).find(([kind]) => kind === work.kind)?.[1] ?? passing.other)
    : vocabulary[rest];
  const [outer, inner] = statePath;
  record[outer] = inner === undefined ? word : { [inner]: word };
}

/** The reports of jobs that a record shows. */
function report(record: Json, base: Base, reports: Reports, now: number) {
  const begun = base.works.filter(({ beginsAt }) => beginsAt <= now);
  const told = begun.filter(({ endsAt }) => !reports.forgets || now < endsAt).map(work => reportOf(work, reports, now));
  const value =
    reports.form === 'the latest' ? (told.at(-1) ?? null) : reports.form === 'newest first' ? told.toReversed() : told;
  const nested = reports.under.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [reports.key]: value });
  if (typeof nested !== 'object' || nested === null) return;
  for (const [key, inner] of Object.entries(nested)) {
    const there = record[key];
    record[key] = typeof there === 'object' && there !== null && !Array.isArray(there) ? { ...there, ...inner } : inner;
  }
}

function reportOf(work: Work, reports: Reports, now: number): Json {
  const { statuses, times } = reports;
  const isOver = work.endsAt <= now;
  const status = !isOver ? statuses.running : work.ending === 'succeeded' ? statuses.succeeded : statuses.failed;
  return {
    ...(reports.numbered ? { number: work.number } : {}),
    ...(reports.types ? { [reports.typeKey]: reports.types[work.kind] } : {}),
    [reports.statusKey]: status,
    ...(isOver && work.ending !== 'succeeded' && work.ending !== 'silent' ? { [reports.errorKey]: work.error } : {}),
    ...(times === 'none'
      ? {}
      : {
          [reports.startKey]: inTime(work.beginsAt, times),
          ...(isOver ? { [reports.endKey]: inTime(work.endsAt, times) } : {}),
        }),
  };
}

function inTime(at: number, times: Exclude<Reports['times'], 'none'>): string | number {
  switch (times) {
    case 'ISO':
      return new Date(at).toISOString();
    case 'milliseconds':
      return at;
    case 'seconds':
      return Math.floor(at / 1_000);
    case 'local':
      return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  }
}
