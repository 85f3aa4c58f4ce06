import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks, clicksWith, type Request } from './approvals.ts';
import { asks } from './asking.ts';
import { approvalOf, type Forgery, forgedClick, forgedForm, onlyAnswer, trail } from './attacking.ts';

/* Attempts to decide on a deletion by what Slack carries: clicks, values, forms. Each is answered once and written down. */

let earth: World;
let ana: Someone;
let ben: Someone;
let chi: Someone;
let dev: Someone;
/** A request of Ben's that waits all the time: a click on it that is refused serves to forge others. */
let bait: StoredMessage;

beforeAll(async () => {
  earth = await world({ environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  chi = await earth.enters('Chi');
  dev = await earth.enters('Dev', 'dev');
  ({ card: bait } = await asksToDelete(earth, ben, '/db project delete finance', 'finance'));
});
afterAll(() => earth.close());
afterEach(() => expect(earth.writes()).toEqual([]));

/** What somebody is told after a click of theirs that is signed rightly, and says what Slack would not say. */
async function forges(someone: Someone, change: Forgery): Promise<string> {
  await clicks(someone, bait, 'Withdraw');
  return onlyAnswer(earth, someone, approvalChannel, () =>
    earth.replays('block_actions approval', forgedClick(change)),
  );
}

const approve = 'approval.approve';
const waits = (card: StoredMessage) => expect(earth.text(card)).toContain('· Waits for approval');

describe('whoever asked', () => {
  test('a requester cannot approve their own deletion by a click, by a forged click or from the list', async () => {
    const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    const value = approvalOf(earth, card);
    const no = 'another person has to approve it';
    expect(await onlyAnswer(earth, ana, approvalChannel, () => clicks(ana, card, 'Approve'))).toContain(no);
    expect(await forges(dev, { person: ana.id, action: approve, value })).toContain(no);
    expect(await forges(ana, { action: approve, value, messageOf: ana.id })).toContain(no);
    expect(await forges(ana, { action: 'approval.deny', value })).toContain('withdraw it instead');
    await ana.types('#dev', '/db approvals');
    const list = await ana.reads('#dev', 'waits for your approval');
    expect(JSON.stringify(list.blocks)).toContain('Deletion of finance');
    expect(JSON.stringify(list.blocks)).not.toContain('Deletion of archive_2023');
    expect((await trail(earth, 9)).filter(entry => entry.includes('another person has to'))).toEqual(
      Array(3).fill(`refused ${ana.id}: approved: You asked for this yourself: another person has to approve it.`),
    );
    waits(card);
    await clicks(ana, own, 'Withdraw');
  });

  test('a requester cannot break glass by a forged click where the policy has no break glass', async () => {
    const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    expect(JSON.stringify(card.blocks)).not.toContain('approval.glass');
    await clicks(ana, bait, 'Withdraw');
    await earth.replays(
      'block_actions approval',
      forgedClick({ action: 'approval.glass', value: approvalOf(earth, card) }),
    );
    await ana.fills({ reason: 'I want to.' });
    const answer = await onlyAnswer(earth, ana, approvalChannel, () => ana.submits());
    expect(answer).toContain('The policy does not let you run anything without approval');
    expect((await trail(earth, 1))[0]).toMatch(`refused ${ana.id}: break glass: The policy does not let you`);
    waits(card);
    await clicks(ana, own, 'Withdraw');
  });

  test('a requester cannot approve their own deletion from another Slack account with the same sign-in', async () => {
    const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    for (const written of ['ana', ' ana ']) {
      await earth.signsIn(dev, approvalChannel, written, 'ana-password');
      expect(await clicks(dev, card, 'Approve')).toContain('and so is the person who asked');
    }
    await earth.signsIn(dev, approvalChannel, 'dev');
    waits(card);
    // Who asks as one and is another when it is sent has it approved for nothing.
    await earth.signsIn(ana, '#dev', 'chi');
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await earth.until(() => earth.text(own).includes('· Approval void'), 'the end');
    expect(earth.text(own)).toContain('It was approved to run as ana, but you are now signed in as chi.');
    await earth.signsIn(ana, '#dev', 'ana');
  });
});

describe('a click', () => {
  let waiting: Request;
  const of = (job: string, digest: string | null) => JSON.stringify({ j: job, d: digest });
  const partsOf = (value: string) =>
    [/"j":"([^"]+)"/.exec(value)?.[1] ?? '', /"d":"([^"]+)"/.exec(value)?.[1] ?? ''] as const;
  const unknown = 'I do not know this request';

  test.each<[string, (value: string) => Forgery, string, RegExp]>([
    [
      'about another job',
      () => ({ value: of('0a6e9c1e-0000-4000-8000-000000000001', 'abc') }),
      unknown,
      /no such request/,
    ],
    [
      'with another digest',
      value => ({ value: of(partsOf(value)[0], '0123456789abcdef') }),
      'This card has changed',
      /approved: This card/,
    ],
    [
      'with no digest',
      value => ({ value: of(partsOf(value)[0], null) }),
      'This card has changed',
      /approved: This card/,
    ],
    ['that says nothing', () => ({ value: '' }), unknown, /no such request/],
    ['that is no JSON', () => ({ value: '{"j":' }), unknown, /no such request/],
    ['that is a list', value => ({ value: `[${value}]` }), unknown, /no such request/],
    ['that is huge', () => ({ value: of('x'.repeat(400_000), 'x') }), unknown, /no such request/],
    ['that reaches for the prototype', value => ({ value: `{"__proto__":${value}}` }), unknown, /no such request/],
    [
      'about a job by a name of JavaScript',
      () => ({ value: of('__proto__', 'constructor') }),
      unknown,
      /no such request/,
    ],
    [
      'on a button that there is not',
      value => ({ value, action: 'approval.constructor' }),
      'This button is from another version',
      /no such button/,
    ],
    [
      'with a job that is not known to the other buttons',
      () => ({ value: of('', ''), action: 'approval.withdraw' }),
      unknown,
      /no such request/,
    ],
  ])('a click %s decides nothing, and is answered with the reason', async (_, change, answer, entry) => {
    expect(await forges(dev, { action: approve, ...change(approvalOf(earth, bait)) })).toContain(answer);
    const [last = ''] = await trail(earth, 1);
    expect(last).toMatch(entry);
    expect(last).toContain(`refused ${dev.id}: `);
    expect(last.length).toBeLessThan(300);
    waits(bait);
  });

  test('a click on a button of another release on a job’s message does nothing, and is answered with the reason', async () => {
    const [id] = partsOf(approvalOf(earth, bait));
    const answer = await forges(ana, { action: 'job.dance', value: id });
    expect(answer).toContain('This button is from another version of Dolly');
    expect(answer).not.toContain('Sign in');
    waits(bait);
  });

  test('a click in a form on something of another release does nothing, and is answered with the reason', async () => {
    const [id] = partsOf(approvalOf(earth, bait));
    for (const action of ['form.dance', 'form.more', 'form.preset', 'form.details', 'form.schedule', 'form.rhythm'])
      expect(await forges(ana, { action, value: id })).toContain('This button is from another version of Dolly');
  });

  test('a click from another team decides nothing', async () => {
    const value = approvalOf(earth, bait);
    expect(await forges(dev, { action: approve, value, team: 'T0ANOTHER1' })).toContain(unknown);
    waits(bait);
  });

  test.each<[string, () => Promise<string>]>([
    ['denied', () => clicksWith(dev, waiting.card, 'Deny', 'No.')],
    ['withdrawn', () => clicks(ana, waiting.own, 'Withdraw')],
    [
      'void',
      () => {
        earth.service.service.rename('MARIADB_LIVE_SERVER-5', 'ledger');
        return clicks(dev, waiting.card, 'Approve');
      },
    ],
  ])('a click on a request that is already %s is answered as too late', async (end, ends) => {
    waiting = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    const value = approvalOf(earth, waiting.card);
    await ends();
    await earth.until(() => new RegExp(`· (Approval )?${end}`, 'i').test(earth.text(waiting.card)), 'the end');
    earth.service.service.rename('MARIADB_LIVE_SERVER-5', 'archive_2023');
    for (const action of [approve, 'approval.deny'])
      expect(await forges(dev, { action, value })).toContain('It is too late to decide: it');
    expect(await forges(ana, { action: 'approval.withdraw', value })).toContain('It is too late to withdraw');
    const late = (await trail(earth, 12)).filter(entry => entry.includes('too late')).slice(-3);
    expect(late).toEqual([
      `refused ${dev.id}: approved: too late: it is ${end}`,
      `refused ${dev.id}: denied: too late: it is ${end}`,
      `refused ${ana.id}: withdraw: too late`,
    ]);
  });
});

describe('a form that was changed on its way', () => {
  const submission = 'view_submission database.delete';
  const other = (before: object, change: object = {}) => ({ ...before, request: `forged-${++count}`, ...change });
  let count = 0;
  const jobsNow = () => earth.cards('#databases').length;

  beforeAll(async () => {
    const { own } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    await clicks(ana, own, 'Withdraw');
  });

  test.each([
    ['without a reason', () => forgedForm(other, { reason: null })],
    ['with a reason of blanks', () => forgedForm(other, { reason: ' \n ' })],
    [
      'that says that no reason is asked for',
      () => forgedForm(before => other(before, { asksWhy: false }), { reason: null }),
    ],
    ['without the name', () => forgedForm(other, { confirm: null })],
    [
      'with the name of another',
      () => forgedForm(before => other(before, { pending: { database: 'MYSQL_LIVE_SERVER-1' } })),
    ],
    ['with no identifier', () => forgedForm(before => other(before, { pending: { database: '../user/list' } }))],
  ] as const)('a forged deletion form %s asks for nothing', async (_, forge) => {
    const before = jobsNow();
    const answer = await earth.replays(submission, forge());
    expect(await answer.json()).toMatchObject({ response_action: 'errors' });
    expect(jobsNow()).toBe(before);
  });

  test('a forged form with a picker of another release offers no options', async () => {
    await ana.types('#databases', '/db backup');
    await ana.chooses('Database', 'shop');
    const answer = await earth.replays('block_suggestion value', payload =>
      JSON.stringify({ ...recordOf(JSON.parse(payload)), action_id: 'form.dance' }),
    );
    expect([answer.status, await answer.json()]).toEqual([200, { options: [] }]);
    await ana.cancels();
  });

  test('a form forged to call a database by another’s name shows approvers the true name', async () => {
    const cards = earth.cards(approvalChannel).length;
    const labels = { 'MYSQL_CLONE_SERVER-1': 'scratch' };
    const answer = await earth.replays(
      submission,
      forgedForm(before => other(before, { pending: { database: 'MYSQL_CLONE_SERVER-1' }, labels, asShown: {} }), {
        confirm: 'scratch',
      }),
    );
    expect(await answer.json()).toEqual({ response_action: 'clear' });
    const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the card');
    expect(earth.text(card)).toContain('Deletion of orders-3320');
    expect(JSON.stringify(card)).not.toContain('scratch');
    await clicks(ana, card, 'Withdraw');
  });

  test('a form forged to give a snapshot another name shows approvers the true name', async () => {
    const before = earth.cards(approvalChannel).length;
    await asks(earth, ana, '/db snapshot delete MYSQL_SNAPSHOT-1', { name: 'MYSQL_SNAPSHOT-1' });
    const first = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
    await earth.replays(
      'view_submission snapshot.delete',
      forgedForm(metadata => other(metadata, { labels: { 'MYSQL_SNAPSHOT-1': 'scratch' } })),
    );
    const second = await earth.until(() => earth.cards(approvalChannel)[before + 1], 'the card');
    const heading = (card: StoredMessage) => /Deletion of (\S+)/.exec(earth.text(card))?.[1];
    expect(heading(second)).toMatch(/^orders-2026/);
    expect(heading(first)).toBe(heading(second));
    expect(JSON.stringify(second)).not.toContain('scratch');
    for (const card of [first, second]) await clicks(ana, card, 'Withdraw');
  });

  test('a form forged to be told in another channel is still shown to the approvers', async () => {
    const cards = earth.cards(approvalChannel).length;
    await earth.replays(
      submission,
      forgedForm(before => other(before, { channel: 'C0PRIVATE1' })),
    );
    const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the card');
    await earth.until(() => earth.text(card).includes('Waits for approval'), 'the buttons');
    await clicks(ana, card, 'Withdraw');
  });

  test.each<[string, (before: object) => unknown, string, string]>([
    ['of another job', before => ({ ...before, j: 'another' }), approvalChannel, 'I do not know this request'],
    ['of an older card', before => ({ ...before, d: '0123456789abcdef' }), approvalChannel, 'This card has changed'],
  ])(
    'a forged form to deny %s denies nothing, and is answered with the reason',
    async (_, metadata, channel, answer) => {
      await clicksWith(chi, bait, 'Deny', 'No!');
      const told = () => earth.replays('view_submission deny', forgedForm(metadata));
      expect(await onlyAnswer(earth, chi, channel, told)).toContain(answer);
      expect((await trail(earth, 1))[0]).toContain(`refused ${chi.id}: den`);
      waits(bait);
    },
  );

  test('a denial with a reason that nobody can read is refused at the field, and denies nothing', async () => {
    const message = await chi.until(() => chi.messages(bait.channel).find(one => one.ts === bait.ts), 'the card');
    await chi.presses('Deny', { message });
    await chi.until(() => chi.hasModal(), 'the form');
    for (const reason of ['\u3164\u2063', '…!?', ' \u200b ']) {
      await chi.fills({ reason });
      expect((await chi.submits()).errors).toEqual({ reason: 'Say why, for those who read it later.' });
    }
    waits(bait);
  });

  test('a forged form to deny that carries nothing denies nothing, and says so in its own window', async () => {
    await clicksWith(chi, bait, 'Deny', 'No!');
    const answer = await earth.replays(
      'view_submission deny',
      forgedForm(() => 'nothing'),
    );
    const told = await answer.json();
    expect(told).toMatchObject({ response_action: 'update' });
    expect(JSON.stringify(told)).toContain('You opened this form in an older version of Dolly.');
    expect((await trail(earth, 1))[0]).toBe(`refused ${chi.id}: deny: there is no such form`);
    waits(bait);
  });
});
