import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks, clicksWith } from './approvals.ts';
import { asks, comesToAnEnd, readsShutPage } from './asking.ts';
import { opensForm } from './clones.ts';

/* What a policy file asks for: more approvers, none, no way at all, restores too, and doing without in an emergency. */

const policy = `
approvers: [S0DBAS0001, U0CHI00001]
reminders: [1h]
rules:
  - title: production stays
    operation: "*.delete"
    environment: "*-prod"
    decision: forbid
  - title: nobody deletes users here
    operation: user.delete
    decision: forbid
  - title: testers may clean up
    operation: database.delete
    name: "billing-*"
    requester: U0CHI00001
    decision: allow
  - title: shared clones need two
    operation: database.delete
    name: "orders-*"
    decision: approve
    approvals: 2
  - title: restores are seen by a DBA
    operation: database.restore
    decision: approve
    approvers: S0DBAS0001
    lifetime: 1h
  - title: backups of finance
    operation: database.backup
    project: finance
    decision: approve
breakGlass:
  people: U0DEV00001
`;

const folder = mkdtempSync(join(tmpdir(), 'dolly-policy-'));
let earth: World;
let ana: Someone;
let ben: Someone;
let chi: Someone;
let dev: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  earth = await world({ environment: { ...approvalKeys, POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  chi = await earth.enters('Chi', 'chi');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true });
});

/** The sentence by which something ends that asks nobody. */
async function endsAtOnce(someone: Someone, line: string, name: string): Promise<string> {
  const card = await asks(earth, someone, line, { name });
  return comesToAnEnd(earth, card);
}

describe('a policy', () => {
  test('the policy forbids a deletion even to an approver, and says by which rule', async () => {
    const before = earth.writes().length;
    const says = await readsShutPage(dev, '/db delete inventory', /This will not be sent/);
    expect(says).toContain('The policy forbids this here: production stays.');
    expect(earth.cards(approvalChannel)).toEqual([]);
    expect(earth.writes().slice(before)).toEqual([]);
  });

  test('an operation that the policy forbids altogether is refused before a form opens', async () => {
    await dev.types('#dev', '/db user delete frank');
    await dev.reads('#dev', 'The policy forbids this here: nobody deletes users here.');
    expect(dev.hasModal()).toBe(false);
  });

  test('a person whom a rule of the policy allows it deletes a clone without approval', async () => {
    const before = earth.writes().length;
    expect(await endsAtOnce(chi, '/db delete billing-3330', 'billing-3330')).toMatch(/· (Confirmed|Failed)/);
    expect(earth.writes().slice(before)).toHaveLength(1);
    expect(earth.cards(approvalChannel)).toEqual([]);
  });

  test('the policy can ask for two approvals, which two different people must give', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, ben, '/db delete orders-3320', 'orders-3320');
    expect(earth.text(card)).toContain('2 approvals are needed: shared clones need two');
    expect(await clicks(dev, card, 'Approve')).toContain('It still needs one more approval, from another person');
    await earth.until(() => earth.text(card).includes('(1 so far)'), 'the count');
    expect(await clicks(dev, card, 'Approve')).toContain('You have already approved this');
    expect(earth.writes().slice(before)).toEqual([]);
    expect(await clicks(ana, card, 'Approve')).toContain('You approved it');
    expect(await comesToAnEnd(earth, own)).toContain('· Confirmed');
    const both = /Approved by <@U0DEV00001>[\s\S]*Approved by <@U0ANA00001>/;
    await earth.until(() => both.test(earth.text(card)), 'the card to name both');
    expect(earth.writes().slice(before)).toHaveLength(1);
  });

  test('the policy can ask for a restore’s approval by one group of approvers', async () => {
    const before = [earth.writes().length, earth.cards(approvalChannel).length] as const;
    const own = await asks(earth, dev, '/restore shop backUpFirst=false', {
      fields: { objectType: 'The whole server' },
      name: 'shop',
    });
    const card = await earth.until(() => earth.cards(approvalChannel)[before[1]], 'the card');
    await earth.until(() => earth.text(card).includes('restores are seen by a DBA'), 'the rule');
    expect(earth.text(card)).toMatch(
      /Up to [\w ]+ of changes, and all later ones, will be lost\*: the latest snapshot is <!date/,
    );
    expect(await clicks(chi, card, 'Approve')).toContain('You are not among those who may decide');
    expect(earth.writes().slice(before[0])).toEqual([]);
    expect(await clicks(ana, card, 'Approve')).toContain('You approved it');
    expect(await comesToAnEnd(earth, own)).toContain('· Confirmed');
  });

  test('a form asks for a reason where a rule may ask for approval, and is sent at once where none does', async () => {
    const cards = earth.cards(approvalChannel).length;
    await opensForm(ben, '#databases', '/db backup shop');
    const own = earth.cards('#databases').length;
    expect(Object.keys((await ben.submits()).errors)).toEqual(['reason']);
    await ben.fills({ reason: 'before the release' });
    expect((await ben.submits()).open).toBe(false);
    const free = await earth.until(() => earth.cards('#databases')[own], 'the message');
    expect(await comesToAnEnd(earth, free)).toContain('· Confirmed');
    expect(earth.cards(approvalChannel)).toHaveLength(cards);
    await opensForm(ben, '#databases', '/db backup billing reason="before the audit"');
    expect((await ben.submits()).open).toBe(false);
    const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the card');
    await earth.until(
      () => /before the audit[\s\S]*backups of finance/.test(earth.text(card)),
      'the reason and the rule',
    );
    await clicks(ben, card, 'Withdraw');
  });
});

describe('breaking the glass', () => {
  test('breaking glass works for a person whom the policy names, on their own request, and alarms the channel', async () => {
    const before = earth.writes().length;
    const { own, card } = await asksToDelete(earth, dev, '/db delete orders-3321', 'orders-3321');
    expect(await clicks(ana, card, 'Run without approval')).toContain('Only the person who asked');
    const alarms = () =>
      earth.cards(approvalChannel).filter(message => earth.text(message).includes(':rotating_light:'));
    expect(alarms()).toEqual([]);
    expect(await clicksWith(dev, card, 'Run without approval', 'The disk is full.')).toContain(
      'I tell everybody concerned',
    );
    const alarm = await earth.until(() => alarms()[0], 'the alarm');
    for (const word of ['<!here>', '*dev* broke the glass', 'The disk is full.', 'orders-3321'])
      expect(earth.text(alarm)).toContain(word);
    expect(await comesToAnEnd(earth, own)).toMatch(/· (Confirmed|Failed)/);
    await earth.until(() => earth.text(card).includes('broke the glass'), 'the card to say so');
    expect(earth.writes().slice(before)).toHaveLength(1);
  });

  test('breaking glass is refused to a requester whom the policy does not name', async () => {
    const before = earth.writes().length;
    const { card } = await asksToDelete(earth, ana, '/db project delete finance', 'finance');
    expect(await clicksWith(ana, card, 'Run without approval', 'I want to.')).toContain(
      'The policy does not let you run anything without approval',
    );
    expect(earth.text(card)).toContain('Waits for approval');
    await clicks(ana, card, 'Withdraw');
    expect(earth.writes().slice(before)).toEqual([]);
  });
});

describe('without any policy', () => {
  test('without a policy, another person who is signed in approves a request where it was asked', async () => {
    const plain = await world();
    try {
      const eve = await plain.enters('Eve', 'eve');
      const someone = await plain.enters('Ana', 'ana');
      const card = await asks(plain, someone, '/db delete archive_2023', { name: 'archive_2023' });
      await plain.until(() => plain.text(card).includes('Waits for approval'), 'the buttons');
      expect(plain.text(card)).toContain('anybody else who is signed in to the service');
      expect(textOf(plain.cards('#dba-approvals'))).toBe('');
      expect(await clicks(eve, card, 'Approve')).toContain('You approved it');
      expect(await comesToAnEnd(plain, card)).toContain('· Confirmed');
    } finally {
      await plain.close();
    }
  });

  test('a request whose approval channel Dolly cannot post to is decided where it was asked', async () => {
    const plain = await world({ environment: { APPROVERS: 'U0DEV00001', APPROVAL_CHANNEL: 'C0PRIVATE1' } });
    try {
      const [someone, other] = [await plain.enters('Ana', 'ana'), await plain.enters('Dev', 'dev')];
      const card = await asks(plain, someone, '/db delete archive_2023', { name: 'archive_2023' });
      await plain.until(() => plain.text(card).includes('Approve'), 'the buttons');
      await plain.until(() => plain.replies(card).length === 1, 'the call');
      expect(JSON.stringify(plain.replies(card))).toContain('<@U0DEV00001>');
      expect(await clicks(other, card, 'Approve')).toContain('You approved it');
      expect(await comesToAnEnd(plain, card)).toContain('· Confirmed');
    } finally {
      await plain.close();
    }
  });

  test('approvers are called by direct message where only the requester sees the card', async () => {
    const plain = await world({ environment: { APPROVERS: 'S0DBAS0001' } });
    try {
      plain.playground.slack.settings.postToPublic = false;
      const [someone, other] = [await plain.enters('Ana', 'ana'), await plain.enters('Dev', 'dev')];
      await opensForm(someone, '#random', '/db delete archive_2023');
      await someone.fills({ confirm: 'archive_2023', reason: 'It is old.' });
      await someone.submits();
      const waits = () => someone.messages('@dolly').some(({ text }) => text.includes('Waits for approval'));
      await plain.until(waits, 'the message for the one who asked');
      const call = await other.reads('@dolly', 'waits for approval');
      const before = other.messages('@dolly').length;
      await other.presses('What waits for me', { message: call });
      await other.until(() => other.messages('@dolly').length > before, 'the list');
      await other.presses('Approve', { message: other.lastMessage('@dolly') });
      await someone.reads('@dolly', 'Approved by <@U0DEV00001>');
    } finally {
      await plain.close();
    }
  });
});
