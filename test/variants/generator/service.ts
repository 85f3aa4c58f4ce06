import type { Dialect } from './dialect.ts';
import { type Attempt, type Base, type Ending, exampleEstate, idsOf, type Work } from './estate.ts';
import type { AnyKind } from './words.ts';

/** How a job will go. Times are milliseconds. */
export type Course = Readonly<{
  /** It begins so long after it was accepted. */
  waits: number;
  /** Infinity where it never ends. */
  lasts: number;
  ending: Ending;
  /** When its record appears, as a part of its time. */
  appears: 0 | 0.5 | 1;
  /** A new record shows so long the word in which it will rest, before the one for work. */
  restsFor: number;
  /** How what is made or enabled stands then. */
  arrives: 'up' | 'down';
  /** The tries that fail before the last one, which is what `lasts` and `ending` tell of. */
  tries?: readonly Readonly<{ lasts: number; pause: number }>[];
  /** The effect shows from that part of its time on, and goes back if the work fails. */
  foreshown?: number;
}>;

export type Wish = Readonly<{ kind: AnyKind; by: string; on: string; asked: Readonly<Record<string, unknown>> }>;

/** A service of which the truth is known: its records and jobs, moved on by its clock alone. */
export type Service = Readonly<{
  records: ReadonlyMap<string, Base>;
  /** What was deleted, where the service keeps showing that. A new record takes the place of such a one. */
  tombstones: ReadonlyMap<string, Base>;
  /** Moves everything on to `now`. */
  settle(now: number): void;
  begins(wish: Wish, course: Course, now: number): Work;
  /** Told of every change of a record that the service shows or showed. */
  watches(listener: (id: string, at: number) => void): void;
}>;

const creating: readonly AnyKind[] = ['virtual clone', 'physical clone', 'share', 'mount'];
export const creates = (kind: AnyKind): boolean => creating.includes(kind);

/** When the tries that fail are made, and the last one begins. */
function triesOf({ tries = [] }: Course, from: number, number: number): Pick<Work, 'attempts' | 'lastFrom'> {
  let lastFrom = from;
  const attempts = tries.map(({ lasts, pause }): Attempt => {
    const beginsAt = lastFrom;
    lastFrom += lasts + pause;
    return { beginsAt, endsAt: beginsAt + lasts, error: `E-${number}: the lock of DATA${number} is held` };
  });
  return { attempts, lastFrom };
}

/** Makes a {@link Service} with the example's records. `start` is milliseconds since the epoch. */
export function newService(dialect: Dialect, start: number): Service {
  const ids = idsOf(dialect.vendor);
  const records = exampleEstate(dialect, start);
  const tombstones = new Map<string, Base>();
  /** The numbers that were freed, the latest last. */
  const freed: string[] = [];
  const listeners: ((id: string, at: number) => void)[] = [];
  let agenda: { at: number; id: string; act: () => void }[] = [];
  let numbers = 1_000;
  let newest = 500;

  const at = (time: number, id: string, act: () => void) => {
    if (Number.isFinite(time)) agenda.push({ at: time, id, act });
  };
  const settle = (now: number) => {
    for (;;) {
      const next = agenda.filter(entry => entry.at <= now).sort((a, b) => a.at - b.at)[0];
      if (!next) return;
      agenda = agenda.filter(entry => entry !== next);
      next.act();
      for (const listener of listeners) listener(next.id, next.at);
    }
  };

  function bring(work: Work, { restsFor, appears, arrives }: Course) {
    const source = records.get(work.on);
    if (!source || !work.brings) return;
    const { asked } = work;
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const isPhysical = work.kind === 'physical clone';
    const environment = text(asked.targetEnvironment) ?? text(asked.environment) ?? source.environment;
    const snapshot = text(asked.snapshot) ?? source.snapshots.at(-1)?.id;
    const mountBase = text(asked.mountBase);
    const project = text(asked.project);
    const record: Base = {
      id: work.brings,
      name:
        text(asked.databaseName) ?? `${source.name}-${work.kind === 'mount' ? 'staging' : (asked.port ?? work.number)}`,
      isClone: work.kind !== 'discovery' && !(isPhysical && dialect.physicalIs === 'live'),
      isPhysical: isPhysical || work.kind === 'discovery',
      rest: work.kind === 'discovery' ? 'up' : arrives,
      environment,
      ...(work.kind === 'discovery' ? {} : { source: work.on }),
      ...(snapshot && work.kind !== 'discovery' ? { snapshot } : {}),
      port: typeof asked.port === 'number' ? asked.port : 5_000 + (work.number % 1_000),
      ...(mountBase ? { mountBase } : {}),
      ...(project ? { project } : {}),
      owner: work.by,
      snapshots: [],
      works: [work],
      createdAt: work.beginsAt,
      updatedAt: work.beginsAt,
      doneAt: {},
      done: {},
      ...(restsFor > 0 && appears === 0 ? { restsUntil: work.beginsAt + restsFor } : {}),
    };
    records.set(record.id, record);
    tombstones.delete(record.id);
  }

  /** The identifier of a new database: one that is free again, where the service takes such. */
  function numbered(of: (number: number) => string): string {
    const again = freed.find(id => id === of(Number(id.split('-').at(-1))));
    if (!dialect.reusesNumbers || again === undefined) return of(++newest);
    freed.splice(freed.indexOf(again), 1);
    return again;
  }

  function end(work: Work, { arrives }: Course) {
    const own = work.brings === undefined ? undefined : records.get(work.brings);
    const record = creates(work.kind) ? own : records.get(work.on);
    if (!record) return;
    record.updatedAt = work.endsAt;
    if (work.ending === 'succeeded' || work.ending === 'partial') return succeed(work, record, arrives);
    if (work.ending === 'error' || work.ending === 'broken') record.error = work.error;
    if (work.ending === 'broken') record.rest = 'broken';
    if (work.ending === 'vanishes' && own && own !== records.get(work.on)) records.delete(own.id);
  }

  /** Leads a record to the state that was asked for. Gives what leads it back. */
  function leads(kind: AnyKind, record: Base, arrives: Course['arrives']): () => void {
    const { rest, isPhysical } = record;
    if (kind === 'stop') record.rest = 'down';
    if (kind === 'start') record.rest = 'up';
    if (kind === 'enable') record.rest = arrives;
    if (kind === 'disable') record.rest = 'disabled';
    if (kind === 'convert') record.isPhysical = true;
    return () => Object.assign(record, { rest, isPhysical });
  }

  function succeed({ kind, by, asked, brings, endsAt, beginsAt }: Work, record: Base, arrives: Course['arrives']) {
    record.doneAt[kind] = endsAt;
    record.done[kind] = (record.done[kind] ?? 0) + 1;
    if (record.rest === 'broken') record.rest = 'up';
    leads(kind, record, arrives);
    if (kind === 'delete') {
      records.delete(record.id);
      freed.push(record.id);
      if (dialect.tombstones !== 'none') tombstones.set(record.id, Object.assign(record, { deletedAt: endsAt }));
    }
    if (kind === 'backup' && brings)
      record.snapshots.push({ id: brings, name: `${record.name}-${brings.split('-').at(-1)}`, at: beginsAt, by });
    if (kind === 'snapshot delete') record.snapshots = record.snapshots.filter(({ id }) => id !== asked.input);
  }

  /** What never became a job. */
  const ghost = ({ kind, by, on, asked }: Wish, ending: Ending, now: number): Work => ({
    number: numbers,
    kind,
    by,
    on,
    acceptedAt: now,
    beginsAt: Number.POSITIVE_INFINITY,
    endsAt: ending === 'refused' ? now : Number.POSITIVE_INFINITY,
    ending,
    error: ending === 'refused' ? `E-${numbers}: not allowed at this hour` : '',
    attempts: [],
    lastFrom: Number.POSITIVE_INFINITY,
    asked,
  });

  return {
    records,
    tombstones,
    settle,
    watches: listener => listeners.push(listener),
    begins({ kind, by, on, asked }, course, now) {
      const { waits, lasts, ending, appears, restsFor } = course;
      numbers += 1;
      const beginsAt = now + waits;
      const { attempts, lastFrom } = triesOf(course, beginsAt, numbers);
      const endsAt = lastFrom + lasts;
      const isNewLive = kind === 'discovery' || (kind === 'physical clone' && dialect.physicalIs === 'live');
      const brings =
        creates(kind) || kind === 'discovery'
          ? numbered(isNewLive ? ids.live : ids.clone)
          : kind === 'backup'
            ? ids.snapshot(++newest)
            : undefined;
      if (ending === 'lost' || ending === 'refused') return ghost({ kind, by, on, asked }, ending, now);
      const error = ending === 'succeeded' ? '' : `E-${numbers}: disk group DATA${numbers} is full`;
      const work: Work = {
        number: numbers,
        kind,
        by,
        on,
        acceptedAt: now,
        beginsAt,
        endsAt,
        ending,
        error,
        attempts,
        lastFrom,
        ...(brings ? { brings } : {}),
        asked,
      };
      // What waits for its turn stands in the record from the beginning.
      if (kind !== 'discovery') records.get(on)?.works.push(work);
      at(now, on, () => undefined);
      at(beginsAt, on, () => {
        const record = records.get(on);
        if (!record) return;
        record.updatedAt = beginsAt;
        if (!creates(kind) && !dialect.errorStays) delete record.error;
      });
      const isMade = creates(kind) || kind === 'discovery';
      const place = brings && isMade ? brings : on;
      attempts.forEach((one, nth) => {
        at(one.endsAt, place, () =>
          Object.assign(records.get(place) ?? {}, { error: one.error, updatedAt: one.endsAt }),
        );
        const next = attempts[nth + 1]?.beginsAt ?? lastFrom;
        at(next, place, () => delete records.get(place)?.error);
      });
      if (course.foreshown !== undefined && !isMade) {
        at(beginsAt + lasts * course.foreshown, on, () => {
          const record = records.get(on);
          const back = record && leads(kind, record, course.arrives);
          if (ending !== 'succeeded') at(endsAt, on, () => back?.());
        });
      }
      if (brings && isMade && (ending !== 'vanishes' || appears < 1)) {
        at(Math.min(beginsAt + (appears === 1 ? endsAt - beginsAt : 60_000 * appears * 2), endsAt), brings, () =>
          bring(work, course),
        );
        if (appears === 0 && restsFor > 0) at(beginsAt + restsFor, brings, () => undefined);
      }
      // From here on its snapshot is listed.
      if (kind === 'backup') at(beginsAt + (dialect.habit?.early?.after ?? Infinity), on, () => undefined);
      at(endsAt, place, () => end(work, course));
      at(endsAt, on, () => undefined);
      return work;
    },
  };
}
