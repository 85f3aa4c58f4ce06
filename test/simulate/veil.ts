import { isRecord } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { parsed } from './requests.ts';

/* A database that the service shows to one of its users alone: to nobody else is it there. */

/** Its name, and who sees it. */
export const veiled = { name: 'veiled-ledger', to: 'dev' } as const;

/** Hides it from all others. `caller` is the user of a token. */
export function veilOf(id: string, caller: (token: string) => string | undefined): Middleware {
  const isOfIt = (value: unknown) => {
    const text = JSON.stringify(value) ?? '';
    return text.includes(veiled.name) || text.includes(`"${id}"`);
  };
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(one => !isRecord(one) || !isOfIt(one)).map(without);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, without(one)]));
  };
  return async (request, next) => {
    const user = caller((request.headers.get('authorization') ?? '').replace('Bearer ', ''));
    const answer = await next();
    if (request.method !== 'GET' || user === veiled.to || !answer.ok) return answer;
    const text = await answer.text();
    if (!isOfIt(parsed(text))) return new Response(text, answer);
    const rest = without(parsed(text));
    if (!isOfIt(rest)) return new Response(JSON.stringify(rest), { headers: { 'content-type': 'application/json' } });
    const refused = { status: 'ERROR', code: 'NOT_FOUND', message: 'there is no such record' };
    return new Response(JSON.stringify(refused), { status: 404, headers: { 'content-type': 'application/json' } });
  };
}
