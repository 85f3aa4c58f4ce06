import type { Noun } from '../api/identifiers.ts';

/*
 * What shows that a job is finished, as data; jobs/judge.ts holds it against the records. The service's success
 * envelope is never among it: it means "accepted" (spec §1.3).
 */

/** A record that was not there before, like the one that was asked for. */
export type Appears = Readonly<{
  type: 'appears';
  /** What the new record may be, the likeliest first. */
  nouns: readonly Noun[];
  /** What it must not contradict: each is compared only where the new record shows it. */
  like: Readonly<{ source?: string; environment?: string; names?: readonly string[]; port?: number }>;
  /** Milliseconds after which Dolly stops looking. */
  within: number;
}>;

export type Proof = Appears;

/** Proved by a new record that is like `like`. */
export function appears(nouns: readonly Noun[], like: Appears['like'], within: number): Proof {
  return { type: 'appears', nouns, like, within };
}
