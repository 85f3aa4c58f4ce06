import pLimit from 'p-limit';
import { mapInSlices } from '../../ground/slices.ts';
import { inRow } from '../../ground/wording.ts';
import { isSurelyDependent } from '../../operations/availability.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { PlanStep } from '../../operations/plans/plan.ts';
import { directDependents } from '../../operations/plans/tree.ts';
import { lineageOf } from '../../records/lineage.ts';
import { isDeleted, type RecordReader } from '../../records/recordReader.ts';
import type { Session } from '../../records/records.ts';
import { isHidden, listIfShown } from '../../records/shown.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import { type Plan, runnerOf } from '../../store/jobs/rows/job.ts';
import { approvalEvent, type PolicyEvent } from '../approval/beforeSending.ts';
import { checkApproval } from '../approval/checks.ts';
import { nameAndId } from '../approval/facts/fact.ts';
import { readImpact } from '../approval/facts/impact.ts';
import { type Inspection, inspect } from '../approval/facts/inspection.ts';
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
import { differenceSinceAsked, shownMarks } from '../approval/sameAsShown.ts';
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
type AskedPlan = Pick<Plan, 'id' | 'team' | 'person' | 'operation' | 'values' | 'target' | 'steps'> &
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
type PlanVerdict =
  | Readonly<{ type: 'refused' | 'forbidden'; reason: string }>
  | Readonly<{ type: 'free' }>
  | Readonly<{ type: 'waits'; verdict: ApprovalVerdict; facts: readonly Fact[]; called: Inspection['called'] }>;

/**
 * Judges a plan before its first step, as a whole: the policy, the targets that are known already, what depends on those
 * that are to be deleted, and what else would stop a step. Its form, `why` and the request itself all ask here.
 * @throws {Failure} where the records that this rests on cannot be read now
 */
export async function judgePlan(
  parts: Inquirer,
  plan: AskedPlan,
  { records }: Pick<Session, 'records'>,
): Promise<PlanVerdict> {
  const refused = (reason: string): PlanVerdict => ({ type: 'refused', reason });
  const inquiry = await openPlanInquiry(parts, plan);
  const steps = await inquiry.judge(records, false);
  if (typeof steps === 'string') return refused(steps);
  const forbidden = steps.find(({ verdict }) => verdict.type === 'forbid');
  if (forbidden) {
    const which = forbidden.at < 0 ? '' : `${numberedStep(plan.steps, forbidden.at)}: `;
    return { type: 'forbidden', reason: `${which}${forbiddenBy(forbidden.verdict)}` };
  }
  const blocked = await blockerOf(plan.steps, records);
  if (blocked !== undefined) return refused(blocked);
  const merged = mergedVerdict(steps.map(({ verdict }) => verdict));
  if (typeof merged === 'string') return refused(merged);
  if (merged.type !== 'approve') return { type: 'free' };
  const verdict = withUnknownGroups(merged, parts.policy, inquiry.subject);
  if (verdict.type !== 'approve') return { type: 'free' };
  const question = { parts, owner: plan, reason: plan.purpose, verdict: async () => verdict };
  const obstacle = (await checkApproval(question)).find(({ stops }) => stops);
  if (obstacle) return refused(obstacle.sentence);
  const shown = await inquiry.judge(records, true);
  if (typeof shown === 'string') return refused(shown);
  const called = new Map(shown.flatMap(({ seen }) => [...(seen?.called ?? [])]));
  return { type: 'waits', verdict, facts: factsOfAll(shown), called };
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
  const login = session.credential.username;
  if (judged.type !== 'free' && judged.type !== 'waits') return { ...judged, login };
  // Each target is compared as a whole at its turn; by what the lists show, none is begun where another one is at fault.
  const listed = (await session.records.listed()).filter(({ id }) => plan.asShown?.[id.text] !== undefined);
  const different = differenceSinceAsked(plan.asShown, shownMarks(listed), true);
  if (different !== undefined) return { type: 'refused', reason: different, login };
  if (judged.type === 'free') return undefined;
  const asked = { ...session, operation: operationOf(plan), target: targetOf(plan), values: plan.values };
  const impact = () => readImpact(parts, { ...asked, owner: plan, job: plan.plan ?? plan.id });
  return approvalEvent(parts, plan, { ...asked, ...judged, impact });
}

function factsOfAll(steps: readonly JudgedStep[]): readonly Fact[] {
  return steps.flatMap(({ at, seen }) => (at < 0 ? (seen?.facts ?? []) : markStep(seen?.facts ?? [], at)));
}

/** An inquiry into a plan. What its verdicts rest on beside its targets is read once, when it is opened. */
export type PlanInquiry = Readonly<{
  subject: Subject;
  /**
   * The possible verdicts on a step; on the plan itself where no `operation` of a step is given. Without `seen`, its target
   * was not read.
   */
  verdictsOn(operation: string | undefined, seen: Inspection | undefined): readonly [PolicyVerdict, ...PolicyVerdict[]];
  /**
   * Judges the steps of a plan from one on, or the plan itself where it has none. Gives a sentence where a target cannot be
   * read. With `isShown`, people have to see the targets, whatever the policy says.
   */
  judge(records: RecordReader, isShown: boolean, from?: number): Promise<readonly JudgedStep[] | string>;
}>;

/** Opens the inquiry into a plan. */
export async function openPlanInquiry(
  parts: Judge & Parts<'jobs' | 'keepersOf' | 'records'>,
  plan: AskedPlan | Plan,
): Promise<PlanInquiry> {
  const operation = operationOf(plan);
  const owner = { team: plan.team, person: plan.person };
  const subject = await subjectOf(parts, owner, operation, 'now');
  const mayBeFree = operation.type === 'plan' && operation.freeForMaker === true;
  // One that runs without approval was free when it began. Behind its deletions it stays so, since they ended what made it
  // that; before them, it may have stopped for days, and the target may be somebody else's by now.
  const wasFree = plan.state === 'running' && plan.approval === undefined;
  const isHarmDone = wasFree && !plan.steps.slice(plan.step).some(step => writeOperation(step.operation)?.deletes);
  // The service account reads for itself: its schedules run while their owners are not signed in.
  const reader = 'runsAs' in plan ? runnerOf(plan) : owner;
  const isFree = mayBeFree && (isHarmDone || (await isMaker(parts, owner, plan.target, reader)));
  const isHarmful = operation.guarded || plan.steps.some(step => writeOperation(step.operation)?.guarded);
  const asWhole = { name: operation.name, ...(isHarmful && !isFree ? { guarded: true as const } : {}) };
  const verdictsOn: PlanInquiry['verdictsOn'] = (step, seen) => {
    const on = (one: Subject['operation']) => possibleVerdicts(parts.policy, { ...subject, ...seen, operation: one });
    const ofStep = step === undefined ? [] : on({ name: step });
    // Where its person may run it alone, only rules about the plan ask for approval, and those about its steps can forbid it.
    return [...on(asWhole), ...ofStep.filter(({ type }) => !isFree || type === 'forbid')];
  };
  return {
    subject,
    verdictsOn,
    async judge(records, isShown, from) {
      const inTurn = pLimit(readAtOnce);
      const places = plan.steps.length === 0 ? [-1] : [...plan.steps.keys()].slice(from);
      const judging = { verdictsOn, records, isShown };
      const judged = await Promise.all(places.map(at => inTurn(() => judgeStep(plan, at, judging))));
      return judged.find(one => typeof one === 'string') ?? judged.filter(one => typeof one !== 'string');
    },
  };
}

type Judging = Pick<PlanInquiry, 'verdictsOn'> & Readonly<{ records: RecordReader; isShown: boolean }>;

/** Judges a step by the policy. Its target is read where a verdict may rest on it. */
async function judgeStep(
  plan: AskedPlan | Plan,
  at: number,
  { verdictsOn, records, isShown }: Judging,
): Promise<JudgedStep | string> {
  const step = plan.steps[at];
  const target = step ? targetOfStep(step) : targetOf(plan);
  const unread = verdictsOn(step?.operation, undefined);
  if (!target || (!isShown && unread.every(({ type }) => type === 'allow')))
    return { at, verdict: strictest(unread), seen: undefined };
  try {
    const seen = await inspect(records, target, step ? knownValues(step) : plan.values);
    return { at, verdict: strictest(verdictsOn(step?.operation, seen)), seen };
  } catch (error) {
    if (!isHidden(error)) throw error;
    const where = step ? `${numberedStep(plan.steps, at)}: ` : '';
    return `${where}I cannot read ${target.text}, so nobody could see what they would approve. ${error.message}`;
  }
}

/** Says in a sentence what would stop a step of a plan; of an approved one, the steps from `approvedFrom` on are left. */
export async function blockerOf(
  steps: readonly PlanStep[],
  records: RecordReader,
  approvedFrom?: number,
): Promise<string | undefined> {
  return (await dependentInTheWay(steps, records)) ?? (await obstacleToSteps(steps, records, approvedFrom));
}

/**
 * Says which clones would make the service refuse a deletion of the plan, since no step deletes them (spec §3,
 * rules 2 and 3), as far as records show it.
 */
async function dependentInTheWay(steps: readonly PlanStep[], records: RecordReader): Promise<string | undefined> {
  const deletions = steps.map(step => (writeOperation(step.operation)?.deletes ? targetOfStep(step) : undefined));
  if (deletions.every(target => target === undefined)) return undefined;
  const listed = (await listIfShown(records, 'live'))?.records ?? [];
  const standing = await mapInSlices(listed, one => (isDeleted(one) ? [] : [{ ...lineageOf(one), state: one.state }]));
  const lineages = new Map(standing.flat().map(one => [one.id, one]));
  const dependents = directDependents([...lineages.values()]);
  const goes = new Set(deletions.map(target => target?.text));
  for (const [at, target] of deletions.entries()) {
    const left = (dependents.get(target?.text ?? '') ?? []).filter(id => !goes.has(id));
    if (!left.some(id => isSurelyDependent(lineages.get(id) ?? {}))) continue;
    const named = inRow(
      left.map(id => nameAndId(lineages.get(id)?.name, id)),
      maxNamed,
    );
    return `${numberedStep(steps, at)}: ${named} ${left.length === 1 ? 'depends' : 'depend'} on it, and no step deletes that. Ask again to include it.`;
  }
  return undefined;
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
