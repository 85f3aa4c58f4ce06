import { z } from 'zod';
import { Coverage } from './coverage.ts';
import { standings } from './report.ts';

/*
 * A protection report in the size of a message. It is stored with the message, so older rows may lack what a later
 * release adds. Times are milliseconds since the epoch, durations milliseconds.
 */

const duration = z.number().nullable();

/** A record: its identifier, its name, and the name of its environment, as far as they are shown. */
const Shown = z.object({ id: z.string(), name: z.string().nullable(), place: z.string().nullable() });

const DatabaseRow = Shown.extend({
  standing: z.enum(standings),
  backup: Coverage,
  logs: Coverage,
  /** The ages that the policy wants at most. */
  wanted: z.object({ backup: duration, logs: duration, rule: z.string().nullable() }),
  /** The operation that mends it; `null` where somebody has to look at it. */
  mend: z.string().nullable(),
});
export type DatabaseRow = z.infer<typeof DatabaseRow>;

const CloneRow = Shown.extend({
  age: duration,
  isOld: z.boolean(),
  /** The longest age that is wanted. */
  wanted: duration,
  /** Its lease, with the owner as a Slack user, or whoever only set its end. */
  lease: z.object({ person: z.string(), endsAt: z.number().nullable(), isHeld: z.boolean().default(true) }).nullable(),
  /** The name of its owner: that of the lease, else as the record tells it. */
  owner: z.string().nullable(),
});
export type CloneRow = z.infer<typeof CloneRow>;

const FailedJob = z.object({
  id: z.string(),
  title: z.string(),
  target: z.string(),
  name: z.string(),
  person: z.string(),
  isFailed: z.boolean(),
  endedAt: z.number(),
  /** The place of its message. */
  place: z.string().nullable(),
  ts: z.string().nullable(),
});
export type FailedJob = z.infer<typeof FailedJob>;

const count = z.int().min(0);

/** How many databases were protected, of all. */
export const ProtectedThen = z.object({ good: count, all: count });
export type ProtectedThen = Readonly<z.infer<typeof ProtectedThen>>;

export const ProtectionSummary = z.object({
  at: z.number(),
  /** The words that its records match; empty for all. */
  words: z.array(z.string()),
  /** The words that may have been meant, where they match no record; absent where they match some. */
  meant: z.array(z.array(z.string())).optional(),
  /** Whether the service says that it has more than it showed. */
  isPart: z.boolean(),
  /** The numbers of all, of which the lists below hold the first. */
  counts: z.object({
    ...{ never: count, late: count, unseen: count, excused: count.default(0), protected: count },
    ...{ failed: count, disabled: count, clones: count, old: count, jobs: count },
    /** `null` where the list of environments could not be read. */
    environments: count.nullable(),
    /** Those that a backup mends. */
    backups: count.optional(),
    /** Those of which the list shows no backup, and whose own records had no turn to be read. */
    unread: count.optional(),
  }),
  /** How many were protected a week before, where the same sign-in read all of them on that day. */
  weekAgo: ProtectedThen.optional(),
  /** The worst first. */
  databases: z.array(DatabaseRow),
  /** Those whose backup is the oldest against what is wanted. */
  ages: z.array(z.object({ name: z.string(), age: z.number(), wanted: z.number() })),
  failed: z.array(Shown.extend({ word: z.string(), error: z.string().nullable() })),
  disabled: z.array(Shown.extend({ word: z.string() })),
  /** Disabled environments with the number of databases on them, and the names of the first. */
  environments: z.array(Shown.extend({ many: count, held: z.array(z.string()) })),
  /** The oldest first. */
  clones: z.array(CloneRow),
  /** The jobs that failed, or whose end is not known, since `since`. */
  jobs: z.array(FailedJob),
  since: z.number(),
  /** The owners of clones, with the number of each: those who have most first. */
  owners: z.array(z.object({ name: z.string(), clones: count })),
});
export type ProtectionSummary = z.infer<typeof ProtectionSummary>;

/** Whether something in a summary is not as it should be, or is not visible; a summary of nothing tells nothing. */
export function isWrong({ counts, isPart, meant }: ProtectionSummary): boolean {
  const { never, late, unseen, failed, old, jobs, environments } = counts;
  if (isPart || meant !== undefined || environments === null) return true;
  return never + late + unseen + failed + old + jobs + environments > 0;
}
