import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { counted } from '../../ground/wording.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { FieldValue } from '../../operations/operation.ts';
import { isBrought, type PlanStep } from '../../operations/plans/plan.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import { nameAmong } from '../approval/facts/fact.ts';

/** The values of a step that are known before any step has run. */
export function knownValues({ values }: Pick<PlanStep, 'values'>): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (isBrought(value) ? [] : [[name, value]])),
  );
}

/** The target of a step, as far as it is known before any step has run. */
export function targetOfStep({ target }: Pick<PlanStep, 'target'>): Identifier | undefined {
  return typeof target === 'string' ? parseIdentifier(target) : undefined;
}

/** A step with the name that its record has by the facts of the step: the form may have shown an older one. */
export function asNamedNow<Step extends Pick<PlanStep, 'targetName'>>(step: Step, facts: readonly Fact[]): Step {
  const name = nameAmong(facts);
  return name === undefined || name === step.targetName ? step : { ...step, targetName: name };
}

/** A step in a few words, as plain text: "Deletion of shop-dev". */
export function nameOfStep(step: PlanStep): string {
  const title = writeOperation(step.operation)?.title(knownValues(step)) ?? step.operation;
  const target =
    typeof step.target === 'string' ? (step.targetName ?? step.target) : `what step ${step.target.step + 1} makes`;
  return `${title} of ${target}`;
}

/** All steps of a plan, with the verb: "both steps are". */
export function allStepsAre({ length }: readonly PlanStep[]): string {
  if (length === 1) return 'its one step is';
  return length === 2 ? 'both steps are' : `all ${counted(length, 'step')} are`;
}

/** A step with its number: "Step 2 of 5 (Deletion of shop-dev)". */
export function numberedStep(steps: readonly PlanStep[], at: number): string {
  const step = steps[at];
  return `Step ${at + 1} of ${steps.length}${step ? ` (${nameOfStep(step)})` : ''}`;
}
