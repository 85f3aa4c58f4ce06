import { type Json, parsed, recordOf, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';

/** What a GET is about, by the first segment of its path. */
export type Area = 'database' | 'environment' | 'user' | 'project';

/** A refusal of the sandbox service, before it is put into a variant's words. */
export type Refusal = Readonly<{ status: number; message: string }>;

export const jobs = [
  'virtual clone',
  'physical clone',
  'backup',
  'stop',
  'start',
  'disable',
  'enable',
  'restore',
  'delete',
  'failed clone',
] as const;
export type JobName = (typeof jobs)[number];

/** How a job ends, and what its message must say beside that. */
export type Ending = readonly [
  word: 'Confirmed' | 'Finished, result not shown' | 'Failed' | 'Unconfirmed',
  ...told: readonly string[],
];

/** A service that does what the sandbox service does, and says it in quite another way. */
export type Variant = Readonly<{
  name: string;
  /** A record as it shows it in a list, or alone; `undefined` where it does not show it at all. */
  shows(record: Json, area: Area, alone: boolean): Json | undefined;
  /** The answer to a list, out of records as they are shown. */
  wraps(records: readonly Json[], area: Area): unknown;
  /** The answer to the GET of one record; the record itself where it is left out. */
  holds?(record: Json): unknown;
  /** The answer that carries a token. */
  signs(token: string): Response;
  accepts(request: Request): Response;
  refuses(refusal: Refusal): Response;
  /** Other identifiers than the sandbox's: puts back what a request says. */
  returns?(text: string): string;
  /** Meets a request instead of the sandbox service; `undefined` lets it pass. */
  meets?(request: Request): Response | undefined;
  /** What `/db list orders` and `/db show orders` must tell. */
  list: readonly string[];
  show: readonly string[];
  /** What pickers call the installation of MySQL on `dev`, and the oldest snapshot of `orders`. */
  install: string;
  snapshot: string;
  endings: Readonly<Record<JobName, Ending>>;
}>;

/** What is told of a variant that has the sandbox's own words for states, and a name beside each identifier. */
export const inSandboxWords: Pick<Variant, 'list' | 'show' | 'install' | 'snapshot' | 'endings'> = {
  list: ['orders', 'orders-3320', 'RUNNING', 'STOPPED', 'mysql-prod'],
  show: ['orders', 'MYSQL_LIVE_SERVER-1', 'RUNNING', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'],
  install: 'MYSQL 8.4.3',
  snapshot: 'orders-2026-11-18',
  endings: {
    'virtual clone': ['Confirmed', 'shop-3401', 'RUNNING', 'dev', '3401', 'shop'],
    'physical clone': ['Confirmed', 'shop-3402', 'RUNNING', 'dev', '3402', 'shop'],
    backup: ['Confirmed', 'new snapshot, MYSQL_SNAPSHOT-'],
    stop: ['Confirmed', 'STOPPED', 'it was RUNNING'],
    start: ['Confirmed', 'RUNNING', 'it was STOPPED'],
    disable: ['Confirmed', 'DISABLED'],
    enable: ['Confirmed', 'RUNNING'],
    restore: ['Confirmed'],
    delete: ['Confirmed', 'is gone'],
    'failed clone': ['Failed', 'no space left on device'],
  },
};

/** Turns a variant into the middleware of a sandbox service. */
export function speaking(variant: Variant): Middleware {
  return async (request, next) => {
    const met = variant.meets?.(request.clone());
    if (met) return met;
    const { pathname } = new URL(request.url);
    const answer = await next(variant.returns ? await returned(request, variant.returns) : request);
    const body = parsed(await answer.clone().text());
    if (!answer.ok) {
      const error = recordOf(recordOf(body).error);
      return variant.refuses({ status: answer.status, message: stringOf(error.message) });
    }
    if (pathname.endsWith('/user/user/token')) return variant.signs(stringOf(recordOf(body).token));
    if (pathname.endsWith('/user/user/signin')) return answer;
    if (request.method !== 'GET') return variant.accepts(request);
    const area = areaOf(pathname);
    const shown = (record: Json): Json[] => {
      const told = variant.shows(record, area, !Array.isArray(body));
      return told === undefined ? [] : [told];
    };
    if (Array.isArray(body)) return Response.json(variant.wraps(recordsOf(body).flatMap(shown), area));
    const [one] = shown(recordOf(body));
    if (one === undefined) return variant.refuses({ status: 404, message: 'there is no such record' });
    return Response.json(variant.holds?.(one) ?? one);
  };
}

/** `state` of a sandbox record in other words. */
export function inWords<T>(words: Readonly<Record<string, T>>, record: Json, otherwise: T): T {
  return words[stringOf(record.state)] ?? otherwise;
}

/** The last part of an identifier and whatever stands before it. */
export function splitId(id: unknown): readonly [kind: string, number: number] {
  const [kind = '', number = ''] = stringOf(id).split('-');
  return [kind, Number(number)];
}

/** Leaves out what has no value. */
export function filled(record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));
}

function areaOf(path: string): Area {
  if (path.includes('/environment/')) return 'environment';
  if (path.includes('/user/')) return 'user';
  return path.includes('/project/') ? 'project' : 'database';
}

async function returned(request: Request, change: (text: string) => string): Promise<Request> {
  const body = await request.text();
  return new Request(change(request.url), {
    method: request.method,
    headers: request.headers,
    ...(body === '' ? {} : { body: change(body) }),
  });
}
