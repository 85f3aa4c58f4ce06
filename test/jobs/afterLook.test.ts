import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/ground/failure.ts';
import { eventOfFailedLook, eventOfLook, eventWithoutSignIn, extension } from '../../src/jobs/afterLook.ts';
import type { LookResult } from '../../src/jobs/evidence/judgement.ts';
import { nextTime } from '../../src/jobs/nextLook.ts';
import type { Evidence } from '../../src/store/jobs/rows/data.ts';
import { hour, jobIn, now } from './jobIn.ts';

const minute = 60_000;
const here = { at: now, spread: 1 };
const ready: Evidence = {
  ...{ id: 'MYSQL_CLONE_SERVER-7', state: 'READY', extras: [], isBusy: false, gone: false },
  ...{ since: now, seenAt: now },
};
const waits = (change: Partial<LookResult> = {}): LookResult => ({
  judgement: { type: 'waiting' },
  seen: ready,
  arrived: false,
  ...change,
});
const overdue = { deadlineAt: now - 1 };

describe('a look at a running job', () => {
  test.each(['proved', 'finished'] as const)(
    'a look that finds a running job %s ends it so, with the evidence that it saw',
    type => {
      const result = waits({ judgement: { type, by: 'It is there.' }, arrived: true });
      expect(eventOfLook(jobIn('running'), result, here)).toEqual({
        ...{ type, reason: 'It is there.', evidence: ready, claimed: undefined, arrived: true },
      });
    },
  );

  test('a job that ends by a person’s answer names that answer as its basis, before what the records showed', () => {
    const basis = { row: 'it is in an unknown word', others: ['it came back'] };
    const said = waits({ judgement: { type: 'proved', by: 'Ana says that it is ready.', isSaid: true }, basis });
    expect(eventOfLook(jobIn('running'), said, here)).toMatchObject({
      evidence: {
        basis: { row: 'somebody’s word', others: ['it is in an unknown word', 'it came back'] },
      },
    });
  });

  test('the next look at a job comes half-way to the moment when its sign counts, even after the deadline', () => {
    const pending = { end: 'e', since: now };
    const seen = { ...ready, since: now - hour, pending };
    const job = jobIn('running', { ...overdue, sentAt: now - hour, looks: 20 });
    const first = eventOfLook(job, waits({ seen }), here);
    expect(first).toMatchObject({ type: 'seen', nextAt: now + 5_000 });
    const known = { evidence: JSON.stringify(seen), sentAt: now - hour, looks: 21 };
    const half = { at: now + 5_000, spread: 1 };
    expect(eventOfLook(jobIn('running', { ...overdue, ...known }), waits({ seen }), half)).toMatchObject({
      nextAt: now + 10_000,
    });
  });

  test('the reason of a job leaves out an error of the record that quotes a password of the request', () => {
    const params = [{ name: 'app_password', type: 'STRING', value: 'Tr0ub4dor&3' }];
    const job = jobIn('running', { inputs: JSON.stringify({ databaseParams: params }) });
    const told = (judgement: LookResult['judgement']) => JSON.stringify(eventOfLook(job, waits({ judgement }), here));
    const error = 'The value Tr0ub4dor&3 of app_password is too short';
    expect(told({ type: 'failed', reason: error })).not.toMatch(/Tr0ub4|too short/);
    expect(told({ type: 'finished', by: `It was busy. ${error}` })).not.toContain('Tr0ub4');
    expect(told({ type: 'failed', reason: 'The disk is full' })).toContain('The disk is full');
  });

  test('a look that shows nothing new is stored together with others, and one with news by itself', () => {
    const known = { evidence: JSON.stringify(ready) };
    expect(eventOfLook(jobIn('running', known), waits(), here).type).toBe('noChange');
    for (const [row, result] of [
      [{}, waits()],
      [known, waits({ seen: { ...ready, state: 'BUSY' } })],
      [known, waits({ claimed: 'MYSQL_CLONE_SERVER-7' })],
      [{ ...known, reason: 'I cannot look at the moment.' }, waits()],
      [{ ...known, noAnswer: 'It is not known.', reason: null }, waits({ arrived: true })],
    ] as const)
      expect(eventOfLook(jobIn('running', row), result, here).type).toBe('seen');
  });

  test('a job in doubt keeps saying why until a sign shows that its call arrived', () => {
    // A look that failed before said why.
    const doubtful = jobIn('running', { noAnswer: 'It is not known.', reason: 'I cannot look at the moment.' });
    expect(eventOfLook(doubtful, waits(), here)).toMatchObject({ type: 'seen', reason: 'It is not known.' });
    expect(eventOfLook(doubtful, waits({ arrived: true }), here)).toMatchObject({ type: 'seen', reason: null });
  });

  test('a job says after five minutes that the records show nothing of it, or what speaks against it', () => {
    const reasonAt = (age: number, change: Partial<LookResult> = {}) =>
      eventOfLook(jobIn('running', { sentAt: now - age, deadlineAt: now + hour }), waits(change), here);
    expect(reasonAt(4 * minute)).toMatchObject({ reason: null });
    expect(reasonAt(6 * minute)).toMatchObject({ reason: 'Its record shows nothing of it so far.' });
    expect(reasonAt(6 * minute, { seen: undefined })).toMatchObject({
      reason: 'No record shows anything of it so far.',
    });
    const judgement = { type: 'waiting', contradiction: 'qa is still in the service’s records.' } as const;
    expect(reasonAt(6 * minute, { judgement })).toMatchObject({ reason: judgement.contradiction });
    expect(reasonAt(6 * minute, { arrived: true })).toMatchObject({ reason: null });
    expect(reasonAt(6 * minute, { claimed: 'MYSQL_CLONE_SERVER-7' })).toMatchObject({ reason: null });
  });

  test('a job says after twenty seconds how it would end, unless it asks people about a state word', () => {
    const judgement = { type: 'waiting', atLast: 'There is an error, and I cannot tell whose it is.' } as const;
    const reasonAfter = (stood: number, change: Partial<Evidence> = {}) =>
      eventOfLook(
        jobIn('running', { sentAt: now - minute, deadlineAt: now + hour }),
        waits({ judgement, arrived: true, seen: { ...ready, since: now - stood, ...change } }),
        here,
      );
    expect(reasonAfter(19_000)).toMatchObject({ reason: null });
    expect(reasonAfter(20_000)).toMatchObject({ reason: judgement.atLast });
    const doubt = { kind: 'MySQL clones', word: 'READY', askedIn: 'job-1' };
    expect(reasonAfter(20_000, { doubt })).toMatchObject({ reason: null });
  });

  test.each([
    ['a minute', minute, 10_000],
    ['ten minutes', 10 * minute, 30_000],
    ['half an hour', 30 * minute, 60_000],
    ['two hours', 120 * minute, 120_000],
  ])('a job that is %s old is looked at again after its longest pause, on a whole half second', (_, age, pause) => {
    const job = jobIn('running', { sentAt: now - age, looks: 20, deadlineAt: now + 24 * hour });
    const seen = { ...ready, since: now - hour };
    for (const spread of [0.8, 1.2]) {
      const event = eventOfLook(job, waits({ seen }), { at: now, spread });
      const nextAt = 'nextAt' in event ? event.nextAt : 0;
      expect(nextAt - now).toBeGreaterThanOrEqual(pause * spread);
      expect(nextAt - now).toBeLessThan(pause * spread + 500);
      expect(nextAt % 500).toBe(0);
    }
  });
});

describe('the next look at a record that rests', () => {
  const nextAfter = (stood: number, { isBusy = false, retryAfter = 0 } = {}) => {
    const job = jobIn('running', { sentAt: now - 2 * minute, looks: 20, deadlineAt: now + hour });
    const seen = { ...ready, since: now - stood, isBusy };
    return nextTime({ ...job, evidence: seen }, here, retryAfter) - now;
  };

  test('the next look at a record that rests comes when its state has stood long enough to count', () => {
    expect([0, 3_000, 9_800, 10_000, 13_000, 20_000].map(stood => nextAfter(stood))).toEqual([
      ...[10_000, 7_000, 200, 10_000, 7_000, 10_000],
    ]);
  });

  test('the next look comes no sooner than usual where the record is busy or the service asked for a pause', () => {
    expect(nextAfter(3_000, { isBusy: true })).toBe(10_000);
    expect(nextAfter(3_000, { retryAfter: 30_000 })).toBeGreaterThanOrEqual(30_000);
  });
});

describe('the last look at a job whose time is over', () => {
  const at = (result: LookResult, row = {}) => eventOfLook(jobIn('running', { ...overdue, ...row }), result, here);

  test('a job in doubt ends unconfirmed at its deadline, with the reason of its doubt and what is there', () => {
    const doubt = { noAnswer: 'It is not known.', reason: 'I cannot look at the moment.' };
    const nothing = 'I found nothing in the records that shows it. It may never have begun.';
    expect(at(waits(), doubt)).toMatchObject({ type: 'unconfirmed', reason: `It is not known. ${nothing}` });
    const judgement = { type: 'waiting', atLast: 'There is shop-7.' } as const;
    expect(at(waits({ judgement }), doubt)).toMatchObject({
      ...{ type: 'unconfirmed', reason: 'It is not known. There is shop-7.' },
    });
  });

  test('at its deadline, a job fails where its record was at work and shows the contrary of what was asked', () => {
    const judgement = { type: 'waiting', contradiction: 'Its port is another one.' } as const;
    expect(at(waits({ judgement, seen: { ...ready, wasBusy: 'CLONING' } }))).toMatchObject({
      ...{ type: 'failed', reason: 'Its port is another one.' },
    });
    expect(at(waits({ judgement }))).toMatchObject({ type: 'unconfirmed', reason: 'Its port is another one.' });
    // A snapshot without a state of its own, in a database that is still at work on it.
    // A later report may stand in the place of the one that told of the work.
    const reported = { ...ready, wasBusy: 'at work (CLONE)' };
    expect(at(waits({ judgement, seen: reported }))).toMatchObject({ type: 'unconfirmed' });
    const busy = { ...ready, state: undefined, wasBusy: 'DELETING', isBusy: true };
    expect(at(waits({ judgement, seen: busy }))).toMatchObject({ type: 'unconfirmed' });
  });

  test('at its deadline, a job whose record was at work is finished, and any other is unconfirmed', () => {
    const judgement = { type: 'waiting', atLast: 'It was busy and came back.' } as const;
    expect(at(waits({ judgement }))).toMatchObject({ type: 'finished', reason: 'It was busy and came back.' });
    expect(at(waits())).toMatchObject({ type: 'unconfirmed', reason: 'Its state is READY.' });
    expect(at(waits({ seen: { ...ready, stateClass: 'busy' } }))).toMatchObject({
      reason: 'Its state is still READY.',
    });
    expect(at(waits({ seen: undefined }))).toMatchObject({ type: 'unconfirmed', reason: null });
  });

  test('a last look that fails is tried again for ten minutes, and then the job says why it is unconfirmed', () => {
    const failure = new Failure('busy', 'The service is busy.', { retryAfter: 90_000 });
    const again = eventOfFailedLook(jobIn('running', overdue), failure, here);
    expect(again).toMatchObject({ type: 'seen', reason: 'I cannot look at the moment: The service is busy.' });
    expect('nextAt' in again && again.nextAt).toBeGreaterThanOrEqual(now + 90_000);
    const late = jobIn('running', { deadlineAt: now - 10 * minute, evidence: JSON.stringify(ready) });
    expect(eventOfFailedLook(late, failure, here)).toEqual({
      type: 'unconfirmed',
      reason: 'Its state is READY. When the time was up, I could no longer look: The service is busy.',
    });
  });
});

test('a job whose person is signed out waits for the sign-in until its deadline', () => {
  const job = jobIn('running');
  expect(eventWithoutSignIn(job, now)).toEqual({ type: 'signedOut', until: job.deadlineAt });
  expect(eventWithoutSignIn(job, job.deadlineAt).type).toBe('unconfirmed');
});

test('a job that was due long ago gets a deadline ten minutes away, unless it has a later one', () => {
  const late = { dueAt: now - 5 * minute, deadlineAt: now + minute };
  expect(extension(jobIn('running', late), now)).toEqual({ type: 'deadlineExtended', deadlineAt: now + 10 * minute });
  expect(extension(jobIn('running', { ...late, dueAt: now - minute }), now)).toBeUndefined();
  expect(extension(jobIn('running', { ...late, deadlineAt: now + hour }), now)).toBeUndefined();
});
