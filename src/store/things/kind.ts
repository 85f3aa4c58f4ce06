import type { ZodType } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { isKeyOf } from '../../ground/keys.ts';
import type { NewEntry } from '../tables/audit/audit.ts';
import type { ActRate } from './actRate.ts';
import type { ThingRow } from './rows.ts';

/*
 * A durable thing is a row with a state, such as a lease or a schedule. All kinds share one table: the columns by which
 * things are found, and the rest as JSON. A kind is data: it says what the rest looks like, and which state follows on
 * which.
 */

/** What every thing has from its beginning. Times are milliseconds since the epoch. */
export type NewBase<State extends string> = Readonly<
  Omit<ThingRow, 'kind' | 'channel' | 'subject' | 'state' | 'revision' | 'body'> & { state: State }
>;

/**
 * `revision` counts the changes of a thing. It stands in buttons and in the keys of requests. `others` are the parts that
 * only another release knows, which stay as that release wrote them.
 */
export type Base<State extends string> = NewBase<State> &
  Readonly<Pick<ThingRow, 'revision'> & { others?: Readonly<Record<string, unknown>> }>;

/** A thing as people who work with it see it: the columns, and its own parts beside them. */
export type Thing<State extends string, Body> = Base<State> & Readonly<Body>;

/** A kind of things. */
export type Kind<State extends string, Body extends object> = Readonly<{
  /** Its name in the store. */
  name: string;
  /** The shape of its own parts. It outlives every release: a field that is added later is optional, or has a default. */
  body: ZodType<Body>;
  /** Its states, each with those that may follow on it. */
  states: Readonly<Record<State, readonly NoInfer<State>[]>>;
  /** The states in which a thing is over. */
  over: readonly NoInfer<State>[];
  /** The parts by which things of this kind are searched for. */
  found(body: Body): Readonly<{ channel?: string; subject?: string }>;
  /** How often people may do to such things what leaves this event in the trail: those acts that ring others. */
  rates?: Readonly<Record<string, readonly ActRate[]>>;
  /** What an entry of the trail says about a thing of this kind. */
  about(thing: Thing<State, Body>): Partial<NewEntry>;
}>;

/** Makes a kind. The types of all that is written and read of it follow from its states and its body. */
export function defineKind<State extends string, Body extends object>(kind: Kind<State, Body>): Kind<State, Body> {
  return kind;
}

/** A thing of a kind. */
export type ThingOf<K> = K extends Kind<infer State, infer Body> ? Thing<State, Body> : never;

/** The name of a person's sign-in, for what waits for it. */
export function signInOf({ team, person }: Readonly<{ team: string; person: string }>): string {
  return `sign-in ${team} ${person}`;
}

/** Reads a row; `undefined` for one that only another release can read. */
export function readThing<State extends string, Body extends object>(
  { states, body: shape }: Kind<State, Body>,
  { kind: _kind, channel: _channel, subject: _subject, body, state: word, ...row }: ThingRow,
): Thing<State, Body> | undefined {
  const all = parseJson(body);
  const { success, data } = shape.safeParse(all);
  if (!isKeyOf(states, word) || !success) return undefined;
  const others = Object.entries(all ?? {}).filter(([name]) => !(name in data));
  return { ...data, ...row, state: word, ...(others.length > 0 ? { others: Object.fromEntries(others) } : {}) };
}

export function thingRow<State extends string, Body extends object>(
  kind: Kind<State, Body>,
  thing: Thing<State, Body>,
): ThingRow {
  const { id, team, person, state, revision, plannedAt, waitsFor, createdAt, endedAt } = thing;
  // What else the thing has is its body.
  const body = kind.body.parse(thing);
  return {
    ...{ kind: kind.name, id, team, person, channel: null, subject: null, ...kind.found(body) },
    ...{ state, revision, plannedAt, waitsFor, createdAt, endedAt },
    body: JSON.stringify({ ...thing.others, ...body }),
  };
}

/** Whether a state may follow on another one of its kind. A thing may always stay as it is. */
export function mayFollow<State extends string>(kind: Pick<Kind<State, object>, 'states'>, from: State, to: State) {
  return from === to || kind.states[from].includes(to);
}
