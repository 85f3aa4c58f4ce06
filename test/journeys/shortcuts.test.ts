import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Someone } from '../person.ts';
import { loginPath, type World, type WorldOptions, world } from '../world.ts';
import { ends, onDev } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* The shortcuts: global ones, and "Ask Dolly about this" on messages of people and of other apps. */

let earth: World;
let road: Crossing;

async function begins(options: WorldOptions = {}): Promise<void> {
  road = crossing();
  earth = await world({ ...options, service: { middleware: road.middleware } });
}
afterEach(() => earth.close());

const direct = ({ id }: Someone) => `D${id.slice(1)}`;
const requests = () => earth.service.service.requests.length;
/** A message of a monitoring app in #databases. */
const alarm = (message: object) => earth.playground.slack.otherApp('#databases', { text: '', ...message });

/** The modal on top, once it says this. */
async function modalSays(someone: Someone, words: string | RegExp): Promise<string> {
  const says = async () => (someone.hasModal() ? (await someone.modal()).text : '');
  const fits = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  await earth
    .until(async () => fits(await says()), `a modal with "${words}"`, 60_000)
    .catch(async () => {
      throw new Error(`"${words}" is not in the modal, which says:\n${await says()}`);
    });
  return says();
}

async function asksAbout(someone: Someone, { channel, ts }: Pick<Message, 'channel' | 'ts'>, words: string | RegExp) {
  const message = await someone.until(() => someone.messages(channel).find(one => one.ts === ts), 'the message');
  await someone.messageShortcut('ask', message);
  return modalSays(someone, words);
}

describe('a global shortcut', () => {
  test('global shortcuts open the forms of a clone and a restore, and the clone is told by direct message', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.shortcut('restore');
    expect((await ana.modal()).callbackId).toBe('database.restore');
    await ana.cancels();
    await ana.shortcut('clone');
    expect((await ana.modal()).callbackId).toBe('clone.create');
    await ana.fills({ sourceDatabase: 'shop', ...onDev, port: 3401, mountBase: '/mnt/c3401', install: 'MYSQL' });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const card = await earth.until(() => earth.cards(direct(ana)).at(-1), 'the message of the job');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
  });

  test('the status shortcut opens its modal in time, also while the service does not answer', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.shortcut('status');
    // The sandbox begins with an estate in which most is well.
    await modalSays(ana, '9 of 12 databases protected');
    expect((await ana.modal()).title).toBe('Protection status');
    await ana.cancels();
    await earth.clock.advance(20_000);
    const held = road.holds('/database/list', 'before');
    await ana.shortcut('status');
    await modalSays(ana, 'Looking');
    await modalSays(ana, 'has not answered yet');
    held.lets();
    await modalSays(ana, 'databases protected');
  });

  test('a global shortcut offers a sign-in in its modal to a person who has none, and asks nothing of the service', async () => {
    await begins();
    const ben = await earth.enters('Ben');
    const before = requests();
    for (const name of ['clone', 'restore', 'status']) {
      await ben.shortcut(name);
      await modalSays(ben, 'Sign in to the service');
      expect(requests()).toBe(before);
      if (name !== 'status') await ben.cancels();
    }
    const { blocks } = await ben.modal();
    const answer = await fetch(`${earth.dolly().url}${loginPath({ blocks })}`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ben', password: 'ben-password' }),
    });
    expect(answer.status).toBe(200);
    await ben.reads('@dolly', 'You are signed in');
    await ben.cancels();
    await ben.reads('@dolly', 'databases protected');
  });

  test('a shortcut tells a guest in one sentence that Dolly is not for them, and does nothing', async () => {
    await begins();
    const gus = await earth.enters('Gus');
    const message = await earth.playground.slack.otherApp('#dev', { text: 'shop is down' });
    const before = requests();
    await gus.shortcut('clone');
    await modalSays(gus, 'Guests of this workspace cannot use me');
    await gus.cancels();
    await asksAbout(gus, message, 'Guests of this workspace cannot use me');
    expect(requests()).toBe(before);
  });
});

describe('“Ask Dolly about this”', () => {
  const crm = { type: 'section', text: { type: 'mrkdwn', text: 'replica of <https://x.example|crm> is late' } };

  test('“Ask Dolly about this” finds databases in another app’s attachments and blocks, and offers to clone them', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const attachments = [{ fallback: 'Alert', fields: [{ title: 'Host', value: 'mysql_live_server-2' }] }];
    const message = await alarm({ attachments, blocks: [crm] });
    const text = await asksAbout(ana, message, '*2 records* named in this message');
    expect(text).toMatch(/shop[\s\S]*MYSQL_LIVE_SERVER-2[\s\S]*crm/);
    await ana.presses('Clone…');
    await ana.until(() => ana.sees().views.length === 2, 'the form on top');
    await ana.fills({ ...onDev, port: 3401, mountBase: '/mnt/c3401', install: 'MYSQL' });
    // The modal below closes with it: the message of the job stands where the message does.
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const card = await earth.until(() => earth.cards('#databases').at(-1), 'the message of the job');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
  });

  test('“Ask Dolly about this” shows a record’s details with a way back, and starts a backup at once', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const message = await alarm({ text: 'billing and shop' });
    await asksAbout(ana, message, /billing[\s\S]*shop/);
    await ana.presses('Details');
    await modalSays(ana, /\*billing\*[\s\S]*Snapshots/);
    await ana.presses('Back');
    await modalSays(ana, '*2 records* named in this message');
    await ana.presses('Back up');
    await modalSays(ana, 'Got it');
    await earth.until(() => earth.writes().length === 1, 'the backup');
    await ana.cancels();
    await modalSays(ana, '*2 records* named in this message');
  });

  test('jobs that are begun by “Ask Dolly about this” on a message in a thread are told in that thread', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const top = await alarm({ text: 'MYSQL_SNAPSHOT-5 is the last good one' });
    const reply = await alarm({ text: 'shop is down', threadTs: top.ts });
    await asksAbout(ana, reply, '*shop*');
    await ana.presses('Back up');
    await modalSays(ana, 'Got it');
    await ana.cancels(true);
    const card = await earth.until(() => earth.replies(top).find(({ text }) => text.includes('Backup')), 'the card');
    await earth.until(() => earth.text(card).includes('Confirmed'), 'the end');
    await asksAbout(ana, reply, '*shop*');
    await ana.presses('Clone…');
    await ana.until(() => ana.sees().views.length === 2, 'the form on top');
    await ana.fills({ ...onDev, port: 3401, mountBase: '/mnt/c3401', install: 'MYSQL' });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await earth.until(() => earth.replies(top).some(({ text }) => text.includes('shop-3401')), 'the clone');
    expect(earth.cards('#databases')).toHaveLength(0);
    expect(await asksAbout(ana, top, '*One record* named')).toContain('`MYSQL_SNAPSHOT-5` is a snapshot of it.');
  });

  test('“Ask Dolly about this” looks up what a person types where it finds nothing in the message', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const message = await alarm({ text: 'All is well. MYSQL_LIVE_SERVER-999 <!channel>' });
    const text = await asksAbout(ana, message, 'I find no database that this message names');
    expect(text).toContain('I find no record of `MYSQL_LIVE_SERVER-999`');
    await ana.fills({ search: 'ware' });
    await ana.submits();
    await modalSays(ana, /2 records.* for `ware`[\s\S]*warehouse/);
    await ana.fills({ search: '<!channel> `*_~ & </x>' });
    await ana.submits();
    expect(await modalSays(ana, 'I find nothing for')).toContain('&lt;!channel&gt;');
    await earth.clock.advance(20_000);
    const held = road.holds('/database/list', 'before');
    await ana.fills({ search: 'billing' });
    const submitted = ana.submits();
    await held.arrived;
    await earth.clock.advance(2_000);
    await submitted;
    await modalSays(ana, 'Looking');
    held.lets();
    await modalSays(ana, /for `billing`[\s\S]*billing-3330|for `billing`[\s\S]*MARIADB_LIVE_SERVER-1/);
    await ana.fills({ search: '   ' });
    expect((await ana.submits()).errors).toEqual({ search: 'Type a name or an identifier.' });
  });

  test('“Ask Dolly about this” shows a person only what the service shows them', async () => {
    await begins();
    const ben = await earth.enters('Ben', 'ben');
    road.meets('/database/list', async (_request, next) => {
      const all: unknown = await (await next()).json();
      const isHidden = (record: unknown) => JSON.stringify(record).includes('"crm"');
      return Response.json(Array.isArray(all) ? all.filter(record => !isHidden(record)) : all);
    });
    for (const path of ['/database/ORACLE_LIVE_DATABASE-2', '/user/user/USER-1'])
      road.meets(path, () => Response.json({ message: 'not for you' }, { status: 403 }));
    const message = await alarm({ text: 'crm, shop, ORACLE_LIVE_DATABASE-2, USER-1, HOST_ENVIRONMENT-4' });
    const text = await asksAbout(ben, message, 'named in this message');
    expect(text).toContain('shop');
    expect(text).toContain('HOST_ENVIRONMENT-4');
    expect(text).not.toMatch(/\*crm\*|Ana Duarte/);
    expect(text).toMatch(/no record of `ORACLE_LIVE_DATABASE-2`/);
  });

  test('“Ask Dolly about this” opens at once while the service hangs, and fills in when it answers', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const held = road.holds('/database/list', 'before');
    const message = await alarm({ text: 'shop' });
    await asksAbout(ana, message, 'Looking');
    await modalSays(ana, 'has not answered yet');
    held.lets();
    await modalSays(ana, '*One record* named in this message');
  });

  test('“Ask Dolly about this” answers by a message to the person alone where Slack no longer opens its modal', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const message = await alarm({ text: 'shop' });
    earth.playground.slack.faults.add({ method: 'views.open', kind: 'refuse', word: 'expired_trigger_id', times: 2 });
    await ana.messageShortcut('ask', await ana.reads(message.channel, 'shop'));
    const answer = await ana.reads('#databases', 'named in this message');
    expect(answer.onlyFor).toBe(ana.id);
    await ana.presses('Details', { message: answer });
    await ana.reads('#databases', 'Snapshots');
  });

  test('“Ask Dolly about this” offers a sign-in, and works in a thread of a private channel', async () => {
    await begins();
    const dev = await earth.enters('Dev');
    await dev.types('#dba-private', 'crm is late');
    const message = dev.lastMessage('#dba-private');
    await asksAbout(dev, message, 'Sign in to the service');
    await dev.cancels();
    await earth.signsIn(dev, '#dev', 'dev');
    await dev.types('#dba-private', 'and shop', message);
    const [reply] = dev.thread(message);
    await asksAbout(dev, reply ?? message, /\*shop\*/);
    await dev.presses('Back up');
    await modalSays(dev, 'Got it');
    await earth.until(() => earth.writes().length === 1, 'the backup');
  });

  test('“Ask Dolly about this” reads 40,000 hostile characters, mentions nobody, and shows no more than fits', async () => {
    await begins();
    const evil = '<!channel> *bold* `code` <@U0ANA00001> &lt; \u202e :tada:';
    road.meets('/database/list', async (_request, next) => {
      const there: unknown = await (await next()).json();
      const more = Array.from({ length: 60 }, (_, at) => ({
        id: `MYSQL_LIVE_SERVER-${900 + at}`,
        name: `${evil} ${at}`,
      }));
      return Response.json(Array.isArray(there) ? [...there, ...more] : there);
    });
    const ana = await earth.enters('Ana', 'ana');
    const names = Array.from(
      { length: 60 },
      (_, at) => `${evil.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')} ${at}`,
    );
    const ids = Array.from({ length: 300 }, (_, at) => `MYSQL_LIVE_SERVER-${5_000 + at}`);
    const text = `${names.join(', ')} ${ids.join(' ')} ${'shop '.repeat(8_000)}`.slice(0, 40_000);
    const read = await asksAbout(ana, await alarm({ text }), /records\* named in this message/);
    expect(read).toMatch(/… and \d+ more/);
    expect(read).not.toContain('<!channel>');
    expect((await ana.modal()).blocks.length).toBeLessThan(40);
  });
});
