import { describe, expect, test } from 'vitest';
import { lockTime } from '../../../src/ground/loop.ts';
import { statesAfter, transitionOf } from '../../../src/jobs/advance.ts';
import { machineDiagram } from '../../../src/jobs/machine/diagram.ts';
import { type EventType, type JobEvent, transitions } from '../../../src/jobs/machine/transitions.ts';
import { ends, isState, type JobState, open } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { approval, hour, jobIn, now, rows } from '../jobIn.ts';

const by = { actor: 'U2', login: 'ben', channel: 'C2' };
const reason = 'The disk is full.';
const named = (name: string) => ({ users: [], names: [name] });
const approvedBy = (...people: string[]) =>
  people.map(person => ({ type: 'approved' as const, person, login: person, identity: named(person), at: now }));
const sight = { evidence: { id: 'MYSQL_CLONE_SERVER-7', state: 'READY', extras: [], since: now, seenAt: now } };
const seen = { evidence: { ...sight.evidence, isBusy: false, gone: false }, claimed: 'MYSQL_CLONE_SERVER-7' };
const events: { [T in EventType]: JobEvent<T> } = {
  forbidden: { type: 'forbidden', reason, login: 'ana' },
  refused: { type: 'refused', reason },
  approvalNeeded: {
    type: 'approvalNeeded',
    approval: {
      terms: { rule: 'deletions', approvals: 2, approvers: [], asker: named('ana') },
      facts: [],
      digest: 'digest',
      expiresAt: now + hour,
      cardPlace: null,
    },
    login: 'ana',
    targetName: 'orders',
    labels: {},
    remindAt: now + 1_000,
  },
  approved: { type: 'approved', by, decisions: approvedBy('U2') },
  glassBroken: { type: 'glassBroken', by, reason },
  denied: { type: 'denied', by, reason, decisions: [] },
  reminded: { type: 'reminded', nextAt: now + 1_000 },
  holderObjected: { type: 'holderObjected', by },
  changedSince: { type: 'changedSince', reason },
  withdrawn: { type: 'withdrawn', by },
  expired: { type: 'expired', reason },
  sent: { type: 'sent', login: 'ana', signedInAt: now, baseline: undefined, targetName: 'orders', within: hour },
  accepted: { type: 'accepted' },
  inDoubt: { type: 'inDoubt', reason },
  putOff: { type: 'putOff', reason, until: now + 2_000 },
  signedOut: { type: 'signedOut', until: now + hour },
  signedIn: { type: 'signedIn' },
  failed: { type: 'failed', reason },
  deadlineExtended: { type: 'deadlineExtended', deadlineAt: now + 2 * hour },
  noChange: { type: 'noChange', nextAt: now + 1_000 },
  seen: { type: 'seen', reason: null, nextAt: now + 1_000, ...seen, arrived: true },
  proved: { type: 'proved', reason, ...seen },
  finished: { type: 'finished', reason, ...seen },
  unconfirmed: { type: 'unconfirmed', reason, ...seen },
  stoppedLooking: { type: 'stoppedLooking', by },
  lookedAgain: { type: 'lookedAgain', by },
  takenBack: { type: 'takenBack', reason },
  objected: { type: 'objected', by, says: 'failed' },
  answered: { type: 'answered', by, word: 'BLUE', says: 'ready' },
  begun: { type: 'begun', login: 'ana' },
  stepBegun: { type: 'stepBegun', step: 1 },
  stepAwaited: { type: 'stepAwaited', nextAt: now + 1_000 },
  planEnded: { type: 'planEnded', state: 'failed', reason, step: 1 },
  wentOn: { type: 'wentOn', by, seenTo: 2, step: 0 },
};

const states = Object.keys(rows).filter(isState);
const types = Object.values(events).map(({ type }) => type);
const [unended, over] = [new Set<string>(open), new Set<string>(ends)];

/** What makes a job a plan. */
const steps = { steps: '[]', step: 0 };
/** What a job needs to have for an event whose guard asks for it. */
const guards: Partial<Record<EventType, Partial<JobRow>>> = {
  signedIn: { hold: 'sign-in' },
  ...{ begun: steps, stepBegun: steps, stepAwaited: steps, planEnded: steps, wentOn: steps },
};

/** An event in a state in which its guard, if it has one, lets it happen. Of the running jobs, only plans are withdrawn. */
function happens(type: EventType, state: JobState) {
  const row = type === 'withdrawn' && state === 'running' ? steps : guards[type];
  return transitionOf(jobIn(state, row ?? {}), events[type], now);
}

describe.each(states)('a job that is %s', state => {
  test.each(types)('in each state, the event %s leads a job where the table says, or nowhere', type => {
    const after = statesAfter(type, state);
    const done = happens(type, state);
    if (after.length === 0) return expect(done).toBeUndefined();
    expect(after).toContain(done?.state);
    if (!done) return undefined;
    const { changes, news, trail } = done;
    if (done.state !== state) {
      expect(news).toBe(true);
      expect(trail).toBeDefined();
    }
    // What follows from the state that is reached, whichever event led there.
    const ends = over.has(done.state) && done.state !== state;
    if (ends) expect(changes).toMatchObject({ endedAt: now, dueAt: null, hold: null });
    if (ends) expect(changes).toHaveProperty('reason');
    if (over.has(state) && !over.has(done.state))
      expect(changes).toMatchObject({ endedAt: null, replyTs: null, posting: null, dueAt: now });
    // A job that is worked on goes on at once by the process that has it, or is due at a time.
    if (unended.has(done.state) && done.state !== state && done.state !== 'sending')
      expect(changes.dueAt).toBeGreaterThanOrEqual(now);
    return undefined;
  });
});

test.each(['begun', 'stepBegun', 'stepAwaited', 'planEnded', 'wentOn'] as const)(
  'only a plan takes the event %s',
  type => {
    for (const state of states) expect(transitionOf(jobIn(state), events[type], now)).toBeUndefined();
  },
);

test('a job that was sent is not withdrawn, and a plan that was never begun does not go on', () => {
  expect(transitionOf(jobIn('running'), events.withdrawn, now)).toBeUndefined();
  expect(transitionOf(jobIn('failed', { ...steps, sentAt: null }), events.wentOn, now)).toBeUndefined();
});

test('a plan counts its tries anew with its next step, and not within the same step', () => {
  const at = (step: number) =>
    transitionOf(jobIn('running', { ...steps, step, looks: 2, revision: 7 }), events.stepBegun, now);
  expect(at(0)).toMatchObject({ changes: { step: 1, tries: 0 }, revision: 7 });
  expect(at(1)?.changes).not.toHaveProperty('tries');
});

test('the table of job steps leads to every state, and from every open state to an end', () => {
  const steps = types.flatMap(type => states.flatMap(from => statesAfter(type, from).map(to => ({ from, to }))));
  const reached = (from: JobState, known = new Set<JobState>()): Set<JobState> => {
    for (const { to } of steps.filter(step => step.from === from)) if (!known.has(to)) reached(to, known.add(to));
    return known;
  };
  expect([...reached('new')].toSorted()).toEqual(states.toSorted());
  for (const state of open) expect([...reached(state)].some(to => over.has(to))).toBe(true);
  expect([...open, ...ends].toSorted()).toEqual(states.toSorted());
});

test('only the state sending leads to a call, and no job returns there once the service may have been called', () => {
  const before = states.filter(state => types.some(type => statesAfter(type, state).includes('sending')));
  expect(before).toEqual(['new', 'approved']);
  const back = types.filter(type =>
    statesAfter(type, 'sending').some(state => state === 'new' || state === 'approved'),
  );
  expect(back).toEqual(['putOff', 'signedOut']);
  for (const state of ['running', 'finished', 'unconfirmed'] as const)
    for (const type of types) for (const to of statesAfter(type, state)) expect(before).not.toContain(to);
});

describe('an approval', () => {
  const terms = JSON.stringify({ rule: 'deletions', approvals: 2, approvers: [], asker: named('ana') });
  const decide = (...people: string[]) =>
    transitionOf(
      jobIn('awaiting', { terms, revision: 4 }),
      { type: 'approved', by, decisions: approvedBy(...people) },
      now,
    );

  test('an approval that is not enough leaves the job waiting, and people are told of it', () => {
    expect(decide('U2')).toEqual({
      state: 'awaiting',
      changes: { decisions: approvedBy('U2') },
      news: true,
      trail: { ...by, event: 'approved in part', detail: '1 of 2 approvals' },
      revision: 4,
    });
  });

  test('the last approval that is needed lets the job go on at once', () => {
    expect(decide('U2', 'U3')).toMatchObject({
      state: 'approved',
      changes: { dueAt: now },
      trail: { event: 'approved', detail: '2 of 2 approvals' },
      revision: 4,
    });
  });
});

describe('a call that certainly came to nothing', () => {
  test.each([
    ['new', {}],
    ['approved', approval],
  ] as const)(
    'a call that certainly came to nothing takes the job back to the state %s, as if it had not been sent',
    (state, row) => {
      expect(transitionOf(jobIn('sending', { ...row, looks: 3 }), events.putOff, now)).toEqual({
        state,
        changes: {
          ...{ hold: 'busy', reason, dueAt: now + 2_000, tries: 4 },
          ...{ sentAt: null, deadlineAt: null, baseline: null },
        },
        news: true,
        trail: { event: 'put off' },
      });
    },
  );

  test('a job that is put off again and again for the same reason says so once', () => {
    expect(transitionOf(jobIn('new'), events.putOff, now)?.news).toBe(true);
    expect(transitionOf(jobIn('new', { hold: 'busy', reason }), events.putOff, now)).toMatchObject({
      news: false,
      trail: undefined,
    });
  });
});

test.each(['forbidden', 'refused', 'failed', 'expired'] as const)(
  'a job that ends before the sending says once that nothing was sent: %s',
  type => {
    const told = (why: string) => transitionOf(jobIn('new'), { ...events[type], reason: why }, now)?.changes.reason;
    expect(told('The policy forbids it.')).toBe('The policy forbids it. Nothing was sent.');
    expect(told('Nothing was sent: it is late.')).toBe('Nothing was sent: it is late.');
  },
);

test.each(['accepted', 'inDoubt'] as const)(
  'a job keeps time for looks though a clock was set forward since the sending, once it is %s',
  type => {
    const late = jobIn('sending', { sentAt: now - hour, deadlineAt: now - 1 });
    expect(transitionOf(late, events[type], now)?.changes.deadlineAt).toBe(now + hour / 6);
    const inTime = jobIn('sending', { sentAt: now, deadlineAt: now + hour });
    expect(transitionOf(inTime, events[type], now)?.changes.deadlineAt).toBe(now + hour);
  },
);

test('a job that fails after the sending does not say that nothing was sent', () => {
  for (const state of ['sending', 'running'] as const)
    expect(transitionOf(jobIn(state), events.failed, now)?.changes.reason).toBe(reason);
});

test('a job that waits for a sign-in goes on with the sign-in, and no click makes Dolly look again', () => {
  const held = jobIn('running', { hold: 'sign-in' });
  expect(transitionOf(held, events.lookedAgain, now)).toBeUndefined();
  expect(transitionOf(held, events.signedIn, now)?.changes).toEqual({ hold: null, reason: null, dueAt: now });
  expect(transitionOf(jobIn('running', { hold: 'busy' }), events.signedIn, now)).toBeUndefined();
});

test('a new look at a job forgets the lost post of its reply, and goes on looking for that of its card', () => {
  const lost = (part: string) => jobIn('unconfirmed', { posting: JSON.stringify({ part, place: 'C1', since: now }) });
  expect(transitionOf(lost('reply'), events.lookedAgain, now)?.changes).toMatchObject({ posting: null });
  expect(transitionOf(lost('card'), events.lookedAgain, now)?.changes).not.toHaveProperty('posting');
});

test('a look is told as news only where it shows another state or another reason', () => {
  const before = { evidence: JSON.stringify(seen.evidence) };
  expect(transitionOf(jobIn('running', before), events.seen, now)?.news).toBe(false);
  expect(transitionOf(jobIn('running'), events.seen, now)?.news).toBe(true);
  expect(transitionOf(jobIn('running', { ...before, reason: 'I could not look.' }), events.seen, now)?.news).toBe(true);
});

test('the doubt of a job ends with the first sign that its call arrived, and not before', () => {
  const doubtful = jobIn('running', { noAnswer: 'It is not known.' });
  expect(transitionOf(doubtful, events.seen, now)?.changes.noAnswer).toBe(null);
  expect(transitionOf(doubtful, events.unconfirmed, now)?.changes).not.toHaveProperty('noAnswer');
  for (const type of ['proved', 'finished', 'failed'] as const)
    expect(transitionOf(doubtful, events[type], now)?.changes.noAnswer).toBe(null);
});

test('a job keeps its lock only when it is sent or when its time is extended', () => {
  const kept = states.flatMap(state => types.filter(type => happens(type, state)?.changes.lockedUntil !== undefined));
  expect([...new Set(kept)].toSorted()).toEqual(['deadlineExtended', 'sent']);
});

test('a job that is sent has its lock for the whole time, however long its preparation took', () => {
  const job = jobIn('new', { lockedUntil: now - 25_000 });
  expect(transitionOf(job, events.sent, now)?.changes.lockedUntil).toBe(now + lockTime);
});

test('the diagram of job states draws every step of the table', () => {
  const diagram = machineDiagram();
  expect(diagram.startsWith('stateDiagram-v2\n  [*] --> new: asked\n')).toBe(true);
  for (const state of ends) expect(diagram).toContain(`  ${state} --> [*]`);
  for (const [type, steps] of Object.entries(transitions)) {
    const words = type.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
    for (const [from, after] of Object.entries(steps))
      for (const to of [after].flat()) expect(diagram).toMatch(new RegExp(`  ${from} --> ${to}: .*${words}`));
  }
});
