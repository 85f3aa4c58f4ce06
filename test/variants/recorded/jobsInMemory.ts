import type { Transition } from '../../../src/store/jobs/changing.ts';
import type { Looked } from '../../../src/store/jobs/queue/looks.ts';
import type { Claim, HeldClaim, Overlap, Targeted } from '../../../src/store/jobs/recordClaims.ts';
import type { Job, RunningJob } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import type { Code } from './tree.ts';

type Moved = Readonly<{ job: Pick<Job, 'id' | 'state'>; transition: Transition }>;

/** The jobs of one recording as their rows, with what the store says of others and of claims: as `claimsIn` of the store. */
export function jobsInMemory({ decode, knowsRequest, columnsOf, rounding }: Code) {
  const rows = new Map<string, JobRow>();
  const decoded = new Map<string, Job>();
  let claims: readonly HeldClaim[] = [];
  const jobOf = (row: JobRow): Job => {
    const known = decoded.get(row.id);
    if (known) return known;
    const job = decode(row, knowsRequest);
    if (job.state === 'unreadable') throw new Error(job.why);
    decoded.set(row.id, job);
    return job;
  };
  const keep = (row: JobRow): Job => {
    rows.set(row.id, row);
    decoded.delete(row.id);
    return jobOf(row);
  };
  const overlapOf = (job: Targeted, row: JobRow): Overlap[] => {
    const { id, operation, sentAt, endedAt, state, claimed, noAnswer } = row;
    if (id === job.id || sentAt === null || row.target !== job.target) return [];
    const isOver = endedAt !== null && endedAt < job.sentAt;
    const isLate = isOver && state === 'unconfirmed' && claimed === null && 2 * endedAt - sentAt > job.sentAt;
    if (endedAt !== null && endedAt < job.sentAt - rounding && !isLate) return [];
    const inDoubt = noAnswer !== null;
    return [{ id, operation, sentAt, endedAt, inDoubt, claimed, isProved: state === 'succeeded', isLate }];
  };
  const overlapping = async (job: Targeted) => [...rows.values()].flatMap(row => overlapOf(job, row));
  /** Whether all claims of a step can be made: then they are. */
  const claim = (job: string, wanted: readonly Claim[]): boolean => {
    const holderOf = ({ record, sign }: Claim) => claims.find(one => one.record === record && one.sign === sign);
    if (wanted.some(one => ![undefined, job, one.over].includes(holderOf(one)?.job))) return false;
    for (const { over: _, leaves, ...one } of wanted) {
      const others = claims.filter(({ record, sign }) => record !== one.record || sign !== one.sign);
      const left = others.filter(other => leaves === undefined || other.record !== leaves || other.job !== job);
      claims = [...left, { ...one, job, endedAt: null }];
    }
    return true;
  };
  const apply = async ({ id, state }: Pick<Job, 'id' | 'state'>, transition: Transition): Promise<Job | undefined> => {
    const row = rows.get(id);
    if (row?.state !== state || !claim(id, transition.claims ?? [])) return undefined;
    return keep({ ...row, ...columnsOf(transition.changes), state: transition.state });
  };
  return {
    keep,
    /** The jobs that run, the one that is due first before the others. */
    running: (): readonly RunningJob[] =>
      [...rows.values()]
        .map(jobOf)
        .filter(job => job.state === 'running')
        .toSorted((a, b) => (a.dueAt ?? Number.POSITIVE_INFINITY) - (b.dueAt ?? Number.POSITIVE_INFINITY)),
    /** Notes a look in vain. */
    looked({ job: { id, looks }, dueAt }: Looked) {
      const row = rows.get(id);
      if (!row) return;
      const job = jobOf(row);
      if (job.state !== 'running') return;
      const next = { looks: looks + 1, dueAt };
      rows.set(id, { ...row, ...next });
      decoded.set(id, { ...job, ...next });
    },
    rows: () => [...rows.values()],
    ...{ apply, applyAlong: apply, overlapping },
    applyAll: async (steps: readonly Moved[]) => {
      for (const { job, transition } of steps) await apply(job, transition);
    },
    overlappingAll: async (jobs: readonly Targeted[]) =>
      new Map(await Promise.all(jobs.map(async job => [job.id, await overlapping(job)] as const))),
    claimsOn: async (records: readonly string[]) =>
      claims
        .filter(({ record }) => records.includes(record))
        .map(one => ({ ...one, endedAt: rows.get(one.job)?.endedAt ?? null })),
    async unclaimed({ id, sentAt }: Targeted, makingNothing: readonly string[]) {
      const mayBe = ({ endedAt, state, sentAt: from }: JobRow) =>
        endedAt === null || (state === 'unconfirmed' && 2 * endedAt - (from ?? 0) > sentAt && endedAt < sentAt);
      return [...rows.values()]
        .filter(row => row.id !== id && row.claimed === null && !makingNothing.includes(row.operation) && mayBe(row))
        .map(jobOf);
    },
    inHand: async (records: readonly string[]) => {
      const open = [...rows.values()].filter(({ endedAt }) => endedAt === null);
      const held = open.flatMap(({ target, claimed }) => [target, ...(claimed === null ? [] : [claimed])]);
      return new Set(held.filter(one => records.includes(one)));
    },
    lookedAt: async () => [],
  };
}
