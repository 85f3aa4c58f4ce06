import { z } from 'zod';
import { keysOf } from '../../ground/keys.ts';
import { dayOrders } from '../../ground/timeText.ts';

const aPath = 'must be a path such as spec.displayName, or a list of paths';
const one = z.string(aPath).min(1, aPath);
/** The place of a fact as dotted keys, or several places, of which the first counts that a record has. */
const path = z.union([one, z.array(one).min(1, aPath)], aPath);
export type Path = z.infer<typeof path>;

const timed = [
  ...(['backup', 'logs', 'restore', 'refresh', 'clone', 'share', 'mount', 'convert'] as const),
  ...(['reset', 'stop', 'start', 'enable', 'disable', 'delete'] as const),
] as const;
/** The works that a mapping names. The catalogue knows them by these names (operations/work.ts); a word may tell the kind of a clone. */
export const workNames = [...timed, 'virtual clone', 'physical clone'] as const;
const oneOf = (names: readonly string[]) => `must be one of ${names.join(', ')}`;

/** What the words of reports, and of snapshots, say of work. */
export const outcomeNames = ['done', 'partial', 'failed', 'busy'] as const;

/** The paths below `at` of one report, or of each in a list. Without `at`, they begin at the record. */
const ReportPaths = z
  .strictObject({
    at: path.optional(),
    kind: path.optional(),
    person: path.optional(),
    number: path.optional(),
    begin: path.optional(),
    end: path.optional(),
    outcome: path.optional(),
    error: path.optional(),
    attempt: path.optional(),
    attempts: path.optional(),
    /** The work of each report there, where no word tells it. */
    work: z.enum(workNames, oneOf(workNames)).optional(),
  })
  .refine(
    ({ outcome, kind, begin, end }) => outcome !== undefined || (kind !== undefined && (begin ?? end) !== undefined),
    'must name its outcome, or its kind with its begin or its end: otherwise nothing counts as a report',
  );
export type ReportPaths = z.infer<typeof ReportPaths>;

/** The paths below `at` of each snapshot. Without `id`, the identifiers are the keys or the entries there. */
const SnapshotPaths = z.strictObject({
  at: path,
  id: path.optional(),
  name: path.optional(),
  time: path.optional(),
  state: path.optional(),
  expires: path.optional(),
});
export type SnapshotPaths = z.infer<typeof SnapshotPaths>;

const Paths = z.strictObject({
  name: path.optional(),
  state: path.optional(),
  error: path.optional(),
  source: path.optional(),
  environment: path.optional(),
  reports: z.array(ReportPaths).optional(),
  times: z.partialRecord(z.enum(timed), path, oneOf(timed)).optional(),
});
const DatabasePaths = Paths.extend({ snapshots: SnapshotPaths.optional() });

const words = z.array(z.string('must be a word; put a number, true, false and null in quotes').min(1)).optional();
/** Words under their meanings. One that has two is a fault. */
const meanings = <Name extends string>(names: readonly Name[]) =>
  z.partialRecord(z.enum(names), words, oneOf(names)).superRefine((given, { addIssue }) => {
    const seen = new Map<string, string>();
    for (const name of keysOf<Name>(given))
      for (const word of given[name] ?? []) {
        const before = seen.get(word.toLowerCase());
        if (before !== undefined && before !== name)
          addIssue({ code: 'custom', path: [name], message: `${word} is listed under ${before}, too` });
        seen.set(word.toLowerCase(), name);
      }
  });

/**
 * What an operator says of the records of a service that Dolly misreads (RECORDS_FILE): the places of facts in a record of each
 * kind, the words by which the service calls states, works and outcomes, and what comes first in a date such as 03/04/2026. A
 * fact that has a place here is read there or not at all; all that is left out is found as usual.
 */
export const Mapping = z.strictObject({
  database: DatabasePaths.optional(),
  environment: Paths.optional(),
  user: Paths.optional(),
  project: Paths.optional(),
  dates: z.enum(dayOrders, 'must be day-first or month-first').optional(),
  states: z.strictObject({ ok: words, busy: words, failed: words, stopped: words, disabled: words }).optional(),
  works: meanings(workNames).optional(),
  outcomes: meanings(outcomeNames).optional(),
});
export type Mapping = z.infer<typeof Mapping>;
export type Paths = z.infer<typeof DatabasePaths>;
