import type { CommandHint } from '../protocol.ts';

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
