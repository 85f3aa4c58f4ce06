import { second } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { type Job, underWay } from './jobRows.ts';
import type { LeaseOracle } from './leaseOracle.ts';
import { messagesOf } from './messageOracle.ts';
import type { Facts, Found } from './oracles.ts';

/*
 * What must hold while the emergency brake is on (24): from the moment at which somebody heard that it is, nothing is sent
 * that nobody asks for at this moment; what people ask for themselves is sent.
 */

const told = 'The emergency brake is on.';
/** A process that began to write a step just before may still be at it. */
const atIt = second;

/** Whether nobody asks for a job at this moment. */
const isByItself = ({ plan, schedule, execution }: Job) => plan !== null || schedule !== null || execution !== null;

/** Watches the brake of a world. */
export function watchBrake(
  { kernel, disk, slack }: Pick<Facts, 'kernel' | 'disk' | 'slack'>,
  { leases, found }: Readonly<{ leases: Pick<LeaseOracle, 'isLeased'>; found: Found }>,
): Readonly<{ seen(job: Job): void; moved(job: Job, before: string | undefined): void }> {
  const state = () => disk.rows("select state, body from things where kind = 'brake'")[0];
  /** Since when people know that it is on. */
  const heardAt = (since: number) =>
    Math.min(
      ...messagesOf(slack)
        .filter(message => textOf(message).includes(told) && Number(message.ts) * 1_000 >= since)
        .map(({ ts }) => Number(ts) * 1_000),
    );
  return {
    seen(job) {
      if (!isByItself(job) && job.reason?.includes('emergency brake') && !leases.isLeased(job.target))
        found('24 the brake holds', `${job.operation} of ${job.target} waits for the brake, and somebody asks for it`);
    },
    moved(job, before) {
      const brake = state();
      if (brake?.state !== 'on' || job.state !== 'sending') return;
      const since = Number(/"since":(\d+)/.exec(String(brake.body))?.[1] ?? 0);
      if (isByItself(job) && before !== undefined && underWay.has(before) && kernel.now() > heardAt(since) + atIt)
        found('24 the brake holds', `${job.operation} of ${job.target} is sent although the brake is on`);
    },
  };
}
