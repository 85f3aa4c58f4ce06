import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../src/jobs/approval/policy/pattern.ts';
import { type Policy, PolicyFile, policyOf, requesterIds } from '../../../src/jobs/approval/policy/rules.ts';
import {
  mayNeedApproval,
  possibleVerdicts,
  type Subject,
  strictest,
} from '../../../src/jobs/approval/policy/verdict.ts';
import { writeOperation } from '../../../src/operations/catalogue.ts';

function operation(name: string) {
  const found = writeOperation(name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

const remove = operation('database.delete');
const backUp = operation('database.backup');

/** A policy of these rules, with the group S0 as its approvers. */
function policy(rules: unknown[], more: object = {}): Policy {
  return policyOf(PolicyFile.parse({ rules, ...more }), ['S0GROUP']);
}

/** Somebody in no list, who deletes the database `orders` on `oracle-prod` in no project. */
function subject(change: Partial<Subject> = {}): Subject {
  return {
    operation: remove,
    names: ['MYSQL_LIVE_SERVER-1', 'orders'],
    environments: ['HOST_ENVIRONMENT-1', 'oracle-prod'],
    projects: [],
    isOneOf: () => false,
    ...change,
  };
}

const decides = (rules: unknown[], change: Partial<Subject> = {}) => {
  const { type, rule } = strictest(possibleVerdicts(policy(rules), subject(change)));
  return `${type}: ${rule}`;
};

const allow = { title: 'a', decision: 'allow' };
const approve = { title: 'b', decision: 'approve' };
const two = { title: 'c', decision: 'approve', approvals: 2 };
const forbid = { title: 'd', decision: 'forbid' };

describe('a policy', () => {
  test('a policy without rules asks for the approval of deletions, and for nothing else', () => {
    expect(decides([])).toBe('approve: deletions need approval');
    expect(decides([], { operation: backUp })).toBe('allow: no rule applies to database.backup');
    expect(mayNeedApproval(policy([]), remove)).toBe(true);
    expect(mayNeedApproval(policy([]), backUp)).toBe(false);
  });

  test('the first rule that fits decides, whatever rules follow', () => {
    expect(decides([allow, forbid])).toBe('allow: a');
    expect(decides([{ ...allow, name: 'shop' }, forbid])).toBe('forbid: d');
    expect(decides([{ ...allow, name: 'shop' }, { ...approve, name: 'ord*' }, forbid])).toBe('approve: b');
  });

  test('a rule fits where all its conditions are met, each by one entry of its list', () => {
    const rule = { ...allow, name: ['shop', 'orders'], environment: '*-prod' };
    expect(decides([rule])).toBe('allow: a');
    expect(decides([rule], { environments: ['HOST_ENVIRONMENT-4', 'dev'] })).toMatch(/^approve/);
    expect(decides([{ ...rule, operation: 'snapshot.*' }])).toMatch(/^approve/);
    expect(decides([{ ...rule, project: '*' }])).toMatch(/^approve/);
  });

  test('a rule without a title is named by its place in the policy', () => {
    expect(decides([{ ...allow, title: 'no', name: 'shop' }, { decision: 'forbid' }])).toBe('forbid: rule 2');
  });

  test('a rule takes from the policy or the defaults the approvals, approvers and lifetime that it leaves out', () => {
    const whole = policy([{ ...approve, lifetime: '30m' }], { approvals: 3, approvers: 'U0LEAD', lifetime: '2d' });
    expect(strictest(possibleVerdicts(whole, subject()))).toMatchObject({
      approvals: 3,
      approvers: ['U0LEAD'],
      lifetime: 30 * 60_000,
    });
    expect(strictest(possibleVerdicts(policy([]), subject()))).toMatchObject({
      approvals: 1,
      approvers: ['S0GROUP'],
      lifetime: 24 * 3_600_000,
    });
  });

  test('an operation may need approval where any rule that could fit asks for it', () => {
    expect(mayNeedApproval(policy([{ ...approve, operation: 'database.backup', name: 'x' }]), backUp)).toBe(true);
    expect(mayNeedApproval(policy([{ ...approve, operation: 'database.refresh' }]), backUp)).toBe(false);
    expect(mayNeedApproval(policy([{ ...allow, operation: '*' }, approve]), backUp)).toBe(false);
  });

  test('the people and groups that rules name as requesters are listed once each', () => {
    expect(
      requesterIds(
        policy([
          { ...allow, requester: ['U0A', 'S0B'] },
          { ...forbid, requester: 'U0A' },
        ]).rules,
      ),
    ).toEqual(['U0A', 'S0B']);
  });
});

describe('what is not known', () => {
  const unknown = [
    ['the name', { names: undefined }, { name: 'shop' }],
    ['the environment', { environments: undefined }, { environment: 'dev' }],
    ['the project', { projects: undefined }, { project: 'test' }],
    ['whether the requester is in a group', { isOneOf: () => undefined }, { requester: 'S0JUNIOR' }],
  ] as const;

  test.each(unknown)(
    'while Dolly does not know %s, the strictest rule that may fit decides',
    (_, change, condition) => {
      expect(decides([{ ...allow, ...condition }], change)).toMatch(/^approve/);
      expect(decides([{ ...forbid, ...condition }, allow], change)).toBe('forbid: d');
      expect(decides([{ ...two, ...condition }, approve], change)).toBe('approve: c');
      expect(decides([{ ...approve, ...condition }, two], change)).toBe('approve: c');
      expect(decides([{ ...allow, ...condition }, { ...approve, ...condition }, forbid], change)).toBe('forbid: d');
    },
  );

  test.each(unknown)(
    'while Dolly does not know %s, a rule that another condition rules out does not apply',
    (_, change, condition) => {
      expect(decides([{ ...forbid, ...condition, operation: 'snapshot.*' }, allow], change)).toBe('allow: a');
    },
  );

  test('a rule that fits for sure decides, though a later rule asks for a name that is unknown', () => {
    expect(
      decides(
        [
          { ...allow, operation: '*.delete' },
          { ...forbid, name: 'x' },
        ],
        { names: undefined },
      ),
    ).toBe('allow: a');
  });
});

describe('a pattern', () => {
  test.each([
    ['orders', 'orders'],
    ['orders*', 'orders'],
    ['*', 'anything'],
    ['or*rs', 'orders'],
    ['*-prod', 'oracle-prod'],
    ['*a*b*', 'xaxbx'],
    ['aa*aa', 'aaaa'],
    ['PROD*', 'prod-1'],
    ['p.d', 'p.d'],
  ])('the pattern %j fits %j', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(true);
  });

  test.each([
    ['prod*', 'ＰＲＯＤ-1'],
    ['prod*', 'pr\u200bod\u2060-1'],
    ['prod', '  prod\t'],
    ['fi*', 'ﬁnance'],
    ['prod-*', 'prоd-main'],
    ['prod-*', 'pröd-main'],
    ['*-prod', 'oracle-рrοd'],
    ['p*d-main', 'ⲣr\u3164od-main'],
    ['lvan*', 'Ivan-test'],
    ['prоd-*', 'prod-main'],
    ['shop-3?', 'shop-Ʒ?'],
  ])('the pattern %j may fit %j, which looks alike, so the stricter rule decides', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBeUndefined();
    const named = { names: ['MYSQL_LIVE_SERVER-1', text], operation: backUp };
    expect(decides([{ ...two, name: pattern }], named)).toBe('approve: c');
    expect(decides([{ ...forbid, name: pattern }, allow], named)).toBe('forbid: d');
    expect(decides([{ ...allow, name: pattern }, forbid], named)).toBe('forbid: d');
    expect(decides([{ ...allow, name: pattern }], { ...named, operation: remove })).toMatch(/^approve/);
  });

  test('a pattern may fit a name however lookalike letters, marks and invisible characters disguise it', () => {
    const alike = {
      a: 'аɑ',
      c: 'сⅽ',
      d: 'ԁⅾ',
      e: 'еҽ',
      i: 'іⅰ',
      m: 'ⅿｍ',
      n: 'ո𝐧',
      o: 'оο',
      p: 'рⲣ',
      r: 'гᴦ',
      s: 'ѕꜱ',
    };
    const twist = fc.constantFrom('', '', '\u200b', '\u2060', '\u00ad', '\u0301', '\u0338', '\u{e0061}', '\ufe0f');
    const letter = fc
      .constantFrom(...Object.entries(alike))
      .chain(([plain, others]) =>
        fc.tuple(fc.constant(plain), fc.constantFrom(plain, plain.toUpperCase(), ...others), twist),
      );
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 12 }), letters => {
        const plain = letters.map(([one]) => one).join('');
        const shown = letters.map(([, one, mark]) => one + mark).join('');
        expect(matchesPattern(plain, shown)).not.toBe(false);
        expect(matchesPattern(`${plain}*`, `${shown}-main`)).not.toBe(false);
        expect(matchesPattern(shown, plain)).not.toBe(false);
      }),
    );
  });

  test.each([
    ['orders', 'orders2'],
    ['*orders', 'orders2'],
    ['aa*aa', 'aaa'],
    ['a*b*c', 'acb'],
    ['p.d', 'pxd'],
    ['p?d', 'pad'],
    ['', 'x'],
  ])('the pattern %j does not fit %j', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(false);
  });

  test('a pattern of many stars is compared with a long text within a second', () => {
    const before = process.threadCpuUsage();
    expect(matchesPattern(`${'*a'.repeat(100)}*b`, 'a'.repeat(20_000))).toBe(false);
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test('a policy with a rule for a write operation that does not exist is refused', () => {
    expect(PolicyFile.safeParse({ rules: [{ operation: 'database.destroy', decision: 'allow' }] }).success).toBe(false);
    expect(PolicyFile.safeParse({ rules: [{ operation: 'database.list', decision: 'allow' }] }).success).toBe(false);
  });
});
