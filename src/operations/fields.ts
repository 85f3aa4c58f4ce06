import { z } from 'zod';
import { type Noun, nounNames, parseIdentifier, typedIdentifier, vendorNames } from '../api/identifiers.ts';
import { doubtOfPairs, doubtOfParams, doubtOfPath, partsOfList } from './doubts.ts';
import type { Choice, DatabaseParam, Field, FieldValue, Values } from './operation.ts';
import { keepForFault, readKeepFor } from './requests/keepFor.ts';

type Text = z.ZodType<FieldValue, string>;
type Options = Partial<Omit<Field, 'name' | 'label' | 'widget' | 'schema'>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

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

/** A text without blanks around it, in one line. */
function oneLine(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .refine(value => !controls.test(value), 'Use one line, without control characters.');
}

export function text(name: string, label: string, placeholder: string, options: Options = {}): Field {
  const schema: Text = oneLine(255).min(1, `Type ${placeholder}.`);
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

/** How an absolute path begins: on Linux, on Windows, on a disk group of Oracle’s ASM, or with a variable of the host. */
const root = /^(?:[\\/]|[A-Za-z]:[\\/]|\+\w|[$%][\w{(])/;

/** Whether a text is a path that does not depend on where one stands. */
export function isAbsolute(text: string): boolean {
  return root.test(text);
}

/** Two dots that touch no letter of a name. Whatever else stands beside them may end a part of a path. */
const climbing = /(?<![\p{L}\p{N}._-])\.\.(?![\p{L}\p{N}._-])/u;

/** Paths in one line, of which no part climbs to the folder above, whatever hides in it. */
function paths(max: number) {
  return oneLine(max).refine(
    value => !climbing.test(value.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')),
    'Write the path out, without “..”.',
  );
}

/** An absolute path on the target host. */
export function path(name: string, label: string, placeholder: string, options: Options = {}): Field {
  const example = `Type an absolute path, which begins with a slash, such as ${placeholder}.`;
  const schema: Text = paths(1024).refine(isAbsolute, example);
  return { name, label, widget: { type: 'text', placeholder }, schema, doubt: doubtOfPath, ...options };
}

/** Oracle’s conversion of file names: a path, or pairs of what a name begins with and what it is to begin with. */
export function fileNameConvert(name: string, label: string, placeholder: string, options: Options = {}): Field {
  const example = `Type an absolute path such as ${placeholder}, or pairs: '/old','/new'.`;
  const schema: Text = paths(3000)
    .transform(value => value.replace(/[‘’‚]/g, "'").replace(/[“”„]/g, '"'))
    .refine(value => isAbsolute(value) || partsOfList(value).length > 1, example);
  return { name, label, widget: { type: 'text', placeholder }, schema, doubt: doubtOfPairs, ...options };
}

/** A whole number from `min` on; spec §8 shows no bounds. */
export function integer(name: string, label: string, max: number | undefined, options: Options = {}, min = 1): Field {
  const message = max ? `Type a whole number from ${min} to ${max}.` : `Type a whole number of at least ${min}.`;
  const schema: Text = z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine(value => value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER), message);
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
    doubt: doubtOfParams,
    ...options,
  };
}

/** A line of a parameter; what stands behind a colon is its type only if it is one of those. */
const paramLine = /^\s*([^\s=]+?)\s*(?::\s*(STRING|NUMBER|BOOLEAN)\s*)?=(.*)$/i;

/** Reads parameter lines; a bad line gives the sentence that names it. Blank lines and `#` comments are skipped. */
export function readDatabaseParams(lines: string): readonly DatabaseParam[] | string {
  const params: DatabaseParam[] = [];
  for (const [at, line] of lines.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const say = (what: string) => `Line ${at + 1}, “${line.trim().slice(0, 60)}”: ${what}`;
    const match = paramLine.exec(line);
    const name = match?.[1];
    const value = match?.[3]?.trim();
    if (!name || value === undefined) return say('write it as name=value.');
    if (controls.test(line.replaceAll('\t', ' '))) return say('it has control characters.');
    if (params.some(param => param.name === name)) return say(`${name} appears twice.`);
    const param = typed(name, match[2]?.toUpperCase(), value);
    if (typeof param === 'string') return say(param);
    params.push(param);
  }
  return params;
}

function typed(name: string, type: string | undefined, text: string): DatabaseParam | string {
  const value = type === 'STRING' ? text : withoutComment(text);
  const isBoolean = isBooleanText(value);
  switch (type ?? (isBoolean ? 'BOOLEAN' : looksLikeNumber(value) ? 'NUMBER' : 'STRING')) {
    case 'BOOLEAN':
      return isBoolean ? { name, type: 'BOOLEAN', value: value.toLowerCase() } : 'a BOOLEAN is true or false.';
    case 'NUMBER':
      return isNumber(value) ? { name, type: 'NUMBER', value: Number(value) } : 'this number cannot be sent exactly.';
    default:
      return { name, type: 'STRING', value };
  }
}

/** Whether JSON sends a text as a number exactly: else it stays a string. */
function isNumber(text: string): boolean {
  return String(Number(text)) === text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') && /\d$/.test(text);
}

/** Whether nobody would miss a sign where it is sent as a number: `8.0` is one only if the person gives that type. */
function looksLikeNumber(text: string): boolean {
  return isNumber(text) && String(Number(text)) === text;
}

function isBooleanText(text: string): boolean {
  return /^(true|false)$/i.test(text);
}

/**
 * A value without the comment behind it: a blank and a `#`, as in the files of the vendors, outside of quotes; behind a
 * number, true or false, other signs for comments, too.
 */
function withoutComment(text: string): string {
  const [first = ''] = /^\S+(?=\s+(?:;|--|\/\/|\/\*))/.exec(text) ?? [];
  if (isNumber(first) || isBooleanText(first)) return first;
  const [quoted = ''] = /^(?:"[^"]*"|'[^']*')/.exec(text) ?? [];
  const at = text.slice(quoted.length).search(/(?<!\s)\s+#/);
  return at < 0 ? text : text.slice(0, quoted.length + at);
}

/** Writes parameters back as the lines that {@link readDatabaseParams} reads, no longer than a person has to type them. */
export function writeDatabaseParams(params: readonly DatabaseParam[]): string {
  const lines = params.map(({ name, type, value }) => {
    const short = `${name}=${value}`;
    const [read] = readDatabaseParams(short);
    const isRead = typeof read === 'object' && read.name === name && read.type === type && read.value === value;
    return isRead ? short : `${name}:${type}=${value}`;
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
