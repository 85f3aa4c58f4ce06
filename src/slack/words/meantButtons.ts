import type { Button } from '@slack/types';
import { meantWords } from '../../records/meantWords.ts';
import { type Content, said } from '../blocks/message.ts';
import { runCommand } from './commandActions.ts';
import { type Command, writeCommand } from './commandText.ts';

/** A command of which some words matched nothing: those before them, those words, and its inputs. */
type VainWords = Readonly<{ command: readonly string[]; words: readonly string[]; inputs?: Command['inputs'] }>;

/** A button for each of the words that are known to have been meant. */
export function buttonsFor({ command, inputs = {} }: Omit<VainWords, 'words'>, others: readonly (readonly string[])[]) {
  return others.flatMap((meant, at) => {
    const text = writeCommand({ words: [...command, ...meant], inputs });
    return runCommand.fits(text) ? [runCommand.button(meant.join(' '), text, { suffix: `meant-${at}` })] : [];
  });
}

/** A button for each command that may have been meant; `names` are what its words could have matched. */
export function meantButtons({ words, ...vain }: VainWords, names: readonly string[]): Button[] {
  return buttonsFor(vain, meantWords(words, names));
}

/** Says that words match nothing, and offers what may have been meant. */
export function saidVain(sentence: string, meant: readonly Button[]): Content {
  return said(meant.length > 0 ? `${sentence} Did you mean:` : sentence, meant);
}
