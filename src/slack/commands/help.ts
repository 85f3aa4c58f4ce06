import type { KnownBlock, SectionBlock } from '@slack/types';
import { vendorNames } from '../../api/identifiers.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { capital } from '../../ground/wording.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import { asksOnlyForTarget, groupOf, groups, type JobOperation, type Operation } from '../../operations/operation.ts';
import { actionsRow, context, section, sectionsOf } from '../blocks/blocks.ts';
import { type Content, message, said } from '../blocks/message.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import type { Desk } from '../desk/desk.ts';
import type { CommandNames, Interaction } from '../desk/interaction.ts';
import { type Lexicon, ownSubjects } from '../house.ts';
import { operationLabel } from '../records/recordBlocks.ts';
import { operationAction, runCommand } from '../words/commandActions.ts';
import { type HelpOffer, type OfferReader, offersTo } from './helpOffers.ts';

/** Answers the command alone: with the six things that this person does most and may do, and the subjects of the help. */
export async function helpFor(desk: OfferReader & Desk<'names'>, interaction: Interaction): Promise<Content> {
  return firstHelp(desk.names, await offersTo(desk, interaction));
}

/** Answers a greeting: with the three things that this person does first. */
export async function greet(desk: OfferReader & Desk<'names'>, interaction: Interaction): Promise<Content> {
  const offers = (await offersTo(desk, interaction)).slice(0, 3);
  return message([
    section(`:wave: Hello! I look after databases. The first three things to do:`),
    ...offers.map(offer => offerRow(desk.names, offer)),
    ...actionsRow([runCommand.button('Help', 'help', { suffix: 'help' })]),
    context(hintOf(desk.names)),
  ]);
}

/** Answers `help`: with the subjects; with one of them; with `all` there is; or with the commands that contain the words. */
export function help(lexicon: Lexicon, words: readonly string[]): Content {
  return words.length > 0 ? helpAbout(lexicon, words) : subjectHelp(lexicon.house)(lexicon);
}

/** The subjects, each with the words of its commands: made once, since it is the same for everybody. */
const subjectHelp = memoByObject(() =>
  memoByObject(({ names, house }: Lexicon): Content => {
    const lines = subjects.flatMap(subject => {
      const words = entriesOf(house, subject).map(entry => ('word' in entry ? entry.word : entry.words.join(' ')));
      return words.length > 0 ? [`*${subject}*: ${words.map(word => plain(word)).join(', ')}`] : [];
    });
    const heading = section(`*What you can ask*  ·  each after ${code(names.db)}`);
    return message([heading, ...sectionsOf(lines), ...subjectButtons(), context(hintOf(names))]);
  }),
);

/** The first layer of the help: some commands, each with the button that begins it, and a button for each subject. */
export function firstHelp(names: CommandNames, offers: readonly HelpOffer[]): Content {
  const rows = offers.map(offer => offerRow(names, offer));
  const first = section('*What you can ask*  ·  what you need most');
  const rest = section('*All the rest, by subject*');
  return message([first, ...rows, rest, ...subjectButtons(), context(hintOf(names))]);
}

/** A command in a line, with the button that begins it. */
function offerRow(names: CommandNames, offer: HelpOffer): SectionBlock {
  const { usage, summary } = helpLine(names, offer);
  const button =
    'word' in offer
      ? runCommand.button(capital(offer.word), offer.word, { suffix: offer.word })
      : operationAction(offer).button(operationLabel(offer), '');
  return { ...section(`${code(usage)}\n${plain(summary)}`), accessory: button };
}

/** A button for each subject, and one for all commands. */
function subjectButtons(): KnownBlock[] {
  const about = subjects.map(subject => runCommand.button(subject, `help ${subject}`, { suffix: `help-${subject}` }));
  return actionsRow([...about, runCommand.button('All commands', 'help all', { suffix: 'help-all' })]);
}

function hintOf({ db }: CommandNames): string {
  return `${code(`${db} help <words>`)} finds a command. ${inputHint}`;
}

const inputHint = 'Name a database by its name or identifier. Words such as `field=value` fill in a form: `port=3310`.';

/** The subjects of the help, in its order. */
const subjects = [...groups, ...ownSubjects] as const;

/** The commands of a subject. */
function entriesOf({ commands }: Lexicon['house'], subject: (typeof subjects)[number]): readonly HelpOffer[] {
  return [...catalogue, ...commands].filter(entry => ('word' in entry ? entry.subject : groupOf(entry)) === subject);
}

function helpLine(names: CommandNames, offer: HelpOffer): { usage: string; summary: string } {
  if (!('word' in offer)) return usageLine(names, offer);
  return { usage: `${names.db} ${offer.usage}`, summary: offer.summary };
}

/** The commands of a subject; all of them; or those that contain the words, with the fields of the one that they name. */
export function helpAbout({ names, house }: Lexicon, words: readonly string[]): Content {
  const typed = words.join(' ').toLowerCase();
  const sections = subjects.flatMap(subject => {
    const fitting = entriesOf(house, subject)
      .map(entry => helpLine(names, entry))
      .filter(
        ({ usage, summary }) =>
          typed === 'all' ||
          typed === subject.toLowerCase() ||
          words.every(word => `${usage} ${summary}`.toLowerCase().includes(word.toLowerCase())),
      );
    const text = fitting.map(({ usage, summary }) => `${code(usage)}  ${plain(summary)}`).join('\n');
    return fitting.length > 0 ? [section(`*${subject}*\n${text}`)] : [];
  });
  if (sections.length === 0) {
    return said(
      `No command in the help contains ${plain(words.join(' '), 100)}. ${code(`${names.db} help all`)} shows all.`,
    );
  }
  const one = findOperation(words);
  const fields = one && one.operation.type !== 'read' && one.rest.length === 0 ? [fieldHelp(names, one.operation)] : [];
  return message([section('*What you can ask*'), ...sections, ...fields, context(inputHint)]);
}

/** The fields of an operation that can be typed after its command, as `field=value`. */
function fieldHelp(names: CommandNames, operation: JobOperation): SectionBlock {
  const lines = operation.fields
    .filter(({ name, sent, role }) => name !== operation.target && (sent !== false || role === 'backUpFirst'))
    .map(({ name, label, hint, vendors, widget, required }) => {
      const options =
        widget.type === 'choice'
          ? widget.options.map(({ value }) => value)
          : widget.type === 'checkbox'
            ? ['true']
            : [];
      const notes = [
        label,
        required ? 'needed' : '',
        vendors && vendors.length < 3 ? vendors.map(vendor => vendorNames[vendor]).join(' and ') : '',
        options.length > 0 && options.length <= 3 ? options.join(' or ') : (hint ?? ''),
      ];
      return `${code(`${name}=`)}  ${notes
        .filter(Boolean)
        .map(note => plain(note))
        .join('  ·  ')}`;
    });
  const command = code(usageLine(names, operation).usage);
  return section(
    lines.length === 0 ? `${command} has no other fields.` : `*Fields of* ${command}\n${lines.join('\n')}`,
  );
}

/** The usage line and the summary of an operation. */
export function usageLine(names: CommandNames, operation: Operation): { usage: string; summary: string } {
  const command = ownCommand(names, operation) ?? `${names.db} ${operation.words.join(' ')}`;
  return { usage: `${command} ${usageOf(operation)}`, summary: operation.summary };
}

/** The words of each slash command: none for `/db`; for `/clone` those of its operation. */
export function wordsBySlashCommand(names: CommandNames): readonly (readonly [string, readonly string[]])[] {
  const shortcuts = catalogue.flatMap(({ shortcut, words }) => (shortcut ? [[names[shortcut], words] as const] : []));
  return [[names.db, []], ...shortcuts];
}

/** The slash commands as Slack's manifest and its completion list them. */
export function slashCommands(names: CommandNames) {
  const shortcuts = catalogue.filter(operation => ownCommand(names, operation) !== undefined);
  return [
    {
      command: names.db,
      description: 'Look after your databases',
      usageHint: 'help, login, list, show, backup, delete, env list, …',
    },
    ...shortcuts.map(operation => ({
      command: ownCommand(names, operation) ?? '',
      description: operation.summary,
      usageHint: usageOf(operation),
    })),
  ];
}

/** The slash command that stands for one operation alone. */
function ownCommand(names: CommandNames, operation: Operation): string | undefined {
  return operation.shortcut && names[operation.shortcut];
}

function usageOf(operation: Operation): string {
  if (operation.type === 'read') return operation.shows === 'one' ? '<name or identifier>' : '[words]';
  return asksOnlyForTarget(operation) ? '[name or identifier]' : '[name or identifier] [field=value …]';
}
