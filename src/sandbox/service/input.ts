import type { z } from 'zod';
import { parseIdentifier } from './identifiers.ts';
import { Refusal } from './refusal.ts';

/** The parts of a request that may hold its content. */
export type Content = { body: string; contentType: string | undefined; query: URLSearchParams };

/** Where a write has its content: which fields of the query it takes, and how it is read. `read` throws Refusal. */
export type Input<Value> = { query: readonly string[]; read(content: Content): Value };

/** A JSON body of this shape. */
export function json<Schema extends z.ZodType>(schema: Schema): Input<z.output<Schema>> {
  return { query: [], read: content => readBody(schema, jsonBody(content)) };
}

/** A plain-string body: a bare identifier or a JSON string literal, of any content type (spec §4.1). */
export const plainString: Input<string> = {
  query: [],
  read({ body }) {
    const trimmed = body.trim();
    const value = trimmed.startsWith('"') ? looseBody(trimmed) : trimmed;
    if (typeof value !== 'string' || parseIdentifier(value) === undefined)
      throw new Refusal('INVALID_REQUEST', 'the body must be an identifier, bare or as a JSON string literal');
    return value;
  },
};

/** The field `input` of the query, which holds an identifier: the only content of a deletion. */
export const inputQuery: Input<string> = {
  query: ['input'],
  read({ query, body }) {
    const [input, ...more] = query.getAll('input');
    if (input === undefined || input === '' || more.length > 0)
      throw new Refusal('INVALID_REQUEST', 'the query must hold input=<id>, once', 'input');
    if (parseIdentifier(input) === undefined)
      throw new Refusal('INVALID_REQUEST', `${input} is not an identifier`, 'input');
    if (body !== '') throw new Refusal('INVALID_REQUEST', 'this request takes no body: the identifier is in the query');
    return input;
  },
};

/** A parsed request body, or the text itself where it is no JSON. */
export function looseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** Reads a JSON object. Throws NOT_JSON for another content type (spec §4), INVALID_REQUEST for anything but an object. */
export function jsonBody({ body, contentType }: Pick<Content, 'body' | 'contentType'>): object {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw new Refusal(
      'NOT_JSON',
      `this body is sent with Content-Type: application/json, not ${contentType ?? 'none'}`,
    );
  const value = looseBody(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('INVALID_REQUEST', 'the body must be a JSON object');
  return value;
}

/** Reads a body by its schema. Throws a Refusal that names every field at fault. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const faults = result.error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ field: [...issue.path, key].join('.'), text: 'is not a field of this request' }));
    const field = issue.path.join('.') || 'body';
    const value = issue.path.reduce<unknown>(valueAt, body);
    return [{ field, text: value === undefined ? 'is required' : issue.message }];
  });
  const message = faults.map(({ field, text }) => `${field}: ${text}`).join('; ');
  throw new Refusal('INVALID_REQUEST', message, faults[0]?.field);
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
