import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { opensForm } from './clones.ts';
import { said, tells } from './talking.ts';

/* Words that match nothing, or that nobody understands: what is said of them, and what is offered instead. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

/** The answer to a line, as text and as the words of its buttons. */
async function asked(line: string) {
  const { blocks, text } = await answerTo(ana, line, '#dev');
  const shown = JSON.stringify(blocks);
  const buttons = [...shown.matchAll(/\{"type":"plain_text","text":"([^"]*)"/g)];
  return { text: `${text}\n${shown}`, offers: buttons.map(([, label = '']) => label) };
}

describe('words that match nothing are told, with what may have been meant:', () => {
  test.each([
    ['/db status helpdeks', 'helpdesk'],
    ['/db status mysql-prod helpdeks', 'mysql-prod helpdesk'],
    ['/db list helpdeks', 'helpdesk'],
    ['/db env list mysql-prdo', 'mysql-prod'],
    ['/db leases orders-3302', 'orders-3320'],
    ['/db report daily at=08:30 helpdeks', 'helpdesk'],
    ['/db schedule backup helpdeks every=day at=02:00', 'helpdesk'],
    ['/db alerts on faild', 'failed'],
  ])('words that match nothing (%s) are answered with what may have been meant', async (line, meant) => {
    const answer = await asked(line);
    expect(answer.text).toContain('Did you mean');
    expect(`${answer.text} ${answer.offers.join()}`).toContain(meant);
    expect(answer.text).not.toContain('large_green_circle');
  });

  test('a click on what may have been meant does it', async () => {
    const message = await answerTo(ana, '/db status helpdeks', '#dev');
    const before = ana.messages('#dev').length;
    await ana.presses('helpdesk', { message });
    const answer = await ana.until(() => ana.messages('#dev')[before], 'the status');
    expect(textOf(answer)).toContain('database');
    expect(textOf(answer)).not.toContain('Nothing matches');
  });

  test('a report whose words match nothing any more says so, and no new one can be made with them', async () => {
    const at = new Date(earth.clock.now() + minutesToMilliseconds(5)).toISOString().slice(11, 16);
    await ana.types('#databases', `/db report daily at=${at} zone=UTC only=wrong archive_2023`);
    await ana.reads('#databases', 'This channel gets');
    const { service } = earth.service;
    for (const { id, name } of service.estate.databases.values()) if (name === 'archive_2023') service.remove(id);
    await earth.clock.advance(minutesToMilliseconds(6));
    const told = await earth.until(
      () => earth.cards('#databases').find(card => textOf(card).includes('Nothing matches')),
      'the report',
    );
    expect(textOf(told)).toContain('archive_2023');
    const anew = await answerTo(ana, '/db report daily at=09:00 archive_2023', '#databases');
    expect(textOf(anew)).toContain('I subscribed nothing');
    expect(textOf(await answerTo(ana, '/db report', '#databases'))).toContain('only when something is wrong');
  });
});

describe('an offer is a command that is understood, and changes nothing where the words asked for no change:', () => {
  test.each([
    ['/db please backup orders', ['/db backup orders']],
    ['/db can you please show me the orders', ['/db show orders']],
    ['/db orders backup', ['/db backup orders']],
    ['/db bakcup orders', ['/db backup orders']],
    ['/db why please backup orders', ['/db why backup orders']],
    ['/db schedule please backup orders', ['/db schedule backup orders']],
    ['/db please do not delete orders', ['/db show orders']],
    ['/db how do I restore orders', ['/db show orders']],
    ['/db info shop', ['/db show shop']],
    ['/db whoamy now', ['/db who', '/db whoami']],
    ['/db alert shop', ['/db alerts']],
    ['/db alert test', ['/db alerts test']],
    ['/db bakcup orders port=3310', ['/db backup orders']],
  ])('“%s” is answered with buttons of commands that Dolly understands', async (line, offers) => {
    const answer = await asked(line);
    expect(answer.offers.slice(0, offers.length), answer.text).toEqual(offers);
  });

  test.each([
    ...['/db history shop', '/db restful shop', '/db cone', '/db what is shop', '/db reports', '/db stat shop'],
    ...['/db dont delete orders', '/db don’t delete orders', '/db never backup orders', '/db cancel backup orders'],
    ...[
      '/db undo delete orders',
      '/db should I delete orders',
      '/db who did delete orders',
      '/db bitte nicht delete orders',
    ],
  ])('the answer to “%s” offers no command that changes a database or signs the person out', async line => {
    const { offers } = await asked(line);
    const changes = /^\/db (restore|delete|stop|start|reset|disable|enable|convert|teardown|refresh|logout|backup)\b/;
    expect(offers.filter(offer => changes.test(offer))).toEqual([]);
  });

  test.each(['hi', 'Hello!', 'hey there'])(
    'a greeting (%s) is answered with the first three things to do',
    async word => {
      const { offers, text } = await asked(`/db ${word}`);
      expect(text).toContain('first three things');
      expect(offers).toHaveLength(4);
      expect(offers.at(-1)).toBe('Help');
    },
  );
});

describe('in messages and forms,', () => {
  test('an edited direct message is offered as a command once, by a button', async () => {
    const channel = 'D0ANA00001';
    const before = said(earth, channel).length;
    const message = { type: 'message', user: ana.id, ts: '1795000000.000100', text: 'list orders' };
    const changed = { ...message, text: 'list helpdesk', edited: { user: ana.id, ts: '1795000009.000000' } };
    const news = {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      channel,
      channel_type: 'im',
      ts: '1795000009.000100',
    };
    expect(
      await tells(earth, { ...news, message: changed, previous_message: message }, { event_id: 'Ev0DIRECT1' }),
    ).toBe(200);
    const offer = await earth.until(() => said(earth, channel)[before], 'the offer');
    expect(textOf(offer)).toContain('You edited this message');
    expect(JSON.stringify(offer.blocks)).toContain('list helpdesk');
    // A preview of a link changes a message, too, and leaves its text.
    await tells(earth, { ...news, message: changed, previous_message: changed }, { event_id: 'Ev0DIRECT2' });
    await earth.clock.advance(5_000);
    expect(said(earth, channel)).toHaveLength(before + 1);
  });

  test('“@dolly doctor” leaves no “Looking …” in the channel', async () => {
    const before = ana.messages('#databases').length;
    await ana.types('#databases', '@dolly doctor');
    await ana.until(
      () =>
        ana
          .messages('#databases')
          .slice(before)
          .find(one => JSON.stringify(one.blocks).includes('The set-up')),
      'the answer',
    );
    const shown = ana
      .messages('#databases')
      .slice(before)
      .map(one => JSON.stringify(one.blocks) + one.text)
      .join('\n');
    expect(shown).not.toContain('Looking');
    expect(shown).toContain('checks are fine');
  });

  test('“/db doctor” leaves a message that says it was the check whether Dolly can write there', async () => {
    const said = (from: number) => ana.messages('#databases').slice(from).map(textOf).join('\n');
    const before = ana.messages('#databases').length;
    await ana.types('#databases', '/db doctor');
    await ana.until(() => said(before).includes('The set-up'), 'the findings');
    expect(said(before)).toContain('this message was the check');
    expect(said(before)).not.toContain('Looking');
  });

  test('“More options” keeps the notes above a form', async () => {
    await opensForm(ana, '#dev', '/clone orders nosuchfield=1');
    expect((await ana.modal()).text).toContain('There is no field');
    await ana.presses('More options');
    await ana.until(async () => !(await ana.modal()).text.includes('More options'), 'all fields');
    expect((await ana.modal()).text).toContain('There is no field');
    await ana.cancels(true);
  });
});
