import pLimit from 'p-limit';
import { Failure } from '../../ground/failure.ts';
import { mapInSlices } from '../../ground/slices.ts';
import { inRow } from '../../ground/wording.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { directDependents } from '../../operations/plans/tree.ts';
import { lineageOf } from '../../records/lineage.ts';
import { isDeleted } from '../../records/recordReader.ts';
import type { Session } from '../../records/records.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { Plan } from '../../store/jobs/rows/job.ts';
import { approvalEvent, type PolicyEvent } from '../approval/beforeSending.ts';
import { checkApproval } from '../approval/checks.ts';
import { nameAndId } from '../approval/facts/fact.ts';
import { type Inspection, inspect, listIfShown } from '../approval/facts/inspection.ts';
import { isMaker } from '../approval/people/maker.ts';
import {
  type ApprovalVerdict,
  forbiddenBy,
  type PolicyVerdict,
  possibleVerdicts,
  type Subject,
  strictest,
  subjectOf,
  withUnknownGroups,
} from '../approval/policy/verdict.ts';
import type { Inquirer, Judge, Parts } from '../parts.ts';
import { operationOf, targetOf } from '../request.ts';
import { markStep } from './planFacts.ts';
import { obstacleToSteps } from './stepObstacles.ts';
import { knownValues, numberedStep, targetOfStep } from './stepWords.ts';

/** Max targets that are read at once. */
const readAtOnce = 6;
/** Max dependents that one sentence names. */
const maxNamed = 6;

/** A step of a plan as the policy sees it: its verdict, and its target where that was read; the plan itself at -1. */
export type JudgedStep = Readonly<{ at: number; verdict: PolicyVerdict; seen: Inspection | undefined }>;

/** A plan as it is asked for, or would be: `purpose` is absent where a form still asks for it. */
export type AskedPlan = Pick<Plan, 'id' | 'team' | 'person' | 'operation' | 'values' | 'target' | 'steps'> &
  Readonly<{ purpose?: string | null; state: 'new'; approval?: undefined }>;

/** A plan that would be asked for by this person. */
export function askedPlan(
  operation: Pick<JobOperation, 'name' | 'target'>,
  { values, ...asked }: Pick<AskedPlan, 'team' | 'person' | 'values' | 'steps' | 'purpose'>,
): AskedPlan {
  return {
    ...asked,
    values,
    id: '',
    state: 'new',
    operation: operation.name,
    target: String(values[operation.target]),
  };
}

/** What comes of a plan before its first step: it is refused, it may begin, or it waits for approval. */
export type PlanVerdict =
  | Readonly<{ type: 'refused' | 'forbidden'; reason: string }>
  | Readonly<{ type: 'free' }>
  | Readonly<{ type: 'waits'; verdict: ApprovalVerdict; facts: readonly Fact[] }>;

/**
 * Judges a plan before its first step, as a whole: the policy, the targets that are known already, what depends on those
 * that are to be deleted, and what else would stop a step. Its form, `why` and the request itself all ask here.
 * @throws {Failure} where the records that this rests on cannot be read now
 */
export async function judgePlan(
  parts: Inquirer,
  plan: AskedPlan,
  session: Pick<Session, 'records'>,
): Promise<PlanVerdict> {
  const refused = (reason: string): PlanVerdict => ({ type: 'refused', reason });
  const subject = await planSubject(parts, plan);
  const steps = await judgeAll(parts, plan, { subject, records: session.records, isShown: false });
  if (typeof steps === 'string') return refused(steps);
  const forbidden = steps.find(({ verdict }) => verdict.type === 'forbid');
  if (forbidden) {
    const which = forbidden.at < 0 ? '' : `${numberedStep(plan, forbidden.at)}: `;
    return { type: 'forbidden', reason: `${which}${forbiddenBy(forbidden.verdict)}` };
  }
  const blocked = (await dependentInTheWay(plan, session)) ?? (await obstacleToSteps(plan.steps, session.records));
  if (blocked !== undefined) return refused(blocked);
  const merged = mergedVerdict(steps.map(({ verdict }) => verdict));
  if (typeof merged === 'string') return refused(merged);
  if (merged.type !== 'approve') return { type: 'free' };
  const verdict = withUnknownGroups(merged, parts.policy, subject.subject);
  if (verdict.type !== 'approve') return { type: 'free' };
  const question = { parts, owner: plan, reason: plan.purpose, verdict: async () => verdict };
  const obstacle = (await checkApproval(question)).find(({ stops }) => stops);
  if (obstacle) return refused(obstacle.sentence);
  const shown = await judgeAll(parts, plan, { subject, records: session.records, isShown: true });
  return typeof shown === 'string' ? refused(shown) : { type: 'waits', verdict, facts: factsOfAll(shown) };
}

/**
 * Makes the event of a plan that cannot begin at once; `undefined` where it may.
 * @throws {Failure} where the records that this rests on cannot be read now
 */
export async function eventBeforePlan(
  parts: Inquirer,
  plan: Plan<'new'>,
  session: Pick<Session, 'credential' | 'records'>,
): Promise<PolicyEvent | undefined> {
  const judged = await judgePlan(parts, plan, session);
  if (judged.type === 'free') return undefined;
  return judged.type === 'waits'
    ? approvalEvent(parts, plan, { ...session, ...judged, operation: operationOf(plan), target: targetOf(plan) })
    : { ...judged, login: session.credential.username };
}

function factsOfAll(steps: readonly JudgedStep[]): readonly Fact[] {
  return steps.flatMap(({ at, seen }) => (at < 0 ? (seen?.facts ?? []) : markStep(seen?.facts ?? [], at)));
}

/** With `isShown`, people have to see the targets, whatever the policy says. The steps before `from` are done. */
type Judging = Pick<Session, 'records'> & Readonly<{ subject: PlanSubject; isShown: boolean; from?: number }>;

/** Judges all steps of a plan, or the plan itself where it has none. Gives a sentence where a target cannot be read. */
export async function judgeAll(
  parts: Judge,
  plan: AskedPlan | Plan,
  judging: Judging,
): Promise<readonly JudgedStep[] | string> {
  const inTurn = pLimit(readAtOnce);
  const places = plan.steps.length === 0 ? [-1] : [...plan.steps.keys()].slice(judging.from);
  const judged = await Promise.all(places.map(at => inTurn(() => judgeStep(parts, plan, at, judging))));
  return judged.find(one => typeof one === 'string') ?? judged.filter(one => typeof one !== 'string');
}

/** Judges a step by the policy. Its target is read where a verdict may rest on it. */
async function judgeStep(
  parts: Parts<'policy'>,
  plan: AskedPlan | Plan,
  at: number,
  { subject, records, isShown }: Judging,
): Promise<JudgedStep | string> {
  const step = plan.steps[at];
  const target = step ? targetOfStep(step) : targetOf(plan);
  const unread = verdictsOnStep(parts, subject, step?.operation, undefined);
  if (!target || (!isShown && unread.every(({ type }) => type === 'allow')))
    return { at, verdict: strictest(unread), seen: undefined };
  try {
    const seen = await inspect(records, target, step ? knownValues(step) : plan.values);
    return { at, verdict: strictest(verdictsOnStep(parts, subject, step?.operation, seen)), seen };
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'missing' && error.kind !== 'forbidden')) throw error;
    const where = step ? `${numberedStep(plan, at)}: ` : '';
    return `${where}${target.text} cannot be read, so nobody could see what would be approved. ${error.message}`;
  }
}

/**
 * Says which clones would make the service refuse a deletion of the plan, since no step deletes them (spec §3,
 * rules 2 and 3), as far as records show it.
 */
export async function dependentInTheWay(
  { steps }: Pick<Plan, 'steps'>,
  { records }: Pick<Session, 'records'>,
): Promise<string | undefined> {
  const deletions = steps.map(step => (writeOperation(step.operation)?.deletes ? targetOfStep(step) : undefined));
  if (deletions.every(target => target === undefined)) return undefined;
  const listed = (await listIfShown(records, 'live')) ?? [];
  const standing = await mapInSlices(listed, one => (isDeleted(one) ? [] : [lineageOf(one)]));
  const lineages = new Map(standing.flat().map(one => [one.id, one]));
  const dependents = directDependents([...lineages.values()]);
  const goes = new Set(deletions.map(target => target?.text));
  for (const [at, target] of deletions.entries()) {
    const left = (dependents.get(target?.text ?? '') ?? []).filter(id => !goes.has(id));
    if (left.length === 0) continue;
    const named = inRow(
      left.map(id => nameAndId(lineages.get(id)?.name, id)),
      maxNamed,
    );
    return `${numberedStep({ steps }, at)}: ${named} ${left.length === 1 ? 'depends' : 'depend'} on it, and no step deletes that. Ask again to include it.`;
  }
  return undefined;
}

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
): readonly [PolicyVerdict, ...PolicyVerdict[]] {
  const on = (one: Subject['operation']) => possibleVerdicts(parts.policy, { ...subject, ...seen, operation: one });
  const ofStep = operation === undefined ? [] : on({ name: operation });
  return [...on(plan), ...ofStep.filter(({ type }) => !isFree || type === 'forbid')];
}

/**
 * Puts the verdicts on the steps of a plan together: it needs what its strictest step needs. Gives a sentence where no
 * single approval can serve all of them.
 */
export function mergedVerdict(verdicts: readonly PolicyVerdict[]): PolicyVerdict | string {
  const forbidden = verdicts.find(({ type }) => type === 'forbid');
  if (forbidden) return forbidden;
  const approvals = verdicts.filter((one): one is ApprovalVerdict => one.type === 'approve');
  const [first] = approvals.length > 0 ? approvals : verdicts;
  if (!first) throw new Error('the policy has a verdict on everything');
  if (first.type !== 'approve') return first;
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
