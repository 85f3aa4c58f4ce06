import type { Identifier } from '../../../api/identifiers.ts';
import { counted } from '../../../ground/wording.ts';
import type { Finding } from '../../../jobs/approval/facts/findings.ts';
import type { Question } from '../../../jobs/approval/inquiry.ts';
import { check, type Inputs } from '../../../jobs/newJob.ts';
import { askedPlan, judgePlan } from '../../../jobs/plans/checkPlan.ts';
import { leftOutIn } from '../../../jobs/plans/teardownNow.ts';
import type { PlanOperation } from '../../../operations/operation.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import type { Owner } from '../../../store/vault.ts';
import type { PageReader } from '../../forms/formDesk.ts';
import { faultOfTeardown, readTeardown, stepsByValues } from '../../forms/plans/formSteps.ts';
import { treeLines } from '../../forms/plans/treeLines.ts';

/** A plan that somebody asks about: `records` are as that person sees them. */
type PlanInQuestion = Pick<Question, 'owner' | 'operation' | 'target' | 'reason'> &
  Readonly<{ inputs: Inputs; records: RecordReader }>;

/** Examines the steps of a plan as its request would, and draws the tree of a teardown. `notes` are mrkdwn. */
export async function examineSteps(
  desk: PageReader,
  { owner, operation, inputs, target, reason, records }: PlanInQuestion,
): Promise<Readonly<{ findings: readonly Finding[]; notes: readonly string[] }>> {
  if (operation.type !== 'plan' || !target) return { findings: [], notes: [] };
  const { values, steps, notes } = await stepsFor(desk, owner, operation, { inputs, target });
  if (steps === undefined) return { findings: [], notes };
  const isTeardown = operation.makes === 'teardown';
  const plan = askedPlan(operation, { ...owner, values, steps, ...(reason === undefined ? {} : { purpose: reason }) });
  const judged = await judgePlan(desk, plan, { records });
  const fault = (isTeardown ? faultOfTeardown(steps) : undefined) ?? ('reason' in judged ? judged.reason : undefined);
  const passes = `${counted(steps.length, 'step')}, and the records show nothing in the way.`;
  const finding: Finding =
    fault === undefined
      ? { gate: 'steps', result: 'passed', sentence: passes }
      : { gate: 'steps', result: 'failed', sentence: fault, stops: 'refused' };
  return { findings: [finding], notes };
}

/** The steps that a plan would have; absent where the form has to ask for more first. */
async function stepsFor(
  desk: PageReader,
  owner: Owner,
  operation: PlanOperation,
  { inputs, target }: Readonly<{ inputs: Inputs; target: Identifier }>,
): Promise<Readonly<{ values: AskedValues; steps: readonly PlanStep[] | undefined; notes: readonly string[] }>> {
  if (operation.makes === 'teardown') {
    const notBefore = desk.clock.now();
    const seen = await readTeardown(desk, owner, target, { leftOut: leftOutIn(inputs.leaveOut), notBefore });
    return { values: inputs, steps: seen.teardown.steps, notes: treeLines(seen.teardown, seen.notes) };
  }
  const checked = check(operation, inputs);
  if (!checked.ok) return { values: inputs, steps: undefined, notes: [] };
  const { values } = checked;
  const made = stepsByValues({ owner, operation, inputs, values, metadata: { request: '', channel: '', labels: {} } });
  return { values, steps: made.type === 'plan' ? made.steps : undefined, notes: [] };
}

type AskedValues = Parameters<typeof askedPlan>[1]['values'];
