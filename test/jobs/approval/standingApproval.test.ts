import { describe, expect, test } from 'vitest';
import type { People } from '../../../src/jobs/approval/people/people.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { lapseOfApproval } from '../../../src/jobs/approval/standingApproval.ts';

const dbas = 'S0DBAS0001';
const members = ['U0DEV', 'U0EVE'];
const left = ['U0GONE'];
const nobodyTells = ['U0HUSH'];

/** Slack as far as an approval rests on it: Dev and Eve are DBAs, and so was somebody who has left. */
const people: People = {
  membersOf: async (_team, ids) => ids,
  nameOf: async () => undefined,
  zoneOf: async () => undefined,
  isAmong: async ({ person }, ids) =>
    ids.includes(person) || (ids.includes(dbas) && [...members, ...left, ...nobodyTells].includes(person)),
  absenceOf: async () => undefined,
  standingOf: async ({ person }) =>
    left.includes(person) ? 'outsider' : nobodyTells.includes(person) ? 'unknown' : 'member',
};

const shop = { names: ['shop', 'MARIADB_LIVE_SERVER-5'], environments: ['shop-prod'], projects: [] };

function lapse(file: object, approvedBy: readonly string[], seen = shop) {
  const parts = { people, policy: policyOf(PolicyFile.parse(file), [dbas]) };
  return lapseOfApproval(parts, { team: 'T1', person: 'U0ANA', approvedBy }, seen);
}

describe('the approval of a schedule that runs with the service account', () => {
  test('a schedule’s approval for the service account stands while one person who gave it may still approve', async () => {
    expect(await lapse({}, ['U0DEV'])).toBeUndefined();
    expect(await lapse({}, ['U0GONE', 'U0EVE'])).toBeUndefined();
  });
  test('a schedule’s approval lapses once all who gave it have left or are no longer approvers', async () => {
    const why = 'Nobody who let it run with the service account may approve that now.';
    expect(await lapse({}, ['U0GONE'])).toBe(why);
    expect(await lapse({}, ['U0ZOE'])).toBe(why);
    expect(await lapse({}, [])).toBe(why);
  });
  test('a schedule’s approval lapses where the policy asks for more people than gave it for this target', async () => {
    const two = {
      rules: [{ operation: 'schedule.*', environment: '*-prod', decision: 'approve', approvals: 2, title: 'Two' }],
    };
    expect(await lapse(two, ['U0DEV', 'U0EVE'])).toBeUndefined();
    expect(await lapse(two, ['U0DEV'])).toContain('2 approvals (Two), but 1 of those');
    expect(await lapse(two, ['U0DEV'], { ...shop, environments: ['test'] })).toBeUndefined();
  });
  test('a schedule’s approval lapses once the policy forbids its work', async () => {
    const never = { rules: [{ name: 'shop', decision: 'forbid', title: 'Hands off' }] };
    expect(await lapse(never, ['U0DEV'])).toBe('The policy forbids this here: Hands off.');
  });
  test('a schedule’s approval stays when a rule allows everything, as long as somebody who gave it remains', async () => {
    expect(await lapse({ rules: [{ decision: 'allow' }] }, ['U0DEV'])).toBeUndefined();
    expect(await lapse({ rules: [{ decision: 'allow' }] }, ['U0GONE'])).toBeDefined();
  });
  test('a schedule’s approval is not taken back because Slack does not answer', async () => {
    await expect(lapse({}, ['U0HUSH'])).rejects.toThrow('Slack cannot tell me');
  });
});
