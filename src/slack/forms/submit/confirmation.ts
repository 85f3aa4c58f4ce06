import type { ModalView } from '@slack/types';
import { guardedFor } from '../../../jobs/approval/people/maker.ts';
import { mayNeedApproval } from '../../../jobs/approval/policy/verdict.ts';
import type { Inputs } from '../../../jobs/newJob.ts';
import type { Field, JobOperation } from '../../../operations/operation.ts';
import { fieldInput } from '../fieldInput.ts';
import { knownBeforehand } from '../fill/beforehand.ts';
import { recordInputs } from '../fill/inputsInWords.ts';
import type { PageReader } from '../formDesk.ts';
import { lastPage } from '../formModal.ts';
import type { CheckedForm, Metadata } from '../formState.ts';
import { lastPageFields, pageParts } from '../plans/pageParts.ts';
import { leaveOutBlock } from '../plans/teardownPage.ts';

/**
 * The last page of an operation that does harm. It says what will happen to the target, and adds facts about the target
 * if they arrive before `late`.
 */
export async function confirmation(
  desk: PageReader,
  form: CheckedForm & Readonly<{ metadata: Metadata }>,
  { late, note }: Readonly<{ late?: Promise<unknown>; note?: string }> = {},
): Promise<ModalView> {
  const { owner, metadata, inputs, values } = form;
  const inTime = <T>(reading: Promise<T>) => Promise.race([reading, ...(late ? [late.then(() => undefined)] : [])]);
  const asked = guardedFor(desk, owner, form.operation, inputs[form.operation.target] ?? '');
  const operation = (await inTime(asked)) ?? form.operation;
  const name = targetNameIn(operation, metadata.labels, inputs);
  // Name a record by its name, too.
  const named = recordInputs(operation, inputs).flatMap(field => {
    const [value, label] = [values[field.name], metadata.labels[field.text]];
    return value === undefined || label === undefined || label === value ? [] : [[field.name, `${label} (${value})`]];
  });
  const warning = operation.warning?.(name, { ...values, ...Object.fromEntries(named) }) ?? '';
  const [known, parts] = await Promise.all([
    inTime(knownBeforehand(desk, owner, operation, values)),
    inTime(pageParts(desk, form)),
  ]);
  const own = lastPageFields(form);
  const pending = Object.fromEntries(Object.entries(inputs).filter(([field]) => !own.some(one => one.name === field)));
  const { seen, blocks = [], offers = [] } = parts ?? {};
  const { guarded: _, typed: __, ...free } = operation;
  const shown = known?.isFree ? free : operation;
  const asksWhy = (!known?.isFree && mayNeedApproval(desk.policy, operation)) || undefined;
  const page = { ...metadata, asksWhy, ...(seen === undefined ? {} : { seen }) };
  return lastPage(shown, page, pending, {
    ...{ sentence: warning, name, known, note },
    blocks: [...blocks, ...ownInputs(form, own)],
    offers: [...(known?.offers ?? []), ...offers],
  });
}

/** The inputs of fields that a form asks for on its last page alone. */
function ownInputs(
  { operation, inputs, metadata }: CheckedForm & Readonly<{ metadata: Metadata }>,
  own: readonly Field[],
) {
  const state = { metadata, inputs, labels: metadata.labels, resets: {}, notes: [] };
  return own.filter(({ name }) => name !== leaveOutBlock).map(field => fieldInput(operation, field, state));
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
