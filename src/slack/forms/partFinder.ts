import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { type Field, fieldsFor, type JobOperation, vendorOf } from '../../operations/operation.ts';
import { compareNames } from '../../records/find.ts';
import type { Owner } from '../../store/vault.ts';
import { input, option } from '../blocks/blocks.ts';
import { searchOne } from '../blocks/inputs.ts';
import { limits } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { type FormState, withResets } from './formState.ts';
import { cutOptions, readParts, usedAsTyped } from './pickers.ts';

/*
 * A form that asks for a part of its target, such as a table, has one picker of all parts that the record lists: what is
 * taken there fills in the kind, the database and the table at once.
 */

/** The block of the picker. No field has this name. */
export const findBlock = 'find';

/** The value of a choice: the type of the part, its name, and the part around it. */
const Found = z.tuple([z.string(), z.string(), z.string().nullable()]);

/** The picker, where the form has fields for parts and its target is known. */
export function partFinder(operation: JobOperation, { inputs, resets }: FormState): InputBlock[] {
  if (partFields(operation, inputs).length === 0) return [];
  const picker = searchOne('Type a part of its name', undefined);
  const count = resets[findBlock];
  const block = count ? `${findBlock}:${count}` : findBlock;
  return [input(block, 'Find what to restore', picker, { optional: true, dispatch_action: true })];
}

/** The fields that take the name of a part of this target, whatever kind is chosen. */
function partFields(operation: JobOperation, inputs: Inputs): readonly Field[] {
  return operation.fields.filter(
    field => typeOf(field) !== undefined && kindsWith(operation, inputs, field).length > 0,
  );
}

/** The choices of the kind with which a field is there, for the vendor of the target. */
function kindsWith(operation: JobOperation, inputs: Inputs, { when = {} }: Field): readonly Inputs[] {
  const vendor = vendorOf(operation, inputs);
  return Object.entries(when).flatMap(([name, values]) => {
    const kind = operation.fields.find(field => field.name === name)?.widget;
    const options = kind?.type === 'choice' ? kind.options : [];
    const own = options.filter(({ value, vendors }) => values.includes(value) && vendor && vendors?.includes(vendor));
    return own.map(({ value }) => ({ [name]: value }));
  });
}

/** The options of the picker: the parts with these letters, each with the part around it, and what the letters may name. */
export async function partChoices(
  desk: Desk<'records' | 'log'>,
  owner: Owner,
  operation: JobOperation,
  { inputs, typed }: Readonly<{ inputs: Inputs; typed: string }>,
): Promise<PlainTextOption[]> {
  const fields = partFields(operation, inputs);
  const types = fields.map(typeOf);
  const listed = (await readParts(desk, owner, inputs[operation.target])).filter(({ type }) => types.includes(type));
  const words = typed.trim();
  const fitting = listed
    .filter(part => called(part).toLowerCase().includes(words.toLowerCase()))
    .toSorted((one, other) => compareNames(called(one), called(other)));
  const isListed = (part: NamedPart) => fitting.some(one => called(one) === called(part) && one.type === part.type);
  const meant = words === '' ? [] : fields.flatMap(field => partsMeant(operation, field, { listed, words }));
  // A record seldom lists tables, and mostly what is around them.
  const inner = meant.toSorted((one, other) => Number(one.of === undefined) - Number(other.of === undefined));
  const options = [
    ...fitting.map(part => optionOf(part)),
    ...inner.filter(part => !isListed(part)).map(part => optionOf(part, usedAsTyped)),
  ].flat();
  if (options.length === 0) return [option('-', 'I see no parts in it', 'Type a name')];
  return cutOptions(options, options.length, false);
}

/** A part that a record lists, or that somebody types. */
type NamedPart = Readonly<{ type: string; name: string; of: string | undefined }>;

function typeOf({ widget }: Field): string | undefined {
  return widget.type === 'text' ? widget.part : undefined;
}

function called({ name, of }: NamedPart): string {
  return of === undefined ? name : `${of}.${name}`;
}

/** The parts that letters may name which no record lists: in each part that may be around one, or around none. */
function partsMeant(
  { fields }: JobOperation,
  field: Field,
  { listed, words }: Readonly<{ listed: readonly NamedPart[]; words: string }>,
): readonly NamedPart[] {
  const type = typeOf(field) ?? '';
  const outer = fields.find(({ name }) => name === field.inside);
  if (!outer) return words.includes('.') ? [] : [{ type, name: words, of: undefined }];
  const [around, name] = words.split(/\.(.*)/s);
  if (around && name) return [{ type, name, of: around }];
  return listed.filter(part => part.type === typeOf(outer)).map(part => ({ type, name: words, of: part.name }));
}

function optionOf(part: NamedPart, note?: string): readonly PlainTextOption[] {
  const { type, name, of } = part;
  const value = JSON.stringify([type, name, of ?? null] satisfies z.infer<typeof Found>);
  const isShort = value.length <= limits.optionValue && called(part).length <= limits.optionText;
  return isShort ? [option(value, called(part), note === undefined ? type : `${type} · ${note}`)] : [];
}

/** The content of a form after a part was taken; the same where none was. */
export function withFoundPart(operation: JobOperation, seen: FormState): FormState {
  const { [findBlock]: taken, ...inputs } = seen.inputs;
  if (taken === undefined) return seen;
  const found = Found.safeParse(parseJson(taken)).data;
  const filled = found
    ? inputsFor(operation, inputs, { type: found[0], name: found[1], of: found[2] ?? undefined })
    : {};
  const resets = withResets(seen.resets, [findBlock, ...Object.keys(filled)]);
  return { ...seen, inputs: { ...inputs, ...filled }, resets, isRedrawn: true };
}

/** The inputs that ask for a part: its names, and the kind that needs no further name. */
function inputsFor(operation: JobOperation, inputs: Inputs, { type, name, of }: NamedPart): Inputs {
  const field = partFields(operation, inputs).find(one => typeOf(one) === type);
  if (!field) return {};
  const names = {
    [field.name]: name,
    ...(field.inside !== undefined && of !== undefined ? { [field.inside]: of } : {}),
  };
  const asked = kindsWith(operation, inputs, field)
    .map(kind => ({ kind, many: fieldsFor(operation, { ...inputs, ...kind }).length }))
    .toSorted((one, other) => one.many - other.many)[0];
  return { ...asked?.kind, ...names };
}
