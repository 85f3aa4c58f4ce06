import type { InputBlock, PlainTextOption } from '@slack/types';
import type { JobOperation } from '../../../operations/operation.ts';
import type { Preset, PresetScope } from '../../../store/tables/presets.ts';
import type { Owner } from '../../../store/vault.ts';
import { asNothing, defineAction } from '../../blocks/action.ts';
import { input, option } from '../../blocks/blocks.ts';
import { searchOne } from '../../blocks/inputs.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Metadata } from '../formState.ts';
import { presetBlock, presetsFor } from './presetWords.ts';

/** The button inside a form that saves its values as a preset. */
export const saveAsPreset = defineAction('form.preset', asNothing);

/** The input on top of a form in which a person chooses a preset. */
export function presetInput(chosen: Metadata['preset']): InputBlock {
  const picker = searchOne('Fill the form from a preset', chosen && option(chosen.i, chosen.n));
  return input(presetBlock, 'Preset', picker, { optional: true, dispatch_action: true });
}

const groupLabels = { channel: 'This channel', me: 'Yours', workspace: 'The workspace' } as const satisfies Record<
  PresetScope,
  string
>;

type OptionGroup = { label: PlainTextOption['text']; options: PlainTextOption[] };

/** The choices of that input: the channel's presets first, then the person's own, then the workspace's. */
export async function presetChoices(
  desk: Desk<'presets'>,
  owner: Owner,
  operation: JobOperation,
  { channel, typed }: Readonly<{ channel: string; typed: string }>,
): Promise<OptionGroup[]> {
  const presets = presetsFor(operation, await desk.presets.of(owner, channel), channel);
  return groupPresets(presets.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())));
}

/** Presets as options of a picker, under the people who have them. */
function groupPresets(presets: readonly Preset[]): OptionGroup[] {
  return [...Map.groupBy(presets, ({ scope }) => scope)].map(([scope, some]) => ({
    label: { type: 'plain_text', text: groupLabels[scope] },
    options: some.map(preset => option(preset.id, preset.name, aboutOf(preset))),
  }));
}

function aboutOf({ inputs, labels }: Preset): string {
  return Object.values(inputs)
    .map(text => labels[text] ?? text)
    .join(' · ');
}
