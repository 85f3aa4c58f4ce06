import type { SectionBlock } from '@slack/types';
import { vendorNames } from '../../api/identifiers.ts';
import type { CommandNames } from '../../ground/config.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import { asksOnlyForTarget, groups, type JobOperation, type Operation } from '../../operations/operation.ts';
import { closest } from '../../records/find.ts';
import { type Content, context, message, said, section } from '../blocks/blocks.ts';
import { code, cut, limits, plain } from '../blocks/limits.ts';
import { commandButton } from '../words/commandActions.ts';
import type { Command } from '../words/commandWords.ts';

/** All commands of the catalogue, or those that contain the words. */
export function help(names: CommandNames, words: readonly string[]): Content {
  return words.length > 0 ? helpWith(names, words) : wholeHelp(names);
}

/** All commands, made once: the same for everybody. */
const wholeHelp = memoByObject((names: CommandNames) => helpWith(names, []));

function helpWith(names: CommandNames, words: readonly string[]): Content {
  const sorted = [
    ...groups.map(heading => ({
      heading,
      lines: catalogue.filter(({ group }) => group === heading).map(operation => usageLine(names, operation)),
    })),
    {
      heading: 'You and Dolly',
      lines: ownCommands.map(({ usage, summary }) => ({ usage: `${names.db} ${usage}`, summary })),
    },
  ];
  const sections = sorted.flatMap(({ heading, lines }) => {
    const fitting = lines.filter(line =>
      words.every(word => `${line.usage} ${line.summary}`.toLowerCase().includes(word.toLowerCase())),
    );
    const text = fitting.map(({ usage, summary }) => `${code(usage)}  ${plain(summary)}`).join('\n');
    return fitting.length > 0 ? [section(cut(`*${heading}*\n${text}`, limits.sectionText))] : [];
  });
  if (sections.length === 0) {
    return said(
      `No command in the help contains ${plain(words.join(' '), 100)}. ${code(`${names.db} help`)} shows all.`,
    );
  }
  const one = findOperation(words);
  const fields = one && one.operation.type !== 'read' && one.rest.length === 0 ? [fieldHelp(names, one.operation)] : [];
  const footer = 'A database is named by its name or identifier. `field=value` words fill a form: `port=3310`.';
  return message([section('*What you can ask*'), ...sections, ...fields, context(footer)]);
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

/**
 * Says that a command is unknown, with a button for each one that may have been meant. `before` are words that stood
 * before the command.
 */
export function unknown({ db }: CommandNames, command: Command, before: readonly string[] = []): Content {
  const typed = command.words.slice(0, 3).join(' ').toLowerCase();
  const known = [...catalogue.map(({ words }) => words.join(' ')), ...ownCommands.map(({ word }) => word)];
  const first = command.words[0]?.toLowerCase() ?? '';
  const near = [...new Set([...closest(typed, known, word => word), ...closest(first, known, word => word)])].slice(
    0,
    3,
  );
  const commands = near.map(word => {
    const words = word.split(' ');
    // Most commands about Dolly itself take no further words.
    const isAlone = ownCommands.some(own => own.usage === word);
    const rest = isAlone ? [] : command.words.slice(words.length);
    return commandButton(db, [...before, ...words, ...rest], isAlone ? {} : command.inputs);
  });
  const meant = near.length > 0 ? ' Did you mean:' : '';
  return said(
    `I do not know ${code(command.words.join(' '), 80)}. ${code(`${db} help`)} shows all there is.${meant}`,
    commands,
  );
}

/** The commands that are about Dolly itself rather than an operation of the service. */
export const ownCommands = [
  { word: 'login', usage: 'login', summary: 'Sign in to the service' },
  { word: 'logout', usage: 'logout', summary: 'Forget your sign-in' },
  { word: 'whoami', usage: 'whoami', summary: 'Show whether and as whom you are signed in' },
  {
    word: 'lease',
    usage: 'lease <clone> 3d | until=2026-12-24 | none',
    summary: 'Set how long a clone is kept, or show it',
  },
  { word: 'leases', usage: 'leases [words]', summary: 'Show when clones end, and which of them have no end' },
  {
    word: 'status',
    usage: 'status [words]',
    summary: 'Show what is backed up and what is not, what failed, and how old clones are',
  },
  {
    word: 'report',
    usage: 'report daily | weekly at=08:30 [only=wrong] [words] | off',
    summary: 'Bring the status to a channel each day or week',
  },
  {
    word: 'alerts',
    usage: 'alerts on [failed late vanished lease disabled] | off',
    summary: 'Tell this channel what changes for the worse, whoever did it',
  },
  { word: 'jobs', usage: 'jobs', summary: 'Show your latest jobs' },
  {
    word: 'presets',
    usage: 'presets [words]',
    summary: 'Show, change, share and delete presets, which fill forms',
  },
  {
    word: 'schedule',
    usage: 'schedule <command …> every=day at=02:00',
    summary: 'Let a backup, a refresh, a start, a stop or a renewal run by itself',
  },
  { word: 'schedules', usage: 'schedules [words]', summary: 'Show, run, pause, change and delete schedules' },
  { word: 'approvals', usage: 'approvals [job]', summary: 'Show what waits for your approval' },
  {
    word: 'why',
    usage: 'why <command …>',
    summary: 'Say whether a command would be sent, and what stands in its way; nothing is sent',
  },
  {
    word: 'audit',
    usage: 'audit [words] [since=7d] [until=2026-11-30] [by=…]',
    summary: 'Show and export who did what, for those who approve',
  },
  {
    word: 'doctor',
    usage: 'doctor',
    summary: 'Check the set-up, and show what is understood of the service’s records',
  },
  { word: 'help', usage: 'help [words]', summary: 'Show what you can ask' },
] as const;

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
export function slashCommands(
  names: CommandNames,
): readonly { command: string; description: string; usageHint: string }[] {
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
