import type { KnownNews } from '../../jobs/standing.ts';

/*
 * Whether a message rings somebody is decided here, and nowhere else. To ring is to mention, or to write to a person alone.
 * Of whom a message only speaks, it has the name (outbox/post.ts).
 */

/** What people are told, and whether that rings: always, where it is news at its place, or never. */
const occasions = {
  /** The end of what they asked for by hand. */
  asked: 'always',
  /** A question that waits for them. */
  question: 'always',
  /** A request on which they can decide, or one that runs without them. */
  decision: 'always',
  /** An end that was told, and is not so. */
  correction: 'always',
  /** Trouble that nobody has taken, told again. */
  untaken: 'always',
  /** What went wrong by itself: a run by the calendar, or a record. */
  trouble: 'as news',
  /** What they may read when they look. */
  line: 'never',
} as const;
export type Occasion = keyof typeof occasions;

/** The people and groups whom a message rings, of those that it is for. `standing` says what is known where it is told. */
export function whomItRings(
  occasion: Occasion,
  people: readonly string[],
  standing?: Pick<KnownNews, 'is'>,
): readonly string[] {
  const rule = occasions[occasion];
  return rule === 'always' || (rule === 'as news' && standing === undefined) ? people : [];
}
