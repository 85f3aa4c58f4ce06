import { closest } from '../../ground/closest.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { catalogue } from '../../operations/catalogue.ts';
import { asksOnlyForTarget, type JobOperation, type Operation } from '../../operations/operation.ts';
import { code } from '../blocks/mrkdwn.ts';
import { whyBlock } from '../blocks/reasonInput.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { presetBlock } from '../forms/presets/presetWords.ts';
import { commandCalled, type Lexicon, type OwnCommand } from '../house.ts';
import type { Command } from '../words/commandText.ts';
import { meantBy } from '../words/otherCommands.ts';

/*
 * Words that a command cannot use. Ignoring them would do something else than the person asked for. So nothing is done,
 * and the person learns which command takes those words.
 */

/** The fault of a Dolly command with words that it cannot use; `undefined` if there is none. */
export function strayInOwn({ names: { db }, house }: Lexicon, { words, inputs }: Command): string | undefined {
  const [first = '', ...rest] = words;
  const own = commandCalled(house, first);
  if (!own) return undefined;
  const stray = [...rest, ...Object.entries(inputs).map(([name, value]) => `${name}=${value}`)];
  // A usage with more than the command's word says which words may follow.
  if (own.usage === own.word && stray.length > 0)
    return `${code(`${db} ${own.word}`)} takes no other words, so I did nothing. Leave out ${code(stray.join(' '), 80)}. ${code(`${db} help ${own.word}`)} says what it does.`;
  const [field] = Object.keys(inputs).filter(name => !takesField(own, name));
  if (field === undefined) return undefined;
  return `${code(own.word)} has no field ${code(field, 60)}, so I did nothing. Use ${code(`${db} ${own.usage}`)}.`;
}

/** Whether a Dolly command takes a field, in whichever case its name is typed. */
export function takesField({ takes = [] }: OwnCommand, name: string): boolean {
  return takes === 'any' || takes.includes(name.toLowerCase());
}

/**
 * The fault of an operation with `field=value` words that it cannot use; `undefined` if there is none, or if its form
 * says it.
 */
export function strayInputs({ db }: CommandNames, operation: Operation, typed: Inputs): string | undefined {
  const fields = operation.type !== 'read' ? operation.fields.map(({ name }) => name.toLowerCase()) : [];
  const isKnown = (name: string) =>
    fields.includes(name) ||
    (operation.type !== 'read' && name === whyBlock.toLowerCase()) ||
    (operation.presets === true && name === presetBlock);
  const stray = Object.entries(typed).find(([name]) => !isKnown(name.toLowerCase()));
  // A form can say so before anything is sent.
  if (!stray || (operation.type !== 'read' && !asksOnlyForTarget(operation))) return undefined;
  const [name, value] = stray;
  const command = code(`${db} ${operation.words.join(' ')}`);
  const lead = `${command} has no field ${code(name, 60)}, so I did nothing.`;
  if (operation.type === 'read' && operation.shows === 'list')
    return `${lead} Give the value alone: ${code(`${db} ${operation.words.join(' ')} ${value}`, 100)}.`;
  const meant = operation.type !== 'read' ? meantBy(operation, name) : undefined;
  const other = meant === undefined ? takersOf(db, operation, name) : `Did you mean ${code(`${db} ${meant}`)}?`;
  return `${lead} ${other ?? `It takes only the name or the identifier. ${code(`${db} help`)} shows what each command takes.`}`;
}

function takersOf(db: string, operation: Operation, name: string): string | undefined {
  const others = catalogue.flatMap(entry => (entry.type !== 'read' && entry !== operation ? [entry] : []));
  const fieldsOf = ({ fields, target }: JobOperation) => fields.filter(field => field.name !== target);
  const names = [...new Set(others.flatMap(entry => fieldsOf(entry).map(field => field.name)))];
  const [meant] = names.filter(known => known.toLowerCase() === name.toLowerCase());
  const [close] = meant === undefined ? closest(name.toLowerCase(), names, known => known) : [meant];
  const takers = others.filter(entry => fieldsOf(entry).some(field => field.name === close));
  const commands = takers.map(({ words }) => code(`${db} ${words.join(' ')}`));
  return close === undefined ? undefined : `${code(close)} is a field of ${commands.join(', ')}.`;
}
