import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerAfter, answerTo } from './asking.ts';

/* A channel that hears what changes for the worse, whoever did it, until it mends. */

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());

const channel = '#databases';
/** A text without its bold type, and with its times in UTC. */
const plain = (text: string) => text.replaceAll('*', '').replace(/<!date[^|]*\|([^>]*)>/g, '$1');
const database = (name: string) => {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
/** Waits for a card of the channel with these words. */
const isTold = (words: RegExp | string): Promise<StoredMessage> =>
  earth.until(
    () => earth.cards(channel).findLast(card => new RegExp(words).test(plain(earth.text(card)))),
    `${words}; the last one says: ${plain(
      earth
        .cards(channel)
        .map(card => earth.text(card))
        .at(-1) ?? '',
    )}`,
    40 * minute,
  );
const shownTo = (someone: Someone, card: StoredMessage): Promise<Message> =>
  someone.until(() => someone.messages(card.channel).find(({ ts }) => ts === card.ts), 'the message');
/** Lets the next look happen. */
const looks = async () => {
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(10_000);
};

test('an alert tells a failure once, and says in its message and in its thread that it is mended', async () => {
  expect(textOf(await answerTo(ana, '/db alerts', channel))).toContain('Alerts are off');
  expect(textOf(await answerTo(ana, '/db alerts on failde', channel))).toContain('Did you mean `failed`?');
  expect(textOf(await answerTo(ana, '/db alerts on failed vanished', channel))).toContain('I look with your sign-in');
  expect(plain(earth.text(await isTold('turned alerts on here')))).toContain(
    'failed databases and clones, vanished databases and clones',
  );
  await looks();
  const before = earth.cards(channel).length;
  Object.assign(database('orders-3320'), { state: 'FAILED', error: 'The *disk* of <!channel> is full.' });
  const card = await isTold('orders-3320 on .* failed');
  expect(earth.cards(channel)).toHaveLength(before + 1);
  const text = earth.text(card);
  expect(plain(text)).toContain('orders-3320 · FAILED: The ∗disk∗ of &lt;!channel&gt; is full.');
  await looks();
  expect(earth.cards(channel)).toHaveLength(before + 1);

  const [mine, again] = await Promise.all([
    answerAfter(
      ben,
      channel,
      async () => ben.presses('I’m on it', { message: await shownTo(ben, card) }),
      'the answer',
    ),
    answerAfter(
      ben,
      channel,
      async () => ben.presses('I’m on it', { message: await shownTo(ben, card) }),
      'the second',
    ),
  ]);
  // The second press finds the first one in hand, or done.
  expect([textOf(mine), textOf(again)]).toEqual(
    Array(2).fill(expect.stringMatching(/You are on it|You already pressed this/)),
  );
  await ben.reads(channel, 'You are on it');
  await earth.until(() => earth.text(card).includes('is on it'), 'the name of the one who is on it');
  database('orders-3320').state = 'RUNNING';
  await earth.until(() => earth.replies(card)[0], 'the reply', 20 * minute);
  expect(
    plain(
      earth
        .replies(card)
        .map(reply => earth.text(reply))
        .join(),
    ),
  ).toContain('orders-3320 is no longer failed');
  await earth.until(() => /orders-3320 on .* failed, now resolved/.test(plain(earth.text(card))), 'the message itself');
  expect(JSON.stringify((await shownTo(ana, card)).blocks)).not.toContain('Snooze');
});

test('alerts tell of a clone that vanishes and not of one that is renamed, and a snooze holds back a second failure', async () => {
  database('orders-3320').name = 'orders-new';
  await looks();
  const before = earth.cards(channel).length;
  const gone = database('orders-new');
  Object.assign(gone, { state: 'FAILED', error: undefined });
  await earth.clock.advance(2 * hour);
  const card = await isTold('orders-new · FAILED');
  const answer = await answerAfter(
    ana,
    channel,
    async () => ana.chooses('alert.rest', 'Snooze for a week', { message: await shownTo(ana, card) }),
    'the answer',
  );
  expect(textOf(answer)).toContain('say nothing more about these');
  gone.state = 'RUNNING';
  const thread = () => earth.replies(card).map(reply => earth.text(reply));
  await earth.until(() => /no longer failed/.test(thread().at(-1) ?? ''), 'the end in the thread', 20 * minute);
  await earth.clock.advance(2 * hour);
  gone.state = 'FAILED';
  await looks();
  await looks();
  expect(earth.cards(channel)).toHaveLength(before);
  earth.service.service.estate.databases.delete(gone.id);
  expect(plain(earth.text(await isTold('vanished without a job of mine')))).toContain('orders-new');
});

test('alerts say so when their watcher signs out, go on with another’s sign-in, and end with “alerts off”', async () => {
  await answerTo(ana, '/db logout', '#dev');
  const blind = await isTold('cannot look for new problems of this channel');
  const taken = await answerAfter(
    ben,
    channel,
    async () => ben.presses('Look with my sign-in', { message: await shownTo(ben, blind) }),
    'the answer',
  );
  expect(textOf(taken)).toContain('I look with your sign-in');
  await earth.until(() => /I look for new problems again/.test(earth.text(blind)), 'the end of that', 10 * minute);
  expect(textOf(await answerTo(ben, '/db alerts off', channel))).toContain('Alerts are off');
  const before = earth.cards(channel).length;
  database('shop').state = 'FAILED';
  await looks();
  await looks();
  // The last one says that they were turned off.
  expect(earth.cards(channel).length).toBeLessThanOrEqual(before + 1);
  expect(plain(earth.text(await isTold('turned the alerts of this channel off')))).toContain('no_bell');
});

test('“/db alerts” lists all open problems, older ones and new ones, and who is on them', async () => {
  const place = '#dev';
  const asks = async () => plain(textOf(await answerTo(ben, '/db alerts', place)));
  for (const one of earth.service.service.estate.databases.values()) one.state = 'RUNNING';
  const [old, fresh] = [database('crm'), database('billing')];
  Object.assign(old, { state: 'FAILED', error: 'The disk is full.' });
  await answerTo(ben, '/db alerts on failed', place);
  await looks();
  expect(await asks()).toMatch(/1 open problem.*last look[\s\S]*crm · FAILED: The disk is full/);
  expect(await asks()).toContain('Alerts are on in this channel: failed databases and clones');
  fresh.state = 'FAILED';
  const card = await earth.until(
    () => earth.cards(place).find(one => /billing.* failed/.test(earth.text(one))),
    'it',
    hour,
  );
  await ben.presses('I’m on it', { message: await shownTo(ben, card) });
  await ben.reads(place, 'You are on it');
  expect(await asks()).toMatch(/2 open problems[\s\S]*billing[\s\S]*is on 1 of them/);
  old.state = 'RUNNING';
  fresh.state = 'RUNNING';
  await looks();
  await looks();
  expect(await asks()).toContain('No open problem');
  await answerTo(ben, '/db alerts off', place);
});

test('“/db alerts test” posts a sample to the channel of the alerts, and nothing while they are off', async () => {
  expect(textOf(await answerTo(ben, '/db alerts test', channel))).toContain('Alerts are off in this channel');
  await answerTo(ben, '/db alerts on failed', channel);
  expect(textOf(await answerTo(ana, '/db alerts test', channel))).toContain('not signed in');
  expect(textOf(await answerTo(ben, '/db alerts test', channel))).toContain('A sample is on its way');
  const sample = plain(earth.text(await isTold('tests the alerts')));
  expect(sample).toContain('failed databases and clones. Nothing is wrong.');
  // It calls the same people: Ana, until somebody chooses others.
  expect(sample).toMatch(new RegExp(`^:test_tube: <@${ana.id}> ben tests`));
});

test('alerts are not turned on in a private channel where Dolly is not', async () => {
  expect(textOf(await answerTo(ana, '/db alerts on', '#dba-private'))).toContain('I am not in that channel');
  expect(textOf(await answerTo(ana, '/db alerts', '#dba-private'))).toContain('Alerts are off');
});

test('an alert for an archived channel goes to whoever turned alerts on, with the reason', async () => {
  await looks();
  earth.playground.slack.archive('#databases');
  database('orders').state = 'FAILED';
  const told = await earth.until(
    () => ben.messages('@dolly').find(message => textOf(message).includes('failed')),
    'the direct message',
    40 * minute,
  );
  expect(textOf(told)).toMatch(/It is for <#\w+>.* This channel is archived/);
});
