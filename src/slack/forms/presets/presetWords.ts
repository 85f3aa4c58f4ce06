import type { Inputs } from '../../../jobs/newJob.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { compareNames } from '../../../records/find.ts';
import { looksOf, type Preset } from '../../../store/tables/presets.ts';
import { code } from '../../blocks/mrkdwn.ts';
import { fillPlaceholders, type PlaceholderValues, placeholdersIn } from '../fill/placeholders.ts';

/** The block of a form in which a preset is chosen, and the word of a command that names one: `preset=qa`. */
export const presetBlock = 'preset';

/** Whether a person in a channel may see and use a preset: their own, one of this channel, or one of the workspace. */
export function maySeePreset(
  preset: Preset,
  { team, person, channel }: Readonly<Pick<Preset, 'team' | 'person'> & { channel: string }>,
): boolean {
  if (preset.team !== team) return false;
  return preset.scope === 'workspace' || preset.person === person || preset.holder === channel;
}

const ranks = { channel: 0, me: 1, workspace: 2 } as const;

/** The presets that a form offers in a channel: first those of the channel, then the person's own, then the workspace's. */
export function presetsFor(
  operation: Pick<JobOperation, 'name'>,
  presets: readonly Preset[],
  channel: string,
): readonly Preset[] {
  return presets
    .filter(preset => preset.operation === operation.name && (preset.scope !== 'channel' || preset.holder === channel))
    .toSorted((a, b) => ranks[a.scope] - ranks[b.scope] || compareNames(a.name, b.name));
}

/** The first preset of that name, however it is written. */
export function presetNamed(presets: readonly Preset[], name: string): Preset | undefined {
  const likeness = looksOf(name.trim());
  return presets.find(preset => looksOf(preset.name) === likeness);
}

/**
 * The texts of a preset with their placeholders filled in. A port without a value is left empty; other texts keep a
 * placeholder until it has one. `notes` name the words in braces that are no placeholders.
 */
export function presetTexts(inputs: Inputs, values: PlaceholderValues): { inputs: Inputs; notes: readonly string[] } {
  const notes: string[] = [];
  const texts = Object.entries(inputs).flatMap(([name, template]) => {
    const { text, unknown } = fillPlaceholders(template, values);
    if (unknown.length > 0)
      notes.push(
        `I do not know ${unknown.map(word => code(word, 40)).join(', ')} in ${code(name, 60)} as a placeholder, so I left it unchanged.`,
      );
    return text === portAlone ? [] : [[name, text] as const];
  });
  return { inputs: Object.fromEntries(texts), notes };
}

const portAlone = '{port}';

/** The fields of a form whose text still has a placeholder in it. */
export function openFields(inputs: Inputs): readonly string[] {
  return Object.entries(inputs).flatMap(([name, text]) => (placeholdersIn(text).length > 0 ? [name] : []));
}

/**
 * The inputs after a preset was chosen in an open form. Its texts take the place of what stood there, except in the
 * fields that the person typed beside the command. What an earlier preset had filled in, and nobody changed, is emptied.
 */
export function withPresetChosen(
  now: Inputs,
  { texts, before = {}, typed = [] }: Readonly<{ texts: Inputs; before?: Inputs; typed?: readonly string[] }>,
): Inputs {
  const kept = Object.entries(now).filter(([name, text]) => typed.includes(name) || before[name] !== text);
  const chosen = Object.entries(texts).filter(([name]) => !typed.includes(name) || now[name] === undefined);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(chosen) };
}
