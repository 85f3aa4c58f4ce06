import type { ModalView } from '@slack/types';
import type { Inputs } from '../../jobs/newJob.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Desk } from '../desk/desk.ts';
import { knownBeforehand } from './beforehand.ts';
import { recordInputs } from './fill.ts';
import type { CheckedForm, Metadata } from './formState.ts';
import { lastPage } from './modal.ts';

/**
 * The last page of an operation that does harm. It says what will happen to the target, and adds facts about the target
 * if they arrive before `late`.
 */
export async function confirmation(
  desk: Desk,
  form: CheckedForm & Readonly<{ metadata: Metadata }>,
  late?: Promise<unknown>,
): Promise<ModalView> {
  const { owner, operation, metadata, inputs, values } = form;
  const name = targetNameIn(operation, metadata.labels, inputs);
  // Name a record by its name, too.
  const named = recordInputs(operation, inputs).flatMap(field => {
    const [value, label] = [values[field.name], metadata.labels[field.text]];
    return value === undefined || label === undefined || label === value ? [] : [[field.name, `${label} (${value})`]];
  });
  const warning = operation.warning?.(name, { ...values, ...Object.fromEntries(named) }) ?? '';
  const known = await Promise.race([
    knownBeforehand(desk, owner, operation, values),
    ...(late ? [late.then(() => undefined)] : []),
  ]);
  return lastPage(operation, metadata, inputs, { sentence: warning, name, known });
}

/** The target's name in a form, or the target as it was typed. */
export function targetNameIn(
  operation: JobOperation,
  labels: Readonly<Record<string, string>>,
  inputs: Inputs,
): string {
  const target = inputs[operation.target] ?? '';
  return labels[target] ?? target;
}
