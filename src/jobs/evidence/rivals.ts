import { writeOperation } from '../../operations/catalogue.ts';
import type { Overlap } from '../../store/jobs/claims.ts';
import type { Case } from './sighting.ts';

/* The other jobs of the same work on the same record, which may have left what is seen. */

/**
 * Whether a sign of this job's work is left to another job: one of the same work on the same record that is under way,
 * and that the service has accepted, while nobody knows whether it got this one.
 */
export async function leavesSigns(here: Case): Promise<boolean> {
  return here.job.noAnswer !== null && (await overlappingWork(here)).some(isAccepted);
}

const isAccepted = ({ endedAt, inDoubt }: Overlap) => endedAt === null && !inDoubt;

/** The number of earlier jobs of the same work on the same record that may take effect late. */
export async function lateRivals(here: Case): Promise<number> {
  return (await rivalsFor(here)).late;
}

/** The numbers of other jobs of the same work on the same record: under way without a result, or maybe late with it. */
export async function rivalsFor(here: Case): Promise<Readonly<{ late: number; open: number }>> {
  const others = await overlappingWork(here);
  const late = others.filter(({ isLate }) => isLate).length;
  return { late, open: others.filter(({ endedAt, claimed }) => endedAt === null && claimed === null).length };
}

/** Says that a sign may be of an earlier job. */
export const maybeLate =
  'An earlier job of this kind is unconfirmed and may have made it late: I cannot tell whose it is.';

/**
 * The other jobs on the same record that did the same work at the same time. An operation that this release does not know
 * may do any.
 */
async function overlappingWork({ parts, job, operation }: Case): Promise<readonly Overlap[]> {
  return (await parts.jobs.overlapping(job)).filter(other => {
    const work = writeOperation(other.operation)?.work;
    return work === undefined || work.name === operation.work.name;
  });
}
