import { afterEach, beforeEach, expect, test } from 'vitest';
import { leaseRequest } from '../../../src/operations/requests/leaseRequest.ts';
import type { Store } from '../../../src/store/database.ts';
import { folder, sent, storeIn } from '../../store/folder.ts';
import { moveJob } from '../../store/steps.ts';
import { clone, planBoard, stepOn } from './board.ts';

/* An approval to keep a clone for longer that comes when its deletion was sent already. */

let store: Store;
let here: Awaited<ReturnType<typeof planBoard>>;
const target = clone ?? '';

beforeEach(async () => {
  store = await storeIn(folder());
  const values = { [leaseRequest.target]: target, keepUntil: '2027-01-31' };
  here = await planBoard(store, { operation: leaseRequest.name, target, values, steps: [] });
  await here.works(async () => (await here.plan()).state === 'awaiting');
  const { jobs } = here.parts;
  const deletion = { ...{ operation: 'database.delete', target, values: { database: target } }, labels: {} };
  const by = { team: 'T1', person: 'U0ANA', channel: 'C1', targetName: null, purpose: 'The lease ended.' };
  await jobs.add({ id: 'gone', requestKey: 'gone', createdAt: here.clock.now(), ...by, ...deletion });
});
afterEach(async () => {
  await here.end();
  await store.destroy();
});

const isOver = async () => !['awaiting', 'approved', 'running'].includes((await here.plan()).state);

test('an approval to keep a clone longer is void, and says why, once the clone’s deletion was sent', async () => {
  const { clock, parts } = here;
  await moveJob(parts.jobs, 'gone', 'new', 'sending', sent(clock.now()), clock.now());
  await here.approvesPlan();
  await here.works(isOver);
  expect(await here.plan()).toMatchObject({
    state: 'void',
    reason: 'Its deletion is under way. Nothing was sent.',
  });
});

test('an approval to keep a clone longer is void once a plan that is under way has sent its deletion', async () => {
  const { clock, parts } = here;
  const by = { team: 'T1', person: 'U0ANA', channel: 'C1', targetName: null, purpose: 'It is old.', labels: {} };
  const plan = {
    id: 'all',
    requestKey: 'all',
    createdAt: clock.now(),
    ...by,
    operation: 'clone.renew',
    target,
    values: { clone: target },
  };
  await parts.jobs.add({ ...plan, steps: [stepOn('database.delete', target)] });
  await moveJob(parts.jobs, 'all', 'new', 'running', { ...sent(clock.now()), step: 0 }, clock.now());
  const step = { id: 'all-0', requestKey: 'all-0', createdAt: clock.now(), ...by, plan: 'all', step: 0 };
  await parts.jobs.add({ ...step, operation: 'database.delete', target, values: { database: target } });
  await moveJob(parts.jobs, 'all-0', 'new', 'sending', sent(clock.now()), clock.now());
  await here.approvesPlan();
  await here.works(isOver);
  expect(await here.plan()).toMatchObject({ state: 'void' });
});

test('an approval to keep a clone longer counts as long as the clone’s deletion was not sent', async () => {
  await here.approvesPlan();
  await here.works(isOver);
  expect(await here.plan()).toMatchObject({ state: 'succeeded' });
});
