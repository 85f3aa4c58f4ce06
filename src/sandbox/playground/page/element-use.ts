import type { Action } from './actions.ts';
import { child, type Element, plainOf } from './blocks.ts';

/** The attributes that an input block gives its element. */
export type InputPart = {
  id: string;
  labelId: string;
  required: boolean;
  dispatches: boolean;
  describedBy: string | undefined;
  wrong: boolean;
};

/** An element in use: its value, and what a person can do with it. */
export type Use = {
  element: Element;
  input: InputPart | undefined;
  value: unknown;
  busy: boolean;
  /** Keeps a value and says nothing to the bot. */
  fill(value: unknown): void;
  /** Keeps a value, and tells the bot of it where the element stands outside of an input or the input dispatches. */
  change(value: unknown): void;
  /** Tells the bot of an action; asks first where the element wants a confirmation. */
  act(action: Action, value?: unknown): void;
};

/** The attributes that name and describe a field, in an input block (by its label) or outside (by its placeholder). */
export function naming(use: Use) {
  const { element, input } = use;
  if (input) {
    return {
      id: input.id,
      'aria-required': input.required,
      'aria-describedby': input.describedBy,
      'aria-invalid': input.wrong || undefined,
    };
  }
  return { 'aria-label': plainOf(child(element.raw, 'placeholder')) || element.actionId };
}
