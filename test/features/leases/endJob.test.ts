import { expect, onTestFinished, test } from 'vitest';
import { coveredByLease } from '../../../src/features/leases/run/endJob.ts';
import { leaseId, leases } from '../../../src/store/tables/leases.ts';
import { jobIn } from '../../jobs/jobIn.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { clone, leaseBoard } from './leaseBoard.ts';

test('a lease no longer covers the job of its end once its owner has left the workspace', async () => {
  const here = await leaseBoard(await storeIn(folder()));
  onTestFinished(() => here.end());
  const { parts, clock } = here;
  const ends = { changes: { state: 'stopping', endJob: 'job-1' } } as const;
  await parts.things.act(leases, leaseId('T1', clone), () => ends, clock.now());
  const job = jobIn('approved', { operation: 'clone.stop', target: clone });
  expect(await coveredByLease(parts, job, {})).toBeDefined();
  here.strangers.add('U0ANA');
  expect(await coveredByLease(parts, job, {})).toBeUndefined();
  const silent = { ...parts, people: { ...parts.people, standingOf: async () => 'unknown' as const } };
  await expect(coveredByLease(silent, job, {})).rejects.toMatchObject({ kind: 'busy' });
});
