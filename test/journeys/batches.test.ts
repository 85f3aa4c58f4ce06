import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { counting } from './counting.ts';

/* Several at once: what people type and press, the page that shows all of them, and the one message. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
const isOpen = (words: string) =>
  ana.until(() => page().includes('"submit":{') && page().includes(words), `a page with ${words}`);
/** Types a command, and waits for its page. */
async function opens(line: string, words: string): Promise<void> {
  await ana.types('#databases', line);
  await isOpen(words);
}
/** The databases for which backups were sent since there were so many writes. */
const backedUp = (since: number) =>
  earth
    .writes()
    .slice(since)
    .map(({ body }) => JSON.stringify(body));
const idOf = (name: string) =>
  [...earth.service.service.estate.databases.values()].find(one => one.name === name)?.id ?? '';

describe('a backup of several databases', () => {
  test.each([
    ['words', '/db backup shop billing crm', ['shop', 'billing', 'crm']],
    ['names between commas', '/db backup inventory, helpdesk', ['inventory', 'helpdesk']],
  ])(
    'a batch of backups asked for by %s is shown first, and told in one message that is green only at the end',
    async (_, line, names) => {
      const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
      await opens(line, names[0] ?? '');
      for (const name of names) expect(page()).toContain(`"${name}"`);
      expect(backedUp(writes)).toEqual([]);
      expect(await ana.submits()).toMatchObject({ open: false, error: '' });
      const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
      expect(earth.text(card)).toContain(`Backing up ${names.length} databases`);
      expect(earth.text(card)).not.toContain(':white_check_mark: *');
      await earth.until(() => earth.text(card).includes('all confirmed'), 'the end');
      expect(earth.text(card)).toContain(`${names.length} databases are backed up`);
      await earth.until(() => earth.replies(card).length === 1, 'the reply');
      expect(earth.cards('#databases')).toHaveLength(cards + 1);
      const sent = backedUp(writes);
      expect(sent).toHaveLength(names.length);
      for (const name of names) expect(sent.filter(body => body.includes(`"${idOf(name)}"`))).toHaveLength(1);
    },
  );

  test('a batch sends nothing where a word does not name exactly one record, and names that word', async () => {
    const writes = earth.writes().length;
    const told = textOf(await answerTo(ana, '/db backup shop shpo crm'));
    expect(told).toContain('`shpo` does not name one record');
    expect(told).toContain('Did you mean `shop`?');
    expect(told).toContain('Nothing was sent');
    expect(textOf(await answerTo(ana, '/db stop orders-3320, orders'))).toContain('orders');
    expect(backedUp(writes)).toEqual([]);
  });

  test('“/db backup shop crm” backs up the one database “shop crm” where there is one', async () => {
    const { estate } = earth.service.service;
    const like = estate.databases.get(idOf('shop'));
    if (!like) throw new Error('the service has no shop');
    const id = nextIdentifier(estate, 'MYSQL_LIVE_SERVER');
    estate.databases.set(id, { ...like, id, name: 'shop crm', snapshots: [], facts: {} });
    // What was read a moment ago is remembered.
    await earth.clock.advance(30_000);
    const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
    await ana.types('#databases', '/db backup shop crm');
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    expect(earth.text(card)).toContain('shop crm');
    expect(backedUp(writes)).toEqual([expect.stringContaining(id)]);
    estate.databases.delete(id);
  });

  test('a batch leaves out what was unticked, and a single database left is an ordinary job', async () => {
    const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
    await opens('/db backup shop billing', 'billing');
    await ana.fills({ 'targets-0': ['billing'] });
    await ana.submits();
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    expect(earth.text(card)).toContain('Backing up billing');
    expect(backedUp(writes)).toHaveLength(1);
  });

  test('a batch never deletes or disables live databases, and people who are not signed in get no batch page', async () => {
    await ana.types('#databases', '/db delete shop billing');
    await ana.until(() => page().includes('Nothing is called'), 'the form');
    await ana.cancels();
    await opens('/db several', 'Back up');
    expect(page()).not.toMatch(/Delete|Disable/);
    await ana.cancels();
    const ben = await earth.enters('Ben');
    expect(textOf(await answerTo(ben, '/db several'))).toContain('Sign in');
  });
});

describe('of a batch of which one fails', () => {
  test('a batch says which one failed and why, and its requester alone can ask for that one again, once', async () => {
    const ben = await earth.enters('Ben', 'ben');
    const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
    await opens('/db backup failing_feed shop', 'failing_feed');
    await ana.submits();
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    await earth.until(() => earth.text(card).includes('Retry failed: 1'), 'the end');
    expect(earth.text(card)).toContain(':warning: *Backup of 2 databases* · 1 of 2 confirmed');
    expect(earth.text(card)).toContain(':x: *failing_feed* · failed:');
    expect(earth.text(card)).not.toContain(':white_check_mark: *Backup');
    await ben.presses('Retry failed', { message: card });
    expect((await ben.reads('#databases', 'Only')).text).toContain(`<@${ana.id}>`);
    await ana.presses('Retry failed', { message: card });
    await ana.reads('#databases', 'I’ll ask again for 1 database.');
    const again = await earth.until(() => earth.cards('#databases')[cards + 1], 'the next message');
    await earth.until(() => earth.text(again).includes('Retry failed: 1'), 'its end');
    await ana.presses('Retry failed', { message: card });
    await ana.reads('#databases', 'You have already asked for that again.');
    expect(backedUp(writes)).toHaveLength(3);
  });

  test('a batch page forged with another operation or another kind of record asks for nothing', async () => {
    await opens('/db backup shop billing', 'billing');
    const before = earth.cards('#databases').length;
    await ana.submits();
    const card = await earth.until(() => earth.cards('#databases')[before], 'the message');
    await earth.until(() => !/Backing up/.test(earth.text(card)), 'the end');
    const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
    const forged = async (from: string, to: string) =>
      (await earth.replays('view_submission batch', payload => payload.replaceAll(from, to))).text();
    expect(await forged('database.backup', 'database.delete')).toContain('This cannot be done to');
    expect(await forged('database.backup', 'database.disable')).toContain('in another version of Dolly');
    expect(await forged(idOf('shop'), 'HOST_ENVIRONMENT-1')).toContain('This cannot be done to');
    // The same page once more is the same batch.
    expect(await forged(idOf('billing'), idOf('orders'))).toContain('You already sent this form');
    await earth.replays('view_submission batch');
    expect([earth.cards('#databases').length, earth.writes().length]).toEqual([cards, writes]);
  });
});

describe('several of a list', () => {
  test('several databases of a list are ticked, and one operation is done to all of them', async () => {
    const list = await answerTo(ana, '/db list mysql-prod');
    const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
    const hand = counting(ana);
    await ana.presses('Tick several', { message: list });
    await isOpen('Back up logs');
    for (const name of ['shop', 'orders']) expect(page()).toContain(`"${name}"`);
    expect(page()).not.toContain('"initial_options"');
    await ana.fills({ operation: 'Refresh', 'targets-0': ['shop', 'orders'] });
    await hand.submits();
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    await earth.until(() => earth.text(card).includes('all confirmed'), 'the end');
    expect(earth.text(card)).toContain('2 databases');
    expect(backedUp(writes).toSorted()).toEqual([idOf('orders'), idOf('shop')].map(id => JSON.stringify(id)));
  });

  test('a batch names the databases to which its operation cannot be done, and sends nothing', async () => {
    const writes = earth.writes().length;
    await opens('/db several orders', 'Back up logs');
    await ana.fills({ operation: 'Stop', 'targets-0': ['orders', 'orders-3320'] });
    const { errors } = await ana.submits();
    expect(errors).toEqual({ operation: expect.stringContaining('This cannot be done to orders: untick it') });
    await ana.cancels();
    expect(textOf(await answerTo(ana, '/db several nosuchthing'))).toContain('match these words');
    expect(backedUp(writes)).toEqual([]);
  });
});

test('a batch of all late backups costs two clicks and no typing', async () => {
  const { estate } = earth.service.service;
  for (const one of estate.databases.values())
    for (const snapshot of one.snapshots) snapshot.createdAt = earth.clock.now() - 2 * day;
  // What was read a moment ago is remembered.
  await earth.clock.advance(30_000);
  const status = await answerTo(ana, '/db status');
  const many = Number(/Back up all (\d+)/.exec(textOf(status))?.[1]);
  expect(many).toBeGreaterThan(5);
  const why = textOf(await answerTo(ana, '/db why backup late'));
  expect(why).toMatch(new RegExp(`It would be sent\\.\\*.*\\n\\*${many}\\*: `));
  expect(why).toContain('Late, but disabled: loadtest');
  const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
  const hand = counting(ana);
  await hand.presses('Back up all');
  await isOpen('Late, but disabled');
  const shown = page();
  await hand.submits();
  expect(hand.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
  const docs = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  expect(docs).toContain('| all late backups: *Back up all…* under the status | 2 | 0 |');
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
  await earth.until(() => /of \d+ confirmed/.test(earth.text(card)), 'the batch');
  expect(earth.text(card)).toContain(`${many} databases`);
  // What is disabled is named, and not asked for.
  expect(shown).toContain('loadtest');
  await earth.until(() => backedUp(writes).length === many, 'all of them');
  expect(backedUp(writes).some(body => body.includes(`"${idOf('loadtest')}"`))).toBe(false);
  expect(estate.databases.size).toBeGreaterThan(many);
});
