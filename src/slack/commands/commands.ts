import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import {
  asksOnlyForTarget,
  type Operation,
  type ReadOperation,
  type WriteOperation,
} from '../../operations/operation.ts';
import { isForBatches } from '../../operations/plans/batch.ts';
import { type Content, said } from '../blocks/message.ts';
import { mustBeAllowed, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { type Reaction, reactAsCommand, reactTo } from '../desk/reaction.ts';
import { namedIn, namedTwice } from '../forms/fill/inputsInWords.ts';
import { type FormOpener, openForm } from '../forms/openForm.ts';
import { type JobMaker, runAtOnce } from '../forms/submit/runAtOnce.ts';
import { commandCalled } from '../house.ts';
import { ofAnotherRelease } from '../inbox/doing.ts';
import { findPast, type PastShower } from '../past/showPast.ts';
import { listPage } from '../records/listMessage.ts';
import { showList, showOne } from '../records/show.ts';
import { commandButton, operationButtons, operationMenu, runCommand } from '../words/commandActions.ts';
import { type Command, readCommand } from '../words/commandText.ts';
import { meantBy } from '../words/otherCommands.ts';
import type { Lists } from './coreCommands.ts';
import { greet } from './help.ts';
import { strayInOwn, strayInputs } from './strayWords.ts';
import { isGreeting, unknown } from './unknown.ts';

/**
 * Reacts to a command: an interaction whose value is the command's words. No button has this action; the buttons below run
 * commands.
 */
const command: Reaction<Commander> = {
  action: 'command',
  interactionOf: () => undefined,
  acts,
  intent: words => words,
  note: countCommand,
  perform: carryOut,
};

/** Reacts to commands, and to the buttons that do what a command does. */
export const commandReactions = [
  command,
  reactAsCommand(runCommand, command, words => words),
  reactAsCommand(operationMenu, command, ({ name, record }) => {
    const operation = catalogue.find(entry => entry.name === name);
    return operation && [...operation.words, record].join(' ');
  }),
  ...operationButtons.map(({ operation, action }) =>
    reactAsCommand(action, command, record => [...operation.words, record].join(' ')),
  ),
  reactTo(listPage, {
    replaces: true,
    intent: ({ o, q }) => [...(listOperation(o)?.words ?? []), q].join(' ').trim(),
    async perform(desk: Desk<'records' | 'clock' | 'house'>, interaction, { o, q, p, s }) {
      const operation = listOperation(o);
      return operation
        ? showList(desk, interaction, operation, { query: q, page: p, size: s })
        : said(ofAnotherRelease);
    },
  }),
];

function listOperation(name: string): ReadOperation | undefined {
  const operation = catalogue.find(entry => entry.name === name);
  return operation?.type === 'read' ? operation : undefined;
}

/** Whether a command changes something, and does not only show something or open a form. */
function acts(desk: Commander, text: string): boolean {
  const typed = readCommand(text);
  const own = ownCommand(desk, typed);
  if (own) return own.acts?.(typed) ?? false;
  const found = findOperation(typed.words);
  return found !== undefined && isAtOnce(desk, found.operation, found.rest);
}

/** The command of Dolly's own that some words begin with. */
function ownCommand({ house }: Desk<'house'>, { words: [first = 'help'] }: Command) {
  return commandCalled(house, first);
}

/**
 * Whether an operation needs no form: its target is named, it asks for nothing else, does no harm and needs no
 * approval.
 */
function isAtOnce(desk: Desk<'policy'>, operation: Operation, rest: readonly string[]): operation is WriteOperation {
  if (operation.type !== 'write' || rest.length === 0) return false;
  return asksOnlyForTarget(operation) && !operation.warning && !mayNeedApproval(desk.policy, operation);
}

/** Counts and logs a command: its name, but none of the words that the person typed. */
function countCommand(desk: Commander, { value, person }: Interaction, outcome: string): void {
  const typed = readCommand(value);
  const name = ownCommand(desk, typed)?.word ?? findOperation(typed.words)?.operation.name ?? 'unknown';
  desk.meter.count('commands', { command: name, outcome });
  desk.log.info({ command: name, outcome, person }, 'a command was answered');
}

/** Does what commands ask for: each with what it needs, and with nothing else. */
type Commander = Doorkeeper &
  Desk<'meter' | 'log' | 'names' | 'house'> &
  Readonly<{ lists: Lists; past: PastShower; maker: JobMaker; forms: FormOpener }>;

/** Runs a command. Returns the answer for the person; `undefined` where a form is the answer. */
async function carryOut(desk: Commander, interaction: Interaction): Promise<Content | undefined> {
  const { names } = desk;
  const typed = readCommand(interaction.value);
  const vain = strayInOwn(desk, typed);
  if (vain !== undefined) return said(vain);
  const own = ownCommand(desk, typed);
  if (own?.isForSignedIn) await mustBeSignedIn(desk, interaction);
  if (own) return own.answer(undefined, interaction, typed);
  const found = findOperation(typed.words);
  if (!found) return isGreeting(typed.words) ? greet(desk.lists, interaction) : unknown(desk, typed);
  const { operation, rest } = found;
  const stray = strayInputs(names, operation, typed.inputs) ?? namedTwice(operation, rest, typed.inputs);
  if (stray !== undefined) {
    const meant = operation.type !== 'read' ? meantBy(operation, ...Object.keys(typed.inputs)) : undefined;
    return said(stray, meant === undefined ? [] : [commandButton(names.db, [meant, ...rest])]);
  }
  if (operation.type === 'read') {
    const words = rest.join(' ');
    return operation.shows === 'one'
      ? showOne(desk.lists, interaction, operation, words, typed => findPast(desk.past, interaction, typed))
      : showList(desk.lists, interaction, operation, { query: words, page: 0 });
  }
  await mustBeSignedIn(desk, interaction);
  await mustBeAllowed(desk, interaction, operation);
  const several = await takenTogether(desk, interaction, operation, rest);
  if (several) return several === 'form' ? undefined : several;
  const wish = { ...interaction, inputs: { ...namedIn(operation, rest), ...typed.inputs } };
  if (isAtOnce(desk, operation, rest)) return runAtOnce(desk.maker, operation, wish);
  await openForm(desk.forms, operation, wish);
  return undefined;
}

/** The answer to a command that names several records; `undefined` to one that names one. */
async function takenTogether(
  { house }: Desk<'house'>,
  interaction: Interaction,
  operation: Operation,
  rest: readonly string[],
): Promise<Content | 'form' | undefined> {
  if (!isForBatches(operation)) return undefined;
  return house.takeSeveral(undefined, interaction, { operation, words: rest });
}
