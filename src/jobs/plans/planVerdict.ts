import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Plan } from '../../store/jobs/rows/job.ts';
import type { Inspection } from '../approval/facts/inspection.ts';
import { isMaker } from '../approval/people/maker.ts';
import {
  type ApprovalVerdict,
  type PolicyVerdict,
  possibleVerdicts,
  type Subject,
  strictest,
  subjectOf,
} from '../approval/policy/verdict.ts';
import type { Judge, Parts } from '../parts.ts';
import { operationOf } from '../request.ts';

/*
 * The verdict of the policy on a plan. Rules about the operation of a step, and rules about that of the plan, both apply
 * to the step. The default policy applies once, to the plan.
 */

/**
 * The operations of a plan for the rules: a step is judged as a part of it. `isFree` says that its person may run it
 * alone: then only rules about the plan ask for approval, and those about its steps can forbid it.
 */
export type PlanSubject = Readonly<{
  plan: Pick<JobOperation, 'name' | 'guarded'>;
  subject: Subject;
  isFree: boolean;
}>;

/** The parts of a plan that its verdict rests on. */
type Judged = Pick<Plan, 'id' | 'team' | 'person' | 'operation' | 'target' | 'steps' | 'state'> &
  Readonly<{ approval?: Plan['approval'] }>;

/** Collects what the rules need to know about a plan, before any record is read. */
export async function planSubject(
  parts: Judge & Parts<'jobs' | 'keepersOf' | 'records'>,
  plan: Judged,
): Promise<PlanSubject> {
  const operation = operationOf(plan);
  const subject = await subjectOf(parts, plan, operation, 'now');
  const isFree = await isFreeFor(parts, plan, operation);
  const isHarmful = operation.guarded || plan.steps.some(step => writeOperation(step.operation)?.guarded);
  const guarded = isHarmful && !isFree ? { guarded: true as const } : {};
  return { plan: { name: operation.name, ...guarded }, subject, isFree };
}

/**
 * Whether a person may run a plan alone where no rule about it says otherwise. One that runs without approval was free
 * when it began: it stays so, although its own steps may have ended a lease.
 */
async function isFreeFor(parts: Parts<'jobs' | 'keepersOf' | 'records'>, plan: Judged, operation: JobOperation) {
  if (operation.type !== 'plan' || !operation.freeForMaker) return false;
  return (plan.state === 'running' && plan.approval === undefined) || isMaker(parts, plan, plan.target);
}

/**
 * The possible verdicts on a step; on the plan itself where no `operation` of a step is given. Without `seen`, its target
 * was not read.
 */
export function verdictsOnStep(
  parts: Parts<'policy'>,
  { plan, subject, isFree }: PlanSubject,
  operation: string | undefined,
  seen: Inspection | undefined,
): readonly PolicyVerdict[] {
  const on = (one: Subject['operation']) => possibleVerdicts(parts.policy, { ...subject, ...seen, operation: one });
  const ofStep = operation === undefined ? [] : on({ name: operation });
  return [...on(plan), ...ofStep.filter(({ type }) => !isFree || type === 'forbid')];
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
