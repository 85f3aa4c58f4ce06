import { afterEach, beforeEach, expect, test } from 'vitest';
import { minute, second } from '../../src/ground/durations.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, quickLine, submitsClone } from './clones.ts';

/* A post whose answer was lost, and which the search after it did not find: it stands twice for less than a minute. */

let earth: World;
let ana: Someone;

beforeEach(async () => {
  earth = await world({ handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

const databases = 'C0DATABASE';

/** The next answer to a post gets lost, and Slack finds nothing when it is looked for `many` times. */
function loses(many = 1): void {
  const { faults } = earth.playground.slack;
  faults.add({ method: 'chat.postMessage', kind: 'lose-answer', times: 1 });
  for (const method of ['conversations.history', 'conversations.replies'])
    faults.add({ method, kind: 'refuse', word: 'access_denied', times: many });
}

const count = (words: string) =>
  earth.playground.slack.messages(databases).filter(message => textOf(message).replaceAll('*', '').includes(words))
    .length;

test('of a job’s card that was posted twice, one is deleted and the other tells the end', async () => {
  loses();
  await submitsClone(ana, '#databases', quickLine(3401), {});
  await earth.until(() => count('shop-3401') >= 2, 'the double');
  await earth.clock.advance(minute);
  const cards = earth.playground.slack
    .messages(databases)
    .filter(one => textOf(one).includes('shop-3401') && !one.threadTs);
  expect(cards).toHaveLength(1);
  await ends(earth, earth.cards('#databases').at(-1) ?? expect.fail('no card'), 'shop-3401');
});

const told = 'The lists were too long';
async function report(): Promise<void> {
  const data = { fault: `${told}.`, person: ana.id };
  const notice = { id: 'n1', subject: 'n1', team: 'T0PLAYGRND', createdAt: earth.clock.now(), isNews: true };
  await outboxIn(earth.store()).add([{ ...notice, kind: 'report', data, to: { channel: databases } }]);
}

test('of a report that was posted twice, one message is deleted', async () => {
  loses();
  await report();
  await earth.clock.advance(20 * second);
  expect(count(told)).toBe(2);
  await earth.clock.advance(40 * second);
  expect(count(told)).toBe(1);
});

test('a message that was posted twice stays twice where Slack does not let Dolly read the channel', async () => {
  loses(1_000);
  await report();
  await earth.clock.advance(2 * minute);
  expect(count(told)).toBe(2);
});

test('a message that Slack refused twice is posted once in the end, and not searched for', async () => {
  const { faults } = earth.playground.slack;
  faults.add({ method: 'chat.postMessage', kind: 'refuse', word: 'missing_scope', times: 2 });
  const looks = () => earth.playground.slack.traffic().filter(({ what }) => what === 'conversations.history').length;
  await report();
  const before = looks();
  await earth.clock.advance(2 * minute);
  expect([count(told), looks() - before]).toEqual([1, 0]);
});
