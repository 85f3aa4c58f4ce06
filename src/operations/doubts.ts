import { type Vendor, vendorNames } from '../api/identifiers.ts';
import { type Field, type FieldValue, fieldsFor, type JobOperation, type Values, vendorOf } from './operation.ts';

/*
 * What Dolly doubts of a value. The specification shows no bounds (spec §8), so the value is sent as it was typed, and
 * people are warned.
 */

/** The doubts about the values of an operation, a sentence each that names its field. */
export function doubtsAbout(operation: JobOperation, values: Values): readonly string[] {
  const vendor = vendorOf(operation, values);
  return fieldsFor(operation, values).flatMap(field => doubtIn(field, values[field.name], vendor) ?? []);
}

/** The doubts about the texts of a form, as far as they can be read. */
export function doubtsAboutTexts(operation: JobOperation, texts: Readonly<Record<string, string>>): readonly string[] {
  const values = operation.fields.flatMap(({ name, schema }) => {
    const read = schema.safeParse(texts[name] ?? '');
    return read.success && texts[name] ? [[name, read.data] as const] : [];
  });
  return doubtsAbout(operation, Object.fromEntries(values));
}

function doubtIn({ label, doubt }: Field, value: FieldValue | undefined, vendor: Vendor | undefined) {
  const why = value === undefined ? undefined : doubt?.(value, vendor);
  return why && `${label}: ${why}`;
}

/** Doubts a number of workers: nobody knows what none of them means, or whether there are so many. */
export function doubtOfWorkers(value: FieldValue): string | undefined {
  if (value === 0) return '0 may mean none, or as many as the service likes.';
  return Number(value) > manyWorkers ? `${value} is a large number.` : undefined;
}
const manyWorkers = 128;

/** Doubts a port that most hosts keep for the system. */
export function doubtOfPort(value: FieldValue): string | undefined {
  return Number(value) < firstFreePort ? `most hosts keep ports below ${firstFreePort} for the system.` : undefined;
}
const firstFreePort = 1024;

/** Doubts a path of which nobody knows here whether the host has it. */
export function doubtOfPath(value: FieldValue, vendor: Vendor | undefined): string | undefined {
  const text = String(value);
  if (text.startsWith('+') && vendor && vendor !== 'ORACLE') return `${vendorNames[vendor]} has no disk groups.`;
  return /[$%]/.test(text) ? 'the service may not know the variable in it.' : undefined;
}

/** The parts of a list with commas between them, without their quotes. */
export function partsOfList(text: string): readonly string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|([^\s,'"][^,'"]*)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
}

/** Doubts a list of names that has no pairs. */
export function doubtOfPairs(value: FieldValue): string | undefined {
  const many = partsOfList(String(value)).length;
  return many > 1 && many % 2 === 1 ? `Oracle expects pairs, but this has ${many} parts.` : undefined;
}

/** What looks like a comment in a value, or like a mark behind it, outside of quotes. Vendors' files have several kinds. */
const seemsComment = /^[#;]\s|\s(?:#|;|\/\/|\/\*|--\s)|\w#\s|^\d\w*[#;]|[;,]$/;

/** Doubts the names of parameters that look like something else, and values that may have a comment. */
export function doubtOfParams(value: FieldValue): string | undefined {
  const params = typeof value === 'object' ? value : [];
  const odd = params.find(({ name }) => !/^[\w.$#-]+$/.test(name));
  const types = odd?.name.includes(':') ? ' The types are STRING, NUMBER and BOOLEAN.' : '';
  if (odd) return `“${odd.name}” is sent as the name of a parameter.${types}`;
  const marked = params.find(param => seemsComment.test(String(param.value).replace(/"[^"]*"|'[^']*'/g, 'x')));
  return marked && `“${marked.name}” is sent with what looks like a comment or a mark: “${marked.value}”.`;
}
