import { describe, expect, test } from 'vitest';
import { type Execution, newExecution } from '../../../src/features/workflows/execution.ts';
import { type ExecutionSight, nextOfExecution } from '../../../src/features/workflows/nextOfExecution.ts';
import { hour, minute, second } from '../../../src/ground/durations.ts';
import { signInOf } from '../../../src/store/things/kind.ts';
import { aConsent } from './aConsent.ts';

const began = 1_000_000;
const now = began + hour;
const fresh = newExecution({
  ...{ team: 'T1', execution: 'Fx1', run: 'Wx1', step: 'back_up', person: 'U1', declared: [], inputs: {} },
  ...{ createdAt: began, deadlineAt: began + 3 * hour },
});
const execution = (changes: Partial<Execution> = {}): Execution => ({ ...fresh, revision: 3, ...changes });
const next = (sight: ExecutionSight, changes: Partial<Execution> = {}, at = now) =>
  nextOfExecution(execution(changes), sight, at);
const { state: _, request: _r, approvedBy: _a, decidedAt: _d, usedAt: _u, ...needed } = aConsent();

describe('an execution whose consent is missing', () => {
  const noConsent = { saw: 'no consent', needed, before: undefined, open: 0 } as const;

  test('an execution whose consent is missing waits for it until its deadline', () => {
    expect(next(noConsent)).toMatchObject({
      changes: { consent: 'g1', waitsFor: 'consent g1', plannedAt: began + 3 * hour },
      dueAt: began + 3 * hour,
      needs: expect.any(Function),
    });
  });

  test('an execution whose consent is missing ends at its deadline', () => {
    expect(next(noConsent, {}, began + 3 * hour)).toMatchObject({
      changes: { state: 'telling', waitsFor: null, result: { error: expect.stringContaining('Nobody allowed') } },
    });
  });

  test('an execution asks no sixth open question for a consent, but waits for one that is asked', () => {
    expect(next({ ...noConsent, open: 5 })).toMatchObject({
      changes: { result: { error: expect.stringContaining('too many open questions') } },
    });
    expect(next({ ...noConsent, open: 5, before: aConsent({ state: 'asked', createdAt: now }) })).toMatchObject({
      changes: { waitsFor: 'consent g1' },
    });
  });
});

describe('an execution whose person is signed out', () => {
  const out = { saw: 'signed out', step: { workflow: 'Nightly', title: 'Back up a database' } } as const;

  test('an execution tells its signed-out person once, and is looked at again', () => {
    expect(next(out)).toMatchObject({
      changes: { waitsFor: signInOf(fresh) },
      dueAt: now + 10 * minute,
      notices: [{ id: 'T1 Fx1 sign-in 3', to: { person: 'U1' } }],
    });
    expect(next(out, { waitsFor: signInOf(fresh) })).toEqual({ rest: now + 10 * minute });
  });

  test('an execution whose person is signed out is looked at when its deadline comes', () => {
    expect(next(out, { deadlineAt: now + minute })).toMatchObject({ dueAt: now + minute });
  });

  test('an execution goes on with its consent once its person is signed in again', () => {
    const back = next({ saw: 'signed in' }, { waitsFor: signInOf(fresh), consent: 'g1', state: 'running' });
    expect(back).toMatchObject({
      changes: { waitsFor: 'consent g1' },
      ...{ dueAt: now, closed: [{ outcome: 'You are signed in again.' }] },
    });
  });
});

describe('an execution that waits for a record', () => {
  const running = { state: 'running', record: null } as const;
  const look = { saw: 'record', record: null, overdue: { error: 'but never saw' } } as const;

  test.each([
    ['often at first', minute, 15 * second],
    ['less often after ten minutes', 30 * minute, minute],
    ['seldom after an hour', 2 * hour, 3 * minute],
    ['at its deadline at last', 3 * hour - 5, 5],
  ])('an execution that waits for a record looks at it less and less often: %s', (_, waited, pause) => {
    expect(next(look, running, began + waited)).toEqual({ rest: began + waited + pause });
  });

  test('an execution that waits for a record keeps it once it is seen', () => {
    expect(next({ ...look, record: 'MYSQL_LIVE_SERVER-1' }, running)).toMatchObject({
      changes: { record: 'MYSQL_LIVE_SERVER-1' },
    });
  });

  test('an execution that waits for a record in vain ends at its deadline', () => {
    expect(next(look, running, began + 3 * hour)).toMatchObject({ changes: { result: { error: 'but never saw' } } });
  });
});

describe('an execution whose job has ended', () => {
  const untold = { saw: 'no message', result: { outputs: { outcome: 'confirmed' } } } as const;

  test('an execution waits briefly for the message of its ended job, and ends without it', () => {
    const first = next(untold, { state: 'running', plannedAt: null });
    expect(first).toEqual({ changes: { plannedAt: now + 20 * second }, dueAt: now + second });
    const waits = { state: 'running', plannedAt: now + 20 * second } as const;
    expect(next(untold, waits, now + 19 * second)).toEqual({ rest: now + 20 * second });
    expect(next(untold, waits, now + 20 * second)).toMatchObject({ changes: { state: 'telling' } });
  });

  test('an execution does not wait for its job’s message as long as a clock was wrong', () => {
    expect(next(untold, { state: 'running', plannedAt: now + hour })).toMatchObject({ changes: { state: 'telling' } });
  });
});

describe('an execution whose outcome Slack', () => {
  test('an execution is over once Slack has its outcome', () => {
    expect(next({ saw: 'told', event: 'step told' }, { state: 'telling' })).toEqual({
      changes: { state: 'ended', plannedAt: null },
      ...{ dueAt: null, trail: undefined },
    });
  });

  test.each(['step over', 'step untold'] as const)(
    'an execution whose outcome Slack does not take leaves the trail entry “%s”',
    event => {
      expect(next({ saw: 'told', event }, { state: 'telling' })).toMatchObject({ trail: { event } });
    },
  );
});
