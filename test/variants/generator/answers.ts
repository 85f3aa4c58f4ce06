import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Dialect } from './dialect.ts';
import { idsOf } from './estate.ts';
import { type Json, restyled } from './json.ts';
import type { Node } from './nodes.ts';
import { shown, summed } from './render.ts';
import type { Service, Wish } from './service.ts';
import type { Kind } from './words.ts';

/** Which work each write of spec §4 asks for. */
export const writes: Readonly<Record<string, Kind>> = {
  'PUT /database/sync': 'backup',
  'PUT /database/refresh': 'refresh',
  'PUT /database/disable': 'disable',
  'PUT /database/enable': 'enable',
  'DELETE /database/delete': 'delete',
  'PUT /snapshot/delete': 'snapshot delete',
  'POST /database/snapshot/mount': 'mount',
  'PUT /database/stop': 'stop',
  'PUT /database/start': 'start',
  'PUT /database/reset': 'reset',
  'POST /database/clone/create': 'virtual clone',
  'POST /database/duplicate/create': 'physical clone',
  'POST /database/clone/share': 'share',
  'POST /database/clone/switch': 'convert',
  'POST /database/restore': 'restore',
};

const people = ['ana', 'ben', 'dev', 'berta', 'cem'];
const html = { 'content-type': 'text/html' };
const accepted = () => Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });

/** What the surroundings of {@link answering} know. */
export type Around = Readonly<{
  service: () => Service;
  /** The node that answers a read. */
  node: (isList: boolean) => Node;
  now: () => number;
  /** Told of each write; says how it is answered. */
  begin: (wish: Wish) => 'accepted' | 'lost' | Readonly<{ refusal: string }>;
  /** When reads begin to fail, in milliseconds since the epoch. */
  outageAt: () => number;
}>;

/** Answers what Dolly asks, as the service of a dialect. */
export function answering(dialect: Dialect, { service, node, now, begin, outageAt }: Around): Middleware {
  const ids = idsOf(dialect.vendor);
  const named = (id: string, name: string): Json => ({ [dialect.idKey]: id, [dialect.nameKey]: name });
  const places = ['prod', 'dev', 'test', 'lab'].map((name, at) => ({
    ...named(ids.environment(at + 1), name),
    installs: [named(ids.install(at + 1), `${dialect.vendor} ${at + 1}`)],
    users: [named(ids.user(at + 1), 'runner')],
  }));
  const projects = ['finance', 'research'].map((name, at) => named(ids.project(at + 1), name));
  let listed = { at: Number.NEGATIVE_INFINITY, answer: new Response() };
  const users = people.map((name, at) => named(`USER-${at + 1}`, name));

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/service', '');
    const text = await request.text();
    service().settle(now());
    if (path === '/user/user/token') return Response.json({ token: tokenOf(readName(text), dialect) });
    if (path === '/user/user/signin') return Response.json({ ok: true });
    const by = /token-of-(\w+)-/.exec(request.headers.get('authorization') ?? '')?.[1];
    if (by === undefined) return Response.json({ error: 'please sign in' }, { status: 401 });
    if (request.method !== 'GET') {
      // Such a service takes a quoted identifier for the identifier.
      if (dialect.bodies === 'bare' && text.startsWith('"'))
        return asRefusal(dialect.refusal, `invalid identifier: ${text.slice(0, 80)}`, 400);
      const wish = wishOf(service(), `${request.method} ${path}`, searchParams.get('input'), text, by);
      if (!wish) return Response.json({ error: 'there is no such thing' }, { status: 404 });
      const answer = begin(wish);
      if (answer === 'accepted') return accepted();
      return answer === 'lost'
        ? new Response('<html><body><h1>504 Gateway Timeout</h1></body></html>', { status: 504, headers: html })
        : asRefusal(dialect.refusal, answer.refusal);
    }
    const { outage } = dialect;
    if (outage && now() >= outageAt() && now() < outageAt() + outage.lasts) return asOut(outage.how);
    const [, area = '', ...rest] = path.split('/');
    const key = rest.at(-1) ?? '';
    if (area === 'database') {
      const read = node(key === 'list');
      const { records, tombstones } = read;
      if (key === 'list') {
        if (now() - listed.at < dialect.listLag) return listed.answer.clone();
        const answer = asList(
          dialect,
          area,
          [...records.values(), ...tombstones.values()].map(one =>
            summed(shown(read, dialect, one, false, read.now), dialect),
          ),
        );
        listed = { at: now(), answer: answer.clone() };
        return answer;
      }
      const record = records.get(key) ?? tombstones.get(key);
      return record ? asOne(dialect, shown(read, dialect, record, true, read.now)) : asMissing(dialect, key);
    }
    const others = area === 'environment' ? places : area === 'project' ? projects : users;
    if (key === 'list') return asList(dialect, area, others);
    const record = others.find(one => one[dialect.idKey] === key);
    return record ? asOne(dialect, record) : asMissing(dialect, key);
  };
  return async request => {
    const response = await answer(request);
    response.headers.set('date', new Date(now() + dialect.clock.ahead).toUTCString());
    return response;
  };
}

function asRefusal(how: Dialect['refusal'], reason: string, status = 409): Response {
  switch (how) {
    case 'error':
      return Response.json({ error: reason }, { status });
    case 'nested':
      return Response.json({ result: { success: false, fault: { code: 17, message: reason } } }, { status });
    case 'list':
      return Response.json({ errors: [{ detail: reason }] }, { status });
    case 'HTML':
      return new Response(`<html><body><h1>Conflict</h1><p>${reason}</p></body></html>`, { status, headers: html });
    case 'text':
      return new Response(reason, { status, headers: { 'content-type': 'text/plain' } });
  }
}

function asOut(how: '503' | '500' | 'HTML' | '429'): Response {
  switch (how) {
    case '503':
      return Response.json({ error: 'the service is being restarted' }, { status: 503 });
    case '500':
      return Response.json({ error: 'java.lang.NullPointerException' }, { status: 500 });
    case 'HTML':
      return new Response('<html><body><h1>502 Bad Gateway</h1></body></html>', { status: 502, headers: html });
    case '429':
      return Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '10' } });
  }
}

/** A token that tells of its user what those of this service tell (RFC 7519). */
function tokenOf(user: string, { tokens }: Dialect): string {
  const secret = `token-of-${user}-0123456789`;
  if (tokens === 'nothing') return secret;
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sub = tokens === 'user' ? user : 'dbservice';
  return [part({ alg: 'HS256', typ: 'JWT' }), part({ sub, iat: 1_700_000_000 }), secret].join('.');
}

function readName(text: string): string {
  return /"username":"(\w+)"/.exec(text)?.[1] ?? 'nobody';
}

/** What a write asks for; `undefined` where it names no record that there is. */
function wishOf(service: Service, call: string, input: string | null, text: string, by: string): Wish | undefined {
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  const asked: Record<string, unknown> = {
    ...(typeof body === 'object' ? body : {}),
    ...(input === null ? {} : { input }),
  };
  const known = writes[call];
  if (!known) return undefined;
  const kind = known === 'backup' && asked.syncType === 'LOG' ? 'backup logs' : known;
  const named = [asked.sourceDatabase, asked.database, input, text.replaceAll('"', '')].find(
    one => typeof one === 'string',
  );
  const id = typeof named === 'string' ? named.replace('ORACLE_CLONE_SERVER', 'ORACLE_CLONE_DATABASE') : '';
  const holder = [...service.records.values()].find(
    one => one.id === id || one.snapshots.some(child => child.id === id),
  );
  return holder && { kind, by, on: holder.id, asked };
}

export function asList({ list, keys, idKey }: Dialect, area: string, records: readonly Json[]): Response {
  const wrapped = () => {
    switch (list) {
      case 'bare':
        return records;
      case 'named':
        return { [`${area}s`]: records };
      case 'data':
        return { status: 'SUCCESS', data: records };
      case 'result.items':
        return { result: { items: records, count: records.length } };
      case 'by id':
        return Object.fromEntries(records.map(record => [String(record[idKey]), record]));
      case 'paged':
        return { content: records, page: 1, size: 1_000, total: records.length, hasNext: false };
    }
  };
  return Response.json(restyled(wrapped(), keys));
}

export function asOne({ one, keys }: Dialect, record: Json): Response {
  const wrapped = () => {
    switch (one) {
      case 'bare':
        return record;
      case 'object':
        return { objectType: 'RECORD', status: 'SUCCESS', object: record };
      case 'data':
        return { data: record };
      case 'result':
        return { code: 0, result: record };
      case 'in a list':
        return [record];
    }
  };
  return Response.json(restyled(wrapped(), keys));
}

function asMissing({ missing }: Dialect, id: string): Response {
  switch (missing) {
    case 'null':
      return Response.json(null);
    case '404':
      return Response.json({ error: `there is no ${id}` }, { status: 404 });
    case 'object: null':
      return Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });
    case 'data: []':
      return Response.json({ status: 'SUCCESS', data: [] });
    case 'result: {}':
      return Response.json({ result: {} });
    case 'nothing':
      return new Response('');
    case '204':
      return new Response(null, { status: 204 });
    case '500':
      return Response.json({ error: `Internal error: record ${id} not found` }, { status: 500 });
    case '400':
      return Response.json({ message: `No such database: ${id}` }, { status: 400 });
  }
}
