import { describe, expect, test } from 'vitest';
import { isAllowedEnd, leaseDefaultFor, leaseFaultFor, leaseTermsOf } from '../../../src/features/leases/leaseRules.ts';
import { day, hour } from '../../../src/ground/durations.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import type { RuleSubject } from '../../../src/jobs/approval/policy/verdict.ts';

const policy = (...leases: object[]) => policyOf(PolicyFile.parse({ leases }), []);
const subject = (change: Partial<RuleSubject> = {}): RuleSubject => ({
  operation: { name: 'clone.create' },
  names: ['shop-3310', 'MYSQL_CLONE_SERVER-7'],
  environments: ['dev'],
  projects: ['webshop'],
  isOneOf: () => false,
  ...change,
});

describe('the terms of a lease', () => {
  test('a lease asks at its end, and warns a day and two hours before, where no rule applies', () => {
    const usual = { rule: null, longest: undefined, required: false, warn: [day, 2 * hour], end: 'ask', grace: day };
    expect(leaseTermsOf(policy(), subject())).toMatchObject(usual);
    expect(leaseTermsOf(policy({ environment: 'prod', end: 'delete' }), subject())).toMatchObject(usual);
  });

  test('the terms of a lease are those of the first rule whose conditions apply', () => {
    const rules = policy(
      { title: 'testers', requester: 'S0QA', end: 'stop' },
      {
        title: 'dev',
        environment: 'd*',
        project: 'webshop',
        operation: 'clone.*',
        default: '2w',
        longest: '4w',
        end: 'delete',
      },
      { title: 'all', end: 'stop' },
    );
    expect(leaseTermsOf(rules, subject())).toMatchObject({
      rule: 'dev',
      default: 14 * day,
      longest: 28 * day,
      end: 'delete',
    });
    expect(leaseTermsOf(rules, subject({ isOneOf: () => true }))).toMatchObject({ rule: 'testers', end: 'stop' });
    expect(leaseTermsOf(rules, subject({ environments: ['prod'] }))).toMatchObject({ rule: 'all' });
  });

  test('a lease only asks, and allows the shorter time, where an earlier rule may apply', () => {
    const rules = policy(
      { environment: 'dev', longest: '1w', required: true },
      { name: 'shop*', default: '2w', longest: '4w', end: 'delete' },
    );
    const unsure = leaseTermsOf(rules, subject({ environments: undefined }));
    expect(unsure).toMatchObject({ longest: 7 * day, default: 7 * day, required: true, end: 'ask' });
  });

  test('a lease may end up to the longest time, and have no end only where the policy allows that', () => {
    const terms = leaseTermsOf(policy({ longest: '1w' }), subject());
    expect(isAllowedEnd(terms, 1_000, 1_000 + 7 * day)).toBe(true);
    expect(isAllowedEnd(terms, 1_000, 1_001 + 7 * day)).toBe(false);
    expect(isAllowedEnd(terms, 1_000, null)).toBe(false);
    expect(isAllowedEnd(leaseTermsOf(policy({ required: true }), subject()), 0, null)).toBe(false);
    expect(isAllowedEnd(leaseTermsOf(policy(), subject()), 0, null)).toBe(true);
  });
});

describe('a form', () => {
  const create = { name: 'clone.create' };
  const fault = (text: string | undefined, ...rules: object[]) => leaseFaultFor(policy(...rules), create, text, 1_000);

  test('the form for a clone shows the default time only where it holds for each clone', () => {
    expect(leaseDefaultFor(policy({ default: '2w' }), create)).toBe('2w');
    expect(leaseDefaultFor(policy({ operation: 'snapshot.mount', default: '2w' }), create)).toBeUndefined();
    expect(leaseDefaultFor(policy({ environment: 'dev', default: '1d' }, { default: '2w' }), create)).toBeUndefined();
  });

  test('the form for a clone refuses only a time that the policy allows to no clone', () => {
    expect(fault('3w', { longest: '2w' })).toBe('The policy allows at most 2w.');
    expect(fault('none', { longest: '2w' })).toBe('The policy allows at most 2w.');
    expect(fault('none', { required: true })).toBe('The policy wants an end: choose a time.');
    expect(fault(undefined, { required: true })).toBe('Say how long to keep it: the policy wants an end.');
    expect(fault(undefined, { required: true, default: '1w' })).toBeUndefined();
    expect(fault('1969-12-31')).toBe('That day has passed.');
    expect(fault('3w', { environment: 'dev', longest: '2w' })).toBeUndefined();
    expect(fault('2w', { longest: '2w' })).toBeUndefined();
    expect(fault(undefined)).toBeUndefined();
  });
});

describe('a policy file with a lease rule', () => {
  test.each([
    [{ default: '3w', longest: '2w' }, 'default is longer than longest'],
    [{ end: 'drop' }, 'must be ask, stop or delete'],
    [{ grace: 'soon' }, 'must be a time such as 90s, 30m, 12h, 2d or 2w'],
    [{ warn: [] }, ''],
    [{ longets: '2w' }, ''],
  ])('a policy file with the lease rule %o is refused', (rule, why) => {
    expect(PolicyFile.safeParse({ leases: [rule] }).error?.issues[0]?.message).toContain(why);
  });
});
