import { recordCall } from '../../api/call.ts';
import { typedIdentifier } from '../../api/identifiers.ts';
import { kindOf, notedIn } from '../../ground/failure.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { within } from '../../ground/within.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { ReadOperation } from '../../operations/operation.ts';
import {
  byName,
  type Found,
  find,
  findSeveral,
  isOneOf,
  matches,
  type Named,
  noneAmong,
  unread,
} from '../../records/find.ts';
import { namesOfAll } from '../../records/meantWords.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import { nowByEither } from '../../records/records.ts';
import type { Owner } from '../../store/vault.ts';
import { choiceMenu } from '../blocks/action.ts';
import { actionsRow, section } from '../blocks/blocks.ts';
import { type Content, message, said } from '../blocks/message.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import { allowedOperations } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { commandCalled } from '../house.ts';
import { runCommand } from '../words/commandActions.ts';
import { readCommand } from '../words/commandText.ts';
import { meantButtons, saidVain } from '../words/meantButtons.ts';
import { sameFor } from '../words/otherCommands.ts';
import { chooser, recordChoices } from './chooser.ts';
import { manyOf, recordList } from './listMessage.ts';
import { recordDetails } from './recordBlocks.ts';

/** Max wait of a record for the list of things that belong to it, in milliseconds. */
const patience = 5_000;

/** A page of the records that contain all words of the query, read now; `page` counts from 0, in pages of `size`. */
export async function showList(
  desk: Desk<'records' | 'clock' | 'house'>,
  owner: Owner,
  operation: ReadOperation,
  { query, ...turned }: Readonly<{ query: string; page: number; size?: number | undefined }>,
): Promise<Content> {
  const now = desk.clock.now();
  const list = await desk.records.of(owner, now).list(operation.nouns);
  const { words } = readCommand(query);
  const fitting = await mapInSlices(list.records, entry => (matches(entry, words) ? [entry] : []));
  if (words.length > 0 && fitting.every(found => found.length === 0))
    return saidVain(
      noneAmong(`No ${manyOf(operation.nouns)} match ${plain(words.join(' '), 100)}`, list),
      meantButtons({ command: operation.words, words }, await namesOfAll(list.records)),
    );
  const sorted = await sortInSlices(fitting.flat(), byName);
  const { name, nouns } = operation;
  const hasSeveral = commandCalled(desk.house, 'several') !== undefined;
  return recordList(sorted, { ...turned, words, query, cut: list.cut, operation: name, nouns, now, hasSeveral });
}

/**
 * The record by a name or an identifier, read now, with the things that belong to it. `past` tells of one that is there no more,
 * where something of it is known that is for this person.
 */
export async function showOne(
  desk: Judge & Desk<'records' | 'clock' | 'log' | 'names'>,
  owner: Owner,
  operation: ReadOperation,
  typed: string,
  past?: (typed: string) => Promise<Content | undefined>,
): Promise<Content> {
  // Read it now: somebody may act on it.
  const records = desk.records.of(owner, desk.clock.now());
  if (typed === '') return chooseOne(desk, operation, (await records.named(operation.nouns)).records);
  const isIdentifier = isOneOf(typedIdentifier(typed), operation.nouns);
  const found = isIdentifier ? find(typed, operation.nouns, unread) : await records.find(typed, operation.nouns);
  if (found.type === 'wrong') return said(`${plain(found.sentence)}${sameFor(desk.names.db, operation, found.noun)}`);
  if (found.type === 'none') return (await past?.(typed)) ?? saidNone(operation, typed, found);
  if (found.type === 'several')
    return said(
      `${found.records.length} records are called ${code(typed)}. Which one?`,
      chooser(operation.words, found.records),
    );
  const id = typedIdentifier(found.id);
  if (!id || !recordCall(id)) return said(`The service shows no record of ${code(found.id)}.`);
  const around = recordsAround(desk, records);
  const alone = records.alone(
    id,
    around.then(({ names }) => names),
  );
  const gone = await alone.then(
    () => undefined,
    async (error: unknown) => (kindOf(error) === 'missing' ? past?.(id.text) : undefined),
  );
  if (gone) return gone;
  const [shown, { others }, allows] = await Promise.all([alone, around, allowedOperations(desk, owner)]);
  return shown
    ? recordDetails(shown, others, allows, nowByEither(desk))
    : said(`I could not read the service’s answer about ${code(found.id)}.`);
}

/** Says that nothing is called so, and offers what was meant: the records that the words name, or close ones. */
async function saidNone(
  { words, nouns }: ReadOperation,
  typed: string,
  { close, among }: Extract<Found, { type: 'none' }>,
): Promise<Content> {
  const each = await findSeveral(readCommand(typed).words, word => find(word, nouns, among));
  const ids = each.type === 'several' ? each.records.map(({ id }) => id) : [];
  const named = among.records.filter(({ id }) => ids.includes(id.text));
  if (named.length > 1) return said('One at a time. Which one?', chooser(words, named));
  return saidVain(noneAmong(`Nothing is called ${code(typed)}`, among), chooser(words, close));
}

/** The records of which none was named, in a menu. */
async function chooseOne({ names }: Desk<'names'>, { words }: ReadOperation, all: readonly Named[]): Promise<Content> {
  const command = code(`${names.db} ${words.join(' ')} <name or identifier>`);
  const choices = recordChoices(await sortInSlices(all, byName), id => [...words, id].join(' '));
  return message([
    section(`Which one? You can also type ${command}.`),
    ...actionsRow(choiceMenu(runCommand, 'Choose', choices)),
  ]);
}

/**
 * The databases that may belong to a record, and the names of records that it mentions. Unreadable ones are left out.
 */
async function recordsAround(desk: Desk<'clock' | 'log'>, records: PersonalRecords) {
  const [ofPlaces, list] = await Promise.all([
    records.placeNames(),
    within(desk.clock, patience, records.list(['live', 'clone'])).catch(
      notedIn(desk.log, 'what is tied to a record could not be read'),
    ),
  ]);
  const names = new Map(ofPlaces);
  const others = list?.records ?? [];
  for (const { id, name } of others) if (name !== undefined) names.set(id.text, name);
  return { names, others };
}
