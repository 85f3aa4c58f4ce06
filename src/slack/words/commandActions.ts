import { catalogue } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { asText, defineAction } from '../blocks/action.ts';

/** A button that runs a command: its value is the command's words. */
export const runCommand = defineAction('command.run', asText);

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
