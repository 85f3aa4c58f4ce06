import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { type Content, context } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { type Command, readCommand, writeCommand } from '../words/commandWords.ts';

/** A command without the passwords that were typed into it, and whether there were any. */
type Discreet = Readonly<{ line: string; hadPassword: boolean }>;

/**
 * Takes the passwords out of what somebody typed into a message, which others read and Slack keeps: so no answer, no
 * button and no form can have one.
 */
export function withoutPasswords(line: string): Discreet {
  if (maskSurePasswords(line) === line) return { line, hadPassword: false };
  const { words, inputs } = readCommand(line);
  const open = Object.entries(inputs).filter(([name, value]) => isOpen(`${name}=${value}`));
  const command: Command = {
    words: readCommand(maskSurePasswords(words.join(' '))).words,
    inputs: Object.fromEntries(open),
  };
  return { line: writeCommand(command), hadPassword: true };
}

function isOpen(text: string): boolean {
  return maskSurePasswords(text) === text;
}

const warning =
  ':warning: Your message has what looks like a password. I left it out. Delete the message, and change the password if others may have read it.';

/** An answer with the warning that the message had a password. */
export function withWarning({ text, blocks, plain }: Content): Content {
  const line = context(warning);
  const most = limits.messageBlocks - 1;
  const warned = {
    text: `${cut(text, limits.messageText - warning.length - 1)}\n${warning}`,
    blocks: [...blocks.slice(0, most), line],
  };
  return plain ? { ...warned, plain: [...plain.slice(0, most), line] } : warned;
}
