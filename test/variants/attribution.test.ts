import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, parsed, recordOf, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { asks, comesToAnEnd } from '../journeys/asking.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';

/* Services on which several things happen to one record: each change has one explanation, or nobody's is told. */

/** What a service shows beside or instead of a sandbox record; `undefined` shows nothing. */
type Shows = (record: Json) => Json | undefined;

let earth: World;
let ana: Someone;
/** How records are shown, and what stays under the identifier of a record that was deleted. */
let shows: Shows = record => record;
let remains: Shows = () => undefined;

/** The records of databases as they were when their deletion was asked for. */
const deleted = new Map<string, Json>();

const middleware: Middleware = async (request, next) => {
  const { pathname, searchParams } = new URL(request.url);
  const id = searchParams.get('input');
  const known = id === null ? undefined : earth.service.service.estate.databases.get(id);
  if (known && request.method === 'DELETE') deleted.set(known.id, { id: known.id, name: known.name, ...made(known) });
  const answer = await next(request);
  if (request.method !== 'GET' || !pathname.includes('/database/')) return answer;
  const body = parsed(await answer.clone().text());
  const left = deleted.entries().flatMap(([gone, record]) => {
    const told = earth.service.service.estate.databases.has(gone) ? undefined : remains(record);
    return told ? [told] : [];
  });
  if (Array.isArray(body)) return Response.json([...recordsOf(body).flatMap(one => shows(one) ?? []), ...left]);
  if (answer.ok) return Response.json(shows(recordOf(body)) ?? {});
  const one = left.find(record => pathname.endsWith(`/${stringOf(record.id)}`));
  return one ? Response.json(one) : answer;
};

function made({ createdAt }: Readonly<{ createdAt?: unknown }>): Json {
  return createdAt === undefined ? {} : { createdAt: new Date(Number(createdAt)).toISOString() };
}

beforeAll(async () => {
  earth = await world({ service: { middleware } });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());
beforeEach(() => {
  shows = record => record;
  remains = () => undefined;
});

/** What the message of a command says at its end. */
async function ends(line: string, answers: Parameters<typeof asks>[3] = {}): Promise<string> {
  return comesToAnEnd(earth, await asks(earth, ana, line, answers));
}

describe('a deletion that succeeded is confirmed', () => {
  test('though another database has the number now', async () => {
    remains = ({ id }) => ({
      ...{ id, name: 'newcomer', state: 'RUNNING' },
      createdAt: new Date(earth.clock.now()).toISOString(),
    });
    expect(await ends('/db delete orders-3321', { name: 'orders-3321' })).toContain('· Confirmed');
  });
  test('though its record still stands with `deleted: true`', async () => {
    remains = record => ({ ...record, state: 'RUNNING', deleted: true });
    expect(await ends('/db delete orders-3320', { name: 'orders-3320' })).toContain('· Confirmed');
  });
});
