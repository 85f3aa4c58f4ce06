import type { Button, Overflow, StaticSelect } from '@slack/types';
import type { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { legible } from '../../records/legible.ts';
import { option } from './blocks.ts';
import { cut, limits } from './limits.ts';

/** A button's value as the text that Slack carries. The text reads back as the same value. */
export type Code<V> = Readonly<{ write(value: V): string; read(text: string): V | undefined }>;

/** A button's style. `suffix` distinguishes buttons of one action in the same block. */
type ButtonLook = Readonly<{ style?: 'primary' | 'danger'; suffix?: string }>;

/** A kind of button: its id, its value as a type, and how Slack carries that value. */
export type Action<V> = Readonly<{
  /** The `action_id`, before the `:` of a suffix. */
  id: string;
  /** A button that brings `value` back. @throws {RangeError} where Slack cannot carry the value: ask `fits` before */
  button(label: string, value: V, look?: ButtonLook): Button;
  /** Whether a button can carry the value. Ask this for every value that a person typed. */
  fits(value: V): boolean;
  /** The text that Slack carries for a value, in a button or in an option of a menu. */
  write(value: V): string;
  /** The value that came back; `undefined` for a text that no button of this release carries. */
  read(text: string): V | undefined;
}>;

/** The only `action_id` of inputs in forms. No button has it: the input's value comes with the form. */
export const inputAction = 'value';

/** A value that is a text. Slack carries it unchanged. */
export const asText: Code<string> = { write: text => text, read: text => text };

/** No value: the button says only that it was pressed. */
export const asNothing: Code<null> = { write: () => '', read: () => null };

/** A value of this schema, carried as JSON. */
export function asJson<V>(schema: z.ZodType<V>): Code<V> {
  return { write: value => JSON.stringify(value), read: text => schema.safeParse(parseJson(text)).data };
}

/**
 * Defines a kind of button. Its listener comes from the same definition (`reactTo`), so a button and its listener agree
 * on the type of the value.
 */
export function defineAction<V>(id: string, code: Code<V>): Action<V> {
  const fits = (value: V) => code.write(value).length <= limits.buttonValue;
  return {
    id,
    ...code,
    fits,
    button(label, value, { style, suffix } = {}) {
      if (!fits(value)) throw new RangeError(`a button of ${id} cannot carry ${code.write(value).length} characters`);
      return {
        type: 'button',
        action_id: suffix === undefined ? id : `${id}:${suffix}`,
        text: { type: 'plain_text', text: cut(legible(label), limits.buttonText) },
        value: code.write(value),
        ...(style ? { style } : {}),
      };
    },
  };
}

/** Buttons below a message that a person reads at once. */
const atOnce = 6;

/** The buttons of a message in one row. One that has no room there stands in a small menu of its own at the end. */
export function rowWithin(buttons: readonly Button[]): (Button | Overflow)[] {
  return buttons.map((button, at) => {
    const { action_id, text, value = '' } = button;
    return at < atOnce
      ? button
      : { type: 'overflow', ...(action_id && { action_id }), options: [option(value, text.text)] };
  });
}

/**
 * A menu below a table whose rows have no room for buttons: each entry is a value that `action` reads, with its label.
 * None where there is nothing to choose.
 */
export function choiceMenu<V>(
  action: Pick<Action<V>, 'id' | 'write'>,
  lead: string,
  entries: readonly Readonly<{ value: V; label: string }>[],
): StaticSelect[] {
  if (entries.length === 0) return [];
  return [
    {
      type: 'static_select',
      action_id: action.id,
      placeholder: { type: 'plain_text', text: lead },
      options: entries.slice(0, limits.options).map(({ value, label }) => option(action.write(value), label)),
    },
  ];
}
