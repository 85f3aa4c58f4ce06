import { describe, expect, test } from 'vitest';
import { requestOfConsent, stepAfterApproval } from '../../../src/features/workflows/consent/consentApproval.ts';
import { hasEnded, type Job } from '../../../src/store/jobs/rows/job.ts';
import { job } from '../../jobs/rows.ts';
import { aboutShop, aConsent } from './aConsent.ts';

const waiting = aConsent({ state: 'waiting', request: 'job-1', runsAs: 'service' });
const approved = { type: 'approved', person: 'U2', login: 'dev', identity: { users: [], names: ['dev'] }, at: 5 };

function ended(changes: Parameters<typeof job>[0] = {}) {
  const made: Job = job({
    ...{
      id: 'job-1',
      operation: 'workflow.approve',
      state: 'succeeded',
      steps: '[]',
      step: 0,
      endedAt: 9,
      digest: 'd',
    },
    ...{ inputs: JSON.stringify({ record: 'MYSQL_LIVE_SERVER-1', consent: 'g1' }), target: 'MYSQL_LIVE_SERVER-1' },
    ...{
      terms: JSON.stringify({ rule: 'r', approvals: 1, approvers: [], asker: { users: [], names: ['ana'] } }),
      facts: '[]',
      expiresAt: 99,
      login: 'ana',
    },
    ...{ decisions: JSON.stringify([approved]), reason: 'It is done.' },
    ...changes,
  });
  if (!hasEnded(made)) throw new Error('it has not ended');
  return made;
}

describe('the end of a request for approval', () => {
  test('an approval by somebody else gives the consent that was asked for', () => {
    expect(stepAfterApproval(waiting, ended())).toMatchObject({
      changes: { state: 'given', approvedBy: ['U2'], decidedAt: 9 },
    });
  });

  test.each([
    ['its own person approved it', { decisions: JSON.stringify([{ ...approved, person: 'U1' }]) }],
    ['its person broke the glass', { emergency: 'now' }],
    ['it was denied', { state: 'denied', reason: 'It was denied: no.' }],
    ['it expired', { state: 'expired', reason: 'Nobody decided.' }],
    ['it was withdrawn', { state: 'withdrawn', reason: 'It was withdrawn.' }],
  ] satisfies [string, Parameters<typeof ended>[0]][])(
    'a consent is refused where its request for approval ends so: %s',
    (_, changes) => {
      expect(stepAfterApproval(waiting, ended(changes))?.changes.state).toBe('refused');
    },
  );

  test('an approval renews a consent that is given, which a denial ends and an expiry leaves', () => {
    const renewed = aConsent({ ...waiting, state: 'given' });
    expect(stepAfterApproval(renewed, ended())?.changes).toMatchObject({ state: 'given', decidedAt: 9 });
    expect(stepAfterApproval(renewed, ended({ state: 'expired', reason: 'Nobody decided.' }))).toBeUndefined();
    expect(stepAfterApproval(renewed, ended({ state: 'denied', reason: 'No.' }))?.changes.state).toBe('revoked');
  });

  test.each([
    ['was revoked meanwhile', { state: 'revoked' }],
    ['was asked for anew meanwhile', { request: 'job-2' }],
    ['is given already', { state: 'given', request: null }],
  ] as const)('the end of a request for approval changes nothing for a consent that %s', (_, changes) => {
    expect(stepAfterApproval({ ...waiting, ...changes }, ended())).toBeUndefined();
  });
});

describe('a request for approval', () => {
  test('a request to approve a consent names the workflow, the work and all inputs', () => {
    expect(requestOfConsent(waiting, 7)).toMatchObject({
      ...{ operation: 'workflow.approve', target: 'MYSQL_LIVE_SERVER-1', person: 'U1', steps: [] },
      values: {
        consent: 'g1',
        workflow: 'Nightly',
        work: 'back up shop',
        details: JSON.stringify([['Database', 'shop (MYSQL_LIVE_SERVER-1)']]),
      },
    });
  });

  test('each revision of a consent has one request for approval of its own', () => {
    const keyOf = (revision: number) => {
      const made = requestOfConsent({ ...waiting, revision }, 7);
      return 'fault' in made ? made.fault : made.requestKey;
    };
    expect(keyOf(2)).toBe(keyOf(2));
    expect(keyOf(2)).not.toBe(keyOf(3));
  });

  test.each([
    ['no target was found', { ...aboutShop, target: null }, 'could not find its target'],
    ['its target is no identifier', { ...aboutShop, target: 'shop' }, 'could not find its target'],
    ['another release wrote it', { strange: true }, 'does not know'],
    ['not all of it could be shown', { ...aboutShop, lines: [['Parameters', 'x'.repeat(100_000)]] }, 'too many inputs'],
  ])('a request to approve a consent is not made where %s', (_, about, words) => {
    expect(requestOfConsent({ ...waiting, about }, 7)).toEqual({ fault: expect.stringContaining(words) });
  });
});
