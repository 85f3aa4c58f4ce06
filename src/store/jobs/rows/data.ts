import { z } from 'zod';
import { Identity } from '../../tables/credentials.ts';

/*
 * The shapes of the JSON in a job's row. They are part of the store, which outlives every release from 0.2.0 on: a field
 * that is added later is optional, or has a default.
 */

const DatabaseParam = z.union([
  z.object({ name: z.string(), type: z.enum(['STRING', 'BOOLEAN']), value: z.string() }),
  z.object({ name: z.string(), type: z.literal('NUMBER'), value: z.number() }),
]);

const CheckedValue = z.union([z.string(), z.number(), z.boolean(), z.array(DatabaseParam).readonly()]);

/** The checked values of a request by field name; a field that was left empty is absent. */
export const JobValues = z.record(z.string(), CheckedValue).readonly();
export type JobValues = z.infer<typeof JobValues>;

/** A value that an earlier step of a plan brings. */
const BroughtValue = z.object({ step: z.number(), brings: z.enum(['snapshot', 'record']) });

/** The steps of a plan, in their order. Each is a request that becomes a job of its own at its turn. */
export const Steps = z
  .array(
    z.object({
      operation: z.string(),
      values: z.record(z.string(), z.union([CheckedValue, BroughtValue])).readonly(),
      labels: z.record(z.string(), z.string()).readonly(),
      target: z.union([z.string(), BroughtValue]),
      targetName: z.string().nullable(),
    }),
  )
  .readonly();
export type Steps = z.infer<typeof Steps>;

/** The names of the identifiers among the values, at the time when they were chosen. */
export const Labels = z.record(z.string(), z.string()).readonly();
export type Labels = z.infer<typeof Labels>;

const StateClass = z.enum(['ok', 'busy', 'failed', 'stopped', 'disabled', 'unknown']);

/** The target's record before the call. */
export const Before = z.object({
  /** What tells it from another record that has its identifier later; `madeAt` in milliseconds since the epoch. */
  name: z.string().optional(),
  madeAt: z.number().optional(),
  state: z.string().optional(),
  stateClass: StateClass.optional(),
  error: z.string().optional(),
  isPhysical: z.boolean().optional(),
  snapshots: z.array(z.string()),
  /** Its times of change by path, milliseconds since the epoch. */
  times: z.record(z.string(), z.number()),
  /** Its counters of work by path: each counts the times that something was done to it. */
  counters: z.record(z.string(), z.number()).default({}),
  /** Its reports of work: the standing of each by its identity. */
  reports: z.record(z.string(), z.string()).default({}),
  /** The version of the readers of words and times that read it; absent before 0.3.0. */
  readers: z.number().optional(),
});
export type Before = z.infer<typeof Before>;

/** What tells some records from others that have their identifiers later, by identifier; `madeAt` likewise. */
export const ShownMarks = z
  .record(z.string(), z.object({ name: z.string().optional(), madeAt: z.number().optional() }))
  .readonly();
export type ShownMarks = z.infer<typeof ShownMarks>;

/** The records before the call. */
export const Baseline = z.object({
  /** The identifiers in the list, as ranges of numbers by kind: `{"MYSQL_CLONE_SERVER": "1-20,22"}`. */
  ids: z.record(z.string(), z.string()),
  /** Whether the service said that there were more than it listed: then an unknown record may be an old one. */
  cut: z.boolean().optional(),
  /** The latest creation time in the list, milliseconds since the epoch, where all that it listed showed theirs. */
  newest: z.number().optional(),
  /** By how many milliseconds the service's clock was ahead of ours. */
  ahead: z.number().optional(),
  /** The environment of the source of a new record, and its snapshots as far as they are shown. */
  environment: z.string().optional(),
  snapshots: z.array(z.string()).optional(),
  /** The record that is looked at: the target, or the database that a target snapshot stands in. */
  holder: z.string().optional(),
  target: Before.optional(),
  /** The target's part of that record, where the target has no record of its own. */
  part: Before.optional(),
  /**
   * The records that it does harm to, as whoever asked for it was shown them; it stands in the row from the request on, since
   * 0.3.0. An older release passes over it.
   */
  asShown: ShownMarks.optional(),
  /** Who held the target of a deletion that nobody was asked about, but for whoever asked; since 0.3.0. */
  heldBy: z.string().optional(),
});
export type Baseline = z.infer<typeof Baseline>;

/** What people say is so, in place of how a job was told to have ended. */
export const objections = ['done', 'failed', 'runs'] as const;
/** Who says so, at milliseconds since the epoch. */
const Objection = z.object({ by: z.string(), says: z.enum(objections), at: z.number() });
export type Objection = z.infer<typeof Objection>;

/** The outcome of a job as the records showed it at the last look, and as people are told it. */
export const Evidence = z.object({
  id: z.string(),
  name: z.string().optional(),
  state: z.string().optional(),
  stateClass: StateClass.optional(),
  error: z.string().optional(),
  /** What only older releases keep: whether an error came amid work, and whether that work outlived it. */
  isErrorAmid: z.boolean().optional(),
  isErrorOutlived: z.boolean().optional(),
  /** An error of other words that it showed since the call, before the one that it shows now. */
  formerError: z.string().optional(),
  /** The environment of the record by its name, and by its identifier, which evidence of 0.2.0 lacks. */
  environment: z.string().optional(),
  environmentId: z.string().optional(),
  source: z.string().optional(),
  port: z.number().optional(),
  /** The time of its creation, milliseconds since the epoch, where the record shows that time for sure. */
  madeAt: z.number().optional(),
  /** Other plain facts of the record that a person may need at once, such as how to connect. */
  extras: z.array(z.object({ path: z.string(), value: z.string() })).default([]),
  /** A passing state that may be of this job's work, if the record was seen in one since the call. */
  wasBusy: z.string().optional(),
  /** Such a state that is not, in which it was seen since the call or just before. */
  otherWork: z.string().optional(),
  /** What only older releases keep: the wanted state in which it was seen, and that it left again since. */
  reached: z.string().optional(),
  /** Who did the same work meanwhile, by a report of theirs, while nobody knew whether the service got this job's call. */
  doneBy: z.string().optional(),
  /** Who was at the same work at the last look, by a report of theirs. */
  sameBy: z.string().optional(),
  /** When work that goes on there, or has just ended, was first seen, while nobody knew whether the service got the call. */
  began: z.number().optional(),
  /** Whether it was in such a state at the last look. */
  isBusy: z.boolean().default(false),
  /** The record's own report of this job, the word in which it stood, and the text that told its outcome where that is another. */
  report: z
    .object({
      identity: z.string(),
      isPlace: z.boolean().default(false),
      word: z.string().optional(),
      told: z.string().optional(),
    })
    .optional(),
  /** Whether the record says that a part of the work alone was done. */
  isInPart: z.boolean().optional(),
  /** What only older releases keep: a report without a name after whose end the record went on with work. */
  outlived: z.string().optional(),
  /** The state word of which nobody knows whether it means that the work is over, and the job whose message asks. */
  doubt: z.object({ kind: z.string(), word: z.string(), askedIn: z.string() }).optional(),
  /** The snapshot that the job made, or that its new record was made from; `takenAt` in milliseconds since the epoch. */
  snapshot: z.object({ id: z.string(), name: z.string().optional(), takenAt: z.number().optional() }).optional(),
  /** The end that looks have shown since, and that has not stood for long enough; of an absence, at how many of them. */
  pending: z.object({ end: z.string(), since: z.number(), absent: z.number().optional() }).optional(),
  /**
   * What the end rests on: the row that decided and the caveat about it, by their names, and the rows that saw something, too, and
   * do not count beside it; since 0.3.0. `since` is the time from which on looks have shown the end; it is absent where
   * the time to look was over.
   */
  basis: z
    .object({
      row: z.string(),
      caveat: z.string().optional(),
      others: z.array(z.string()).readonly().default([]),
      since: z.number().optional(),
    })
    .optional(),
  /** What somebody says of the end that this is the evidence of. */
  objection: Objection.optional(),
  /** Whether the record was no longer there. */
  gone: z.boolean().default(false),
  /** When the record was first seen in this state, with this error, and when last; milliseconds since the epoch. */
  since: z.number(),
  seenAt: z.number(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Names in a sentence, and the number of those that are left out. */
const Named = z.object({ names: z.array(z.string()), more: z.number() });

/**
 * The loss by a restore, and the things around it, as records and jobs showed them at a moment. What they do not show
 * is absent. Times are milliseconds since the epoch.
 */
export const Impact = z.object({
  at: z.number(),
  /** The snapshot that is restored: the chosen one, or the one that was the latest. */
  snapshot: z.object({ id: z.string(), takenAt: z.number().optional(), isLatest: z.boolean() }).optional(),
  /** The snapshot of no use that was chosen, or that is the newest, where none was; `why` as its record shows it. */
  unfit: z.object({ name: z.string(), why: z.string(), isChosen: z.boolean() }).optional(),
  /** The snapshots that are newer than that one. */
  newer: Named.optional(),
  /** The clones that depend on the database. */
  clones: Named.optional(),
  /** The other jobs under way on it, each by its title, with the name of the person who asked for it. */
  jobs: z.array(z.object({ title: z.string(), by: z.string() })).default([]),
  /** The last backup that is known to be done. */
  backup: z.object({ by: z.string(), at: z.number() }).optional(),
});
export type Impact = z.infer<typeof Impact>;

/** A record that a request deletes, and who held it when it was asked for. */
const HeldRecord = z.object({ record: z.string(), name: z.string(), person: z.string() });
export type HeldRecord = Readonly<z.infer<typeof HeldRecord>>;

/** The terms of the policy at the moment when a job began to wait for approval. */
export const Terms = z.object({
  /** The rule that asked for it, in its own words. */
  rule: z.string(),
  /** The number of people who have to approve. */
  approvals: z.number(),
  /** Slack users and groups that may approve; none means everybody else who is signed in. */
  approvers: z.array(z.string()),
  /** The identity at the service of the person who asked. */
  asker: Identity,
  /** The digest of what a lease rule covers whose word is the approval: for the jobs that the end of a lease makes. */
  lease: z.string().optional(),
  /** The salt of a request that holds a secret, with which its digest and its notes on the secret are made; since 0.3.0. */
  salt: z.string().optional(),
  /** Who holds what it deletes, but for whoever asks; since 0.3.0. */
  held: z.array(HeldRecord).readonly().optional(),
  /** Who of them is against it, and when they said so. It stops nothing; since 0.3.0. */
  objections: z
    .array(z.object({ person: z.string(), at: z.number() }))
    .readonly()
    .optional(),
});
export type Terms = z.infer<typeof Terms>;

/** One person's decision on a job. */
export const Decision = z.object({
  type: z.enum(['approved', 'denied', 'dropped']),
  person: z.string(),
  /** The user of the service that they were signed in as. */
  login: z.string(),
  /** That user's identity at the service. */
  identity: Identity,
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The reason, where they gave one. */
  reason: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;
export const Decisions = z.array(Decision).readonly();

/**
 * One fact that an approver sees of the target. A later reading is compared by `compared`; it is empty for a fact that
 * may change without a change of what was approved.
 */
export const Fact = z.object({ key: z.string(), label: z.string(), value: z.string(), compared: z.string() });
export type Fact = z.infer<typeof Fact>;
export const Facts = z.array(Fact).readonly();

/** A place in Slack where a message stands: a channel and a timestamp. */
const Place = z.object({ place: z.string(), ts: z.string() });
export type Place = z.infer<typeof Place>;

/** One of a job's messages: what it is, the number of a call, and the person whom it goes to, if it goes to one alone. */
const Part = z.object({
  part: z.string(),
  round: z.number().optional(),
  person: z.string().optional(),
  /** Of a reply, the revision of its end. 0.2.0 passes over it, and so finds a reply whose answer was lost. */
  end: z.number().optional(),
});
export type Part = Readonly<z.infer<typeof Part>>;

export function isSamePart(one: Part, other: Part): boolean {
  return one.part === other.part && one.round === other.round && one.person === other.person && one.end === other.end;
}

/** A job's messages that have no columns of their own, with their places. */
export const Posts = z.array(Part.extend(Place.shape)).readonly();
export type Posts = z.infer<typeof Posts>;

/** Whether a message without a column of its own was posted. */
export function wasPosted(part: Part, posts: Posts): boolean {
  return posts.some(one => isSamePart(one, part));
}

/** A post that was begun. Until its answer is known, it may be in Slack or not. */
export const Posting = Part.extend({ place: z.string(), threadTs: z.string().optional(), since: z.number() });
export type Posting = z.infer<typeof Posting>;
