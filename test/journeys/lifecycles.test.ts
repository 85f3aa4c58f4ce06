import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { asks, confirms } from './asking.ts';
import { quickClone } from './clones.ts';

/* Lifecycles: several requests that are asked for at once, as people ask for them. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  const monthLong = 30 * 24 * 3_600_000;
  earth = await world({ service: { tokenLifetime: monthLong } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

/** The writes that the service received since, each in a few words. */
const writesSince = (from: number) =>
  earth
    .writes()
    .slice(from)
    .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? '')}`);

/** What Ana's open page says. */
const shown = () => JSON.stringify(ana.sees().views.at(-1) ?? '');

/** Waits until a job has ended, with a reply in its thread, and gives what its message says. */
async function isOver(card: StoredMessage, word: RegExp): Promise<string> {
  await earth.until(() => word.test(earth.text(card)), `${word}; the message says: ${earth.text(card)}`);
  await earth.until(() => earth.replies(card).length > 0, 'a reply in the thread');
  return earth.text(card);
}

/** Has the other DBA approve what a card asks for. */
async function approvesIt(card: StoredMessage): Promise<void> {
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
}

/** Makes a clone of a clone, on `test`. */
async function shares(clone: string, port: number): Promise<StoredMessage> {
  const place = 'environment=HOST_ENVIRONMENT-5 install=MYSQL_INSTALL-3 environmentUser=ENVIRONMENT_USER-12';
  const card = await asks(earth, ben, `/db share ${clone} port=${port} mountBase=/mnt/c${port} ${place}`, {
    fields: {},
  });
  await isOver(card, /is ready|Confirmed/);
  return card;
}

describe('a teardown', () => {
  test('a teardown of three levels is offered by the deletion page, drawn as a tree, and approved as a whole', async () => {
    await isOver(await quickClone(earth, ana, 3401), /is ready/);
    await shares('shop-3401', 3402);
    const before = earth.writes().length;
    await ana.types('#databases', '/db delete shop');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('Delete all 3, in order'), 'the offer');
    await ana.presses('Delete all 3, in order…');
    await ana.until(() => /├─|└─/.test(JSON.stringify(ana.sees().views.at(-1))), 'the tree');
    const page = await ana.modal();
    expect(page.text).toContain('shop-3401');
    expect(page.text).toContain(`owned by <@${ben.id}>`);
    expect(page.text).toContain('shop-3322');
    const cards = earth.cards('#databases').length;
    await confirms(ana, 'shop');
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan');
    const toBen = () => ben.messages('@dolly').filter(({ text }) => /You hold|you held/.test(text));
    await earth.until(() => toBen().length === 1, 'word to whoever holds one of them');
    expect(toBen()[0]?.text).toMatch(/You hold \*[^,*]*3402[^,*]*\*\./);
    expect(earth.text(card)).toContain(', of ben');
    await approvesIt(card);
    await isOver(card, /is torn down/);
    await earth.until(() => toBen().length === 2, 'the end to whoever held it');
    expect(toBen()[1]?.text).toMatch(/3402[^,*]*\*, which you held, is deleted/);
    expect(writesSince(before)).toHaveLength(3);
    expect(earth.replies(card)).toHaveLength(1);
  });

  test('a deletion that its target’s dependents would make fail has no submit button, but one for the teardown', async () => {
    await ana.types('#databases', '/db delete warehouse');
    await ana.until(() => shown().includes('Delete both, in order…'), 'the last page');
    expect(shown()).toMatch(/The service will refuse this: .*WHDEV/);
    expect(shown()).not.toContain('"submit":{');
    await ana.presses('Delete both, in order…');
    await ana.until(() => shown().includes('*2 deletions*'), 'the tree');
    expect(shown()).toMatch(/└─ \*WHDEV\*/);
    expect((await ana.modal()).title).toContain('warehouse');
    await ana.cancels();
  });

  test('a teardown can leave out a branch, and deletes nothing where somebody adds a clone before the approval', async () => {
    await ana.types('#databases', '/db teardown orders');
    await ana.until(() => shown().includes('orders-3321'), 'the tree');
    await ana.fills({ leaveOut: ['orders-3320'] });
    await ana.until(() => shown().includes('2 of 3 stay'), 'the tree without the branch');
    expect(shown()).toContain('*1 deletion*: orders-3321 (');
    await ana.fills({ leaveOut: null });
    await ana.until(() => shown().includes('*3 deletions*'), 'the whole tree');
    const before = earth.writes().length;
    const cards = earth.cards('#databases').length;
    await confirms(ana, 'orders');
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan');
    await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
    expect(await clicks(ana, card, 'Approve…')).toMatch(/your own|you asked/i);
    const made = await quickClone(earth, ben, 3410, '/mnt/c3410', '#databases', 'orders');
    await isOver(made, /is ready/);
    await approvesIt(card);
    const text = await isOver(card, /Approval void/);
    expect(text).toContain('It would now have to include: Deletion of orders-3410.');
    expect(writesSince(before).filter(line => line.startsWith('DELETE'))).toEqual([]);
    const message = await ana.until(
      () => ana.messages(card.channel).find(({ ts }) => ts === card.ts),
      'the message of the plan',
    );
    await ana.presses('Change and ask again', { message });
    await ana.until(() => shown().includes('*4 deletions*'), 'the tree of now');
    expect(shown()).toMatch(/└─ \*orders-3410\*/);
    await ana.cancels();
  });

  test('a teardown that fails because another one deletes the same clone can go on after that', async () => {
    const before = earth.writes().length;
    const whole = await asks(earth, ana, '/db teardown billing', { name: 'billing' });
    const branch = await asks(earth, ben, '/db teardown billing-3330', { name: 'billing-3330' });
    await earth.until(() => earth.text(branch).includes('Approve…'), 'the buttons');
    await approvesIt(whole);
    expect(await clicks(dev, branch, 'Approve…')).toContain('You approved it');
    await isOver(whole, /is torn down/);
    // The service refused it while the other one deleted the clone: gone is gone, once its person lets it go on.
    expect(await isOver(branch, /Failed/)).toContain('is DELETING');
    const message = await ben.until(() => ben.messages('#databases').find(({ ts }) => ts === branch.ts), 'the message');
    await ben.presses('Go on from here', { message });
    await earth.until(() => earth.text(branch).includes('is torn down'), 'the end of the branch');
    expect(writesSince(before).filter(line => line.includes('DELETE'))).toHaveLength(3);
  });

  test('a teardown of an environment deletes what is on it, then disables it and deletes it', async () => {
    const before = earth.writes().length;
    const card = await asks(earth, ana, '/db env teardown test', { name: 'test' });
    await approvesIt(card);
    await isOver(card, /is torn down/);
    const writes = writesSince(before);
    expect(writes.filter(line => line.startsWith('DELETE /service/database'))).toHaveLength(4);
    expect(writes.slice(-2).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'PUT /service/environment/disable',
      expect.stringMatching(/^DELETE \/service\/environment\/delete/),
    ]);
  });

  test('a teardown of a disabled environment enables it first', async () => {
    const before = earth.writes().length;
    const card = await asks(earth, ana, '/db env teardown perf-lab', { name: 'perf-lab' });
    await approvesIt(card);
    await isOver(card, /is torn down/);
    expect(writesSince(before).map(line => line.split(/[ ?]/).slice(0, 2).join(' '))).toEqual([
      'PUT /service/environment/enable',
      'DELETE /service/database/delete',
      'DELETE /service/environment/delete',
    ]);
  });
});
