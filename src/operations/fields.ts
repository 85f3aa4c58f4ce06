import { z } from 'zod';
import { type Noun, nounNames, parseIdentifier, typedIdentifier, vendorNames } from '../api/identifiers.ts';
import type { Choice, DatabaseParam, Field, FieldValue, Values } from './operation.ts';
import { keepForFault, readKeepFor } from './requests/keepFor.ts';

type Text = z.ZodType<FieldValue, string>;
type Options = Partial<Omit<Field, 'name' | 'label' | 'widget' | 'schema'>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const controls = /[\u0000-\u001f\u007f]/;

/** A record chosen from a picker, or typed as an identifier of one of the nouns. */
export function record(name: string, label: string, nouns: readonly Noun[], options: Options = {}): Field {
  const wanted = nouns.map(noun => nounNames[noun].one).join(' or ');
  const schema: Text = z.string().transform((text, context) => {
    const id = typedIdentifier(text);
    if (id?.noun && nouns.includes(id.noun)) return id.text;
    const message = id
      ? `${id.text} is ${id.noun ? nounNames[id.noun].one : 'of an unknown kind'}; choose ${wanted}.`
      : `Choose ${wanted}, or type its identifier.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
  return { name, label, widget: { type: 'record', nouns }, schema, ...options };
}

/** The record that the work is done to. */
export function target(name: string, label: string, nouns: readonly Noun[], options: Options = {}): Field {
  return record(name, label, nouns, { ...options, required: true, role: 'target' });
}

/** The snapshot that the work uses: one of the record that this field names, or else the latest (spec §3, rule 4). */
export function snapshotOf(holder: string, options: Options = {}): Field {
  return record('snapshot', 'Snapshot', ['snapshot'], {
    hint: 'The latest snapshot is used if none is chosen',
    dependsOn: { [holder]: 'value' },
    role: 'snapshot',
    ...options,
  });
}

export function text(name: string, label: string, placeholder: string, options: Options = {}): Field {
  const schema: Text = z
    .string()
    .trim()
    .min(1, `Type ${placeholder}.`)
    .max(255, 'Use at most 255 characters.')
    .refine(value => !controls.test(value), 'Use one line, without control characters.');
  return { name, label, widget: { type: 'text', placeholder }, schema, ...options };
}

/** The names of the kinds of parts, as people read them. */
const partNames = {
  database: 'database',
  table: 'table',
  tablespace: 'tablespace',
  pdb: 'pluggable database',
} as const;

/**
 * The name of a part of the target, such as a table. It is chosen from those that the target's record lists, or typed.
 */
export function part(name: string, label: string, type: keyof typeof partNames, options: Options = {}): Field {
  const placeholder = `the name of the ${partNames[type]}`;
  const field = text(name, label, placeholder, options);
  // The value “-” belongs to lines of a picker that only say something.
  const schema: Text = field.schema.refine(value => value !== '-', `Type ${placeholder}.`);
  return { ...field, schema, widget: { type: 'text', placeholder, part: type } };
}

/** An absolute path on the target host. */
export function path(name: string, label: string, placeholder: string, options: Options = {}): Field {
  const schema: Text = z
    .string()
    .trim()
    .startsWith('/', `Type an absolute path, which begins with a slash, such as ${placeholder}.`)
    .max(1024, 'Use at most 1024 characters.')
    .refine(value => !controls.test(value), 'Use one line, without control characters.')
    .refine(value => !value.split('/').includes('..'), 'Write the path out, without “..”.');
  return { name, label, widget: { type: 'text', placeholder }, schema, ...options };
}

/** A whole number, by default of at least 1 (spec §8: no bounds are shown). */
export function integer(name: string, label: string, max: number | undefined, options: Options = {}): Field {
  const message = max ? `Type a whole number from 1 to ${max}.` : 'Type a whole number of at least 1.';
  const schema: Text = z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine(value => value >= 1 && value <= (max ?? Number.MAX_SAFE_INTEGER), message);
  return { name, label, widget: { type: 'integer' }, schema, ...options };
}

export function choice(name: string, label: string, options: readonly Choice[], more: Options = {}): Field {
  // More than three values are named by their labels, which several vendors may share.
  const compact = options.length > 3;
  const told = new Set(options.map(option => (compact ? `“${option.label}”` : option.value)));
  const schema: Text = z
    .string()
    .refine(value => options.some(option => option.value === value), `Choose ${[...told].join(' or ')}.`);
  return { name, label, widget: { type: 'choice', options, compact }, schema, ...more };
}

/** A time for which something is kept, or a moment. */
export const keepingTime: Text = z
  .string()
  .trim()
  .refine(text => readKeepFor(text) !== undefined, keepForFault);

/** The time for which a new clone is kept. It is for Dolly alone, and no part of the request. */
export function keepFor(): Field {
  return {
    name: 'keepFor',
    label: 'Keep for',
    hint: 'Hours, days, weeks, a date, or none. You are warned before the end',
    widget: { type: 'text', placeholder: '3d, 2w or 2026-12-24', suggests: 'times' },
    schema: keepingTime,
    sent: false,
    role: 'keepFor',
  };
}

/** Yes, no, or left to the service. */
export function flag(name: string, label: string, options: Options = {}): Field {
  const schema: Text = z
    .string()
    .trim()
    .toLowerCase()
    .refine(value => value === 'true' || value === 'false', 'Choose Yes or No.')
    .transform(value => value === 'true');
  const widget = {
    type: 'choice',
    compact: true,
    options: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  } as const;
  return { name, label, widget, schema, ...options };
}

/**
 * Whether to back up first, to be ticked; unticked, it has no value. It is for Dolly alone, which then makes a plan of both
 * (plans/backUpFirst.ts).
 */
export function backUpFirst(label: string, text: string, options: Options): Field {
  const yes = flag('backUpFirst', label, { sent: false, role: 'backUpFirst', fill: 'never', ...options });
  return { ...yes, widget: { type: 'checkbox', text } };
}

/** `databaseParams` (spec §2): a text with one parameter a line, `name=value` or `name:TYPE=value`. */
export function databaseParams(options: Options = {}): Field {
  const schema: Text = z.string().transform((lines, context) => {
    const read = readDatabaseParams(lines);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  });
  return {
    name: 'databaseParams',
    label: 'Database parameters',
    hint: 'One a line: name=value. The type is inferred; force it with name:STRING=1 (or NUMBER, BOOLEAN).',
    widget: { type: 'text', multiline: true, placeholder: 'max_connections=200' },
    schema,
    ...options,
  };
}

/** Reads parameter lines; a bad line gives the sentence that names it. Blank lines and `#` comments are skipped. */
export function readDatabaseParams(lines: string): readonly DatabaseParam[] | string {
  const params: DatabaseParam[] = [];
  for (const [at, line] of lines.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const say = (what: string) => `Line ${at + 1}, “${line.trim().slice(0, 60)}”: ${what}`;
    const match = /^\s*([^\s=:]+)\s*(?::\s*(\w+)\s*)?=(.*)$/.exec(line);
    const name = match?.[1];
    const value = match?.[3]?.trim();
    if (!name || value === undefined) return say('write it as name=value.');
    if (!/^[\w.$#-]+$/.test(name)) return say('a name has letters, digits and _ . $ # - only.');
    if (params.some(param => param.name === name)) return say(`${name} is there twice.`);
    const param = typed(name, match[2]?.toUpperCase(), value);
    if (typeof param === 'string') return say(param);
    params.push(param);
  }
  return params;
}

function typed(name: string, type: string | undefined, value: string): DatabaseParam | string {
  const isBoolean = /^(true|false)$/i.test(value);
  // A number that JSON would change stays a string. `8.0` is sent as a number only if the person gives that type.
  const isNumber = String(Number(value)) === value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') && /\d$/.test(value);
  const looksSo = isNumber && String(Number(value)) === value;
  switch (type ?? (isBoolean ? 'BOOLEAN' : looksSo ? 'NUMBER' : 'STRING')) {
    case 'STRING':
      return { name, type: 'STRING', value };
    case 'BOOLEAN':
      return isBoolean ? { name, type: 'BOOLEAN', value: value.toLowerCase() } : 'a BOOLEAN is true or false.';
    case 'NUMBER':
      return isNumber ? { name, type: 'NUMBER', value: Number(value) } : 'that is no number that can be sent exactly.';
    default:
      return 'the type is STRING, NUMBER or BOOLEAN.';
  }
}

/** Writes parameters back as the lines that {@link readDatabaseParams} reads, no longer than a person has to type them. */
export function writeDatabaseParams(params: readonly DatabaseParam[]): string {
  const lines = params.map(({ name, type, value }) => {
    const read = typed(name, undefined, String(value));
    const isInferred = typeof read === 'object' && read.type === type;
    return `${name}${isInferred ? '' : `:${type}`}=${value}`;
  });
  return lines.join('\n');
}

/** Writes checked values back as the texts of a form. */
export function writeValues(values: Values): Readonly<Record<string, string>> {
  const textOf = (value: FieldValue) => (typeof value === 'object' ? writeDatabaseParams(value) : String(value));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

/** The value of the choice that a text names by its value or its label, in any case; any other text as it is. */
export function choiceIn({ widget }: Field, text: string): string {
  if (widget.type !== 'choice') return text;
  const lower = text.toLowerCase();
  return widget.options.find(one => [one.value, one.label].some(word => word.toLowerCase() === lower))?.value ?? text;
}

/** The sentence against a text in a field; `undefined` where the field takes it. */
export function faultIn({ schema }: Field, text: string): string | undefined {
  return schema.safeParse(text).error?.issues[0]?.message;
}

/** The words for a field of another vendor that does not fit; `undefined` where the field fits. */
export function vendorFault(field: Field, target: string): string | undefined {
  const vendor = parseIdentifier(target)?.vendor;
  if (!vendor || !field.vendors || field.vendors.includes(vendor)) return undefined;
  return `${field.name} is not used for ${vendorNames[vendor]}`;
}
