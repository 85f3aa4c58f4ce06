import { writeOperation } from '../../operations/catalogue.ts';
import type { Overlap } from '../../store/jobs/claims.ts';
import { type Case, overlapsOn } from './sighting.ts';

/* The other jobs of the same work on the same record, which may have left what is seen. */

/**
 * Whether a sign of this job's work is left to another job: one of the same work on the same record that is under way,
 * and that the service has accepted, while nobody knows whether it got this one.
 */
export function leavesSigns(here: Case): boolean {
  return (
    here.job.noAnswer !== null && overlappingWork(here).some(({ endedAt, inDoubt }) => endedAt === null && !inDoubt)
  );
}

/** The numbers of other jobs of the same work on the same record: under way without a result, or maybe late with it. */
export function rivalsFor(here: Case): Readonly<{ late: number; open: number }> {
  const others = overlappingWork(here);
  const late = others.filter(({ isLate }) => isLate).length;
  return { late, open: others.filter(({ endedAt, claimed }) => endedAt === null && claimed === null).length };
}

/** Says that a sign may be of an earlier job. */
export const maybeLate =
  'An earlier job of this kind is unconfirmed and may have made it late: I cannot tell whose it is.';

/** The other jobs on the same record that did the same work at the same time. One that this release does not know may do any. */
function overlappingWork(here: Case): readonly Overlap[] {
  return overlapsOn(here).filter(other => {
    const work = writeOperation(other.operation)?.work;
    return work === undefined || work.name === here.operation.work.name;
  });
}
