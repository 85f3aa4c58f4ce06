import type { Report } from '../../api/reading/reports.ts';
import { asClause } from '../../ground/wording.ts';
import type { Proof } from '../../operations/proofs.ts';
import { caveatsOnFailure } from './caveats.ts';
import { hadItsTurn, isPassing, returned } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { atDeadline, type Rows } from './rows.ts';
import { saysOf, seenName, wordsOf } from './sentences.ts';
import { settles } from './settles.ts';

/* The rows that several kinds of proof have in common, and what they see. */

/** What a row sees of a job's own report with this outcome. */
export const told =
  (outcome: Report['outcome'], says: (report: Report, look: Sighting) => string | undefined) =>
  (look: Sighting): string | undefined =>
    look.report?.outcome === outcome ? says(look.report, look) : undefined;

/** What a row sees of a record that was at what may be this job's work, and came back: `back` says so. */
export const cameBack =
  <P extends Proof>(says: (back: string, look: Sighting, proof: P) => string | undefined) =>
  (look: Sighting, proof: P): string | undefined => {
    const back = returned(look);
    return back && says(back, look, proof);
  };

/** What the job's own report says of its end. */
export const reportEnds: Rows = {
  'own report: failed': { failed: told('failed', report => wordsOf(report)) },
  'own report: done in part': { inPart: told('partial', saysOf), stands: settles.long },
};

export const reportRows: Rows = {
  ...reportEnds,
  'own report: goes on': { waiting: told('busy', () => '') },
};

export const workRows: Rows = { 'at work': { waiting: look => (isAtWork(look) ? '' : undefined) } };

/** A new error, or a failed state, whoever brought it. */
export const failureRows: Rows = {
  failure: {
    failed: look => {
      const by = failureOf(look);
      return by === undefined ? undefined : { by, withCaveat: `The record shows a failure: ${by}` };
    },
    stands: {
      says: '10 seconds; from a minute after the request where no words name its work; 5 minutes beside work',
      of: look => {
        if (look.isWorkedOn) return settles.unknown;
        return look.seen.stateClass === 'failed' || hadItsTurn(look) ? 0 : atDeadline;
      },
    },
    caveats: caveatsOnFailure,
  },
  // Whoever looks there should know of an error that is new, though nobody knows whether the call arrived.
  'failure, in doubt': {
    finished: ({ seen: { error }, before, inDoubt }) =>
      inDoubt && error !== undefined && error !== before?.error
        ? `The record has shown a failure since: ${asClause(error)}. I cannot tell whose it is.`
        : undefined,
    stands: atDeadline,
  },
};

/** What a row sees of a target that is not there any more. */
export const vanishes =
  (says: (name: string) => string) =>
  ({ record, before, seen }: Sighting) =>
    record || !before ? undefined : says(seenName(seen));
export const vanished: Rows = {
  'record gone': { failed: vanishes(name => `The record of ${name} is gone.`) },
};

/** Whether the record is at work that may be this job's. Where a report says that this is done, it is other work. */
export function isAtWork(look: Sighting): boolean {
  const isTold = look.report?.outcome === 'done' && look.report.kind !== undefined;
  return !isTold && isPassing(look);
}

/**
 * A failed state, or an error, that the record did not show before the call, and that no report explains. While the sending is in
 * doubt, it may be of other work.
 */
function failureOf({ before, seen, record, inDoubt }: Sighting): string | undefined {
  const { error, stateClass, state, wasBusy } = seen;
  const isExplained = error !== undefined && record?.reports.some(report => report.error === error);
  if (inDoubt || isExplained) return undefined;
  const isNew = stateClass === 'failed' && (before?.stateClass !== 'failed' || wasBusy !== undefined);
  if (isNew) return error ?? `Its state is ${state}.`;
  return error === before?.error ? undefined : error;
}
