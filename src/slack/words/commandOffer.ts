import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { runCommand } from './commandActions.ts';
import { type Command, readCommand, writeCommand } from './commandWords.ts';

/**
 * Offers to run what somebody typed, by a button. A button carries no password: the form asks for it where nobody looks.
 * What is too long for a button is left out, too.
 */
export function commandOffer(lead: string, label: string, typed: string): Content {
  const { line, note } = carried(readCommand(typed));
  return said(`${lead}${note}`, [runCommand.button(label, line, { style: 'primary' })]);
}

/** The command that a button carries, and a sentence on what it left out. */
function carried({ words, inputs }: Command): Readonly<{ line: string; note: string }> {
  const isOpen = (text: string) => maskSurePasswords(text) === text;
  const kept = Object.entries(inputs).filter(([name, value]) => isOpen(`${name}=${value}`));
  const open = isOpen(words.join(' ')) ? words : words.slice(0, 1).filter(isOpen);
  const hasSecret = kept.length < Object.keys(inputs).length || open.length < words.length;
  const whole = writeCommand({ words: open, inputs: Object.fromEntries(kept) });
  if (runCommand.fits(whole))
    return { line: whole, note: hasSecret ? ` ${leftOut} Your message is still there: delete it.` : '' };
  const short = writeCommand({ words: open.slice(0, 2), inputs: {} });
  return {
    line: runCommand.fits(short) ? short : 'help',
    note: ' What you typed is too long for a button: type it anew.',
  };
}

const leftOut = 'I left out what looks like a password.';
