import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { type Content, context } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { assembled, type Command, readCommand, type TypedWord, wordsIn, writeCommand } from './commandWords.ts';
import { beginningOf, isSignIn, meansSecret, meansSignIn } from './signInWords.ts';

/** A command without the passwords that were typed into it, and whether there were any. */
type Discreet = Readonly<{ line: string; hadPassword: boolean }>;

/**
 * Takes the passwords out of what somebody typed into a message, which others read and Slack keeps: so no answer, no
 * button and no form can have one.
 */
export function withoutPasswords(typed: string): Discreet {
  const { line, hadPassword } = withoutSignIn(typed);
  if (maskSurePasswords(line) === line) return { line, hadPassword };
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

/**
 * Takes out what stands behind a word that signs in or that names a password, however it is spelt. A password belongs
 * only on the page to which `login` leads. Of a slash command, which nobody else reads, all the rest stays: a form may
 * need the password of a parameter.
 */
export function withoutSignIn(line: string): Discreet {
  const typed = wordsIn(line);
  const headAt = headsOf(typed);
  const left: TypedWord[] = [];
  let hadPassword = false;
  for (let at = 0; at < typed.length; ) {
    const found = secretAt(headAt, at);
    const end = found ? endOf(typed, found) : at + 1;
    const hasMore = found !== undefined && (found.isGlued || end > found.next);
    if (!hasMore) left.push(...typed.slice(at, end));
    else if (found.type === 'sign-in') left.push({ word: at === 0 ? 'login' : found.letters, quoted: false });
    hadPassword ||= hasMore;
    at = end;
  }
  return hadPassword ? { line: writeCommand(assembled(left)), hadPassword } : { line, hadPassword };
}

/**
 * Some words that together mean a sign-in or a password; `next` is the place behind them. `isGlued` says that the last
 * of them has more than its letters.
 */
type Found = Readonly<{ type: 'sign-in' | 'secret'; letters: string; at: number; next: number; isGlued: boolean }>;

/** Max words that together are one: `log in`, or letters with blanks between them. */
const maxParts = 10;

/** The beginning of the word at a place, which is read once; `undefined` behind the last one. */
type HeadAt = (at: number, isCommand: boolean) => ReturnType<typeof beginningOf> | undefined;

function headsOf(typed: readonly TypedWord[]): HeadAt {
  const heads = typed.map(({ word }) => beginningOf(word));
  const ofCommand = typed.slice(0, maxParts).map(({ word }) => beginningOf(word, true));
  return (at, isCommand) => (isCommand ? ofCommand : heads)[at];
}

function secretAt(headAt: HeadAt, at: number): Found | undefined {
  let letters = '';
  for (let part = 0; part < maxParts; part++) {
    const head = headAt(at + part, at === 0);
    if (!head || head.letters === '') return undefined;
    letters += head.letters;
    // A name may begin with such a word: what separates it from the password stands right behind it.
    const isApart = /^$|^[\s:=/,;|]/.test(head.behind);
    const isCommand = at === 0 && (part === 0 || letters.length < 8);
    const isIt = isCommand ? meansSignIn(letters) : isSignIn(letters) && isApart;
    const found = { letters, at, next: at + part + 1, isGlued: /[^\s:=/,;|.…!?]/.test(head.behind) };
    if (isIt) return { ...found, type: 'sign-in' };
    if (isApart && (part === 0 ? meansSecret(letters) : letters === 'password')) return { ...found, type: 'secret' };
    if (head.behind !== '') return undefined;
  }
  return undefined;
}

/**
 * The end of what a password may be part of: the whole line behind a command that signs in, else the words up to the
 * next field. A password that is glued to its name is that alone.
 */
function endOf(typed: readonly TypedWord[], { type, at, next, isGlued }: Found): number {
  if (type === 'sign-in' && at === 0) return typed.length;
  if (type === 'secret' && isGlued) return next;
  const field = typed.findIndex((one, index) => index >= next && isField(one));
  return field < 0 ? typed.length : field;
}

function isField({ word, quoted }: TypedWord): boolean {
  return !quoted && /^[A-Za-z]+=/.test(word) && !meansSecret(beginningOf(word).letters);
}

const warning =
  ':warning: Your message has what looks like a password. I left it out. Delete the message, and change the password if others may have read it.';
const quietWarning =
  ':warning: What you typed has what looks like a password. I left it out, and keep nothing of it: sign in by `login` alone, which leads to a page for it.';

/** An answer with the warning that the message had a password; `isRead` where others may have read it. */
export function withWarning({ text, blocks, plain }: Content, isRead = true): Content {
  const said = isRead ? warning : quietWarning;
  const line = context(said);
  const most = limits.messageBlocks - 1;
  const warned = {
    text: `${cut(text, limits.messageText - said.length - 1)}\n${said}`,
    blocks: [...blocks.slice(0, most), line],
  };
  return plain ? { ...warned, plain: [...plain.slice(0, most), line] } : warned;
}
