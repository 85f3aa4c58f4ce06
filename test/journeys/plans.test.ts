import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newJob } from '../../src/jobs/newJob.ts';
import { knowsRequest } from '../../src/jobs/request.ts';
import { jobOperation } from '../../src/operations/catalogue.ts';
import type { PlanStep } from '../../src/operations/plans/plan.ts';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { stepOn } from '../jobs/plans/board.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerTo } from './asking.ts';

/* Plans in Slack: one message for all steps, which people approve, follow, stop and let go on. */

vi.mock('../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../src/operations/databases.ts')>();
  const { tearDown } = await import('../jobs/plans/teardown.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, tearDown] };
});

const [clone, live] = ['MARIADB_CLONE_SERVER-1', 'MARIADB_LIVE_SERVER-1'];
let earth: World;
let ana: Someone;
let dev: Someone;
let count = 0;

/** Has Ana ask for a plan, as a form would; gives its message. */
async function plans(steps: readonly PlanStep[], database = live): Promise<StoredMessage> {
  const store = earth.store();
  const { team } = await store
    .selectFrom('credentials')
    .select('team')
    .where('person', '=', ana.id)
    .executeTakeFirstOrThrow();
  const { channel } = ana.lastMessage('#databases');
  const operation = jobOperation('database.testplan');
  if (!operation) throw new Error('there is no such plan');
  const labels = { [clone]: 'billing-3330', [live]: 'billing' };
  const asked = { team, person: ana.id, request: `plan-${count++}`, channel, labels, purpose: 'Nobody uses it.' };
  const before = earth.cards('#databases').length;
  const named = steps.map(step => ({ ...step, labels, targetName: labels[String(step.target)] ?? null }));
  await jobsIn(store, { knows: knowsRequest }).add(
    newJob(operation, { database }, { ...asked, now: earth.clock.now(), steps: named }),
  );
  return earth.until(() => earth.cards('#databases')[before], 'the message of the plan');
}
const says = (card: StoredMessage, words: string | RegExp) =>
  earth.until(
    () => (typeof words === 'string' ? earth.text(card).includes(words) : words.test(earth.text(card))),
    String(words),
  );
const teardown = () => [stepOn('database.delete', clone), stepOn('database.delete', live)];

beforeAll(async () => {
  earth = await world({ handsOnStore: true, environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
  await ana.types('#databases', 'Good morning.');
});
afterAll(() => earth.close());

test('a plan is approved as a whole on one card, runs on through a restart, and is told once', async () => {
  const own = await plans(teardown());
  const card = await earth.until(() => earth.cards(approvalChannel)[0], 'the card');
  await says(card, '2 steps');
  const asked = earth.text(card);
  expect(asked).toMatch(/1\. Deletion of billing-3330 \(.*clone.*dev.*\n2\. Deletion of billing \(/);
  expect(textOf(await answerTo(dev, '/db approvals'))).toContain('1. Deletion of billing-3330');
  expect(earth.writes()).toEqual([]);
  await clicks(dev, card, 'Approve…');
  await says(own, '2. Deletion of billing');
  await says(own, /^1\. Deletion of billing-3330\nStarted/m);
  const list = textOf(await answerTo(ana, '/db jobs'));
  expect(list.split('Plan of a test')).toHaveLength(2);
  expect(list).toContain('Running, step 1 of 2');
  expect(list).not.toContain('Deletion of');
  await ana.opensHome();
  await earth.until(() => textOf(recordOf(ana.sees().home).blocks).includes('Plan of a test'), 'the plan in Home');
  expect(textOf(recordOf(ana.sees().home).blocks)).not.toContain('Deletion of');
  await earth.restart();
  await says(own, 'The plan on billing is done');
  await earth.until(() => earth.replies(own).length > 0, 'a reply');
  expect(
    earth
      .replies(own)
      .map(reply => earth.text(reply))
      .join(),
  ).toContain('Both steps are confirmed.');
  await earth.clock.advance(60_000);
  expect(earth.cards('#databases')).toHaveLength(1);
  expect(earth.cards(approvalChannel)).toHaveLength(1);
  expect(earth.replies(own)).toHaveLength(1);
  expect(earth.writes()).toHaveLength(2);
  const trail = textOf(await answerTo(ana, '/db audit'));
  expect(trail).toContain('step 1 of 2');
});

test('a plan that a refusal stops says what is done, and goes on from there by its requester’s click', async () => {
  const gone = stepOn('database.delete', 'MARIADB_CLONE_SERVER-2');
  // The second step is refused: the clone of the last one hangs on it.
  const card = await plans(
    [stepOn('clone.start', 'MARIADB_CLONE_SERVER-2'), stepOn('environment.delete', 'HOST_ENVIRONMENT-3'), gone],
    'MARIADB_CLONE_SERVER-2',
  );
  const asked = await earth.until(() => earth.cards(approvalChannel)[1], 'the card');
  expect(await clicks(dev, asked, 'Approve…')).toContain('You approved it');
  await says(card, 'Go on from here');
  expect(earth.text(card)).toContain('1 step is done. 1 step was not begun.');
  await earth.until(() => earth.replies(card).length > 0, 'a reply');
  const [message] = ana.messages('#databases').filter(({ ts }) => ts === card.ts);
  if (!message) throw new Error('there is no message');
  await dev.presses('Go on from here', { message });
  expect(earth.text(card)).toContain('Failed');
  await ana.presses('Go on from here', { message });
  await says(card, '(try 2)');
  await earth.until(() => earth.replies(card).length > 1, 'another reply');
});
