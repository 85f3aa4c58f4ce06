import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { findOperation } from '../../operations/catalogue.ts';
import { context } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import type { Content } from '../blocks/message.ts';
import { assembled, type Command, readCommand, type TypedWord, wordsIn, writeCommand } from './commandText.ts';
import {
  beginningOf,
  isBetween,
  isSignIn,
  isSurePassword,
  joinsToSecret,
  mayMeanSecret,
  meansSecret,
  meansSignIn,
  needsNoBlank,
  type WordHead,
} from './signInWords.ts';

/** The words of Dolly's own commands. */
type OwnWords = readonly Readonly<{ word: string }>[];

/** A command without the passwords that were typed into it, and whether there were any. */
type Discreet = Readonly<{ line: string; hadPassword: boolean }>;

/**
 * Takes the passwords out of what somebody typed into a message, which others read and Slack keeps: so no answer, no
 * button and no form can have one.
 */
export function withoutPasswords(typed: string, own: OwnWords = []): Discreet {
  const { line, hadPassword } = withoutSignIn(typed, own);
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
 * need the password of a parameter. Of words that are no command nothing stays beside such a word: nobody knows which of
 * them is the password. `own` are Dolly's own commands.
 */
export function withoutSignIn(line: string, own: OwnWords = []): Discreet {
  // Most commands are one word, and nothing stands behind it.
  if (/^[a-z]*$/i.test(line)) return { line, hadPassword: false };
  const typed = wordsIn(line);
  const headAt = headsOf(typed);
  const left: TypedWord[] = [];
  const seen: FoundWords[] = [];
  for (let at = 0; at < typed.length; ) {
    const found = secretAt(headAt, at);
    const end = found ? endOf(typed, found) : at + 1;
    if (found) seen.push(found);
    if (!found || !(found.isGlued || end > found.next)) left.push(...typed.slice(at, end).map(withoutSaid));
    else if (found.type === 'sign-in') left.push({ word: at === 0 ? 'login' : found.letters, quoted: false });
    at = end;
  }
  if (isUnclear(typed, seen, headAt, own))
    return { line: seen.some(({ type }) => type === 'sign-in') ? 'login' : '', hadPassword: true };
  const hadPassword = left.length < typed.length || left.some((word, at) => word !== typed[at]);
  return hadPassword ? { line: writeCommand(assembled(left)), hadPassword } : { line, hadPassword };
}

/** Whether words that are no command have a sign of a password among them: a word for one, or the looks of one. */
function isUnclear(
  typed: readonly TypedWord[],
  [first]: readonly FoundWords[],
  headAt: HeadAt,
  own: OwnWords,
): boolean {
  if (first?.at === 0 && first.type === 'sign-in') return false;
  const isAlone = first?.at === 0 && first.next === typed.length && !first.isGlued;
  const isSign = (_: TypedWord, at: number) => typed.length > 1 && isSignAlone(headAt(at));
  const hasSign = first !== undefined || typed.some(isSign) || !isOpen(typed.map(({ word }) => word).join(' '));
  return hasSign && !isAlone && !isKnown(typed, own);
}

/** Whether a word is a sign of a password among words that are no command. */
function isSignAlone(head: WordHead | undefined): boolean {
  return head !== undefined && (mayMeanSecret(head.letters) || head.option !== '');
}

/** Whether words begin with a command: then each of the others has a meaning of its own. */
function isKnown(typed: readonly TypedWord[], own: OwnWords): boolean {
  const words = typed.map(({ word }) => (word.startsWith('/') ? word.slice(1) : word));
  return own.some(({ word }) => word === words[0]?.toLowerCase()) || findOperation(words) !== undefined;
}

/** A value in quotes up to a password that it says: “my password is x”. The parameters of a database may have theirs. */
function withoutSaid(typed: TypedWord): TypedWord {
  const words = typed.word.split(/\s+/);
  if (words.length === 1 || /^databaseParams=/i.test(typed.word)) return typed;
  const [name = ''] = typed.quoted ? [] : (/^[A-Za-z]+=/.exec(typed.word) ?? []);
  const headAt = headsOf(words.map((word, at) => ({ word: at === 0 ? word.slice(name.length) : word, quoted: false })));
  const at = words.findIndex((_, index) => {
    const isSaid = /^[:=]/.test(headAt(index)?.behind ?? '') || headAt(index + 1)?.letters === 'is';
    return isSaid && secretAt(headAt, index, false)?.type === 'secret';
  });
  if (at < 0) return typed;
  return { ...typed, word: at === 0 ? name : words.slice(0, at).join(' ') };
}

/**
 * Some words that together mean a sign-in or a password; `next` is the place behind them. `isGlued` says that the last
 * of them has more than its letters.
 */
type FoundWords = Readonly<{ type: 'sign-in' | 'secret'; letters: string; at: number; next: number; isGlued: boolean }>;

/** Max words that together are one: `log in`, or letters with blanks between them. */
const maxParts = 10;

/** The beginning of the word at a place, which is read once; `undefined` behind the last one. */
type HeadAt = (at: number, isCommand?: boolean) => WordHead | undefined;

function headsOf(typed: readonly TypedWord[]): HeadAt {
  const heads = typed.map(({ word }) => beginningOf(word));
  const ofCommand = typed.slice(0, maxParts).map(({ word }) => beginningOf(word, true));
  return (at, isCommand = false) => (isCommand ? ofCommand : heads)[at];
}

/** What separates a word from the password right behind it; a name such as `password-db` goes on otherwise. */
const apart = /^$|^(?:[\s:=/,;|([{"“”'‘’<>→–—*~!?.…`]|-[->\s]|-$)/;

function secretAt(headAt: HeadAt, at: number, begins = at === 0): FoundWords | undefined {
  const first = headAt(at);
  if (first && isSurePassword(first)) return { type: 'secret', letters: 'p', at, next: at + 1, isGlued: true };
  let letters = '';
  for (let part = 0; part < maxParts; part++) {
    const head = headAt(at + part, begins);
    if (!head || head.letters === '') return undefined;
    if (part > 0 && head.behind === '' && isBetween(head.letters)) continue;
    letters += head.letters;
    const isApart = apart.test(head.behind) || needsNoBlank(head.letters);
    const isCommand = begins && (part === 0 || letters.length < 8);
    const found = { letters, at, next: at + part + 1, isGlued: /[^\s:=/,;|.…!?]/.test(head.behind) };
    if (isCommand ? meansSignIn(letters) : isSignIn(letters) && isApart) return { ...found, type: 'sign-in' };
    if (isApart && isSecret(headAt, found, part, head)) return { ...found, type: 'secret' };
    if (head.behind !== '') return undefined;
  }
  return undefined;
}

/** Whether letters mean a secret: by themselves, in several words, or since a sign behind them says so. */
function isSecret(
  headAt: HeadAt,
  { letters, next }: Omit<FoundWords, 'type'>,
  part: number,
  { behind }: WordHead,
): boolean {
  if (part === 0 ? meansSecret(letters) : joinsToSecret(letters)) return true;
  const following = headAt(next);
  const isSaid = following?.letters === 'is' || (following?.letters === '' && /^[:=]/.test(following.behind));
  return part < 2 && mayMeanSecret(letters) && (/^[:=]/.test(behind) || isSaid);
}

/**
 * The end of what a password may be part of: the whole line behind a command that signs in, else the words up to the
 * next field. A password that is glued to its name is that alone.
 */
function endOf(typed: readonly TypedWord[], { type, at, next, isGlued }: FoundWords): number {
  if (type === 'sign-in' && at === 0) return typed.length;
  if (type === 'secret' && isGlued) return next;
  const field = typed.findIndex((one, index) => index >= next && isField(one));
  return field < 0 ? typed.length : field;
}

function isField({ word, quoted }: TypedWord): boolean {
  if (quoted || !/^[A-Za-z]+=/.test(word)) return false;
  const { letters } = beginningOf(word);
  return !meansSecret(letters) && !mayMeanSecret(letters);
}

/** Reads, and adds the place of the first word left out, from 1 on; 0 where that is none, or all. Nobody is told the word. */
export function withPlace(read: (typed: string, own?: OwnWords) => Discreet, typed: string, own?: OwnWords) {
  const { line, hadPassword } = read(typed, own);
  const left = wordsIn(line).map(({ word }) => word);
  const isSome = hadPassword && left.length > 0;
  return { line, hadPassword, place: isSome ? wordsIn(typed).findIndex(({ word }) => !left.includes(word)) + 1 : 0 };
}

/** An answer with the warning that the message had a password, at that place; `isRead` where others may have read it. */
export function withWarning({ text, blocks, plain }: Content, isRead = true, place = 0): Content {
  const left = place > 0 ? `I left it out, at word ${place}` : 'I left it out';
  const said = isRead
    ? `:warning: Your message contains what looks like a password. ${left}. Delete the message, and change the password if others may have read it.`
    : `:warning: What you typed contains what looks like a password. ${left}, and keep nothing of it. To sign in, type \`login\` alone: it leads to a page for the password.`;
  const line = context(said);
  const most = limits.messageBlocks - 1;
  const warned = {
    text: `${cut(text, limits.messageText - said.length - 1)}\n${said}`,
    blocks: [...blocks.slice(0, most), line],
  };
  return plain ? { ...warned, plain: [...plain.slice(0, most), line] } : warned;
}
