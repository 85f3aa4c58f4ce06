import { typedIdentifier } from '../../api/identifiers.ts';
import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { closest } from '../../ground/closest.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { choiceIn, faultIn } from '../../operations/fields.ts';
import type { Field, JobOperation } from '../../operations/operation.ts';
import { isOneOf } from '../../records/find.ts';
import { cut } from '../blocks/limits.ts';
import { fillPlaceholders, placeholdersIn } from '../forms/fill/placeholders.ts';

/*
 * The values of a preset as a person reads and changes them: a text with one field a line, `port=3310`. A line that
 * names no field belongs to the value above it, since database parameters have lines of their own.
 */

/** Max characters of that text, which Slack carries in one input. */
export const maxPresetText = 2_500;

/** The names of records among the values: the text that stands for an identifier, by field. */
export type PresetNames = Readonly<Record<string, Readonly<{ id: string; name: string }>>>;

/** The names by field, of identifiers whose names are known. */
export function presetNames(inputs: Inputs, labels: Readonly<Record<string, string>>): PresetNames {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([field, id]) => {
      const name = labels[id];
      return name === undefined || name === id || name !== name.trim() || /[\n\r]/.test(name)
        ? []
        : [[field, { id, name }]];
    }),
  );
}

/** The lines of a preset. A record stands there under its name. */
export function writePresetText(inputs: Inputs, names: PresetNames): string {
  return Object.entries(inputs)
    .map(([field, text]) => `${field}=${names[field]?.id === text ? names[field].name : text}`)
    .join('\n');
}

/**
 * The values to suggest for a preset: those of a form, with the next free port in place of a port, and without the
 * snapshot, which would soon be old. `leftOut` has the labels of the fields that are left out.
 */
export function suggestPreset(operation: JobOperation, inputs: Inputs): { inputs: Inputs; leftOut: string[] } {
  const leftOut: string[] = [];
  const kept = operation.fields.flatMap(field => {
    const text = inputs[field.name];
    if (text === undefined || text === '') return [];
    if (field.role === 'snapshot') {
      leftOut.push(field.label);
      return [];
    }
    return [[field.name, field.name === 'port' ? '{port}' : text] as const];
  });
  return { inputs: Object.fromEntries(kept), leftOut };
}

/** The values in a text, with the identifiers behind the names; or the sentence that says which line is wrong. */
export function readPresetText(operation: JobOperation, text: string, names: PresetNames): Inputs | string {
  const inputs: Record<string, string> = {};
  let last: Field | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    const match = /^\s*([A-Za-z]+)\s*=(.*)$/.exec(line);
    const field = operation.fields.find(({ name }) => name.toLowerCase() === match?.[1]?.toLowerCase());
    if (field && inputs[field.name] !== undefined) return `${field.name} appears twice.`;
    if (field) {
      inputs[field.name] = match?.[2]?.trim() ?? '';
      last = field;
    } else if (last?.widget.type === 'text' && last.widget.multiline) inputs[last.name] += `\n${line}`;
    else if (line.trim() !== '') return strayLine(operation, line.trim(), match?.[1]);
  }
  const texts = Object.entries(inputs).map(([name, value]) => [name, value.trim()] as const);
  const given = texts.filter(([, value]) => value !== '');
  if (given.length === 0) return 'Write at least one value, such as port={port}.';
  for (const [name, value] of given) {
    const fault = faultOf(operation, name, value, names);
    if (fault !== undefined) return fault;
  }
  return Object.fromEntries(given.map(([name, value]) => [name, names[name]?.name === value ? names[name].id : value]));
}

function strayLine(operation: JobOperation, line: string, name: string | undefined): string {
  const shown = cut(line, 60);
  if (name === undefined) return `“${shown}” is not a value: write each line as field=value.`;
  const [close] = closest(name.toLowerCase(), operation.fields, field => field.name);
  return `There is no field ${cut(name, 40)}.${close ? ` Did you mean ${close.name}?` : ''}`;
}

/** The fault of one value; `undefined` where a form could take it once its placeholders are filled in. */
function faultOf(operation: JobOperation, name: string, value: string, names: PresetNames): string | undefined {
  const field = operation.fields.find(one => one.name === name);
  if (!field || names[name]?.name === value) return undefined;
  if (maskSurePasswords(`${name}=${value}`) !== `${name}=${value}` || maskSurePasswords(value) !== value)
    return `${name} looks as if it contains a password. A preset holds no secrets, so leave it out.`;
  const { unknown } = fillPlaceholders(value, {});
  if (field.widget.type === 'integer' && (placeholdersIn(value).length > 0 || unknown.length > 0))
    return value === '{port}' ? undefined : `${name} takes a number, or {port} for the next free one.`;
  if (field.widget.type === 'record') {
    const id = typedIdentifier(value);
    return id?.noun && !isOneOf(id, field.widget.nouns) ? `${name}: ${faultIn(field, value)}` : undefined;
  }
  const reason = faultIn(field, choiceIn(field, value));
  return reason && `${name}: ${reason}`;
}
