import type { Facts, Found } from './oracles.ts';

/*
 * What must hold of claims (22): what shows the work of one job shows no other job's, as long as the first one stands; and a
 * job that made a clone is proved by that clone.
 */

/** Watches the claims of a world. @returns what is to be called after each commit */
export function watchClaims(
  { disk, service }: Pick<Facts, 'disk' | 'service'>,
  found: Found,
): Readonly<{ committed(): void; wentBack(): void }> {
  const holders = new Map<string, Readonly<{ job: string; made: string }>>();
  /**
   * Whether a claim stands against another job: of a record, as long as its job does; of another sign, such as a report that
   * has no identity of its own, as long as both were under way at the same time.
   */
  const stands = (job: string, sign: string, other: string) =>
    disk.rows(
      `select id from jobs where id = ? and state in ('running', 'succeeded', 'finished')
        and (? = '' or ended_at is null or ended_at > (select sent_at from jobs where id = ?))`,
      job,
      sign,
      other,
    ).length > 0;
  return {
    wentBack: () => holders.clear(),
    committed() {
      for (const { record, sign, job, name, made_at } of disk.rows(
        'select record, sign, job, name, made_at from claims',
      )) {
        const key = `${record} ${sign}`;
        const made = `${name} ${made_at}`;
        const before = holders.get(key);
        holders.set(key, { job: String(job), made });
        // A record that is made anew under the same identifier is another one.
        if (before && before.job !== job && before.made === made && stands(before.job, String(sign), String(job)))
          found('22 claims stay', `${key} was claimed by ${before.job}, which stands, and is ${job}'s now`);
      }
      checkClones();
    },
  };

  /** Whether jobs are proved by a record that others are proved by, or by one that is not theirs. */
  function checkClones(): void {
    const proved = disk.rows(
      "select id, operation, claimed, inputs from jobs where claimed is not null and state in ('running', 'succeeded')",
    );
    for (const [record, jobs] of Map.groupBy(proved, ({ claimed }) => String(claimed))) {
      const clone = service.records().find(({ id }) => id === record);
      for (const { id, operation, inputs } of operationsOf(jobs)) {
        const port = /"port":"?(\d+)/.exec(inputs)?.[1];
        if (operation === 'clone.create' && clone?.port && port !== undefined && String(clone.port) !== port)
          found(
            '22 claims stay',
            `the clone on port ${port} of ${id} is proved by ${record}, which is on ${clone.port}`,
          );
      }
    }
  }
}

const operationsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ id, operation, inputs }) => ({ id: String(id), operation: String(operation), inputs: String(inputs) }));
