import { hash } from 'node:crypto';
import { typedIdentifier } from '../../../api/identifiers.ts';
import { leftOutIn } from '../../../jobs/plans/teardownNow.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import type { PlanOperation } from '../../../operations/operation.ts';
import { afterBackupOf } from '../../../operations/plans/afterBackup.ts';
import { planAfterBackup } from '../../../operations/plans/backUpFirst.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import { planRenewal } from '../../../operations/plans/renew.ts';
import type { Desk } from '../../desk/desk.ts';
import type { CheckedForm, Metadata } from '../formState.ts';
import { readTeardown, type SeenTeardown } from './readTeardown.ts';
import { faultOfTeardown, leaveOutBlock } from './teardownPage.ts';

/** The plan that a form asks for, nothing where it asks for one request alone, or the field that is wrong. */
export type FormSteps =
  | Readonly<{ type: 'alone' }>
  | Readonly<{ type: 'plan'; operation: PlanOperation; steps: readonly PlanStep[] }>
  | Readonly<{ type: 'fault'; field: string; sentence: string }>
  /** The records show another tree than the page did. */
  | Readonly<{ type: 'changed' }>;

type Form = CheckedForm & Readonly<{ metadata: Pick<Metadata, 'labels' | 'seen'> }>;

/**
 * Makes the steps of a checked form. Those of a teardown follow from the records of now, and count only if they are the
 * ones that the person saw.
 * @throws {Failure} where the records of a teardown cannot be read
 */
export async function stepsOf(desk: Desk<'jobs' | 'keepersOf' | 'records'>, form: Form): Promise<FormSteps> {
  const { operation, metadata } = form;
  if (operation.type !== 'plan' || operation.makes !== 'teardown') return stepsByValues(form);
  const seen = await seenTeardown(desk, form);
  const { steps = [] } = seen?.teardown ?? {};
  const fault = faultOfTeardown(steps);
  if (fault !== undefined) return { type: 'fault', field: leaveOutBlock, sentence: fault };
  return digestOfSteps(steps) === metadata.seen ? { type: 'plan', operation, steps } : { type: 'changed' };
}

/** Makes the steps that follow from the values of a form alone. A teardown has none of those. */
export function stepsByValues({ operation, values, metadata }: Form): FormSteps {
  const isRenewal = operation.type === 'plan' && operation.makes === 'renewal';
  const isAfterBackup = operation.type === 'write' && values.backUpFirst === true;
  const plan = isAfterBackup ? jobOperation(afterBackupOf(operation)) : operation;
  if (!(isRenewal || isAfterBackup) || plan?.type !== 'plan') return { type: 'alone' };
  const made = isAfterBackup
    ? planAfterBackup(operation, values, metadata.labels)
    : planRenewal(values, metadata.labels);
  return made.ok
    ? { type: 'plan', operation: plan, steps: made.steps }
    : { type: 'fault', field: made.field, sentence: made.sentence };
}

/** The teardown of a form as the records show it, at most a few seconds old; `undefined` where its target is none. */
export async function seenTeardown(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  { owner, operation, values }: Pick<Form, 'owner' | 'operation' | 'values'>,
  notBefore = 0,
): Promise<SeenTeardown | undefined> {
  const target = typedIdentifier(String(values[operation.target] ?? ''));
  return target && readTeardown(desk, owner, target, { leftOut: leftOutIn(values.leaveOut), notBefore });
}

/** A short text that changes with the steps. The page of a teardown carries it. */
export function digestOfSteps(steps: readonly PlanStep[]): string {
  const asked = steps.map(({ operation, target }) => [operation, target]);
  return hash('sha256', JSON.stringify(asked), 'base64url').slice(0, 22);
}
