import { afterAll, beforeEach } from 'vitest';
import { day, minute } from '../../../src/ground/durations.ts';
import { type Json, parsed, recordOf, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import { type Answers, asks, comesToAnEnd } from '../../journeys/asking.ts';
import { world } from '../../world.ts';

/*
 * Services on which several things happen to one record: each change has one explanation, or nobody's is told. Each test
 * file of this folder has a world of its own, which its tests share: a job of one may explain what the next one sees. A
 * new test goes to the end of the file of its subject: new and gone `records`, `snapshots`, `errors`, other `reports`.
 */

/** What a service shows beside or instead of a sandbox record; `undefined` shows nothing. */
type Shows = (record: Json) => Json | undefined;

type Service = {
  /** How records are shown, and what stays under the identifier of a record that was deleted. */
  shows: Shows;
  remains: Shows;
  /** What of a record its lists show. */
  lists(record: Json): Json;
  /** The number that a new record is shown with: one that another record had. */
  again: Readonly<{ inside: string; outside: string }> | undefined;
  /** What is shown besides; of the record `denied` the service says that there is none: its list is late. */
  late(): readonly Json[];
  denied: string | undefined;
  /** The end of the path of calls that are lost on their way. */
  lost: string | undefined;
  /** The name of a record that is hidden from one user, and that no deletion reaches. */
  secret: Readonly<{ name: string; from: string }> | undefined;
};

const sandbox: Service = {
  shows: record => record,
  remains: () => undefined,
  lists: record => record,
  again: undefined,
  late: () => [],
  denied: undefined,
  lost: undefined,
  secret: undefined,
};

/** What the service does otherwise than the sandbox, until the end of the test that says so. */
export const service: Service = { ...sandbox };

/** The number of answers with records of databases. */
let reads = 0;

/** The records of databases as they were when their deletion was asked for. */
const deleted = new Map<string, Json>();

/** The users of the tokens. */
const users = new Map<string, string>();

const middleware: Middleware = async (request, next) => {
  const { pathname, searchParams } = new URL(request.url);
  const { again, lost, secret } = service;
  if (pathname.endsWith('/user/token')) {
    const { username } = recordOf(parsed(await request.clone().text()));
    const answer = await next();
    users.set(stringOf(recordOf(parsed(await answer.clone().text())).token) ?? '', stringOf(username) ?? '');
    return answer;
  }
  if (lost !== undefined && pathname.endsWith(lost)) return new Response('', { status: 504 });
  if (secret && request.method === 'DELETE') return Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS' });
  const by = users.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '');
  const hidden = secret && by === secret.from ? secret.name : undefined;
  const id = searchParams.get('input');
  const known = id === null ? undefined : earth.service.service.estate.databases.get(id);
  if (known && request.method === 'DELETE') deleted.set(known.id, { id: known.id, name: known.name, ...made(known) });
  const inside =
    again && pathname.endsWith(`/${again.outside}`) ? request.url.replace(again.outside, again.inside) : '';
  const answer = await next(inside === '' ? request : new Request(inside, request));
  if (request.method !== 'GET' || !pathname.includes('/database/')) return answer;
  const body = parsed(await answer.clone().text());
  if (hidden !== undefined && recordOf(body).name === hidden)
    return Response.json({ error: 'not found' }, { status: 404 });
  if (hidden !== undefined && Array.isArray(body))
    return Response.json(recordsOf(body).filter(one => one.name !== hidden));
  const left = deleted.entries().flatMap(([gone, record]) => {
    const told = earth.service.service.estate.databases.has(gone) ? undefined : service.remains(record);
    return told ? [told] : [];
  });
  reads += 1;
  if (Array.isArray(body)) {
    const listed = recordsOf(body).flatMap(one => {
      const told = shown(one);
      return told ? [service.lists(told)] : [];
    });
    return Response.json([...listed, ...left, ...service.late()]);
  }
  if (answer.ok) return Response.json(shown(recordOf(body)) ?? {});
  const isAsked = ({ id }: Json) => id !== service.denied && pathname.endsWith(`/${stringOf(id)}`);
  const one = [...left, ...service.late()].find(isAsked);
  return one ? Response.json(one) : answer;
};

/** A record as it is shown, under the number that was given again. */
function shown(record: Json): Json | undefined {
  const { again } = service;
  if (again && record.id === again.outside) return undefined;
  return service.shows(again && record.id === again.inside ? { ...record, id: again.outside } : record);
}

function made({ createdAt }: Readonly<{ createdAt?: unknown }>): Json {
  return createdAt === undefined ? {} : { createdAt: new Date(Number(createdAt)).toISOString() };
}

export const earth = await world({ service: { middleware, tokenLifetime: 30 * day } });
afterAll(() => earth.close());
beforeEach(() => void Object.assign(service, sandbox));

export const ana = await earth.enters('Ana', 'ana');
earth.approver = await earth.enters('Dev', 'dev');
// Of a service that never showed a record at work, less is believed.
await ends('/db refresh slow_reports');

/** Lets a minute pass, and so many reads that one look at least, of two reads, has seen and kept what stands there now. */
export async function aMinute(): Promise<void> {
  const [end, from] = [earth.clock.now() + minute, reads];
  await earth.until(() => earth.clock.now() >= end && reads >= from + 9, 'the looks of a minute');
}

/** What the message of a command says at its end. */
export async function ends(line: string, answers?: Answers): Promise<string> {
  return comesToAnEnd(earth, await asks(earth, ana, line, answers));
}

export const clone = (port: number) =>
  `/clone shop port=${port} mountBase=/mnt/c${port} cloneType=VIRTUALCLONE targetEnvironment=dev ` +
  'install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8';
