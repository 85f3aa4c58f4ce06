import type { ContextBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { canBeRead, hidesCharacters } from '../../ground/lookalikes.ts';
import type { LeftOutValue } from '../../jobs/approval/facts/secretValues.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { PresetScope, type SeenPreset } from '../../store/tables/presets.ts';
import { asJson } from '../blocks/action.ts';
import { context, input, notice, option, section } from '../blocks/blocks.ts';
import { chooseOne, typeText } from '../blocks/inputs.ts';
import { defineModal, heldIn } from '../blocks/modal.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { placeholders } from '../forms/fill/placeholders.ts';
import { maxPresetText, presetNames, writePresetText } from './presetText.ts';

/** Max characters of a preset's name. */
const maxPresetName = 40;

/** The content of the form that saves or changes a preset. */
type PresetDraft = Readonly<{
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
  /** What is left out of it since it is a password. */
  secrets?: readonly LeftOutValue[];
  /** The preset that is changed; absent where one is added. */
  seen?: SeenPreset;
  /** The people who may have it. */
  scopes: readonly PresetScope[];
}>;

const scopeOptions: Readonly<Record<PresetScope, PlainTextOption>> = {
  me: option('me', 'Me'),
  channel: option('channel', 'This channel', 'Everybody here can use it'),
  workspace: option('workspace', 'The workspace', 'Only approvers can save it'),
};

/** The form that saves or changes a preset; a note where its values are too long for a preset. */
export function presetForm(draft: PresetDraft): ModalView {
  const { request, operation, channel, name, scope, inputs, labels, leftOut = [], secrets = [], seen, scopes } = draft;
  const title = seen ? 'Change preset' : 'Save as preset';
  const asked = { request, operation: operation.name, channel, seen };
  const known = presetNames(inputs, labels);
  const names = presetModal.fits({ ...asked, names: known }) ? known : {};
  const text = writePresetText(inputs, names);
  if (text.length > maxPresetText)
    return notice(title, `A preset holds up to ${maxPresetText} characters, and these values have ${text.length}.`);
  const words = Object.keys(placeholders).map(word => `{${word}}`);
  const hint = `One field per line: field=value. I fill in ${words.slice(0, -1).join(', ')} and ${words.at(-1)} each time.`;
  const scopeChoices = scopes.map(one => scopeOptions[one]);
  const nameLook = { max_length: maxPresetName, example: 'qa', ...(name ? {} : { focus_on_load: true as const }) };
  return presetModal.view(
    { ...asked, names },
    {
      title,
      submit: 'Save',
      blocks: [
        section(`These values fill the form *${plain(operation.summary)}* whenever somebody chooses the preset.`),
        input('name', 'Name', typeText(name, nameLook)),
        input('scope', 'For', chooseOne('radio_buttons', scopeChoices, scope)),
        input('values', 'Values', typeText(text, { multiline: true, max_length: maxPresetText }), { hint }),
        ...leftOutSaid('Left out, so that the latest one is used', leftOut),
        ...leftOutSaid(
          'A preset holds no passwords, so this is left out',
          secrets.map(({ called }) => called),
        ),
      ],
    },
  );
}

function leftOutSaid(why: string, fields: readonly string[]): ContextBlock[] {
  return fields.length === 0 ? [] : [context(`${why}: ${plain(fields.join(', '))}.`)];
}

const Carried = z.object({
  request: z.string(),
  operation: z.string(),
  channel: z.string(),
  names: z.record(z.string(), z.object({ id: z.string(), name: z.string() })),
  seen: z.object({ id: z.string(), revision: z.number() }).optional(),
});

/** What the form carries, and what is filled in: the name, the people who may have it, and the values. */
export const presetModal = defineModal('preset', asJson(Carried), sent => {
  const scope = PresetScope.safeParse(heldIn(sent, 'scope').selected_option?.value).data;
  const name = (heldIn(sent, 'name').value ?? '').replace(/\s+/gu, ' ').trim();
  return scope && { scope, name, text: heldIn(sent, 'values').value ?? '' };
});

/** The sentence that says why a name cannot be used; `undefined` where it can. */
export function nameFault(name: string): string | undefined {
  if (name.length > maxPresetName) return `Use at most ${maxPresetName} characters.`;
  if (!canBeRead(name)) return 'Type a name with letters or digits.';
  if (hidesCharacters(name)) return 'The name contains invisible characters. Type it again.';
  if (maskSurePasswords(name) !== name) return 'The name looks as if it contains a password. Choose another one.';
  return undefined;
}
