import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';

/* Who wants no mention is called by a direct message, for the same things and as often. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const says = async (text: string) => textOf(await answerTo(ana, text, '#databases'));
/** What Dolly wrote to Ana alone of a message in the channel. */
const alone = () => ana.messages('@dolly').filter(({ text }) => text.includes('is backed up'));
const endOf = async () => {
  const card = await asks(earth, ana, '/db backup shop');
  await comesToAnEnd(earth, card);
  return earth.until(
    () => earth.replies(card).find(reply => earth.text(reply).includes('is backed up')),
    'the end in the thread',
  );
};

test('“/db notify” says how the person is notified, and refuses words that it does not know', async () => {
  expect(await says('/db notify')).toContain('*mention* you');
  expect(await says('/db notify loudly')).toContain('I changed nothing');
});

test('a person who chose direct messages is not mentioned in the channel, and gets one message with a link', async () => {
  expect(await says('/db notify direct')).toContain('send you a *direct message*');
  const end = await endOf();
  expect(earth.text(end)).not.toContain(`<@${ana.id}>`);
  expect(earth.text(end)).toContain('ana');
  await earth.until(() => alone().length > 0, 'the direct message');
  await earth.clock.advance(60_000);
  expect(alone()).toHaveLength(1);
  const [message] = alone();
  expect(JSON.stringify(message?.blocks)).toContain(`/p${end.ts.replace('.', '')}`);
});

test('a person who chose direct messages gets one, even where the answer to a post is lost', async () => {
  const before = alone().length;
  earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer', times: 2 });
  await endOf();
  await earth.until(() => alone().length > before, 'the direct message');
  await earth.clock.advance(600_000);
  expect(alone()).toHaveLength(before + 1);
});

test('“/db notify” changes nothing for other people', async () => {
  const ben = await earth.enters('Ben', 'ben');
  expect(textOf(await answerTo(ben, '/db notify', '#databases'))).toContain('*mention* you');
  await answerTo(ben, '/db notify mention', '#databases');
  expect(await says('/db notify')).toContain('send you a *direct message*');
});

test('a person who chooses mentions again is mentioned, and gets no direct message any more', async () => {
  expect(await says('/db notify mention')).toContain('*mention* you');
  const before = alone().length;
  expect(earth.text(await endOf())).toContain(`<@${ana.id}>`);
  await earth.clock.advance(60_000);
  expect(alone()).toHaveLength(before);
});
