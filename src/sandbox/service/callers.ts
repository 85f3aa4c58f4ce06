import { z } from 'zod';
import type { Context } from './endpoint.ts';
import type { User } from './estate.ts';
import { Refusal } from './refusal.ts';

/** Spec §5.2. */
export const credentials = z.strictObject({ username: z.string().min(1), password: z.string().min(1) });

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
