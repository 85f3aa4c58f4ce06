import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { loginPath, type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks, clicksWith } from './approvals.ts';
import { comesToAnEnd } from './asking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Two and three people: what waits for approval, who may decide, and what everybody sees of it. */

let earth: World;
let road: Crossing;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  road = crossing();
  const monthLong = 30 * 24 * 3_600_000;
  earth = await world({
    service: { middleware: road.middleware, tokenLifetime: monthLong },
    environment: approvalKeys,
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

/** Lets quarters of an hour go by. */
async function passes(quarters: number): Promise<void> {
  for (let quarter = 0; quarter < quarters; quarter++) await earth.clock.leap(900_000);
}

const nothingSent = (from: number) => expect(earth.writes().slice(from)).toEqual([]);

describe('a deletion', () => {
  test('a deletion waits in the channel for approvals, with all its facts, and runs as the person who asked', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    nothingSent(before);
    const seen = earth.text(card);
    const facts = [
      'archive_2023',
      'MARIADB_LIVE_SERVER-5',
      'not needed any more',
      'depends on it',
      'DISABLED',
      'Digest',
    ];
    for (const fact of [...facts, 'Asked by *ana*', '<!subteam^S0DBAS0001>', 'Runs as `ana`'])
      expect(seen).toContain(fact);
    expect(earth.text(own)).toContain('I asked for approval in <#C0APPROVAL>');
    expect(earth.text(own)).not.toContain('Approve\n');
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    expect(await comesToAnEnd(earth, own)).toContain('· Confirmed');
    await earth.until(
      () => /Approved by <@U0DEV00001> as `dev`[\s\S]*Confirmed/.test(earth.text(card)),
      'the card to say so',
    );
    expect(earth.writes().slice(before)).toHaveLength(1);
    const [reply] = earth.replies(own);
    expect(JSON.stringify(reply)).toContain(`<@${ana.id}>`);
    expect(JSON.stringify(reply)).toContain('Approved by');
  });

  test('a deletion can be approved neither by the person who asked nor by somebody who is no approver', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ana, '/db project delete finance', 'finance');
    expect(await clicks(ana, card, 'Approve')).toContain('another person has to approve it');
    expect(await clicks(ben, card, 'Approve')).toContain('You are not among those who may decide');
    expect(await clicksWith(ben, card, 'Deny', 'No!')).toContain('You are not among those who may decide');
    expect(earth.text(card)).toContain('Waits for approval');
    nothingSent(before);
    expect(await clicks(ben, card, 'Withdraw')).toContain('Only the person who asked');
    expect(await clicks(ana, own, 'Withdraw')).toContain('Withdrawn. Nothing was sent.');
    await earth.until(() => earth.text(card).includes('· Withdrawn'), 'the card to say so');
    expect(earth.text(card)).not.toContain('Approve');
    nothingSent(before);
  });

  test('a deletion is denied with a reason, which the person who asked is told with a mention', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ben, '/db user delete frank', 'frank');
    expect(await clicksWith(dev, card, 'Deny', 'He comes back on Monday.')).toContain('You denied it');
    await earth.until(() => earth.replies(own).length === 1, 'the reply');
    const reply = JSON.stringify(earth.replies(own));
    for (const word of [`<@${ben.id}>`, 'He comes back on Monday.', 'Denied by *dev*']) expect(reply).toContain(word);
    await earth.until(() => earth.text(card).includes('· Denied'), 'the card to say so');
    nothingSent(before);
  });

  test('a deletion that two approvers approve at once is approved once and sent once', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ben, '/db delete orders-3320', 'orders-3320');
    const answers = await Promise.all([clicks(dev, card, 'Approve'), clicks(ana, card, 'Approve')]);
    expect(answers.filter(answer => answer.includes('You approved it'))).toHaveLength(1);
    expect(answers.filter(answer => answer.includes('too late'))).toHaveLength(1);
    await comesToAnEnd(earth, own);
    const late = await earth.replays('block_actions');
    expect(late.status).toBe(200);
    expect(earth.writes().slice(before)).toHaveLength(1);
  });

  test('a deletion that nobody decides on expires, after reminders that come later and later', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ana, '/db env delete retired', 'retired');
    const reminders = () => earth.replies(card).filter(reply => JSON.stringify(reply).includes('still waits'));
    for (const [count, quarters] of [
      [1, 3],
      [2, 9],
      [3, 33],
    ] as const) {
      await passes(quarters);
      await earth.until(() => reminders().length === count, `reminder ${count}`, 60_000);
    }
    expect(JSON.stringify(reminders())).toContain('<!subteam^S0DBAS0001>');
    await passes(55);
    await earth.until(() => earth.text(own).includes('· Expired'), 'the end', 60_000);
    expect(reminders()).toHaveLength(3);
    nothingSent(before);
    const cards = earth.cards(approvalChannel).length;
    expect(await clicks(ana, own, 'Ask again')).toContain('I’ll ask again');
    const again = await earth.until(() => earth.cards(approvalChannel)[cards], 'the new card');
    expect(await clicks(ana, own, 'Ask again')).toContain('You have already asked again');
    await earth.until(() => earth.text(again).includes('Waits for approval'), 'the buttons');
    expect(await clicks(dev, again, 'Approve')).toContain('You approved it');
    await earth.until(() => earth.writes().length > before, 'the call');
    expect(earth.writes().slice(before)).toHaveLength(1);
  });

  test('an approved deletion whose target has changed is void, shows the difference, and is asked anew by one click', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ana, '/db delete orders-3321', 'orders-3321');
    earth.service.service.rename('MYSQL_CLONE_SERVER-2', 'orders-production');
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await earth.until(() => earth.text(own).includes('· Approval void'), 'the end of the approval');
    const difference = 'Name was orders-3321, and is orders-production.';
    for (const message of [own, card])
      await earth.until(() => earth.text(message).includes(difference), 'the difference');
    nothingSent(before);
    const cards = earth.cards(approvalChannel).length;
    await clicks(ana, card, 'Ask again');
    const again = await earth.until(() => earth.cards(approvalChannel)[cards], 'the new card');
    await earth.until(() => /orders-production[\s\S]*Waits/.test(earth.text(again)), 'the new name');
    await clicks(dev, again, 'Approve');
    await earth.until(() => earth.writes().length > before, 'the call');
    expect(earth.writes().slice(before)).toHaveLength(1);
  });

  test('an approver of a deletion must be signed in, as another user than the requester, and able to read the target', async () => {
    const before = earth.writes().length;
    const { card } = await asksToDelete(earth, ana, '/db delete billing-3330', 'billing-3330');
    await dev.types(approvalChannel, '/db logout');
    expect(await clicks(dev, card, 'Approve')).toContain('You are not signed in');
    await earth.signsIn(dev, approvalChannel, 'ana');
    expect(await clicks(dev, card, 'Approve')).toContain('and so is the person who asked');
    await earth.signsIn(dev, approvalChannel, 'dev');
    const hidden = ['/database/MARIADB_CLONE_SERVER-1', '/database/list'].map(path =>
      road.meets(path, () => Response.json({ message: 'not yours' }, { status: 403 })),
    );
    expect(await clicks(dev, card, 'Approve')).toContain('The service does not show you MARIADB_CLONE_SERVER-1');
    for (const meeting of hidden) meeting.leave();
    nothingSent(before);
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await earth.until(() => earth.writes().length > before, 'the call');
  });

  test('an approver who had to sign in first is then shown just the deletion on which they had clicked', async () => {
    const other = await asksToDelete(earth, ben, '/db project delete finance', 'finance');
    const { card } = await asksToDelete(earth, ana, '/db delete CRMTEST', 'CRMTEST');
    await dev.types(approvalChannel, '/db logout');
    const offer = await clicks(dev, card, 'Approve');
    const body = new URLSearchParams({ username: 'dev', password: 'dev-password' });
    await fetch(`${earth.dolly().url}${loginPath({ blocks: JSON.parse(offer) })}`, { method: 'POST', body });
    const news = await dev.reads(approvalChannel, 'You are signed in');
    expect(textOf(news)).not.toMatch(/[0-9a-f]{8}-|Go on/);
    const list = await dev.reads(approvalChannel, 'What waits for your approval');
    expect(list.text).toContain('CRMTEST');
    expect(list.text).not.toContain('finance');
    await dev.presses('Approve', { message: list });
    await earth.until(() => earth.text(card).includes('Approved by'), 'the approval');
    await clicksWith(dev, other.card, 'Deny', 'It is in use.');
  });

  test('“/db approvals” lists a deletion with its buttons for an approver, and nothing for anybody else', async () => {
    const { own } = await asksToDelete(earth, ben, '/db project delete logistics', 'logistics');
    await dev.types('#dev', '/db approvals');
    const list = await dev.reads('#dev', 'waits for your approval');
    expect(JSON.stringify(list.blocks)).toContain('logistics');
    await ben.types('#dev', '/db approvals');
    await ben.reads('#dev', 'Nothing waits for your approval');
    await dev.presses('Approve', { message: list });
    await earth.until(() => earth.text(own).includes('Approved by'), 'the approval');
  });
});
