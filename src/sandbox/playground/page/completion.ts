import type { CommandHint, Person, Snapshot } from '../protocol.ts';
import { unescaped } from './mrkdwn.ts';

/**
 * The commands that fit what stands in the composer: all for `/`, those that begin with `/cl`, and the one that is
 * being written (`/clone ord`), whose usage is then shown. Nothing unless the line begins with a slash.
 */
export function completions(text: string, commands: CommandHint[]): CommandHint[] {
  if (!text.startsWith('/')) return [];
  const blank = text.indexOf(' ');
  if (blank >= 0) return commands.filter(hint => hint.command === text.slice(0, blank));
  const typed = text.toLowerCase();
  return commands.filter(hint => hint.command.toLowerCase().startsWith(typed));
}

/** Whether the command itself is still being typed, so that Enter chooses it instead of sending. */
export function isChoosing(text: string, commands: CommandHint[]): boolean {
  return text.startsWith('/') && !text.includes(' ') && !commands.some(hint => hint.command === text);
}

/** The people whom the last word may mention (`… @do`), as hints like those of commands. */
export function mentionHints(text: string, people: Person[]): CommandHint[] {
  const [, typed] = /(?:^|\s)@([\w-]*)$/.exec(text) ?? [];
  if (typed === undefined) return [];
  return people
    .filter(({ name, realName }) => `${name} ${realName}`.toLowerCase().includes(typed.toLowerCase()))
    .toSorted((one, other) => Number(other.isBot) - Number(one.isBot))
    .slice(0, 6)
    .map(({ name, realName, title, isBot }) => ({
      command: `@${name}`,
      usageHint: realName,
      description: isBot ? 'App' : title,
    }));
}

/** The text in which a hint has taken the place of what was typed of it. */
export const withHint = (text: string, { command }: CommandHint): string =>
  command.startsWith('@') ? `${text.replace(/@[\w-]*$/, command)} ` : `${command} `;

/** A stored text as its writer typed it: mentions by name, links without their frame. */
export function asTyped(text: string, { people, channels }: Pick<Snapshot, 'people' | 'channels'>): string {
  const named = text.replace(/<([@#]?)([^>|]*)\|?([^>]*)>/g, (_, sign: string, target: string, words: string) => {
    if (sign === '@') return `@${people.find(({ id }) => id === target)?.name ?? target}`;
    if (sign === '#') return `#${channels.find(({ id }) => id === target)?.name ?? words}`;
    return words || target;
  });
  return unescaped(named);
}
