import type { PlainTextOption } from '@slack/types';
import { lists, recordOf } from '../api/call.ts';
import { type Identifier, type Noun, typedIdentifier, vendorNames } from '../api/identifiers.ts';
import { type Mention, mentionsIn } from '../api/mentions.ts';
import { readRecord } from '../api/records.ts';
import type { RecordView } from '../api/recordView.ts';
import type { Field, WriteOperation } from '../operations/operation.ts';
import type { Owner } from '../store/vault.ts';
import { type Desk, read, readRecords } from './desk.ts';
import { option } from './fieldInput.ts';
import { compareNames } from './find.ts';
import { limits } from './limits.ts';

/** A choice before it becomes an option: what it is called, and what helps to tell it from others. */
type Choice = Readonly<{ id: Identifier; label: string; about: string; time?: number | undefined }>;

/**
 * The options of a picker for what was typed so far: records of the field's nouns that this person may see, limited to
 * the vendor of the chosen target and, where the records show it, to what belongs to the chosen database or
 * environment. An identifier that no record shows can be typed and used.
 */
export async function choices(
  desk: Desk,
  owner: Owner,
  operation: WriteOperation,
  field: Field,
  chosen: Readonly<Record<string, string>>,
  typed: string,
): Promise<PlainTextOption[]> {
  if (field.widget.type !== 'record') return [];
  const { nouns } = field.widget;
  const target = typedIdentifier(chosen[operation.target] ?? '');
  // A snapshot's database is the target, or stands beside it.
  const database = typedIdentifier(chosen.database ?? '') ?? target;
  const environment = typedIdentifier(chosen.targetEnvironment ?? chosen.environment ?? '');
  const all = (await Promise.all(nouns.map(noun => choicesOf(desk, owner, noun, database, environment)))).flat();
  const vendor = field.name === operation.target ? undefined : target?.vendor;
  const words = wordsIn(typedIdentifier(typed)?.text ?? typed);
  const fitting = all
    .filter(({ id }) => !vendor || !id.vendor || id.vendor === vendor)
    .filter(({ id, label, about }) => words.every(word => `${id.text} ${label} ${about}`.toLowerCase().includes(word)))
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || compareNames(a.label, b.label));
  const options = fitting
    .slice(0, limits.options - 1)
    .map(({ id, label, about }) => option(id.text, label, about || undefined));
  const own = typedIdentifier(typed);
  const usable = own?.noun && nouns.includes(own.noun) && !fitting.some(({ id }) => id.text === own.text);
  return own && usable ? [option(own.text, own.text, 'No record shows it; used as typed'), ...options] : options;
}

function wordsIn(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

async function choicesOf(
  desk: Desk,
  owner: Owner,
  noun: Noun,
  database: Identifier | undefined,
  environment: Identifier | undefined,
): Promise<readonly Choice[]> {
  switch (noun) {
    case 'snapshot':
      return database ? (await inside(desk, owner, database, noun)).map(mentioned) : [];
    case 'install':
    case 'environmentUser': {
      const there = environment ? await inside(desk, owner, environment, noun) : [];
      if (there.length > 0) return there.map(mentioned);
      // The environment's record shows none: those that any environment or database mentions may serve.
      const [environments, databases] = await Promise.all([
        read(desk, owner, lists.environments),
        read(desk, owner, lists.databases).catch(() => undefined),
      ]);
      return mentionsIn([environments, databases], noun).map(mentioned);
    }
    default:
      return (await readRecords(desk, owner, [noun])).records.map(asChoice);
  }
}

/** What a record mentions, read from the record itself, else from its place in the list. */
async function inside(desk: Desk, owner: Owner, id: Identifier, noun: Noun): Promise<readonly Mention[]> {
  const call = recordOf(id);
  const answer =
    call &&
    (await read(desk, owner, call).catch((error: unknown) => {
      desk.log.info({ error, record: id.text }, 'a record could not be read for a picker');
    }));
  const own = new Set(readRecord(answer, id)?.mentions.map(mention => mention.id.text));
  const labelled = mentionsIn(answer, noun).filter(mention => own.has(mention.id.text));
  if (labelled.length > 0 || !id.noun) return labelled;
  const { records } = await readRecords(desk, owner, [id.noun]);
  return records.find(record => record.id.text === id.text)?.mentions.filter(mention => mention.id.noun === noun) ?? [];
}

/** A record as a choice: its name, and what tells it from records of the same name. */
function asChoice(record: RecordView): Choice {
  const about = [
    record.vendor && vendorNames[record.vendor],
    record.state?.word,
    record.environment?.label,
    record.name === undefined ? undefined : record.id.text,
  ];
  return { id: record.id, label: record.name ?? record.id.text, about: about.filter(Boolean).join(' · ') };
}

function mentioned(mention: Mention): Choice {
  const time =
    mention.time === undefined
      ? undefined
      : `${new Date(mention.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const label = mention.label ?? time ?? mention.id.text;
  const about = [label === time ? undefined : time, label === mention.id.text ? undefined : mention.id.text];
  return { id: mention.id, label, about: about.filter(Boolean).join(' · '), time: mention.time };
}
