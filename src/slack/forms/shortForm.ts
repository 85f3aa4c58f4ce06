import { type Field, fieldsFor, type JobOperation } from '../../operations/operation.ts';
import { placeField } from '../../operations/prefill/prefill.ts';
import type { FormState } from './formState.ts';

type Content = Pick<FormState, 'inputs' | 'metadata'>;

/**
 * The fields that a form shows, in order. Whatever has a value is shown, so that nothing is sent that nobody saw. Of
 * the others, those that few people need stand behind “More options”, and those that depend on a choice come after it,
 * with what is filled into them.
 */
export function shownFields(operation: JobOperation, { inputs, metadata }: Content): readonly Field[] {
  return fieldsFor(operation, inputs).filter(field => {
    if (field.role === 'target' || inputs[field.name]) return true;
    if (metadata.isFilling) return false;
    if (metadata.all) return true;
    if (!metadata.plain && !isReady(operation, inputs, field)) return false;
    return !field.seldom || isNeeded(field, metadata);
  });
}

/** Whether the form can only be sent with a value in this field. */
export function isNeeded({ name, required }: Field, { needed }: FormState['metadata']): boolean {
  return required === true || needed?.includes(name) === true;
}

/** The field that must be answered before others appear; `undefined` where nothing waits for an answer. */
export function decidingField(operation: JobOperation, state: Content): Field | undefined {
  const shown = shownFields(operation, state);
  const waits = fieldsFor(operation, state.inputs).some(field => !field.seldom && !shown.includes(field));
  const place = placeField(operation);
  return waits ? shown.find(({ name }) => name === place && !state.inputs[name]) : undefined;
}

/** Whether everything is chosen on which a field depends. What nobody must answer waits for the environment, too. */
function isReady(operation: JobOperation, inputs: FormState['inputs'], field: Field): boolean {
  const place = field.required ? undefined : placeField(operation);
  return [...Object.keys(field.dependsOn ?? {}), ...(place === undefined ? [] : [place])].every(name => inputs[name]);
}
