import type { Transaction } from 'kysely';
import { inTransaction } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import {
  addDue,
  type Due,
  type DueQueue,
  type Key,
  queueOf,
  readAll,
  removeDue,
  setDue,
  wake,
  wakeTeam,
} from '../dueQueue.ts';
import { noteRows } from '../history/recentRows.ts';
import { type ApprovedBefore, addJob } from '../jobs/adding.ts';
import type { NewJob } from '../jobs/rows/job.ts';
import { isAnyOf } from '../lists.ts';
import { Overtaken, unlessOvertaken } from '../overtaken.ts';
import { asItIs, equals, insertOrSet, unlessThere, wrote } from '../statementParts.ts';
import { type Actor, inTrail, type NewEntry, type Told } from '../tables/audit/audit.ts';
import {
  addNotices,
  closeNotices,
  type NewNotice,
  type NoticesEnd,
  type RedrawnNotice,
  redrawNotices,
  removeNotices,
} from '../tables/outboxRows.ts';
import { mustBeWithin } from './actRate.ts';
import { type Base, type Kind, mayFollow, type NewBase, readThing, type Thing, thingRow } from './kind.ts';
import type { ThingRow } from './rows.ts';
import { ofKind, searched, type ThingSearch } from './search.ts';

/** What a step changes in a thing. */
type ThingChanges<State extends string, Body> = Partial<
  Omit<Base<State>, 'id' | 'team' | 'revision' | 'createdAt' | 'others'> & Readonly<Body>
>;

/** All that a step brings beside its changes. It is written in one transaction with them, or nothing is. */
export type StepEffects = Readonly<{
  /** The time at which the thing is due next; `null`: when something makes it due. Absent: as before. */
  dueAt?: number | null;
  /** The entry in the trail; without an actor, it is the bot’s own. */
  trail?: (Pick<NewEntry, 'event'> & Partial<NewEntry>) | undefined;
  /** How messages about the thing ended, all or those of a kind, or one; they lose their buttons. */
  closed?: readonly Omit<NoticesEnd, 'now'>[];
  notices?: readonly NewNotice[] | undefined;
  /** Messages that say something else from now on. */
  drawn?: readonly RedrawnNotice[];
  /** The job that it makes. `by` asks for it, or else the bot itself; with `approved` the policy’s word approves it. */
  job?: Readonly<{ job: NewJob; approved?: ApprovedBefore | undefined; by?: Actor | undefined }> | undefined;
  /** What else is due now, and what is of all that waits for these. */
  wakes?: readonly Key[];
  wakesWaiting?: readonly string[];
  /** Everything of the team is due now that is due within so many milliseconds. */
  wakesTeam?: number;
}>;

/**
 * Another thing that a step rests on. It is locked before anything of the step is written. `false`: it is not as the step
 * needs it, so that nothing is written.
 */
export type Need = (changes: Transaction<Schema>, note: Note, now: number) => Promise<boolean>;

/** A step of a thing. */
export type ThingStep<State extends string, Body> = StepEffects &
  Readonly<{ changes: ThingChanges<State, Body>; needs?: Need | undefined }>;

/** A thing that begins. */
export type NewThing<State extends string, Body> = NewBase<State> & Readonly<Body>;

/** A step of a thing of a kind, and one that begins. */
export type StepOf<K> = K extends Kind<infer State, infer Body> ? ThingStep<State, Body> : never;
export type NewOf<K> = K extends Kind<infer State, infer Body> ? NewThing<State, Body> : never;

/** A thing that begins, or takes the place of an earlier one of the same id. */
export type Beginning<State extends string, Body> = StepEffects & Readonly<{ as: NewThing<State, Body> }>;

/** What an act does about a thing as it is, or about none; `undefined`: nothing. */
export type Give<State extends string, Body> = (
  thing: Thing<State, Body> | undefined,
) => ThingStep<State, Body> | Beginning<State, Body> | undefined;

/** Takes an entry of the trail. */
export type Note = (entry: NewEntry) => Promise<unknown>;

/** Max things that one sweep deletes: others wait for it. */
const sweptAtOnce = 200;

/** The moment of a step. With `taken`, it is taken only while this process still has the thing. */
type StepMoment = Readonly<{ now: number; taken?: Due }>;

/** The durable things. What cannot be read, since it is of another release, counts as not there, and is left alone. */
export type Things = Readonly<{
  /** The things of a kind that fit, in no particular order. */
  list<S extends string, B extends object>(kind: Kind<S, B>, search: ThingSearch): Promise<readonly Thing<S, B>[]>;
  /** A thing, also one that is over; `undefined` where there never was one. */
  find<S extends string, B extends object>(kind: Kind<S, B>, id: string): Promise<Thing<S, B> | undefined>;
  /**
   * Writes what `give` says for the thing as it is then, and gives the thing that it wrote; `undefined` where it says nothing,
   * or what the step needs is not so.
   */
  act<S extends string, B extends object>(
    kind: Kind<S, B>,
    id: string,
    give: Give<S, B>,
    now: number,
  ): Promise<Thing<S, B> | undefined>;
  /** Takes a thing one step on; `undefined` where somebody else changed it first, or what the step needs is not so. */
  apply<S extends string, B extends object>(
    kind: Kind<S, B>,
    thing: Thing<S, B>,
    step: ThingStep<S, B>,
    at: StepMoment,
  ): Promise<Thing<S, B> | undefined>;
  /** The things of a kind that are due, which one process takes at a time. `hear` is called once for each unreadable one. */
  queue<S extends string, B extends object>(kind: Kind<S, B>, hear?: (id: string) => void): DueQueue<Thing<S, B>>;
  /** Makes all things due at once that wait for this. */
  wakeWaiting(waitsFor: string, now: number): Promise<void>;
  /** Deletes some of the things of a kind that ended before `time`, and their messages. Gives their number. */
  sweep(kind: Pick<Kind<string, object>, 'name' | 'over'>, time: number): Promise<number>;
}>;

/** Keeps things in the store. `told` is called with their entries in the trail. */
export function thingsIn(store: Store, told?: Told): Things {
  return {
    async find(kind, id) {
      const row = await ofKind(store, kind).where('id', '=', id).executeTakeFirst();
      return row && readThing(kind, row);
    },
    async list(kind, search) {
      if (search.ids?.length === 0) return [];
      const rows = await searched(store, kind, search).execute();
      return rows.flatMap(row => readThing(kind, row) ?? []);
    },
    queue: (kind, hear) =>
      queueOf(
        store,
        kind.name,
        async ids => {
          return readAll(await ofKind(store, kind).where(isAnyOf('id', ids)).execute(), row => readThing(kind, row));
        },
        hear,
      ),
    apply: (kind, thing, step, at) =>
      unlessOvertaken(() =>
        inTrail(store, told, (changes, note) => writeStep(changes, note, { kind, thing, step, ...at })),
      ),
    act: (kind, id, give, now) =>
      unlessOvertaken(() => inTrail(store, told, (changes, note) => actOn(changes, note, { kind, id, give, now }))),
    wakeWaiting: (waitsFor, now) => inTransaction(store, changes => wakeWaiting(changes, [waitsFor], now)),
    async sweep({ name, over }, time) {
      const old = store
        .selectFrom('things')
        .select('id')
        .where('kind', '=', name)
        .where('endedAt', '<', time)
        .where('state', 'in', over)
        .orderBy('endedAt')
        .limit(sweptAtOnce);
      return inTransaction(store, async changes => {
        const swept = await changes
          .deleteFrom('things')
          .where('kind', '=', name)
          .where('id', 'in', old)
          // Checked again on the row itself: it may have begun anew meanwhile.
          .where('state', 'in', over)
          .returning('id')
          .execute();
        await removeDue(changes, name, swept);
        await removeNotices(changes, swept, time);
        return swept.length;
      });
    },
  };
}

/** Makes all things due at once in a transaction that wait for one of these, and some others. */
export async function wakeWaiting(
  changes: Transaction<Schema>,
  names: readonly string[],
  now: number,
  others: readonly Key[] = [],
): Promise<void> {
  const waiting = changes.selectFrom('things').select(['kind', 'id']).where(isAnyOf('waitsFor', names));
  await wake(changes, [...others, ...(names.length > 0 ? await waiting.execute() : [])], now);
}

type Writing<S extends string, B extends object> = Readonly<{
  kind: Kind<S, B>;
  thing: Thing<S, B>;
  step: ThingStep<S, B>;
  now: number;
  taken?: Due | undefined;
}>;

/**
 * Writes a step in a transaction, by compare-and-set on the revision in which the thing was read.
 * @throws {Overtaken} where somebody else changed the thing, or has it by now, or what it needs is not so
 */
export async function writeStep<S extends string, B extends object>(
  changes: Transaction<Schema>,
  note: Note,
  { kind, thing, step, now, taken }: Writing<S, B>,
): Promise<Thing<S, B>> {
  if (step.needs && !(await step.needs(changes, note, now))) throw new Overtaken();
  const next = { ...thing, ...step.changes, revision: thing.revision + 1 };
  if (!mayFollow(kind, thing.state, next.state))
    throw new Error(`the ${kind.name} ${thing.id} cannot go from ${thing.state} to ${next.state}`);
  const whole = thingRow(kind, next);
  const { kind: _kind, id, team: _team, ...row } = whole;
  const before = equals({ kind: kind.name, id, revision: thing.revision });
  if (!(await wrote(changes.updateTable('things').set(row).where(before)))) throw new Overtaken();
  if (!(await setDue(changes, { kind: kind.name, id }, { dueAt: step.dueAt, now, taken }))) throw new Overtaken();
  noteRows(changes, { table: 'things', row: whole, rests: doesRest(whole, step.dueAt) });
  await bring(changes, note, { kind, thing: next, effects: step, now });
  return next;
}

/** Writes what an act does about a thing, in a transaction in which nobody else changes it. */
export async function actOn<S extends string, B extends object>(
  changes: Transaction<Schema>,
  note: Note,
  { kind, id, give, now }: Readonly<{ kind: Kind<S, B>; id: string; give: Give<S, B>; now: number }>,
): Promise<Thing<S, B> | undefined> {
  const row = await lockRow(changes, kind, id);
  const thing = row && readThing(kind, row);
  // One of another release is left alone.
  if (row && !thing) return undefined;
  const done = give(thing);
  if (!done) return undefined;
  if (thing && 'changes' in done) return writeStep(changes, note, { kind, thing, step: done, now });
  if (!('as' in done)) throw new Error(`there is no ${kind.name} ${id} to change`);
  const begun = { ...done.as, revision: (thing?.revision ?? 0) + 1 };
  const values = thingRow(kind, begun);
  const written = thing
    ? insertOrSet(changes, 'things', ['kind', 'id'], values, values)
    : changes.insertInto('things').values(values).onConflict(unlessThere);
  // Another process began it at the same moment.
  if (!(await wrote(written))) return actOn(changes, note, { kind, id, give, now });
  await addDue(changes, [{ kind: kind.name, id, team: begun.team, dueAt: done.dueAt ?? null, now }]);
  noteRows(changes, { table: 'things', row: values, rests: doesRest(values, done.dueAt ?? null) });
  await bring(changes, note, { kind, thing: begun, effects: done, now });
  return begun;
}

/** Whether nothing is planned for a thing, and nothing will make it due. */
function doesRest({ plannedAt, waitsFor }: ThingRow, dueAt: number | null | undefined): boolean {
  return dueAt === null && plannedAt === null && waitsFor === null;
}

/** Locks the row of a thing by a change that changes nothing: what follows must rest on its last state. */
export function lockRow(changes: Transaction<Schema>, { name }: Pick<Kind<string, object>, 'name'>, id: string) {
  return changes
    .updateTable('things')
    .set({ revision: asItIs('revision') })
    .where(equals({ kind: name, id }))
    .returningAll()
    .executeTakeFirst();
}

/** Writes the rest of a step: its messages, its job, what it wakes, and its entry in the trail. */
async function bring<S extends string, B extends object>(
  changes: Transaction<Schema>,
  note: Note,
  { kind, thing, effects, now }: Readonly<{ kind: Kind<S, B>; thing: Thing<S, B>; effects: StepEffects; now: number }>,
): Promise<void> {
  const { trail, closed = [], notices = [], drawn = [], job, wakes = [], wakesWaiting = [], wakesTeam } = effects;
  for (const end of closed) await closeNotices(changes, thing.id, { ...end, now });
  await redrawNotices(changes, drawn, now);
  await addNotices(changes, notices);
  if (job) await addJob(changes, note, job.job, job);
  await wakeWaiting(changes, wakesWaiting, now, wakes);
  if (wakesTeam !== undefined) await wakeTeam(changes, thing.team, now, now + wakesTeam);
  const { team, person } = thing;
  if (!trail) return;
  const entry = { actor: 'dolly', team, person, ...kind.about(thing), at: now, ...trail };
  if (entry.actor !== 'dolly') await mustBeWithin(changes, kind.rates?.[trail.event] ?? [], entry);
  await note(entry);
}
