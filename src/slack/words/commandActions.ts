import type { Button } from '@slack/types';
import { catalogue } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { asText, defineAction } from '../blocks/action.ts';
import { type Command, writeCommand } from './commandText.ts';

/** A button that runs a command: its value is the command's words. */
export const runCommand = defineAction('command.run', asText);

/** A button that shows a command as it can be typed, and runs it. A command that no button can carry loses its end. */
export function commandButton(db: string, words: readonly string[], inputs: Command['inputs'] = {}): Button {
  const whole = writeCommand({ words, inputs });
  const text = runCommand.fits(whole) ? whole : (words[0] ?? '');
  return runCommand.button(`${db} ${text}`, text, { suffix: words.slice(0, 2).join('-').slice(0, 60) });
}

/** An entry of the menu beside a record: an operation's name, and the record. */
export const operationMenu = defineAction('operation', {
  write: ({ name, record }: { name: string; record: string }) => `${name} ${record}`,
  read(text) {
    const [, name, record] = /^(\S+) (\S+)$/.exec(text) ?? [];
    return name === undefined || record === undefined ? undefined : { name, record };
  },
});

/** A button for each operation. Its value is the record; empty if the form asks for it. */
export const operationButtons = catalogue.map(operation => ({
  operation,
  action: defineAction(`operation:${operation.name}`, asText),
}));

/** The button that begins an operation. @throws {RangeError} for an operation that is not in the catalogue */
export function operationAction({ name }: Operation) {
  const found = operationButtons.find(({ operation }) => operation.name === name);
  if (!found) throw new RangeError(`the catalogue has no ${name}`);
  return found.action;
}
