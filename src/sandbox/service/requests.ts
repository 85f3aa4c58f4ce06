import type { Context, Endpoint } from './endpoint.ts';
import type { User } from './estate.ts';
import { parseIdentifier } from './identifiers.ts';
import { Refusal } from './refusal.ts';

/** The largest request body taken, in bytes (our choice: spec §8 shows none). */
export const largestBody = 1024 * 1024;

/** A parsed request body, or the text itself where it is no JSON. For the record of requests. */
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
export function jsonBody(text: string, contentType: string | undefined): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw new Refusal(
      'NOT_JSON',
      `this body is sent with Content-Type: application/json, not ${contentType ?? 'none'}`,
    );
  const value = looseBody(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('INVALID_REQUEST', 'the body must be a JSON object');
  return value;
}

/** Reads the plain-string body: a bare identifier or a JSON string literal, of any content type (spec §4.1). */
export function textBody(text: string): string {
  const trimmed = text.trim();
  const value = trimmed.startsWith('"') ? looseBody(trimmed) : trimmed;
  if (typeof value !== 'string' || parseIdentifier(value) === undefined)
    throw new Refusal('INVALID_REQUEST', 'the body must be an identifier, bare or as a JSON string literal');
  return value;
}

/** Reads the query `input`, the only content of a deletion. Throws INVALID_REQUEST. */
export function inputQuery(query: URLSearchParams, body: string): string {
  const [input, ...more] = query.getAll('input');
  if (input === undefined || input === '' || more.length > 0)
    throw new Refusal('INVALID_REQUEST', 'the query must hold input=<id>, once', 'input');
  if (parseIdentifier(input) === undefined)
    throw new Refusal('INVALID_REQUEST', `${input} is not an identifier`, 'input');
  if (body !== '') throw new Refusal('INVALID_REQUEST', 'this request takes no body: the identifier is in the query');
  return input;
}

/** Throws for a query that the endpoint does not have: a value sent to the wrong place would be lost in silence. */
export function checkQuery(endpoint: Endpoint, query: URLSearchParams): void {
  for (const key of query.keys())
    if (endpoint.takes !== 'input' || key !== 'input')
      throw new Refusal('INVALID_REQUEST', `${key}: is not a query field of ${endpoint.path}`, key);
}

/** The user that a request comes from (spec §5.1). Throws 401 refusals. */
export function callerOf({ tokens, estate }: Context, authorization: string | undefined): User {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    throw new Refusal('NOT_SIGNED_IN', 'the header Authorization: Bearer <ACCESS_TOKEN> is missing');
  const holder = tokens.holder(token);
  if (holder?.expired) throw new Refusal('TOKEN_EXPIRED', 'the token has expired; ask for a new one');
  const user = holder && estate.users.get(holder.user);
  if (user === undefined) throw new Refusal('NOT_SIGNED_IN', 'the token is not known');
  return user;
}

/** The user with these credentials. Throws WRONG_CREDENTIALS, with one text for either fault. */
export function userWith({ estate }: Context, username: string, password: string): User {
  const user = [...estate.users.values()].find(candidate => candidate.username === username);
  if (user?.password === undefined || user.password !== password)
    throw new Refusal('WRONG_CREDENTIALS', 'the user name or the password is wrong');
  return user;
}
