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
  test('stands as long as one who gave it may still approve', async () => {
    expect(await lapse({}, ['U0DEV'])).toBeUndefined();
    expect(await lapse({}, ['U0GONE', 'U0EVE'])).toBeUndefined();
  });
  test('lapses where all who gave it have left, or are no approvers any more', async () => {
    const why = 'Nobody who let it run with the service account may approve that now.';
    expect(await lapse({}, ['U0GONE'])).toBe(why);
    expect(await lapse({}, ['U0ZOE'])).toBe(why);
    expect(await lapse({}, [])).toBe(why);
  });
  test('lapses where the policy asks for more people than gave it, for this very target', async () => {
    const two = {
      rules: [{ operation: 'schedule.*', environment: '*-prod', decision: 'approve', approvals: 2, title: 'Two' }],
    };
    expect(await lapse(two, ['U0DEV', 'U0EVE'])).toBeUndefined();
    expect(await lapse(two, ['U0DEV'])).toContain('2 approvals (Two), but 1 of those');
    expect(await lapse(two, ['U0DEV'], { ...shop, environments: ['test'] })).toBeUndefined();
  });
  test('lapses where the policy forbids it now', async () => {
    const never = { rules: [{ name: 'shop', decision: 'forbid', title: 'Hands off' }] };
    expect(await lapse(never, ['U0DEV'])).toBe('The policy forbids this here: Hands off.');
  });
  test('stays where a rule lets people do all without approval: it was given once all the same', async () => {
    expect(await lapse({ rules: [{ decision: 'allow' }] }, ['U0DEV'])).toBeUndefined();
    expect(await lapse({ rules: [{ decision: 'allow' }] }, ['U0GONE'])).toBeDefined();
  });
  test('is not taken back for a missing answer of Slack', async () => {
    await expect(lapse({}, ['U0HUSH'])).rejects.toThrow('Slack cannot tell me');
  });
});
