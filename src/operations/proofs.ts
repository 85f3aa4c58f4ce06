import type { Identifier, Noun } from '../api/identifiers.ts';
import { day, minute } from '../ground/durations.ts';

/*
 * The signs that a job is finished, as data; jobs/evidence compares them with the records. The service's success
 * envelope is never among them: it means "accepted" (spec §1.3). `within` is the time in milliseconds after which Dolly
 * stops looking.
 */

/** A new record that is like the one that was asked for. */
export type Appears = Readonly<{
  type: 'appears';
  /** The nouns that the new record may have, the likeliest first. */
  nouns: readonly Noun[];
  /** The facts that it must not contradict. Each is compared only where the new record shows it. */
  like: Likeness;
  /** Whether it is made at once (spec §1). Any other may exist long before it is ready: its existence proves nothing. */
  isInstant: boolean;
  within: number;
}>;

/** The requested facts of a new record. Identifiers are texts. */
export type Likeness = Readonly<{
  source: string;
  environment?: string;
  /** Whether it is made on the environment of its source. */
  isBesideSource?: boolean;
  snapshot?: string;
  project?: string;
  environmentUser?: string;
  install?: string;
  mountBase?: string;
  port?: number;
  /** Whether it is physical; absent where the operation does not say. */
  isPhysical?: boolean;
  /** The names that were asked for, by field. */
  names?: Readonly<Record<string, string>>;
}>;

/** The target is gone: out of the list, and 404 on its own; a snapshot, out of its database's record. */
export type Gone = Readonly<{ type: 'gone'; within: number }>;

/** The target's state is of one of these classes. */
export type Reaches = Readonly<{
  type: 'reaches';
  classes: readonly ('ok' | 'stopped' | 'disabled')[];
  within: number;
}>;

/** The target's own record shows something new. */
export type Changes = Readonly<{
  type: 'changes';
  /** Proved by a new snapshot, where records show snapshots at all. */
  makes?: 'snapshot';
  /**
   * Proved by a newer time or a higher counter: under a key that speaks of the operation's `work` (work.ts), or under
   * one of these keys (`verifiedAt`, or with its place in the record: `check.passes`).
   */
  by: 'work' | readonly string[];
  within: number;
}>;

/** The target is a physical clone now, or no longer among the virtual ones. */
export type Converts = Readonly<{ type: 'converts'; within: number }>;

export type Proof = Appears | Gone | Reaches | Changes | Converts;

/** The longest times that work may take; after that, Dolly stops looking for its end. Milliseconds. */
const times = { instant: 30 * minute, short: 15 * minute, medium: 30 * minute, long: day } as const;
type Time = keyof typeof times;

/** Collects the requested facts of a new clone, which its record must not contradict. */
export function askedLikeness(
  source: Identifier,
  environment: unknown,
  values: Readonly<Record<string, unknown>>,
  isPhysical: boolean,
): Likeness {
  const names = textsAt(['databaseName', 'dbUniqueName', 'instanceName'], values);
  return {
    ...textsAt(['snapshot', 'project', 'environmentUser', 'install', 'mountBase'], values),
    ...textsAt(['environment'], { environment }),
    source: source.text,
    ...(typeof values.port === 'number' ? { port: values.port } : {}),
    isPhysical,
    ...(Object.keys(names).length > 0 ? { names } : {}),
  };
}

function textsAt(fields: readonly string[], values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = values[field];
      return typeof value === 'string' ? [[field, value] as const] : [];
    }),
  );
}

/** Proved by a new record that is like `like`. */
export function newRecord(nouns: readonly Noun[], like: Likeness, time: Time): Appears {
  return { type: 'appears', nouns, like, isInstant: time === 'instant', within: times[time] };
}

/** Proved by the target's absence. */
export function gone(): Gone {
  return { type: 'gone', within: times.medium };
}

/** Proved by the class of the target's state. */
export function reaches(classes: Reaches['classes']): Reaches {
  return { type: 'reaches', classes, within: times.short };
}

/** Proved by something new in the target's own record. */
export function changes(time: Time, sign: Pick<Changes, 'by' | 'makes'>): Changes {
  return { type: 'changes', ...sign, within: times[time] };
}

/** Proved by the target's being physical. */
export function converts(): Converts {
  return { type: 'converts', within: times.long };
}
