import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { choose, Mistake } from './choice.ts';
import { drawPlan } from './drawing.ts';
import { keep, keptOf, missedBy } from './kept.ts';
import type { Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import type { Outcome } from './simulation.ts';

/** The first seed that draws as much as the tests take out. */
const whole = (() => {
  for (let seed = 1; ; seed++) {
    const plan = drawPlan(String(seed));
    if (plan.acts.length > 14 && plan.faults.length > 9) return plan;
  }
})();

function outcomeOf(plan: Plan, invariant: string | undefined): Outcome {
  return {
    plan,
    findings: invariant === undefined ? [] : [{ invariant, what: 'it is so', at: 0 }],
    fingerprint: '',
    events: 0,
    kills: 0,
    covered: new Map(plan.faults.map(({ fault }) => [`fault ${fault}`, 1])),
    deeds: plan.acts.map(act => ({ act, beganAt: 0, isTaken: true })),
    seen: [],
    log: [],
  };
}

describe('a plan is shrunk', () => {
  const needed = [whole.acts.at(-3), whole.acts.at(4), whole.faults.at(5)];
  const isNeeded = ({ acts, faults }: Plan) =>
    needed.every(one => [...acts, ...faults].some(part => part === one)) ? '1 one write' : undefined;

  test('a plan of the simulator shrinks to the acts and faults that its finding needs, in few runs', async () => {
    const found = outcomeOf(whole, '1 one write');
    const { outcome, runs, isLeast } = await shrink(found, '1 one write', async plan =>
      outcomeOf(plan, isNeeded(plan)),
    );
    const { acts, faults } = outcome.plan;
    expect(new Set([...acts, ...faults])).toEqual(new Set(needed));
    expect(outcome.plan).toMatchObject({ seed: whole.seed, bots: whole.bots, quietFrom: whole.quietFrom });
    expect(acts).toEqual(whole.acts.filter(act => acts.includes(act)));
    expect(isLeast).toBe(true);
    expect(runs).toBeLessThan(100);
  });

  test('a plan of the simulator shrinks to what still breaks the same invariant, whatever else is found', async () => {
    const found = outcomeOf(whole, '1 one write');
    const { outcome } = await shrink(found, '1 one write', async plan =>
      outcomeOf(plan, isNeeded(plan) ?? '8 told once'),
    );
    expect(outcome.plan.acts.length + outcome.plan.faults.length).toBe(needed.length);
  });

  test('a plan of the simulator shrinks to nothing where its finding needs nothing', async () => {
    const { outcome } = await shrink(outcomeOf(whole, '1'), '1', async plan => outcomeOf(plan, '1'));
    expect(outcome.plan).toMatchObject({ acts: [], faults: [] });
  });

  test('a plan of the simulator shrinks only as far as the allowed runs go, and says so', async () => {
    const found = outcomeOf(whole, '1 one write');
    const shrunk = await shrink(found, '1 one write', async plan => outcomeOf(plan, isNeeded(plan)), 5);
    expect(shrunk).toMatchObject({ runs: 5, isLeast: false });
    expect(isNeeded(shrunk.outcome.plan)).toBeDefined();
  });
});

describe('a plan is kept', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dolly-plans-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a plan of the simulator is kept under its invariant and the next number, and read again as it was', () => {
    const kept = keptOf(outcomeOf(whole, '4 approved'), '4 approved');
    const files = [keep(kept, folder), keep(kept, folder)];
    expect(files).toEqual([join(folder, '4-approved-1.json'), join(folder, '4-approved-2.json')]);
    expect(JSON.parse(readFileSync(files[0] ?? '', 'utf8'))).toEqual(kept);
    expect(choose({ PLAN: folder })).toMatchObject([
      { file: files[0], reaches: kept.reaches, plan: { acts: whole.acts } },
      { file: files[1] },
    ]);
  });

  test('a kept plan of the simulator fails where it no longer reaches an act, or a fault as often', () => {
    const outcome = outcomeOf(whole, '4 approved');
    const [first] = whole.faults;
    const [act] = whole.acts;
    if (!first || !act) throw new Error('the plan is empty');
    const twice = new Map([...outcome.covered, [`fault ${first.fault}`, 2]]);
    const kept = keptOf({ ...outcome, covered: twice }, '4 approved');
    expect(missedBy(kept, { ...outcome, covered: twice })).toEqual([]);
    expect(missedBy(kept, outcome)).toEqual([first.fault]);
    const deeds = outcome.deeds.map(deed => ({ ...deed, isTaken: deed.act !== act }));
    expect(missedBy(kept, { ...outcome, covered: twice, deeds })).toEqual([act.id]);
  });
});

test.each([
  [{ SEED: 'abc' }, 'SEED must be a whole number from 1 on, and is "abc".'],
  [{ SEEDS: '-1' }, 'SEEDS must be a whole number from 1 on, and is "-1".'],
  [{ PLAN: 'no/such/plan.json' }, 'There is no plan no/such/plan.json.'],
  [{ PLAN: 'package.json' }, /^package.json is no plan: .*\.$/],
  [{ PLAN: 'README.md' }, /^README.md is no plan: .*\.$/],
  [{ PLAN: 'docs' }, 'No plan is kept in docs.'],
])('the simulator refuses %j in one sentence', (env, sentence) => {
  expect(() => choose(env)).toThrow(Mistake);
  expect(() => choose(env)).toThrow(sentence);
});
