import { closest } from '../../../ground/closest.ts';
import type { Inputs } from '../../../jobs/newJob.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import type { Preset } from '../../../store/tables/presets.ts';
import type { Owner } from '../../../store/vault.ts';
import { code } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { takeInput } from '../../words/commandText.ts';
import { knownInputs } from '../fill/inputsInWords.ts';
import type { Metadata } from '../formState.ts';
import { textsOfPreset } from './fillFromPreset.ts';
import { presetBlock, presetNamed, presetsFor } from './presetWords.ts';

/** A request for a form, which may name a preset by the word `preset=…` or have one already. */
type Request = Owner & Readonly<{ channel: string; inputs: Inputs; preset?: Preset | undefined }>;

/**
 * The inputs of a request that belong to fields, over those of its preset: words typed beside a preset win. `notes` has
 * a sentence for each that cannot be used, `offer` what the form remembers of presets.
 */
export type AskedInputs = Readonly<{
  inputs: Inputs;
  notes: readonly string[];
  preset?: Preset | undefined;
  offer: Pick<Metadata, 'presets' | 'preset' | 'typed'>;
}>;

/** Finds presets, and notes that they were used. */
type PresetFinder = Desk<'credentials' | 'people' | 'clock' | 'presets' | 'run'>;

/** Reads the inputs of a request, and of the preset that it names. */
export async function readAsked(desk: PresetFinder, operation: JobOperation, request: Request): Promise<AskedInputs> {
  if (!operation.presets) return { ...knownInputs(operation, request.inputs), offer: {} };
  const { offered, word, others, preset } = await findPreset(desk, operation, request);
  const typed = knownInputs(operation, others);
  const offer = {
    ...(offered.length > 0 || preset ? { presets: true, typed: Object.keys(typed.inputs) } : {}),
    ...(preset ? { preset: { i: preset.id, n: preset.name } } : {}),
  };
  if (!preset) {
    const notes = word === undefined ? typed.notes : [noPreset(word, offered), ...typed.notes];
    return { inputs: typed.inputs, notes, offer };
  }
  desk.run('note that a preset was used', desk.presets.used(preset.id, desk.clock.now()));
  const texts = await textsOfPreset(desk, request, operation, preset);
  return {
    inputs: { ...texts.inputs, ...typed.inputs },
    notes: [...typed.notes, ...texts.notes],
    preset,
    offer,
  };
}

/** The presets of an operation that a person may use in a channel, and the one that the request names or has. */
export async function findPreset(desk: Desk<'presets'>, operation: JobOperation, request: Request) {
  const offered = presetsFor(operation, await desk.presets.of(request, request.channel), request.channel);
  const { text: word, others } = takeInput(request.inputs, presetBlock);
  const preset = request.preset ?? (word === undefined ? undefined : presetNamed(offered, word));
  return { offered, word, others, preset };
}

function noPreset(word: string, offered: readonly Preset[]): string {
  const close = closest(word.toLowerCase(), offered, ({ name }) => name).map(({ name }) => code(name, 60));
  const meant = close.length > 0 ? ` Did you mean ${close.slice(0, 3).join(' or ')}?` : '';
  return `There is no preset ${code(word, 60)} for this form here.${meant}`;
}
