import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { PlanStep } from '../../operations/plans/plan.ts';
import type { Session } from '../../records/records.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { Job, Plan } from '../../store/jobs/rows/job.ts';
import { keyOf } from '../approval/facts/fact.ts';
import { changeOfPolicy, differencesBetween, otherLogin } from '../approval/stillApproved.ts';
import type { Judge, Parts } from '../parts.ts';
import { operationOf, targetOf } from '../request.ts';
import { dependentInTheWay, type JudgedStep, judgeAll, mergedVerdict, planSubject } from './checkPlan.ts';
import { factsOfStep } from './planFacts.ts';
import { obstacleToSteps } from './stepObstacles.ts';
import { nameOfStep, numberedStep } from './stepWords.ts';
import { leftOutIn, teardownNow } from './teardownNow.ts';

/* What was approved of a plan is compared with the records of now: before it begins, and before its first deletion. */

type Reading = Pick<Session, 'credential' | 'records'>;
/** A deletion that is about to be sent. */
type Deletion = Reading & Readonly<{ operation: JobOperation }>;

/**
 * Says in a sentence what has changed since a plan was approved: its sign-in, what it deletes, any of its targets, or
 * the demands of the policy. Gives `undefined` where nothing has changed that the approval rests on.
 * @throws {Failure} where that cannot be read at the moment
 */
export async function changeOfPlan(
  parts: Judge & Parts<'jobs' | 'credentials' | 'records' | 'keepersOf'>,
  plan: Plan<'approved'>,
  session: Reading,
): Promise<string | undefined> {
  const { username } = session.credential;
  if (username !== plan.login) return otherLogin(plan, username);
  const read = await readAnew(parts, plan, { session, facts: plan.approval.facts, own: new Set(), from: 0 });
  if (typeof read === 'string') return read;
  const verdict = mergedVerdict(read.map(one => one.verdict));
  return typeof verdict === 'string' ? verdict : changeOfPolicy(parts, plan, { ...session, verdict });
}

/**
 * Says in a sentence what has changed in the records since a plan was approved, where `job` is its first deletion and
 * about to be sent: earlier steps may have taken their time. What they did themselves does not count.
 * @throws {Failure} where the records cannot be read at the moment
 */
export async function changeBeforeDeletion(
  parts: Judge & Parts<'jobs' | 'keepersOf' | 'records'>,
  plan: Plan<'running'>,
  {
    job,
    steps,
    own,
    session,
  }: Readonly<{ job: Job; steps: readonly Job[]; own: OwnChanges['records']; session: Deletion }>,
): Promise<string | undefined> {
  const isFirst = session.operation.deletes && !steps.some(one => one.sentAt !== null && isDeletion(one));
  if (!isFirst || !plan.approval) return undefined;
  const read = await readAnew(parts, plan, { session, facts: plan.approval.facts, own, from: job.step ?? 0 });
  return typeof read === 'string' ? read : undefined;
}

function isDeletion({ operation }: Pick<PlanStep, 'operation'>): boolean {
  return writeOperation(operation)?.deletes ?? false;
}

/** What was approved, the steps that are left of it, and the records that the steps before them worked on. */
type Left = Readonly<{ facts: readonly Fact[]; from: number; own: OwnChanges['records'] }>;

/** Reads every target that is left. Gives a sentence where they are not what was approved. */
async function readAnew(
  parts: Judge & Parts<'jobs' | 'keepersOf' | 'records'>,
  plan: Plan,
  { session, ...left }: Left & Readonly<{ session: Reading }>,
): Promise<readonly JudgedStep[] | string> {
  const { records } = session;
  const subject = await planSubject(parts, plan);
  const judged = await judgeAll(parts, plan, { subject, records, isShown: true, from: left.from });
  if (typeof judged === 'string') return judged;
  const different =
    (await changeOfTree(plan, records, left.from)) ??
    (await dependentInTheWay(plan, session)) ??
    (await obstacleToSteps(plan.steps, records, left.from)) ??
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
  return step ? `${numberedStep(plan, at)}: ${first}` : first;
}

/** Max records that one sentence names. */
const maxNamed = 6;

/** Says how the tree of a teardown differs from the one that was approved: what it would delete now, and what not. */
async function changeOfTree(plan: Plan, records: Session['records'], from: number): Promise<string | undefined> {
  const operation = operationOf(plan);
  if (operation.type !== 'plan' || operation.makes !== 'teardown') return undefined;
  const { teardown } = await teardownNow(records, targetOf(plan), leftOutIn(plan.values.leaveOut));
  const [before, now] = [deletionsIn(plan.steps.slice(from)), deletionsIn(teardown.steps)];
  const [added, gone] = [lackingIn(before, now), lackingIn(now, before)];
  if (added.length > 0) return `It would have to include: ${added.join(', ')}.`;
  return gone.length > 0 ? `It would not include any more: ${gone.join(', ')}.` : undefined;
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
export type OwnChanges = Readonly<{ records: ReadonlySet<string>; isOnTarget: boolean }>;

/**
 * Collects what the earlier steps of a plan, and earlier tries of the step itself, did. An earlier step that was not sent
 * was to delete what was gone already.
 */
export function ownChangesBefore(job: Pick<Job, 'id' | 'target' | 'step'>, steps: readonly Job[]): OwnChanges {
  const done = steps.filter(
    ({ id, sentAt, step }) => id !== job.id && (sentAt !== null || (step ?? 0) < (job.step ?? 0)),
  );
  const records = new Set(done.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
  return { records, isOnTarget: records.has(job.target) };
}

/**
 * Leaves out of a reading what the plan itself changes: its own records among the dependents, and the state of a target
 * that an earlier step worked on. Dependents do not count at all for a step that does them no harm: a clone that was
 * deleted to be renewed has to be made again, even if somebody else cloned its source meanwhile.
 */
export function withoutOwnChanges(
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
