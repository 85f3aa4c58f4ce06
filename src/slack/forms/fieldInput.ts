import type { InputBlock } from '@slack/types';
import type { Vendor } from '../../api/identifiers.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { type Field, type JobOperation, vendorOf } from '../../operations/operation.ts';
import { timeLabel } from '../../operations/requests/keepFor.ts';
import { inputAction } from '../blocks/action.ts';
import { input, option } from '../blocks/blocks.ts';
import { chooseOne, chooseSome, example, searchOne, typeText } from '../blocks/inputs.ts';
import { limits } from '../blocks/limits.ts';
import type { FormState } from './formState.ts';

/** The input of a field, with its value so far. `hasFocus` puts the cursor into it. */
export function fieldInput(operation: JobOperation, field: Field, state: FormState, hasFocus = false): InputBlock {
  const resets = state.resets[field.name];
  const isNeeded = state.metadata.needed?.includes(field.name);
  const hint = [state.metadata.faults?.[field.name], field.hint].filter(Boolean).join(' ');
  const drawn = element(field, state, vendorOf(operation, state.inputs));
  const focused = hasFocus ? { ...drawn, focus_on_load: true } : drawn;
  return input(resets ? `${field.name}:${resets}` : field.name, field.label, focused, {
    hint: hint || undefined,
    optional: !field.required && !isNeeded,
    ...(isDecisive(operation, field) ? { dispatch_action: true } : {}),
  });
}

function element(field: Field, { inputs, labels }: FormState, vendor: Vendor | undefined): InputBlock['element'] {
  const { widget } = field;
  const value = inputs[field.name];
  switch (widget.type) {
    case 'record': {
      const hint = field.role === 'snapshot' ? 'Latest snapshot' : 'Choose, or type a name or an identifier';
      return searchOne(hint, value ? option(value, labels[value] ?? value) : undefined);
    }
    case 'choice':
      return choiceInput(widget, value, vendor);
    case 'checkbox':
      return chooseSome('checkboxes', [option('true', widget.text)], value ? [value] : []);
    case 'integer':
      return {
        type: 'number_input',
        action_id: inputAction,
        is_decimal_allowed: false,
        ...example(widget.placeholder),
        ...(value && /^\d{1,15}$/.test(value) ? { initial_value: value } : {}),
      };
    case 'text':
      return textInput(widget, value ?? '');
  }
}

type Widget<T extends Field['widget']['type']> = Extract<Field['widget'], { type: T }>;

function choiceInput(widget: Widget<'choice'>, value: string | undefined, vendor: Vendor | undefined) {
  const options = widget.options
    .filter(({ vendors }) => !vendors || (vendor && vendors.includes(vendor)))
    .map(entry => option(entry.value, entry.label, entry.description));
  if (widget.compact) return chooseOne('static_select', options, value);
  // Radio buttons always have one that is chosen.
  const isThere = options.some(entry => entry.value === value);
  return chooseOne('radio_buttons', options, isThere ? value : options[0]?.value);
}

function textInput(widget: Widget<'text'>, value: string): InputBlock['element'] {
  // A value that is too long for an option is typed in full.
  if ((widget.part || widget.suggests) && value.length <= limits.optionValue) {
    const label = widget.suggests ? timeLabel(value) : value;
    return searchOne(`Choose, or type ${widget.placeholder ?? 'a name'}`, value ? option(value, label) : undefined);
  }
  const lines = widget.multiline ? { multiline: true as const } : {};
  return typeText(value, { ...lines, example: widget.placeholder });
}

/** Whether a text has no room in the input of its field: a part of it would mean something else. */
export function hasNoRoom({ widget }: Field, text: string): boolean {
  return widget.type === 'text' && text.length > limits.inputText;
}

/**
 * Whether other fields depend on this one, or whether it decides which fields there are: its change redraws the form.
 */
export function isDecisive(operation: JobOperation, { name, role }: Field): boolean {
  return role === 'environment' || decisiveNames(operation).has(name);
}

const decisiveNames = memoByObject(
  ({ target, fields }: JobOperation) =>
    new Set([target, ...fields.flatMap(({ dependsOn = {}, when = {} }) => Object.keys({ ...dependsOn, ...when }))]),
);
