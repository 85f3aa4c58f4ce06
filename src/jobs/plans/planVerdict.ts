import { jobOperation, writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Plan } from '../../store/jobs/job.ts';
import type { Inspection } from '../approval/inspection.ts';
import { isMaker } from '../approval/maker.ts';
import {
  type ApprovalVerdict,
  type PolicyVerdict,
  possibleVerdicts,
  type Subject,
  strictest,
} from '../approval/verdict.ts';
import type { Parts } from '../parts.ts';
import { operationOf } from '../request.ts';

/*
 * The verdict of the policy on a plan. Rules about the operation of a step, and rules about that of the plan, both apply
 * to the step. The default policy applies once, to the plan.
 */

/** The operations of a plan for the rules: a step is judged as a part of it. */
export type PlanSubject = Readonly<{ plan: Pick<JobOperation, 'name' | 'guarded'>; subject: Subject }>;

/** Collects what the rules need to know about a plan, before any record is read. */
export async function planSubject(parts: Parts, plan: Plan, subject: Subject): Promise<PlanSubject> {
  const { name } = operationOf(plan);
  const isGuarded = await isGuardedPlan(parts, plan);
  return { plan: { name, ...(isGuarded ? { guarded: true as const } : {}) }, subject };
}

/**
 * Whether a plan waits for approval where no rule says otherwise. A plan that runs without approval was free when it
 * began: it stays so, although its own steps may have ended a lease.
 */
async function isGuardedPlan(parts: Parts, plan: Plan): Promise<boolean> {
  const operation = jobOperation(plan.operation);
  const isHarmful = plan.steps.some(step => writeOperation(step.operation)?.guarded);
  if (operation?.type !== 'plan' || !(operation.guarded || isHarmful)) return false;
  if (!operation.freeForMaker) return true;
  const isFree = plan.state === 'running' && plan.approval === undefined;
  return !isFree && !(await isMaker(parts, plan, plan.target));
}

/**
 * The possible verdicts on a step; on the plan itself where no `operation` of a step is given. Without `seen`, its target
 * was not read.
 */
export function verdictsOnStep(
  parts: Parts,
  { plan, subject }: PlanSubject,
  operation: string | undefined,
  seen: Inspection | undefined,
): readonly PolicyVerdict[] {
  const names = [plan, ...(operation === undefined ? [] : [{ name: operation }])];
  return names.flatMap(one => possibleVerdicts(parts.policy, { ...subject, ...seen, operation: one }));
}

/** The strictest of some verdicts. */
export function strictestOf([first, ...others]: readonly PolicyVerdict[]): PolicyVerdict {
  if (!first) throw new Error('the policy has a verdict on everything');
  return strictest([first, ...others]);
}

/**
 * Puts the verdicts on the steps of a plan together: it needs what its strictest step needs. Gives a sentence where no
 * single approval can serve all of them.
 */
export function mergedVerdict(verdicts: readonly PolicyVerdict[]): PolicyVerdict | string {
  const forbidden = verdicts.find(({ type }) => type === 'forbid');
  if (forbidden) return forbidden;
  const approvals = verdicts.filter((one): one is ApprovalVerdict => one.type === 'approve');
  const [first] = approvals;
  if (!first) return strictestOf(verdicts);
  const named = approvals.filter(({ approvers }) => approvers.length > 0);
  const lists = new Map(named.map(({ approvers, rule }) => [[...approvers].sort().join(' '), rule]));
  if (lists.size > 1)
    return `Its steps need approval by different people (${[...lists.values()].join('; ')}). Ask for them one by one.`;
  const rules = new Set(approvals.map(({ rule }) => rule));
  return {
    type: 'approve',
    rule: [...rules].slice(0, 5).join('; '),
    approvals: Math.max(...approvals.map(one => one.approvals)),
    approvers: named[0]?.approvers ?? [],
    lifetime: Math.min(...approvals.map(({ lifetime }) => lifetime)),
  };
}
