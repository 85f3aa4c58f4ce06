import { describe, expect, test } from 'vitest';
import { newLease } from '../../../src/features/leases/lease.ts';
import type { LeaseTerms } from '../../../src/features/leases/leaseRules.ts';
import { type LeaseFacts, type LeaseSight, nextOfLease } from '../../../src/features/leases/run/nextOfLease.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { Lease } from '../../../src/store/tables/leases.ts';

const born = Date.UTC(2026, 10, 1);
const endsAt = born + 7 * day;

const terms: LeaseTerms = {
  ...{ rule: 'dev', default: 7 * day, longest: 28 * day, required: false, warn: [day, 2 * hour] },
  ...{ end: 'delete', mayAct: true, grace: day },
};
const shown: LeaseSight = { type: 'shown', doubt: undefined, isStopped: false, isRunning: true, isPhysical: false };

function lease(change: Partial<Lease> = {}): Lease {
  const made = { name: 'shop-3310', madeAt: born, job: 'j', operation: 'clone.create' };
  const row = newLease({
    ...made,
    team: 'T1',
    record: 'MYSQL_CLONE_SERVER-7',
    person: 'U1',
    channel: 'C1',
    wish: null,
    since: born,
  });
  return { ...row, revision: 1, state: 'kept', endsAt, plannedAt: endsAt, setAt: born, warned: 2 * hour, ...change };
}

function next(now: number, change: Partial<Lease> = {}, facts: Partial<LeaseFacts> = {}) {
  return nextOfLease({ lease: lease({ plannedAt: now, ...change }), now, terms, sight: shown, ...facts });
}

describe('a new lease', () => {
  const fresh = { state: 'new', endsAt: null, warned: null } as const;
  test.each<[string, Partial<Lease>, Partial<LeaseTerms>, object]>([
    [
      'takes the time that was asked for',
      { wish: '3d' },
      {},
      { endsAt: born + 3 * day, dueAt: born + 2 * day, cut: false },
    ],
    ['takes the default where no time was asked for', {}, {}, { endsAt: born + 7 * day, cut: false }],
    [
      'has no end where there is no default',
      {},
      { default: undefined, longest: undefined },
      { endsAt: null, dueAt: null },
    ],
    ['ends at the longest time where more was asked for', { wish: '12w' }, {}, { endsAt: born + 28 * day, cut: true }],
    [
      'ends at the longest time where no end was asked for',
      { wish: 'none' },
      {},
      { endsAt: born + 28 * day, cut: true },
    ],
    [
      'asks where an end is needed and there is no default',
      { wish: 'none' },
      { required: true, longest: undefined, default: undefined },
      { type: 'ask' },
    ],
    [
      'skips a warning that would come before its beginning',
      { wish: '12h' },
      {},
      { endsAt: born + 12 * hour, dueAt: born + 10 * hour },
    ],
  ])('a new lease takes an end that the policy allows: it %s', (_, change, more, expected) => {
    expect(next(born, { ...fresh, ...change }, { terms: { ...terms, ...more } })).toMatchObject(expected);
  });
});

test('nobody is told that a clone is kept whose record says that it failed', () => {
  const failed = { sight: { ...shown, isFailed: true } };
  const fresh = { state: 'new', endsAt: null, warned: null } as const;
  expect(next(born, fresh, failed)).toMatchObject({ type: 'runs', isUntold: true });
  expect(next(born, fresh)).not.toHaveProperty('isUntold');
});

describe('a lease that runs', () => {
  test.each<[string, number, Partial<Lease>, object]>([
    [
      'is warned before its end, too, where its first look came late',
      endsAt + minute,
      { warned: null, setAt: born },
      { type: 'warn', isLate: true, endsAt: endsAt + minute + day },
    ],
    ['waits until its first warning', born + day, { warned: null }, { type: 'wait', dueAt: endsAt - day }],
    [
      'warns a day before its end',
      endsAt - day,
      { warned: null },
      { type: 'warn', before: day, dueAt: endsAt - 2 * hour, isLate: false },
    ],
    ['waits for the next warning', endsAt - 3 * hour, { warned: day }, { type: 'wait', dueAt: endsAt - 2 * hour }],
    [
      'warns two hours before its end',
      endsAt - 2 * hour,
      { warned: day },
      { type: 'warn', before: 2 * hour, dueAt: endsAt },
    ],
    [
      'gives one warning where two are due',
      endsAt - hour,
      { warned: null },
      { type: 'warn', before: 2 * hour, dueAt: endsAt },
    ],
    ['waits for its end', endsAt - minute, {}, { type: 'wait', dueAt: endsAt }],
    [
      'is not warned again for a time before its end was set',
      born + 6.5 * day,
      { warned: null, setAt: born + 6.2 * day },
      { type: 'wait' },
    ],
    ['stops the clone first once its end has come', endsAt, {}, { type: 'stop' }],
    ['is never due where it has no end', endsAt, { endsAt: null }, { type: 'wait', dueAt: null }],
  ])('a running lease warns before its end, and then stops its clone: it %s', (_, now, change, expected) => {
    expect(next(now, change)).toMatchObject(expected);
  });

  const away = { why: 'I was away when it ended, though I had warned you' };
  test.each<[string, Partial<Lease>, Partial<LeaseFacts>, object]>([
    ['was not warned', { warned: null }, {}, {}],
    ['was left alone for a week', { plannedAt: endsAt - 7 * day }, {}, away],
    ['was made due by a clock that was set', {}, { isJumped: true }, away],
  ])('a lease that %s is warned at its end, and has the whole grace time', (_, change, facts, why) => {
    const warned = { type: 'warn', before: 0, endsAt: endsAt + day, dueAt: endsAt + day, isLate: true, ...why };
    expect(next(endsAt, change, facts)).toEqual(warned);
  });

  test('a lease that could not be looked at around its end is warned once more', () => {
    const now = endsAt + hour;
    expect(next(now, { plannedAt: now })).toMatchObject({ type: 'warn', endsAt: now + day, isLate: true });
    expect(next(endsAt + minute, { plannedAt: endsAt + minute })).toEqual({ type: 'stop' });
  });

  test.each<[string, LeaseSight, string | null]>([
    ['something depends on the clone', { ...shown, doubt: 'qa depends on it' }, 'qa depends on it'],
    ['the clone cannot be seen', { type: 'hidden', why: 'nobody is signed in' }, 'nobody is signed in'],
    ['the clone is physical', { ...shown, isPhysical: true }, 'it is a physical clone, which cannot be stopped first'],
  ])('a lease asks its owner at its end, and does nothing, where %s', (_, sight, why) => {
    expect(next(endsAt, {}, { sight })).toEqual({ type: 'ask', why, graceUntil: endsAt + day });
  });

  test('a lease shorter than its warnings ends at its time', () => {
    expect(next(endsAt, { warned: null, setAt: endsAt - minute })).toEqual({ type: 'stop' });
  });

  test('a lease asks its owner at its end where the policy wants no more than that', () => {
    expect(next(endsAt, {}, { terms: { ...terms, end: 'ask' } })).toEqual({
      type: 'ask',
      why: null,
      graceUntil: endsAt + day,
    });
    const sight: LeaseSight = { type: 'hidden', why: 'nobody is signed in' };
    expect(next(endsAt, {}, { sight, terms: { ...terms, end: 'ask' } })).toMatchObject({ why: 'nobody is signed in' });
    expect(next(endsAt, {}, { sight, terms: { ...terms, end: 'ask', mayAct: false } })).toMatchObject({ why: null });
  });

  test('a lease whose clone is stopped already starts the grace time without a stop', () => {
    const sight: LeaseSight = { ...shown, isStopped: true, isRunning: false };
    expect(next(endsAt, {}, { sight })).toEqual({ type: 'stopped', graceUntil: endsAt + day });
    expect(next(endsAt, {}, { sight, terms: { ...terms, end: 'stop' } })).toEqual({
      type: 'stopped',
      graceUntil: null,
    });
  });

  test.each(['new', 'kept', 'asking', 'stopping', 'stopped'] as const)(
    'a lease that is %s ends when its clone is gone',
    state => {
      expect(next(born + day, { state }, { sight: { type: 'gone' } })).toEqual({ type: 'gone' });
    },
  );
});

describe('an unanswered question', () => {
  const asking = { state: 'asking', graceUntil: endsAt + day, reason: 'it was renamed' } as const;
  test('a question that stays unanswered for the grace time goes to approvers, and is then looked at daily', () => {
    expect(next(endsAt + hour, asking)).toEqual({ type: 'wait', dueAt: endsAt + day });
    expect(next(endsAt + day, asking)).toEqual({ type: 'tell approvers', dueAt: endsAt + 2 * day });
    expect(next(endsAt + 2 * day, { ...asking, graceUntil: null })).toEqual({ type: 'wait', dueAt: endsAt + 3 * day });
  });

  test('an unanswered question is asked again, with the whole time, after Dolly was down', () => {
    const again = { type: 'ask', why: 'it was renamed', graceUntil: endsAt + 9 * day };
    expect(next(endsAt + 8 * day, { ...asking, plannedAt: endsAt + day })).toEqual(again);
  });
});

describe('a clone that its lease stops', () => {
  test.each<[string, Partial<LeaseFacts>, object]>([
    ['waits while its job is under way', { endJob: 'open' }, { type: 'wait' }],
    ['has the grace time once it is stopped', { endJob: 'done' }, { type: 'stopped', graceUntil: endsAt + day }],
    [
      'stays where the policy only stops it',
      { endJob: 'done', terms: { ...terms, end: 'stop' } },
      { type: 'stopped', graceUntil: null },
    ],
    [
      'is asked about where the stop failed',
      { endJob: { failed: 'No.' } },
      { type: 'ask', why: 'it could not be stopped: No.' },
    ],
    [
      'is asked about where nobody knows whether it was stopped',
      { endJob: { unclear: 'Shown as before.' } },
      { type: 'ask', why: 'I do not know whether it was stopped: Shown as before.' },
    ],
    [
      'is asked about where the job of the stop is gone',
      {},
      { type: 'ask', why: 'I do not know whether it was stopped' },
    ],
  ])('a clone that its lease is stopping is followed until its state is known: it %s', (_, facts, expected) => {
    expect(next(endsAt, { state: 'stopping' }, facts)).toMatchObject(expected);
  });

  const stopped = { state: 'stopped', graceUntil: endsAt + day } as const;
  const sight: LeaseSight = { ...shown, isStopped: true, isRunning: false };
  test.each<[string, Partial<LeaseFacts>, object]>([
    ['is deleted after the grace time', {}, { type: 'delete' }],
    ['is not deleted if it runs again', { sight: shown }, { type: 'ask', why: 'it was started again' }],
    [
      'is not deleted if its record does not show that it is stopped',
      { sight: { ...shown, isRunning: false } },
      { type: 'ask', why: 'its record does not show that it is stopped' },
    ],
    ['is not deleted if something depends on it', { sight: { ...sight, doubt: 'qa depends on it' } }, { type: 'ask' }],
    ['is not deleted if the policy has changed', { terms: { ...terms, end: 'stop' } }, { type: 'ask' }],
    [
      'has the whole grace time again after a jump of the clock',
      { isJumped: true },
      { type: 'stopped', graceUntil: endsAt + 2 * day },
    ],
  ])('a stopped clone is deleted by its lease only where nothing changed: it %s', (_, facts, expected) => {
    expect(next(endsAt + day, stopped, { sight, ...facts })).toMatchObject(expected);
  });

  test('a clone that its lease stopped is kept again once somebody starts it', () => {
    const endsAgain = endsAt + hour + 7 * day;
    const runs = { type: 'runs', endsAt: endsAgain, setAt: endsAt + hour, dueAt: endsAgain - day, cut: false };
    expect(next(endsAt + hour, stopped, { sight: shown })).toEqual(runs);
    expect(next(endsAt + hour, { ...stopped, graceUntil: null }, { sight: shown })).toEqual(runs);
    expect(next(endsAt + hour, stopped, { sight })).toEqual({ type: 'wait', dueAt: endsAt + day });
    // Not beyond the longest time, but for the time of an answer.
    const late = born + 27.5 * day;
    const short = { endsAt: late + day };
    expect(next(late, { ...stopped, graceUntil: null }, { sight: shown })).toMatchObject(short);
  });

  test.each<[string, Partial<LeaseFacts>, object]>([
    ['ends once the clone is deleted', { endJob: 'done' }, { type: 'deleted' }],
    [
      'asks where nobody knows whether the clone is gone',
      { endJob: { unclear: 'Still shown.' } },
      { type: 'ask', why: 'I do not know whether it was deleted: Still shown.' },
    ],
    ['ends where the clone is gone although the job is not known', { sight: { type: 'gone' } }, { type: 'gone' }],
    [
      'ends where the clone is gone although the job failed',
      { endJob: { failed: 'No.' }, sight: { type: 'gone' } },
      { type: 'gone' },
    ],
    ['asks where the service refused the deletion', { endJob: { failed: 'No.' } }, { type: 'ask' }],
  ])('a lease that deletes its clone ends once the clone is gone: it %s', (_, facts, expected) => {
    expect(next(endsAt, { state: 'deleting' }, facts)).toMatchObject(expected);
  });
});

describe('an end that hangs on a word to the owner', () => {
  const saidAt = endsAt - day;
  const heard = { word: { saidAt, arrivedAt: saidAt } };
  const there = { state: 'there', since: born } as const;
  const onlyStops: LeaseTerms = { ...terms, end: 'stop' };
  test.each<[string, Partial<LeaseFacts>, object]>([
    ['comes where the owner could answer all the time', { ...heard, contact: there }, { type: 'stop' }],
    ['comes where nobody watched the contact', heard, { type: 'stop' }],
    ['waits while Slack is out of reach', { ...heard, contact: { ...there, state: 'lost' } }, { type: 'wait' }],
    [
      'is put off and warned of anew where Slack was out of reach after the warning',
      { ...heard, contact: { ...there, since: saidAt + hour } },
      { type: 'warn', isLate: true, endsAt: endsAt + day },
    ],
    [
      'comes where Slack was out of reach only before the warning',
      { ...heard, contact: { ...there, since: saidAt - hour } },
      { type: 'stop' },
    ],
    [
      'is put off and warned of anew where the warning told of a milder end',
      { word: { ...heard.word, end: 'stop' }, contact: there },
      { type: 'warn', isLate: true, endsAt: endsAt + day },
    ],
    [
      'comes where the warning told of a harder end',
      { word: { ...heard.word, end: 'delete' }, terms: onlyStops },
      { type: 'stop' },
    ],
    ['waits for a warning that has not arrived', { word: { saidAt, arrivedAt: null } }, { type: 'wait' }],
  ])('a lease’s end comes only if its owner could answer the warning: it %s', (_, facts, expected) => {
    expect(next(endsAt, { plannedAt: endsAt }, facts)).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    ['is asked about where the warning did not arrive for two days', {}, { type: 'ask', graceUntil: endsAt + day }],
    ['waits while Slack as a whole is away', { contact: { ...there, state: 'lost' } }, { type: 'wait' }],
    ['waits soon after Slack was away', { contact: { ...there, since: endsAt - hour } }, { type: 'wait' }],
  ])('a lease’s end whose warning does not arrive is not just carried out: it %s', (_, facts, expected) => {
    const word = { saidAt, arrivedAt: null, silentSince: endsAt - 2 * day - minute };
    expect(next(endsAt, {}, { word, ...facts })).toMatchObject(expected);
  });

  test('a lease’s end is put off after a time without Slack even beyond the longest time', () => {
    const facts = { ...heard, contact: { ...there, since: saidAt + hour }, terms: { ...terms, longest: 7 * day } };
    expect(next(endsAt, {}, facts)).toMatchObject({ type: 'warn', endsAt: endsAt + day });
  });
});
