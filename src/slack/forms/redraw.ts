import type { ModalView } from '@slack/types';
import { type JobOperation, vendorOf } from '../../operations/operation.ts';
import type { FormState } from './formState.ts';
import { form } from './modal.ts';

/** The form after a decisive field changed: fields that depend on it are emptied, all others keep their values. */
export function redrawForm(operation: JobOperation, before: FormState, changed: string, now: FormState): ModalView {
  const otherVendor = vendorOf(operation, before.inputs) !== vendorOf(operation, now.inputs);
  const inputs: Record<string, string> = { ...now.inputs };
  const resets: Record<string, number> = { ...now.resets };
  for (const field of operation.fields) {
    const reason = field.dependsOn?.[changed];
    if (!reason || (reason === 'vendor' && !otherVendor) || before.inputs[changed] === now.inputs[changed]) continue;
    delete inputs[field.name];
    resets[field.name] = (resets[field.name] ?? 0) + 1;
  }
  return form(operation, { ...now, inputs, resets, isRedrawn: true });
}
