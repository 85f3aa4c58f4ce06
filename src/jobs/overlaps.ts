import type { HeldClaim, JobClaims, Overlap, Targeted } from '../store/jobs/recordClaims.ts';

/**
 * Reads the other jobs on the records of a follow-up's jobs, for all of them in one statement. `news` counts what was seen:
 * once the service has answered again, or a job has ended, they are read anew, since a job that was sent meanwhile may
 * explain what is seen now. That comes with each end, and ends may come one after the other: so they are read for one job
 * then, and for twice as many each time.
 */
export function overlapsAmong(
  { overlappingAll }: Pick<JobClaims, 'overlappingAll'>,
  batch: readonly Targeted[],
  news: () => number,
): JobClaims['overlapping'] {
  let known: ReadonlyMap<string, readonly Overlap[]> = new Map();
  let [readAt, size] = [-1, batch.length];
  return async job => {
    const before = readAt === news() ? known.get(job.id) : undefined;
    if (before) return before;
    if (readAt !== news()) [known, size] = [new Map(), readAt < 0 ? size : 1];
    const at = batch.findIndex(({ id }) => id === job.id);
    // Whoever is not among them is read alone, such as the record around a part.
    const others = at < 0 ? [] : batch.slice(at + 1, at + size);
    // What is seen while the statement runs is newer than what it reads.
    readAt = news();
    const read = await overlappingAll([job, ...others]);
    known = new Map([...known, ...read]);
    if (at >= 0) size *= 2;
    return read.get(job.id) ?? [];
  };
}

/** Reads the claims on records once for all of a follow-up's jobs, and anew by the same `news`. */
export function claimsOnce({ claimsOn }: Pick<JobClaims, 'claimsOn'>, news: () => number): JobClaims['claimsOn'] {
  let known = new Map<string, readonly HeldClaim[]>();
  let readAt = -1;
  return async records => {
    if (readAt !== news()) known = new Map();
    readAt = news();
    const [here, asked] = [known, records.filter(record => !known.has(record))];
    const held = Map.groupBy(await claimsOn(asked), ({ record }) => record);
    for (const record of asked) here.set(record, held.get(record) ?? []);
    return records.flatMap(record => here.get(record) ?? []);
  };
}
