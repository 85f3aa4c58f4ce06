import type { KnownBlock } from '@slack/types';
import { counted, hasWords } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Preset } from '../../store/tables/presets.ts';
import { actionsRow, context, option, section } from '../blocks/blocks.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message } from '../blocks/message.ts';
import { bold, code, plain } from '../blocks/mrkdwn.ts';
import { canBeScheduled, type Lexicon } from '../house.ts';
import { meantButtons, saidVain } from '../words/meantButtons.ts';
import { presetActions, presetHolders } from './presetActions.ts';

/** Max presets in one list, with two blocks each. */
const most = 20;

/** The reader of a list, and the words that they typed behind the command. */
type Reader = Readonly<{
  person: string;
  words: readonly string[];
  lexicon: Lexicon;
  /** The ids of the presets that they may change. */
  changeable: ReadonlySet<string>;
}>;

/** The presets that a person may use, each with the buttons to use, change and delete it. */
export function presetList(presets: readonly Preset[], { person, words, lexicon, changeable }: Reader): Content {
  const fitting = presets.flatMap(preset => {
    const operation = jobOperation(preset.operation);
    return operation && fits(preset, operation, words) ? [{ preset, operation }] : [];
  });
  const matching = words.length > 0 ? ` with ${plain(words.join(' '), 100)}` : '';
  if (fitting.length === 0)
    return saidVain(
      `You have no presets${matching} here. To save one, use *Save as preset* below a form or on a confirmed job.`,
      meantButtons(
        { command: ['presets'], words },
        presets.map(({ name }) => name),
      ),
    );
  const left = fitting.length - most;
  return message([
    section(`*${counted(fitting.length, 'preset')}*${matching}`),
    ...fitting.slice(0, most).flatMap(({ preset, operation }) =>
      presetRow(preset, operation, {
        person,
        mayChange: changeable.has(preset.id),
        schedules: canBeScheduled(lexicon, operation),
      }),
    ),
    ...(left > 0 ? [context(`… and ${left} more: ${code(`${lexicon.names.db} presets <words>`)} finds them.`)] : []),
  ]);
}

function fits({ name, inputs, labels }: Preset, { words: command, summary }: JobOperation, words: readonly string[]) {
  return hasWords([name, ...command, summary, ...Object.values(inputs), ...Object.values(labels)], words);
}

function presetRow(
  preset: Preset,
  operation: JobOperation,
  { person, mayChange, schedules }: Readonly<{ person: string; mayChange: boolean; schedules: boolean }>,
): KnownBlock[] {
  const entries = { schedule: 'On a schedule…', change: 'Change or share…', delete: 'Delete…' } as const;
  const fitting = [
    ...(schedules ? (['schedule'] as const) : []),
    ...(mayChange ? (['change', 'delete'] as const) : []),
  ];
  const menu = fitting.map(a => option(presetActions.menu.write({ a, p: preset.id }), entries[a]));
  const more = menu.length > 0 ? [{ type: 'overflow' as const, action_id: presetActions.menu.id, options: menu }] : [];
  return [
    section(`${presetLine(preset, operation, person)}\n${presetValues(preset, operation)}`),
    ...actionsRow([presetActions.interaction.button('Use…', preset.id), ...more], `preset:${preset.id}`),
  ];
}

/** A preset in one line: its name, its operation, and the people who have it. */
export function presetLine(preset: Preset, { words }: JobOperation, reader: string): string {
  const by = preset.scope !== 'me' && preset.person !== reader ? ` · saved by ${mentionOf(preset.person)}` : '';
  return `${bold(preset.name, 80)} · ${words.join(' ')} · ${presetHolders(preset, reader)}${by}`;
}

/** The values of a preset in one line of at most `max` characters, as its form names them. */
export function presetValues({ inputs, labels }: Preset, { fields }: JobOperation, max = 300): string {
  const shown = Object.entries(inputs).map(([name, text]) => {
    const label = fields.find(field => field.name === name)?.label ?? name;
    return `${label}: ${labels[text] ?? text}`;
  });
  return plain(shown.join(' · '), max);
}
