import { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';
import type { Preset } from '../../store/tables/presets.ts';
import { asJson, asText, defineAction } from '../blocks/action.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { code } from '../blocks/mrkdwn.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { presetBlock } from '../forms/presets/presetWords.ts';
import { writeCommand } from '../words/commandText.ts';

/** The button that opens a form with a preset, and the menu beside it. Each carries the preset's id. */
export const presetActions = {
  interaction: defineAction('preset.use', asText),
  menu: defineAction('preset.menu', asJson(z.object({ a: z.enum(['change', 'delete', 'schedule']), p: z.string() }))),
} as const;

/** The command that opens the form with a preset, in code. */
export function presetCommand(names: CommandNames, operation: Operation, { name }: Pick<Preset, 'name'>): string {
  const line = writeCommand({ words: [], inputs: { [presetBlock]: name } });
  const command = operation.shortcut ? names[operation.shortcut] : `${names.db} ${operation.words.join(' ')}`;
  return code(`${command} ${line}`);
}

/** The people who have a preset, as the reader of a channel sees them: "for #qa" is a mention of the channel. */
export function presetHolders({ scope, holder, person }: Preset, reader: string): string {
  if (scope === 'workspace') return 'for the workspace';
  if (scope === 'channel') return `for ${mentionOf(holder)}`;
  return person === reader ? 'for you' : `for ${mentionOf(person)}`;
}
