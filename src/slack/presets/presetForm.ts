import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { canBeRead, hidesCharacters } from '../../ground/lookalikes.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { PresetScope, SeenPreset } from '../../store/tables/presets.ts';
import { inputAction } from '../blocks/action.ts';
import { context, notice, option, section } from '../blocks/blocks.ts';
import { limits, plain } from '../blocks/limits.ts';
import { placeholders } from '../forms/placeholders.ts';
import { maxPresetText, type PresetNames, presetNames, writePresetText } from './presetText.ts';

/** The `callback_id` of the form that saves or changes a preset. */
export const presetCallback = 'preset';
/** Max characters of a preset's name. */
export const maxPresetName = 40;

/** The content of the form that saves or changes a preset. */
export type PresetDraft = Readonly<{
  /** New for each form, so that a form that is submitted twice saves one preset. */
  request: string;
  operation: JobOperation;
  /** The channel in which the person asked. */
  channel: string;
  name: string;
  scope: PresetScope;
  /** The texts by field name, and the names of identifiers among them. */
  inputs: Inputs;
  labels: Readonly<Record<string, string>>;
  /** Labels of the fields that are left out of the suggestion. */
  leftOut?: readonly string[];
  /** The preset that is changed; absent where one is added. */
  seen?: SeenPreset;
  /** The people who may have it. */
  scopes: readonly PresetScope[];
}>;

const scopeOptions: Readonly<Record<PresetScope, PlainTextOption>> = {
  me: option('me', 'Me'),
  channel: option('channel', 'This channel', 'Everybody here can use it'),
  workspace: option('workspace', 'The workspace', 'Only those who approve can save it'),
};

/** The form that saves or changes a preset; a note where its values are too long for a preset. */
export function presetForm(draft: PresetDraft): ModalView {
  const { request, operation, channel, name, scope, inputs, labels, leftOut = [], seen, scopes } = draft;
  const title = seen ? 'Change preset' : 'Save as preset';
  const metadata = (n: PresetNames) =>
    JSON.stringify({ r: request, o: operation.name, c: channel, n, ...(seen ? { p: seen } : {}) });
  const known = presetNames(inputs, labels);
  const names = metadata(known).length > limits.privateMetadata ? {} : known;
  const text = writePresetText(inputs, names);
  if (text.length > maxPresetText)
    return notice(title, `A preset holds up to ${maxPresetText} characters, and these values have ${text.length}.`);
  const words = Object.keys(placeholders).map(word => `{${word}}`);
  return {
    type: 'modal',
    callback_id: presetCallback,
    title: { type: 'plain_text', text: title },
    submit: { type: 'plain_text', text: 'Save' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: metadata(names),
    blocks: [
      section(`These values fill the form *${plain(operation.summary)}* whenever somebody chooses the preset.`),
      input('name', 'Name', {
        type: 'plain_text_input',
        action_id: inputAction,
        max_length: maxPresetName,
        placeholder: { type: 'plain_text', text: 'qa' },
        ...(name ? { initial_value: name } : { focus_on_load: true }),
      }),
      input('scope', 'For', {
        type: 'radio_buttons',
        action_id: inputAction,
        options: scopes.map(one => scopeOptions[one]),
        initial_option: scopeOptions[scope],
      }),
      {
        ...input('values', 'Values', {
          type: 'plain_text_input',
          action_id: inputAction,
          multiline: true,
          max_length: maxPresetText,
          ...(text ? { initial_value: text } : {}),
        }),
        hint: {
          type: 'plain_text',
          text: `One field a line: field=value. ${words.slice(0, -1).join(', ')} and ${words.at(-1)} are filled in each time.`,
        },
      },
      ...(leftOut.length > 0
        ? [context(`Left out, so that the latest one is used: ${plain(leftOut.join(', '))}.`)]
        : []),
    ],
  };
}

function input(name: string, label: string, element: InputBlock['element']): InputBlock {
  return { type: 'input', block_id: name, label: { type: 'plain_text', text: label }, element };
}

const Name = z.object({ id: z.string(), name: z.string() });
const Metadata = z.object({
  r: z.string(),
  o: z.string(),
  c: z.string(),
  n: z.record(z.string(), Name).default({}),
  p: z.object({ id: z.string(), revision: z.number() }).optional(),
});

const Values = z.object({
  name: z.object({ value: z.object({ value: z.string().nullish() }) }),
  scope: z.object({
    value: z.object({ selected_option: z.object({ value: z.enum(['me', 'channel', 'workspace']) }) }),
  }),
  values: z.object({ value: z.object({ value: z.string().nullish() }) }),
});

/** Reads a submitted form; `undefined` for one of another release. */
export function readPresetForm(view: Readonly<{ private_metadata: string; state: Readonly<{ values: unknown }> }>) {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata)).data;
  const values = Values.safeParse(view.state.values).data;
  if (!metadata || !values) return undefined;
  const { r: request, o: operation, c: channel, n: names, p: seen } = metadata;
  return {
    ...{ request, operation, channel, names, seen },
    name: (values.name.value.value ?? '').replace(/\s+/gu, ' ').trim(),
    scope: values.scope.value.selected_option.value,
    text: values.values.value.value ?? '',
  };
}

/** The sentence that says why a name cannot be used; `undefined` where it can. */
export function nameFault(name: string): string | undefined {
  if (name.length > maxPresetName) return `Use at most ${maxPresetName} characters.`;
  if (!canBeRead(name)) return 'Type a name with letters or digits.';
  if (hidesCharacters(name)) return 'The name has characters that cannot be seen. Type it anew.';
  if (maskSurePasswords(name) !== name) return 'The name looks as if it held a password. Choose another one.';
  return undefined;
}
