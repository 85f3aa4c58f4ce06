import { distance } from 'fastest-levenshtein';
import { closest, isSwap } from '../../ground/closest.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Content } from '../blocks/blocks.ts';
import { code } from '../blocks/limits.ts';
import { namedTwice } from '../forms/fill/inputsInWords.ts';
import { commandCalled, type Lexicon } from '../house.ts';
import { commandButton } from '../words/commandActions.ts';
import type { Command } from '../words/commandWords.ts';
import { saidVain } from '../words/meantButtons.ts';
import { strayInputs, takesField } from './strayWords.ts';

/** Dolly's own commands. */
type House = Lexicon['house'];

/** Words of a sentence around a command, which name nothing. */
const fillers = [
  'please pls plz bitte hey hi hello can could would will you i we want need like to the a an my our me us now',
  'dolly do of for thanks',
].flatMap(line => line.split(' '));
/** Words of a sentence that asks about what is done, or wants it not to be done. Whoever writes them asks for no change. */
const doubts = [
  'not dont cannot cant wont never no nothing undo cancel revert abort without who when what which where why',
  'how if whether should shall is are was were did does has have had nicht nie kein keine wer wann warum wie ob',
  'wurde pas jamais qui quand pourquoi comment nunca jamás quién cuándo cómo quem quando',
].flatMap(line => line.split(' '));
/** Words by which people begin to talk. */
const greetings = [
  'hi hello hey hallo hola bonjour moin servus yo there dolly good morning afternoon evening day guten tag',
  'morgen thanks thank you start begin',
].flatMap(line => line.split(' '));
/** Commands that show what other words ask for. None of them changes anything. */
const shows: Readonly<Record<string, readonly string[]>> = {
  show: ['history', 'info', 'details', 'describe', 'get', 'view', 'snapshots'],
  list: ['ls', 'databases', 'dbs', 'clones'],
  status: ['backups', 'state', 'health'],
};
/** An own command that changes something once its link is followed; the others say by themselves that they do. */
const leadsToChange = 'login';
/** Max changed letters of a word that asks for something that changes anything, as a part of the word. */
const mostMisspelt = 1 / 3;
/** Max words before a command in a sentence, and max words of a command itself. */
const mostBefore = 20;
const longestCommand = 3;
/** Max commands that are offered. */
const mostOffers = 3;

/** Whether words greet, and ask for nothing. */
export function isGreeting(words: readonly string[]): boolean {
  const letters = words.map(word => word.toLowerCase().replace(/[^\p{L}]/gu, '')).filter(Boolean);
  return letters.length > 0 && letters.every(word => greetings.includes(word));
}

/**
 * Says that a command is unknown, with a button for each one that may have been meant: one that is understood, and that
 * changes something only where its own word was typed, well or nearly. `before` are words that stood before the command.
 */
export function unknown(lexicon: Lexicon, command: Command, before: readonly string[] = []): Content {
  const { db } = lexicon.names;
  const offers = meantBy(lexicon, command).flatMap(meant => understood(lexicon, meant, before) ?? []);
  const all = [...new Map(offers.map(offer => [offer.words.join(' '), offer])).values()].slice(0, mostOffers);
  const lead = `I do not know ${code(command.words.join(' '), 80)}. ${code(`${db} help`)} shows all there is.`;
  const buttons = all.map(({ words, inputs }) => commandButton(db, [...before, ...words], inputs));
  return saidVain(lead, buttons);
}

/** The commands that somebody may have meant, the likeliest first. */
function meantBy({ house }: Lexicon, { words, inputs }: Command): readonly Command[] {
  const within = commandWithin(house, words);
  if (within) return [{ words: within, inputs }];
  const [first = '', ...rest] = words;
  const [shown] = Object.keys(shows).filter(command => shows[command]?.includes(first.toLowerCase()));
  const others = near(house, words).map(word => [
    ...word.split(' '),
    ...withoutFillers(words.slice(word.split(' ').length)),
  ]);
  return [...(shown === undefined ? [] : [[shown, ...withoutFillers(rest)]]), ...others].map(some => ({
    words: some,
    inputs,
  }));
}

/** A command that stands behind other words: “please backup shop”, “shop backup”; not in “do not delete shop”. */
function commandWithin(house: House, words: readonly string[]): readonly string[] | undefined {
  const begun = words.slice(0, mostBefore);
  const isCommand = (some: readonly string[]) => findOperation(some) ?? commandCalled(house, some[0] ?? '');
  const at = begun.findIndex((_, index) => index > 0 && isCommand(words.slice(index, index + longestCommand)));
  if (at < 0) return undefined;
  const [name, rest] = split(words.slice(at));
  const before = withoutFillers(words.slice(0, at)).filter(word => !isDoubt(word));
  const behind = withoutFillers(rest);
  const isDoubted = words.slice(0, at).some(isDoubt) && changes(house, name.join(' '));
  return [...(isDoubted ? ['show'] : name), ...(behind.length > 0 ? behind : before)];
}

function isDoubt(word: string): boolean {
  const letters = word.toLowerCase().replace(/[^\p{L}]/gu, '');
  return doubts.includes(letters) || /n['’]t$/.test(word.toLowerCase());
}

/** The words of a command, and those behind them. */
function split(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const found = findOperation(words);
  return found ? [found.operation.words, found.rest] : [[words[0]?.toLowerCase() ?? ''], words.slice(1)];
}

function withoutFillers(words: readonly string[]): readonly string[] {
  return words.filter(word => !fillers.includes(word.toLowerCase()));
}

/** The commands that are spelt like the first words. Where one that only shows begins like them, no other is offered. */
function near(house: House, words: readonly string[]): readonly string[] {
  const known = [...catalogue.map(entry => entry.words.join(' ')), ...house.commands.map(({ word }) => word)];
  const typed = [1, 2].map(count => words.slice(0, count).join(' ').toLowerCase());
  const found = typed.flatMap(text => closest(text, known, word => word).filter(word => isLike(house, word, text)));
  const first = words[0]?.toLowerCase() ?? '';
  const shown = found.filter(word => !changes(house, word) && first.length > 2 && word.startsWith(first));
  return [...new Set(shown.length > 0 ? shown : found)];
}

/** Whether a command changes something. */
function changes(house: House, word: string): boolean {
  const operation = catalogue.find(entry => entry.words.join(' ') === word);
  return operation
    ? operation.type !== 'read'
    : word === leadsToChange || commandCalled(house, word)?.acts !== undefined;
}

/** Whether a command is offered for a word: one that changes something only where hardly a letter differs. */
function isLike(house: House, word: string, typed: string): boolean {
  if (!changes(house, word) || word === typed || (typed.length > 3 && word.startsWith(typed))) return true;
  if (isSwap(word, typed)) return true;
  return distance(word, typed) <= (word.length < 6 ? 1 : Math.max(2, word.length * mostMisspelt));
}

/** A command with what it can use of its words; `undefined` where it would not be understood at all. */
function understood({ names, house }: Lexicon, { words, inputs }: Command, before: readonly string[]) {
  const found = findOperation(words);
  if (found) return { words: [...found.operation.words, ...found.rest], inputs: usable(names, found, inputs) };
  const [word = '', ...rest] = words;
  const own = commandCalled(house, word);
  if (!own || before.length > 0) return undefined;
  if (own.usage === own.word) return { words: [word], inputs: {} };
  if (word === 'why' || word === 'schedule')
    return findOperation(rest) ? { words, inputs } : { words: [word], inputs: {} };
  // A usage of words alone, such as `alerts on […] | test | off`, says which of them comes first.
  const choices = own.usage
    .slice(word.length)
    .split('|')
    .map(choice => choice.trim().split(' ')[0] ?? '');
  const isFixed = choices.every(choice => /^[a-z]+$/.test(choice));
  if (isFixed && !choices.includes(rest[0]?.toLowerCase() ?? '')) return { words: [word], inputs: {} };
  return { words, inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => takesField(own, name))) };
}

function usable(
  names: Lexicon['names'],
  { operation, rest }: Readonly<{ operation: Operation; rest: readonly string[] }>,
  inputs: Command['inputs'],
): Command['inputs'] {
  const isStray = (strayInputs(names, operation, inputs) ?? namedTwice(operation, rest, inputs)) !== undefined;
  return isStray ? {} : inputs;
}
