import type { PlainTextOption } from '@slack/types';
import {
  type Identifier,
  type Noun,
  nounNames,
  typedIdentifier,
  type Vendor,
  vendorNames,
} from '../../api/identifiers.ts';
import type { DatabasePart } from '../../api/reading/databaseParts.ts';
import type { Mention } from '../../api/reading/mentions.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Clock } from '../../ground/clock.ts';
import { notedIn, sentence } from '../../ground/failure.ts';
import { inTurn, mapInSlices } from '../../ground/slices.ts';
import { within } from '../../ground/within.ts';
import { capital } from '../../ground/wording.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { type Field, type JobOperation, makesClone } from '../../operations/operation.ts';
import { readKeepFor, usualTimes } from '../../operations/requests/keepFor.ts';
import { compareNames } from '../../records/find.ts';
import { nowByEither } from '../../records/records.ts';
import { keepSmallest } from '../../records/smallest.ts';
import { unfitAt, unfitWords } from '../../records/snapshots.ts';
import type { Owner } from '../../store/vault.ts';
import { option } from '../blocks/blocks.ts';
import { limits } from '../blocks/limits.ts';
import { momentIn } from '../blocks/moments.ts';
import { ackPatience } from '../connection/eventAck.ts';
import type { Desk } from '../desk/desk.ts';

/** A choice before it becomes an option: its name, and facts that distinguish it from others. */
type Choice = Readonly<{
  id: Identifier;
  label: string;
  about: readonly (string | undefined)[];
  time?: number | undefined;
  /** Whether it is unusable now, so that it goes behind all others. */
  isLast?: boolean;
}>;

/** Reads the choices of a picker. */
export type ChoiceReader = Desk<'people' | 'records' | 'clock' | 'log'>;

/** The choices in a form so far: identifiers and texts by field name. */
type Chosen = Readonly<Record<string, string>>;

/** A picker in a form: its field, the form's choices so far, and the text that its person typed into it. */
export type Picker = Readonly<{
  owner: Owner;
  operation: JobOperation;
  field: Field;
  chosen: Chosen;
  typed: string;
}>;

/** Choices that take longer than Slack waits are ready for the next letter. */
const late = [option('-', 'Still loading …', 'Type a letter to ask again')];

/** The options of a picker, as far as they are there in time. */
export async function optionsInTime(clock: Clock, options: Promise<PlainTextOption[]>): Promise<PlainTextOption[]> {
  return (await within(clock, ackPatience, options)) ?? late;
}

/** Says in a picker why it could not be filled: Slack shows no error there. The field refuses this option. */
export function unfilled(error: unknown): PlainTextOption[] {
  return [option('-', sentence(error), 'An identifier can be typed in full')];
}

/**
 * The options of a picker for the text typed so far: records of the field's nouns that this person may see, limited to
 * the vendor of the chosen target and to the chosen database or environment. A person can also type an identifier that
 * no record shows, or the name of a part.
 */
export function choices(desk: ChoiceReader, picker: Picker): Promise<PlainTextOption[]> {
  return inTurn({ whose: picker.owner.person, urgency: 'typing' }, () => choicesIn(desk, picker));
}

async function choicesIn(desk: ChoiceReader, picker: Picker): Promise<PlainTextOption[]> {
  const { operation, field, chosen, typed } = picker;
  if (field.widget.type === 'text') return field.widget.suggests ? times(typed) : parts(desk, picker);
  if (field.widget.type !== 'record') return [];
  const { nouns } = field.widget;
  const vendor = vendorFor(operation, field, chosen);
  const isOfVendor = ({ id }: Pick<Choice, 'id'>) => !vendor || !id.vendor || id.vendor === vendor;
  const own = typedIdentifier(typed);
  const asTyped = own?.noun && nouns.includes(own.noun) && isOfVendor({ id: own }) ? own : undefined;
  const first = missingFor(operation, field, chosen);
  if (first !== undefined)
    return asTyped ? [typedOption(asTyped.text)] : [option('-', `Choose first: ${first}`, 'Or type an identifier')];
  const lists = await Promise.all(nouns.map(noun => choicesOf(desk, picker, noun)));
  const words = (own?.text ?? typed).toLowerCase().split(/\s+/).filter(Boolean);
  const isCalledFor = ({ id, label, about }: Choice) =>
    words.every(word => [id.text, label, ...about].some(text => text?.toLowerCase().includes(word)));
  const isTyped = ({ id }: Choice) => id.text === asTyped?.text;
  // Of thousands of identifiers that begin like the typed one, that one must not be left out.
  const fitting = keepSmallest<Choice>(
    limits.options,
    (a, b) => Number(isTyped(b)) - Number(isTyped(a)) || compareChoices(a, b),
  );
  for (const { choices: list } of lists)
    await mapInSlices(list, choice => isOfVendor(choice) && isCalledFor(choice) && fitting.add(choice));
  const options = fitting
    .entries()
    .map(({ id, label, about }) => option(id.text, label, about.filter(Boolean).join(' · ') || undefined));
  const unshown = asTyped && !fitting.entries().some(isTyped) ? [typedOption(asTyped.text)] : [];
  if (options.length + unshown.length === 0) return [nothing(nounNames[nouns[0] ?? 'live'].many, typed)];
  const isCut = lists.some(({ cut }) => cut);
  return cutOptions([...unshown, ...options], unshown.length + fitting.count(), isCut);
}

/**
 * The parts of the chosen target that its record lists: schemas, tables and the like. A person can type any other name.
 */
async function parts(
  desk: Desk<'records' | 'log'>,
  { owner, operation, field: { widget, inside: outer }, chosen, typed }: Picker,
): Promise<PlainTextOption[]> {
  const part = widget.type === 'text' ? widget.part : undefined;
  if (part === undefined) return [];
  const around = outer === undefined ? undefined : chosen[outer];
  const known = (await readParts(desk, owner, chosen[operation.target])).filter(
    ({ type, of }) => type === part && (of === undefined || !around || of === around),
  );
  const name = typed.trim();
  const fitting = [...new Set(known.map(one => one.name))].filter(
    one => one.length <= limits.optionValue && one.toLowerCase().includes(name.toLowerCase()),
  );
  const options = fitting.toSorted(compareNames).map(one => option(one, one));
  const isNew = name !== '' && name.length <= limits.optionValue && !fitting.includes(name);
  const all = isNew ? [typedOption(name), ...options] : options;
  if (all.length === 0) return [option('-', `I see no ${part} in it`, 'Type the name')];
  return cutOptions(all, all.length, false);
}

/** The parts that a record lists; none where it cannot be read. */
export async function readParts(
  desk: Desk<'records' | 'log'>,
  owner: Owner,
  id: string | undefined,
): Promise<readonly DatabasePart[]> {
  const target = typedIdentifier(id ?? '');
  if (!target) return [];
  const record = await desk.records
    .of(owner)
    .one(target)
    .catch(notedIn(desk.log, 'what is inside a record could not be read for a picker', { record: target.text }));
  return record?.parts ?? [];
}

/** The usual times that have the typed words, and the typed time itself. */
function times(typed: string): PlainTextOption[] {
  const words = typed.trim().toLowerCase();
  const fitting = usualTimes.filter(({ text, label }) => `${text} ${label.toLowerCase()}`.includes(words));
  const options = fitting.map(({ text, label }) => option(text, label));
  const isNew = readKeepFor(words) !== undefined && !fitting.some(({ text }) => text === words);
  if (isNew) return [option(words, words), ...options];
  return options.length > 0 ? options : [option('-', 'Type a time such as 12h, 3d, 2w or 2026-12-24')];
}

/** Says why a picker is empty: an empty one looks as if the service had not answered. */
function nothing(many: string, typed: string): PlainTextOption {
  return typed.trim() === ''
    ? option('-', `I see no ${many} here`, 'Or type an identifier')
    : option('-', `I see no ${many} with these words`, 'Type fewer letters, or an identifier');
}

/** The first options of `total` up to Slack's limit; the last one says that there are more. */
export function cutOptions(options: PlainTextOption[], total: number, isPart: boolean): PlainTextOption[] {
  const more = total - (limits.options - 1);
  if (more > 1)
    return [
      ...options.slice(0, limits.options - 1),
      option('-', `… and ${more} more`, 'Type a part of the name to find it'),
    ];
  return isPart && more < 1
    ? [...options, option('-', '… and more', 'The service shows only some of them; type an identifier')]
    : options;
}

/** The vendor that a choice must have: the target's vendor; for a snapshot, its database's. */
function vendorFor(operation: JobOperation, field: Field, chosen: Chosen): Vendor | undefined {
  // A target inside another record has that record's vendor.
  const [beside] = field.role === 'target' ? Object.keys(field.dependsOn ?? {}) : [operation.target];
  return beside === undefined ? undefined : typedIdentifier(chosen[beside] ?? '')?.vendor;
}

/** The label of an empty field on which this one's choices depend. */
function missingFor(operation: JobOperation, { dependsOn = {} }: Field, chosen: Chosen): string | undefined {
  const missing = Object.keys(dependsOn).find(name => !typedIdentifier(chosen[name] ?? ''));
  return operation.fields.find(({ name }) => name === missing)?.label;
}

async function choicesOf(desk: ChoiceReader, { owner, operation, field, chosen }: Picker, noun: Noun) {
  const [holder] = holdersOf(field, chosen);
  if (holder) {
    const [zone, found] = await Promise.all([desk.people.zoneOf(owner), desk.records.of(owner).parts(holder, noun)]);
    const now = nowByEither(desk);
    return { choices: found.parts.map(mention => mentioned(mention, zone, now)), cut: false };
  }
  const { records, cut } = await desk.records.of(owner).list([noun]);
  const vendor = vendorFor(operation, field, chosen);
  const against = (record: RecordView) => reasonAgainst(operation, field, record, vendor);
  return { choices: records.values().map(record => asChoice(record, against(record))), cut };
}

/** The chosen records that contain a field's choices. */
export function holdersOf({ dependsOn = {} }: Field, chosen: Chosen): readonly Identifier[] {
  return Object.entries(dependsOn).flatMap(([name, reason]) =>
    reason === 'value' ? (typedIdentifier(chosen[name] ?? '') ?? []) : [],
  );
}

/** Says in a few words why it is useless to choose a record; `undefined` if the record shows no obstacle. */
function reasonAgainst(operation: JobOperation, { role }: Field, record: RecordView, vendor: Vendor | undefined) {
  if (role !== 'target' && role !== 'environment') return undefined;
  const { id, isPhysical, state } = record;
  const target = role === 'environment' ? { id, place: record } : { id, isPhysical, state };
  for (const obstacle of obstaclesTo(operation, target)) {
    if (obstacle.about === 'environment') return 'Disabled, nothing runs on it';
    if (obstacle.about === 'kind') return 'Physical; this needs a virtual clone';
    if (obstacle.about === 'state') return `Already ${obstacle.word}`;
  }
  if (role === 'target') return makesClone(operation) && state?.class === 'disabled' ? 'Disabled' : undefined;
  return vendor && lacksSoftware(record, vendor) ? `No ${vendorNames[vendor]} installed` : undefined;
}

/** Whether the record of an environment shows the software of other vendors alone. */
export function lacksSoftware({ mentions }: RecordView, vendor: Vendor | undefined): boolean {
  const installed = mentions.filter(({ id }) => id.noun === 'install');
  return installed.length > 0 && !installed.some(({ id }) => id.vendor === vendor);
}

/**
 * A record as a choice: its name, and facts that distinguish it from records of the same name. A `reason` against it
 * comes first.
 */
function asChoice(record: RecordView, reason: string | undefined): Choice {
  const about = [
    reason,
    record.vendor && vendorNames[record.vendor],
    reason === undefined ? record.state?.word : undefined,
    record.environment && (record.environment.label ?? record.environment.id.text),
    record.name === undefined ? undefined : record.id.text,
  ];
  return { id: record.id, label: record.name ?? record.id.text, about, isLast: reason !== undefined };
}

/**
 * A part of a record as a choice; a snapshot of no use at the time `at` is marked, and last. A picker shows times as plain
 * text, so `zone` makes them the person's own where they name theirs.
 */
function mentioned(mention: Mention, zone: string | undefined, at: number): Choice {
  const unfit = mention.id.noun === 'snapshot' ? unfitAt(mention, at) : undefined;
  const time = timeOf(mention, zone);
  const label = labelOf(mention, zone);
  const about = [
    unfit && capital(unfitWords[unfit].mark),
    label === time ? undefined : time,
    label === mention.id.text ? undefined : mention.id.text,
  ];
  return { id: mention.id, label, about, time: mention.time, isLast: unfit !== undefined };
}

/** The name under which a picker shows a part of a record, with a time in the person's `zone`. */
export function labelOf(mention: Mention, zone: string | undefined): string {
  return mention.label ?? timeOf(mention, zone) ?? mention.id.text;
}

function timeOf({ time, local }: Mention, zone: string | undefined): string | undefined {
  return local ?? (time === undefined ? undefined : momentIn(zone, time));
}

/** Orders choices: usable ones first, then newer ones, then by name. */
function compareChoices(a: Choice, b: Choice): number {
  return (
    Number(a.isLast ?? false) - Number(b.isLast ?? false) ||
    (b.time ?? 0) - (a.time ?? 0) ||
    compareNames(a.label, b.label)
  );
}

function typedOption(text: string): PlainTextOption {
  return option(text, text, usedAsTyped);
}

/** What a choice says that is in no list. A record may have it all the same: the list may be cut. */
export const usedAsTyped = 'Not listed; it is used as typed';
