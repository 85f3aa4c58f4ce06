import { type Content, said } from '../blocks/message.ts';
import { runCommand } from './commandActions.ts';
import { readCommand } from './commandText.ts';

/** Offers to run what somebody typed, by a button. What is too long for one is left out. */
export function commandOffer(lead: string, label: string, typed: string): Content {
  if (runCommand.fits(typed)) return said(lead, [runCommand.button(label, typed, { style: 'primary' })]);
  const short = readCommand(typed).words.slice(0, 2).join(' ');
  const note = `${lead} What you typed is too long for a button, so the form begins empty.`;
  return said(note, [runCommand.button(label, runCommand.fits(short) ? short : 'help', { style: 'primary' })]);
}
