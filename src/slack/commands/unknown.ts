import { distance } from 'fastest-levenshtein';
import { closest, isSlip, isSwap } from '../../ground/closest.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Content, said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import { namedTwice } from '../forms/fill/inputsInWords.ts';
import { commandCalled, type Lexicon } from '../house.ts';
import { commandButton } from '../words/commandActions.ts';
import type { Command } from '../words/commandText.ts';
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
  'not dont cannot cant wont never no nothing without who when what which where why',
  'how if whether should shall is are was were did does has have had nicht nie kein keine wer wann warum wie ob',
  'wurde pas jamais qui quand pourquoi comment nunca jamás quién cuándo cómo quem quando',
].flatMap(line => line.split(' '));
/** Words by which people begin to talk. */
const greetings = [
  'hi hello hey hallo hola bonjour moin servus yo there dolly good morning afternoon evening day guten tag',
  'morgen thanks thank you start begin',
].flatMap(line => line.split(' '));
/** Words that lead to a command which shows something or opens a form. Nothing is lost where that was not meant. */
const leads: Readonly<Record<string, readonly string[]>> = {
  show: ['info', 'details', 'describe', 'get', 'view', 'snapshots'],
  list: ['ls', 'databases', 'dbs', 'clones', 'find', 'search', 'lookup', 'locate', 'grep', 'filter'],
  status: ['backups', 'state', 'health'],
  lease: ['extend', 'prolong', 'lengthen', 'postpone', 'keep'],
  clone: ['copy', 'duplicate', 'fork', 'replicate'],
};
/** What follows the name in a wish for a copy, or for more time: a new end may be an earlier one, so that no offer sets it. */
const behindName = /^(\d+\w?|\d{4}-.*|by|until|till|for|to|another|more|as|into|onto|on|in|at|from|with)$/i;

/** Words for what no single command does, with what does it, and the command that helps. None of them leads to a loss. */
const explained: readonly Readonly<{ words: readonly string[]; says: (db: string) => string; offers?: string }>[] = [
  {
    words: ['cancel', 'abort', 'withdraw', 'interrupt'],
    says: () => 'To withdraw a waiting request or stop a plan, use the buttons on its message.',
    offers: 'jobs',
  },
  {
    words: ['undo', 'revert', 'rollback', 'undelete', 'unrestore', 'redo', 'rewind', 'flashback'],
    says: () =>
      'I cannot undo what the service has done. What still waits can be withdrawn with the button on its message.',
    offers: 'jobs',
  },
  {
    words: [
      ...['remove', 'drop', 'destroy', 'erase', 'purge', 'wipe', 'truncate', 'kill'],
      ...['rm', 'del', 'unregister'],
    ],
    says: db => `That word deletes nothing: ${code(`${db} help delete`)} lists the commands that do.`,
  },
  {
    words: ['restart', 'reboot', 'bounce', 'reload', 'relaunch', 'pause', 'suspend', 'resume', 'halt', 'shutdown'],
    says: db => `${code(`${db} stop`)} stops a clone, and ${code(`${db} start`)} starts it again.`,
  },
];
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
  const letters = words.map(lettersOf).filter(Boolean);
  return letters.length > 0 && letters.every(word => greetings.includes(word));
}

/**
 * Says that a command is unknown, with a button for each one that may have been meant: one that is understood, and that
 * changes something only where its own word was typed, well or nearly. `before` are words that stood before the command.
 */
export function unknown(lexicon: Lexicon, { words, inputs }: Command, before: readonly string[] = []): Content {
  const { db } = lexicon.names;
  const asked = withoutFillers(words);
  const begun = words.slice(0, mostBefore).map(lettersOf);
  const why = explained.find(
    ({ words: known }) => begun.some(word => known.includes(word)) || isFormOf(lexicon.house, asked[0] ?? '', known),
  );
  const meant = why
    ? aroundOf(lexicon, why, words)
    : meantBy(lexicon, words).filter(some => !destroysUnasked(lexicon.house, some, asked));
  const offers = meant.flatMap(some => understood(lexicon, { words: some, inputs: why ? {} : inputs }, before) ?? []);
  const all = [...new Map(offers.map(offer => [offer.words.join(' '), offer])).values()].slice(0, mostOffers);
  const lead = [
    `I do not know ${code(words.join(' '), 80)}.`,
    why?.says(db),
    `${code(`${db} help`)} shows all commands.`,
  ];
  const buttons = all.map(offer => commandButton(db, [...before, ...offer.words], offer.inputs));
  const sentence = lead.flatMap(line => line ?? []).join(' ');
  return why ? said(sentence, buttons) : saidVain(sentence, buttons);
}

/** The commands that help where words are explained: the one for that, and the record that they name. */
function aroundOf({ house }: Lexicon, { words: known, offers }: (typeof explained)[number], words: readonly string[]) {
  const isCommand = (word: string) => findOperation([word]) ?? commandCalled(house, word);
  const names = withoutFillers(words).filter(
    (word, at) => !isDoubt(word) && !isCommand(word) && !(at === 0 && isFormOf(house, word, known)),
  );
  return [...(offers === undefined ? [] : [[offers]]), ...(names.length > 0 ? [['show', ...names]] : [])];
}

/** The commands that somebody may have meant, the likeliest first. */
function meantBy({ house }: Lexicon, words: readonly string[]): readonly (readonly string[])[] {
  const within = commandWithin(house, words);
  const asked = withoutFillers(words);
  const led = ledBy(house, words);
  if (within) return [...(led ? [led] : []), within];
  if (led) return [led];
  return near(house, asked).map(word => [...word.split(' '), ...asked.slice(word.split(' ').length)]);
}

/** The command to which the first word leads, with the words behind that, or with the name in them alone. */
function ledBy(house: House, words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex(word => withoutFillers([word]).length > 0);
  const [first = '', ...rest] = words.slice(start);
  const lead = Object.keys(leads).find(command => isFormOf(house, first, leads[command] ?? []));
  if (lead === undefined) return undefined;
  const end = lead === 'lease' || lead === 'clone' ? rest.findIndex((word, at) => at > 0 && behindName.test(word)) : -1;
  return [lead, ...withoutFillers(end < 0 ? rest : rest.slice(0, end)).filter(word => word !== lead)];
}

/** A command that stands behind other words: “please backup shop”, “shop backup”; not in “do not delete shop”. */
function commandWithin(house: House, words: readonly string[]): readonly string[] | undefined {
  const begun = words.slice(0, mostBefore);
  const isCommand = (some: readonly string[]) => findOperation(some) ?? commandCalled(house, some[0] ?? '');
  const at = begun.findIndex((_, index) => index > 0 && isCommand(words.slice(index, index + longestCommand)));
  if (at < 0) return undefined;
  const [name, rest] = split(words.slice(at));
  const before = withoutFillers(words.slice(0, at));
  const behind = withoutFillers(rest);
  const isDoubted = before.some(isDoubt) && changes(house, name.join(' '));
  const isHeld = isDoubted || destroysUnasked(house, [...name, ...behind], withoutFillers(words));
  return [...(isHeld ? ['show'] : name), ...(behind.length > 0 ? behind : before.filter(word => !isDoubt(word)))];
}

/**
 * Whether an offer destroys something that was not asked for in so many words: those of its command first, a lone one
 * well or nearly, and exactly its target behind them. Any other word may mean that it is not to be done, or to something else.
 */
function destroysUnasked(house: House, offer: readonly string[], asked: readonly string[]): boolean {
  const found = findOperation(offer) ?? (offer[0] === 'why' ? undefined : findOperation(offer.slice(1)));
  if (!found || !harms(found.operation)) return false;
  const own = found.operation.words;
  const [typed, target] = [asked.slice(0, own.length).join(' ').toLowerCase(), asked.slice(own.length)];
  const word = own.join(' ');
  const isAsked = typed === word || (own.length === 1 && isMisspelling(house, word, typed));
  return !isAsked || target.length > 1 || target.join(' ') !== found.rest.join(' ');
}

/** Whether a text is surely a misspelling of the word, and of no other that Dolly knows. */
function isMisspelling(house: House, word: string, typed: string): boolean {
  const known = [...commandWords(house), ...Object.values(leads).flat(), ...explained.flatMap(({ words }) => words)];
  return isSlip(word, typed) && !known.some(one => one !== word && isNear(one, typed));
}

/** Whether a text is one of the words, or another form of one, or a misspelling, and not as near to the word of a command. */
function isFormOf(house: House, text: string, words: readonly string[]): boolean {
  const typed = lettersOf(text);
  const isForm = (word: string) => {
    const stem = word.replace(/e$/, '');
    return isNear(word, typed) || (stem.length > 3 && typed.startsWith(stem) && typed.length < stem.length + 6);
  };
  return words.includes(typed) || (words.some(isForm) && !commandWords(house).some(known => isNear(known, typed)));
}

function isNear(word: string, typed: string): boolean {
  return word === typed || isSwap(word, typed) || (word.length > 4 && distance(word, typed) === 1);
}

function commandWords(house: House): readonly string[] {
  return [...catalogue.flatMap(entry => entry.words), ...house.commands.map(({ word }) => word)];
}

function isDoubt(word: string): boolean {
  const letters = lettersOf(word);
  const isExplained = explained.some(({ words }) => words.includes(letters));
  return isExplained || doubts.includes(letters) || /n['’]t$/.test(word.toLowerCase());
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}]/gu, '');
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

/** Whether an operation does harm to what it is for. */
function harms(operation: Operation | undefined): boolean {
  return operation !== undefined && operation.type !== 'read' && operation.warning !== undefined;
}

function operationCalled(word: string): Operation | undefined {
  return catalogue.find(entry => entry.words.join(' ') === word);
}

/** Whether a command changes something. */
function changes(house: House, word: string): boolean {
  const operation = operationCalled(word);
  return operation
    ? operation.type !== 'read'
    : word === leadsToChange || commandCalled(house, word)?.acts !== undefined;
}

/** Whether a command is offered for a word: one that changes something only where hardly a letter differs. */
function isLike(house: House, word: string, typed: string): boolean {
  if (!changes(house, word) || isSwap(word, typed)) return true;
  if (typed.length > 3 && word.startsWith(typed)) return true;
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
