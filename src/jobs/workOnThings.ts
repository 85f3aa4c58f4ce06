import { doubled } from '../ground/clock.ts';
import { minute } from '../ground/durations.ts';
import type { Loop } from '../ground/loop.ts';
import type { Session } from '../records/records.ts';
import type { DueQueue } from '../store/dueQueue.ts';
import type { Kind, Thing } from '../store/things/kind.ts';
import type { ThingStep } from '../store/things/things.ts';
import type { Owner } from '../store/vault.ts';
import type { Parts } from './parts.ts';
import { type TakenWork, workOnQueue } from './workOnQueue.ts';

/** What follows for a thing: a step that is written, a rest until `rest` (`null`: until something makes it due), or a look. */
type Next<State extends string, Body> = ThingStep<State, Body> | Readonly<{ rest: number | null }> | 'look';

/** What follows for a thing of a kind. */
export type NextOf<K> = K extends Kind<infer State, infer Body> ? Next<State, Body> : never;

type OpenSession = () => Promise<Session | undefined>;

/** The moment of a look. `wasSet`: the clock was set beyond the thing’s time, or back before it. */
export type LookMoment = Readonly<{ now: number; wasSet: boolean; session: OpenSession }>;

/** How a kind of things goes on by itself. */
export type Machine<State extends string, Body extends object, Sight> = Readonly<{
  kind: Kind<State, Body>;
  /** Done once, before the first thing is taken. */
  begin?(queue: DueQueue<Thing<State, Body>>, now: number): Promise<void>;
  /** Max things in hand, and max sign-ins whose records are read at once, where they are not the usual ones. */
  maxAtOnce?: number;
  groupsAtOnce?: number;
  /** The owner of the sign-in with which a thing is looked at, where that may be another than its own person. */
  runner?(thing: Thing<State, Body>): Owner;
  /** Looks at what the next step hangs on. The session is opened when it is first asked for. */
  look(thing: Thing<State, Body>, at: LookMoment): Promise<Sight>;
  /** Says what follows: a pure function. Without having looked it may ask for a look; with a `sight` it does not. */
  next(
    thing: Thing<State, Body>,
    at: Readonly<{ now: number; wasSet: boolean; sight: Sight | undefined }>,
  ): Next<State, Body>;
  /** The pause after a try that failed, in milliseconds, where it is not the usual one. `tries` failed before it. */
  pauseAfter?(error: unknown, tries: number): number;
}>;

const usual = {
  maxAtOnce: 100,
  groupsAtOnce: 8,
  runner: ({ team, person }: Owner): Owner => ({ team, person }),
  pauseAfter: usualPause,
} as const;

/** The pause after a try that failed, from one minute to five. Milliseconds. */
export function usualPause(_: unknown, tries: number): number {
  return doubled(tries, minute, 5 * minute);
}

/** The time between two looks at a thing that is held, in milliseconds. What releases it wakes it before. */
export const heldFor = 15 * minute;

/** Takes things on. `changed` is called with the owner of each one that changed. */
export type ThingWorker = Parts<'things' | 'records' | 'isUninstalled' | 'heldBy' | 'clock' | 'log'> &
  Readonly<{ changed(owner: Owner): Promise<void> }>;

/** Takes the things of a kind on by what its machine says, each by one process at a time. */
export function workOnThings<State extends string, Body extends object, Sight>(
  parts: ThingWorker,
  machine: Machine<State, Body, Sight>,
): Loop {
  const { kind, runner, look, next, ...limits } = { ...usual, ...machine };
  const { things, log } = parts;
  const queue = things.queue(kind, id => log.warn({ [kind.name]: id }, 'it is of another release, and left to it'));
  const takeOn = async ({ due, row: thing, now, wasSet }: TakenWork<Thing<State, Body>>, session: OpenSession) => {
    const first = next(thing, { now, wasSet, sight: undefined });
    const sight = first === 'look' ? await look(thing, { now, wasSet, session }) : undefined;
    const step = first === 'look' ? next(thing, { now, wasSet, sight }) : first;
    if (step === 'look') throw new Error(`the ${kind.name} ${thing.id} was not looked at`);
    if ('rest' in step) return queue.rest(due, step.rest, { now });
    // A step that makes a job is taken once nothing holds what is written by itself. Its plan says how late it is then.
    if (step.job && (await parts.heldBy(thing.team)) !== undefined) {
      await queue.rest(due, now + heldFor, { now });
      // Whoever releases it meanwhile wakes nothing that did not rest yet.
      return (await parts.heldBy(thing.team)) === undefined ? queue.rest(due, now, { now }) : undefined;
    }
    const moved = await things.apply(kind, thing, step, { now, taken: due });
    if (!moved) {
      log.info({ [kind.name]: thing.id }, 'it has changed meanwhile, or what it needs has');
      return queue.rest(due, now + limits.pauseAfter(undefined, due.tries), { now, failed: true });
    }
    await parts.changed(moved);
  };
  return workOnQueue(parts, {
    name: kind.name,
    queue,
    ...limits,
    groupOf: thing => JSON.stringify(runner(thing)),
    shared: some => sessionOf(parts, some.map(runner)),
    step: takeOn,
  });
}

/** The session of a sign-in, opened when it is first asked for: it reads each list once for all that share it. */
function sessionOf({ records }: Parts<'records'>, runners: readonly Owner[]): OpenSession {
  let session: Promise<Session | undefined> | undefined;
  return () => {
    const [first] = runners;
    session ??= first ? records.session(first, { jobs: runners.length }) : Promise.resolve(undefined);
    return session;
  };
}
