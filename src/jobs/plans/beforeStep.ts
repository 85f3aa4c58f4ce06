import { parseIdentifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { PlanStep } from '../../operations/plans/plan.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Session } from '../../records/records.ts';
import { isHidden } from '../../records/shown.ts';
import { unfitWords } from '../../records/snapshots.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { Job, JobIn, Plan } from '../../store/jobs/rows/job.ts';
import { eventBeforeSending, type PolicyEvent } from '../approval/beforeSending.ts';
import {
  changeOfPolicy,
  changeSinceApproval,
  differencesBetween,
  otherLogin,
} from '../approval/changedSinceApproval.ts';
import { keyOf } from '../approval/facts/fact.ts';
import { backups } from '../approval/facts/impact.ts';
import type { Inquiry, SendingQuestion } from '../approval/inquiry.ts';
import { forbiddenBy, strictest } from '../approval/policy/verdict.ts';
import type { Judge, Parts } from '../parts.ts';
import { isBatch, operationOf, targetOf } from '../request.ts';
import { blockerOf, type JudgedStep, mergedVerdict, openPlanInquiry, type PlanInquiry } from './checkPlan.ts';
import { factsOfStep } from './planFacts.ts';
import { nameOfStep, numberedStep } from './stepWords.ts';
import { leftOutIn, teardownNow } from './teardownNow.ts';
import { runningPlan, stepJobs } from './turn.ts';

/*
 * What is asked before a step of a plan is sent. What was approved of the plan is compared with the records of now: before
 * it begins, and before its first deletion.
 */

/**
 * Checks a step of a plan that is about to be sent: the plan still runs, the policy asks for no more than the plan has,
 * and the target still is as the plan's approvers saw it, but for what the plan itself did. A job of a batch is checked as
 * if it had been asked for alone.
 * @throws {Failure} where the records that this rests on cannot be read
 */
export async function eventBeforeStep(
  inquiry: Inquiry<SendingQuestion>,
  job: JobIn<'new' | 'approved'>,
): Promise<PolicyEvent | undefined> {
  const { parts, credential, operation, records } = inquiry;
  const stopped = (reason: string): PolicyEvent =>
    job.state === 'approved'
      ? { type: 'changedSince', reason }
      : { type: 'refused', reason, login: credential.username };
  const plan = job.plan === null ? undefined : await runningPlan(parts, job.plan);
  const steps = plan && (await stepJobs(parts, plan.id));
  if (!plan || !steps) return stopped('Its plan no longer goes on.');
  if (isBatch(plan)) {
    const event = await eventBeforeSending(inquiry, job);
    return event?.type === 'approvalNeeded' ? stopped('The policy now asks for approval of this: ask again.') : event;
  }
  const lost = isHarmful(operation) ? await lostSnapshot(steps, records) : undefined;
  if (lost !== undefined) return stopped(lost);
  const ofPlan = await openPlanInquiry(parts, plan);
  const ofStep = inquiryOfStep(inquiry, ofPlan);
  if (job.state === 'approved') {
    const own = ownChangesBefore(job, steps);
    // Nobody could see a record that an earlier step of the plan made: it is approved as what that step brings.
    const isKnown = typeof plan.steps[job.step ?? -1]?.target === 'string';
    const change = await changeSinceApproval(ofStep, job, facts =>
      isKnown ? withoutOwnChanges(facts, own, operation) : [],
    );
    // Earlier steps may have taken their time: all that is left is read again before the first deletion.
    const isFirst = operation.deletes && !steps.some(one => one.sentAt !== null && isDeletion(one));
    const left = plan.approval && { facts: plan.approval.facts, from: job.step ?? 0, own: own.records };
    const whole = change ?? (isFirst && left ? await readAnew(plan, ofPlan, records, left) : undefined);
    return typeof whole === 'string' ? stopped(whole) : undefined;
  }
  const verdict = await ofStep.verdict();
  if (verdict.type === 'allow') return undefined;
  if (verdict.type === 'forbid') return stopped(forbiddenBy(verdict));
  return stopped(
    verdict.type === 'approve'
      ? `The policy now asks for approval of this step (${verdict.rule}).`
      : 'The policy’s answer depends on the target, which cannot be read.',
  );
}

/**
 * Says that a snapshot is gone, or of no use, which an earlier step took: nothing is deleted or restored behind a backup that
 * is no more. @throws {Failure} where its database cannot be read
 */
async function lostSnapshot(steps: readonly Job[], records: RecordReader): Promise<string | undefined> {
  for (const { operation, target, targetName, claimed, state } of steps) {
    const holder = parseIdentifier(target);
    if (!backups.includes(operation) || state !== 'succeeded' || claimed === null || !holder) continue;
    const record = await records.one(holder, true);
    const name = targetName ?? target;
    const shown = record?.mentions.filter(({ id }) => id.text === claimed) ?? [];
    if (shown.length === 0) return `${name} no longer shows ${claimed}, the backup that was taken before this.`;
    const unfit = shown.find(({ condition }) => condition?.unfit)?.condition?.unfit;
    if (unfit) return `${claimed}, the backup that was taken before this, ${unfitWords[unfit].says}.`;
  }
  return undefined;
}

/** The inquiry into a step, whose verdict rests on the plan, too. */
function inquiryOfStep(
  inquiry: Inquiry<SendingQuestion>,
  { verdictsOn }: Pick<PlanInquiry, 'verdictsOn'>,
): Inquiry<SendingQuestion> {
  const { name } = inquiry.operation;
  return {
    ...inquiry,
    async verdict() {
      const unread = verdictsOn(name, undefined);
      if (unread.every(({ type }) => type === 'allow')) return strictest(unread);
      const seen = await inquiry.reading();
      if (seen instanceof Failure && !isHidden(seen)) throw seen;
      const isRead = seen !== undefined && !(seen instanceof Failure);
      const possible = isRead ? verdictsOn(name, seen) : unread;
      const verdict = strictest(possible);
      return !isRead && possible.some(({ type }) => type !== verdict.type) ? ({ type: 'open' } as const) : verdict;
    },
  };
}

/**
 * Says in a sentence what has changed since a plan was approved: its sign-in, what it deletes, any of its targets, or
 * the demands of the policy. Gives `undefined` where nothing has changed that the approval rests on.
 * @throws {Failure} where that cannot be read at the moment
 */
export async function changeOfPlan(
  parts: Judge & Parts<'jobs' | 'credentials' | 'records' | 'keepersOf'>,
  plan: Plan<'approved'>,
  { credential, records }: Pick<Session, 'credential' | 'records'>,
): Promise<string | undefined> {
  if (credential.username !== plan.login) return otherLogin(plan, credential.username);
  const { facts } = plan.approval;
  const read = await readAnew(plan, await openPlanInquiry(parts, plan), records, { facts, own: new Set(), from: 0 });
  if (typeof read === 'string') return read;
  const verdict = mergedVerdict(read.map(one => one.verdict));
  if (typeof verdict === 'string') return verdict;
  return (await changeOfPolicy(parts, plan, { credential, records, verdict })) ?? (await deletionUnderWay(parts, plan));
}

/** Says that the target of a request without steps, such as a longer lease, is being deleted: no record may show it yet. */
async function deletionUnderWay({ jobs }: Parts<'jobs'>, { team, target, steps }: Plan): Promise<string | undefined> {
  const open = steps.length > 0 ? [] : await jobs.openOn(team, target);
  const isSuch = (step: PlanStep) => step.target === target && isDeletion(step);
  const isSent = open.some(
    one =>
      (one.state === 'sending' || one.state === 'running') && (operationOf(one).deletes || one.steps?.some(isSuch)),
  );
  return isSent ? 'Its deletion is under way.' : undefined;
}

function isDeletion({ operation }: Pick<PlanStep, 'operation'>): boolean {
  return writeOperation(operation)?.deletes ?? false;
}

/** What was approved, the steps that are left of it, and the records that the steps before them worked on. */
type Left = Readonly<{ facts: readonly Fact[]; from: number; own: OwnChanges['records'] }>;

/** Reads every target that is left. Gives a sentence where they are not what was approved. */
async function readAnew(
  plan: Plan,
  { judge }: Pick<PlanInquiry, 'judge'>,
  records: RecordReader,
  left: Left,
): Promise<readonly JudgedStep[] | string> {
  const judged = await judge(records, true, left.from);
  if (typeof judged === 'string') return judged;
  const different =
    (await changeOfTree(plan, records, left.from)) ??
    (await blockerOf(plan.steps, records, left.from)) ??
    judged.map(one => changeOfStep(plan, one, left)).find(one => one !== undefined);
  return different === undefined ? judged : `What was approved has changed since. ${different}`;
}

/** Compares a step with what was approved of it; a plan without steps with all that was approved. */
function changeOfStep(plan: Plan, { at, seen }: JudgedStep, { facts, own }: Left): string | undefined {
  const step = plan.steps[at];
  // Nobody could see a record that an earlier step makes: it is approved as what that step brings.
  if (!seen || (step && typeof step.target !== 'string')) return undefined;
  const operation = step ? writeOperation(step.operation) : undefined;
  const changes = { records: own, isOnTarget: own.has(String(step?.target)) };
  const comparable = (some: readonly Fact[]) => (operation ? withoutOwnChanges(some, changes, operation) : some);
  const before = step ? factsOfStep(facts, at) : facts;
  const [first] = differencesBetween(comparable(before), comparable(seen.facts));
  if (first === undefined) return undefined;
  return step ? `${numberedStep(plan.steps, at)}: ${first}` : first;
}

/** Max records that one sentence names. */
const maxNamed = 6;

/** Says how the tree of a teardown differs from the one that was approved: what it would delete now, and what not. */
async function changeOfTree(plan: Plan, records: RecordReader, from: number): Promise<string | undefined> {
  const operation = operationOf(plan);
  if (operation.type !== 'plan' || operation.makes !== 'teardown') return undefined;
  const { teardown } = await teardownNow(records, targetOf(plan), leftOutIn(plan.values.leaveOut));
  const [before, now] = [deletionsIn(plan.steps.slice(from)), deletionsIn(teardown.steps)];
  const [added, gone] = [lackingIn(before, now), lackingIn(now, before)];
  if (added.length > 0) return `It would now have to include: ${added.join(', ')}.`;
  return gone.length > 0 ? `It would no longer include: ${gone.join(', ')}.` : undefined;
}

/** The records that some steps delete, each with what is done in words. */
function deletionsIn(steps: readonly PlanStep[]): ReadonlyMap<string, string> {
  return new Map(steps.filter(isDeletion).map(step => [String(step.target), nameOfStep(step)] as const));
}

/** Those of `some` that `others` lack, in words. */
function lackingIn(others: ReadonlyMap<string, string>, some: ReadonlyMap<string, string>): readonly string[] {
  const left = [...some].flatMap(([id, words]) => (others.has(id) ? [] : [words]));
  return left.length > maxNamed ? [...left.slice(0, maxNamed), `${left.length - maxNamed} more`] : left;
}

/** The records that a plan's steps have worked on so far, and whether the target of the next step is among them. */
type OwnChanges = Readonly<{ records: ReadonlySet<string>; isOnTarget: boolean }>;

/**
 * Collects what the earlier steps of a plan, and earlier tries of the step itself, did. An earlier step that was not sent
 * was to delete what was gone already.
 */
function ownChangesBefore(job: Pick<Job, 'id' | 'target' | 'step'>, steps: readonly Job[]): OwnChanges {
  const done = steps.filter(
    ({ id, sentAt, step }) => id !== job.id && (sentAt !== null || (step ?? 0) < (job.step ?? 0)),
  );
  const records = new Set(done.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
  return { records, isOnTarget: records.has(job.target) };
}

/** Whether an operation takes away what cannot be had again without a backup. */
function isHarmful({ deletes, rewinds }: Pick<JobOperation, 'deletes' | 'rewinds'>): boolean {
  return deletes === true || rewinds !== undefined;
}

/**
 * Leaves out of a reading what the plan itself changes: its own records among the dependents, and the state of a target
 * that an earlier step worked on. Dependents do not count at all for a step that does them no harm: a clone that was
 * deleted to be renewed has to be made again, even if somebody else cloned its source meanwhile.
 */
function withoutOwnChanges(
  facts: readonly Fact[],
  { records, isOnTarget }: OwnChanges,
  { deletes, rewinds }: Pick<JobOperation, 'deletes' | 'rewinds'>,
): readonly Fact[] {
  const isHarmless = !deletes && rewinds === undefined;
  return facts.flatMap(fact => {
    const key = keyOf(fact);
    if ((key === 'state' && isOnTarget) || (key === 'dependents' && isHarmless)) return [];
    if (key !== 'dependents') return [fact];
    const isOwn = (text: string) => [...records].some(id => text === id || text.endsWith(`(${id})`));
    const left = fact.compared.split(' ').filter(id => !records.has(id));
    const value = fact.value
      .split(', ')
      .filter(one => !isOwn(one))
      .join(', ');
    return [{ ...fact, compared: left.join(' '), value: value === '' ? 'none' : value }];
  });
}
