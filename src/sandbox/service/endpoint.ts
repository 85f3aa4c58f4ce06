import type { Clock } from './clock.ts';
import type { Effects, Engines } from './engine.ts';
import type { Estate, User } from './estate.ts';
import type { Input } from './input.ts';
import type { Jobs, Keep } from './jobs.ts';
import { checkPermission, type Permission } from './rules.ts';
import type { Tokens } from './tokens.ts';

/** The state and the tools that every endpoint works with. */
export type Context = { estate: Estate; engines: Engines; jobs: Jobs; clock: Clock; tokens: Tokens; keep: Keep };

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** One row of spec §4, as the HTTP side serves it. An endpoint is made by {@link get}, {@link signIn}, {@link write} or databaseWrite. */
export type Endpoint = { method: Method; path: string } & (
  | { type: 'read'; read(context: Context, id: string): unknown }
  /** The two endpoints without the Authorization header (spec §5.2). */
  | { type: 'signIn'; sign(context: Context, user: User): unknown }
  | { type: 'write'; query: readonly string[]; plan: Plan }
);

/** Checks a write, and changes nothing yet. Throws Refusal. */
type Plan = (context: Context, caller: User, content: Parameters<Input<unknown>['read']>[0]) => Planned;

/** A write that was checked. */
export type Planned = {
  /** Texts that are searched for provoking words: those that a person typed, and the name of the record. */
  texts: readonly (string | undefined)[];
  /** Changes the estate and starts the job. Resolves at the job's end. Throws Refusal when it could not be begun. */
  begin(effects: Effects): Promise<void>;
};

/** An endpoint that answers with a record or with a list of records; `id` is the identifier in its path. */
export function get(path: string, read: (context: Context, id: string) => unknown): Endpoint {
  return { method: 'GET', path, type: 'read', read };
}

/** An endpoint that takes a user name and a password, and answers with what `sign` gives. */
export function signIn(path: string, sign: (context: Context, user: User) => unknown): Endpoint {
  return { method: 'POST', path, type: 'signIn', sign };
}

/** A write that is being looked at: what it names (`Found`), who asks, and what it is called (its path: `database/stop`). */
export type Asked<Found> = Found & { context: Context; caller: User; operation: string };
/** A write that is accepted, with what the words in it provoke. */
export type Accepted<Found> = Asked<Found> & { effects: Effects };

/** Everything about one write. `Value` is what the request holds, `Found` the records that it names. */
export type Write<Value, Found extends object> = {
  method: Exclude<Method, 'GET'>;
  path: string;
  input: Input<Value>;
  /** Whether developers may do this to anything, to records that they own, or not at all. The specification shows no role (§5.5). */
  developer: Permission;
  /** Looks up what the request names. Throws Refusal. */
  find(context: Context, value: Value): Found;
  /** The record that a developer has to own. */
  owned?(found: Found): { id: string; owner?: string | undefined };
  /** The rules, looked at in the order in which they stand. Throws Refusal. */
  check?(asked: Asked<Found>): void;
  /** As in {@link Planned}. */
  texts(asked: Asked<Found>): readonly (string | undefined)[];
  /** As in {@link Planned}. */
  begin(accepted: Accepted<Found>): Promise<void>;
};

/** Makes an endpoint of what is said of a write. */
export function write<Value, Found extends object>(entry: Write<Value, Found>): Endpoint {
  const { method, path, input, developer } = entry;
  const operation = path.slice(1);
  return {
    method,
    path,
    type: 'write',
    query: input.query,
    plan(context, caller, content) {
      const found = entry.find(context, input.read(content));
      checkPermission(caller, operation, developer, entry.owned?.(found));
      const asked = { ...found, context, caller, operation };
      entry.check?.(asked);
      return { texts: entry.texts(asked), begin: effects => entry.begin({ ...asked, effects }) };
    },
  };
}
