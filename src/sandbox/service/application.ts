import { Hono } from 'hono';
import { callerOf, credentials, userWith } from './callers.ts';
import type { Context, Endpoint } from './endpoint.ts';
import { provokedAnswer, provokedBy } from './failures.ts';
import { type Content, jsonBody, looseBody, readBody } from './input.ts';
import type { Log } from './jobs.ts';
import { codes, errorResult, Refusal } from './refusal.ts';

/** A request as the service received it, for tests that ask what was sent. */
export type ReceivedRequest = {
  /** Milliseconds since the epoch, on the service's clock. */
  at: number;
  method: string;
  /** With the prefix, without the query. */
  path: string;
  /** `POST /database/clone/create`, `GET /database/{id}`: the row of spec §4; undefined where none fits. */
  endpoint: string | undefined;
  query: Record<string, string>;
  /** Parsed where it is JSON, the text elsewhere, undefined without a body. A password is never kept. */
  body: unknown;
  /** The HTTP status of the answer; undefined until there is one. */
  status: number | undefined;
};

/** Stands between the wire and the service: lets tests answer in another shape, or not at all. */
export type Middleware = (
  request: Request,
  next: (request?: Request) => Promise<Response>,
) => Response | Promise<Response>;

type Options = {
  endpoints: readonly Endpoint[];
  prefix: string;
  middleware: Middleware | undefined;
  log: Log;
  /** Filled as requests come in; the oldest go when there are many. */
  requests: ReceivedRequest[];
};

const maxRequests = 20_000;

/** The largest request body that is taken, in bytes (our choice: spec §8 shows none). */
const maxBody = 1024 * 1024;

/** The HTTP side of the service: one function from a request to its answer. */
export function createApplication(context: Context, options: Options): (request: Request) => Promise<Response> {
  const routes = new Hono();
  // Fixed paths come before those with an {id}, which would take them.
  const endpoints = options.endpoints.toSorted((one, other) => Number(takesId(one)) - Number(takesId(other)));
  for (const endpoint of endpoints) {
    const path = options.prefix + endpoint.path.replace('{id}', ':id');
    routes.on(endpoint.method, path, ({ req }) => answer(context, endpoint, req.raw, req.param('id') ?? ''));
  }
  routes.notFound(({ req }) => {
    const allowed = endpoints
      .filter(({ path }) => matches(options.prefix + path, req.path))
      .map(({ method }) => method);
    if (allowed.length === 0) return refuse(new Refusal('NO_SUCH_ENDPOINT', `there is no ${req.method} ${req.path}`));
    const refusal = new Refusal('METHOD_NOT_ALLOWED', `${req.path} takes ${allowed.join(', ')}, not ${req.method}`);
    return refuse(refusal, { allow: allowed.join(', ') });
  });
  routes.onError(error => {
    if (error instanceof Refusal) return refuse(error);
    options.log(`internal error: ${error.stack}`);
    return refuse(new Refusal('INTERNAL_ERROR', error.message));
  });

  const serve = async (request: Request): Promise<Response> => routes.fetch(request);
  return async request => {
    const received = await note(request.clone());
    const response = options.middleware
      ? await options.middleware(request, async (other = request) => serve(other))
      : await serve(request);
    received.status = response.status;
    // Node would take the date from the machine, whatever the service's own clock says.
    if (!response.headers.has('date')) response.headers.set('date', new Date(context.clock.now()).toUTCString());
    options.log(`${received.method} ${received.path} ${response.status}`);
    return response;
  };

  async function note(request: Request): Promise<ReceivedRequest> {
    const { pathname, searchParams } = new URL(request.url);
    const endpoint = endpoints.find(
      ({ method, path }) => method === request.method && matches(options.prefix + path, pathname),
    );
    const received: ReceivedRequest = {
      at: context.clock.now(),
      method: request.method,
      path: pathname,
      endpoint: endpoint && `${endpoint.method} ${endpoint.path}`,
      query: Object.fromEntries(searchParams),
      body: withoutPassword(looseBody(await request.text())),
      status: undefined,
    };
    options.requests.push(received);
    if (options.requests.length > maxRequests) options.requests.shift();
    return received;
  }
}

const takesId = ({ path }: Endpoint) => path.includes('{id}');

function matches(template: string, path: string): boolean {
  const names = template.split('/');
  const parts = path.split('/');
  return names.length === parts.length && names.every((name, at) => name === '{id}' || name === parts[at]);
}

function withoutPassword(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'password' in body ? { ...body, password: '(hidden)' } : body;
}

function refuse({ code, message, field }: Refusal, headers: Record<string, string> = {}): Response {
  const more: Record<string, string> =
    codes[code] === 401 ? { 'www-authenticate': 'Bearer' } : code === 'BUSY' ? { 'retry-after': '30' } : {};
  return Response.json(errorResult(code, message, field), { status: codes[code], headers: { ...more, ...headers } });
}

/** Authentication, content, then the endpoint: in this order, so that nobody learns anything without a token. */
async function answer(context: Context, endpoint: Endpoint, request: Request, id: string): Promise<Response> {
  const authorization = request.headers.get('authorization') ?? undefined;
  const content: Content = {
    body: await boundedText(request),
    contentType: request.headers.get('content-type') ?? undefined,
    query: new URL(request.url).searchParams,
  };
  const { clock } = context;
  const signal = AbortSignal.any([context.jobs.signal, request.signal]);

  if (endpoint.type === 'signIn') {
    checkQuery(endpoint, content.query);
    if (authorization !== undefined)
      throw new Refusal('INVALID_REQUEST', `${endpoint.path} is called without the Authorization header`);
    const { username, password } = readBody(credentials, jsonBody(content));
    const provoked = provokedBy([username]);
    if (provoked.answer !== undefined) return provokedAnswer(provoked, { clock, signal });
    return Response.json(endpoint.sign(context, userWith(context, username, password)));
  }

  const caller = callerOf(context, authorization);
  checkQuery(endpoint, content.query);
  if (endpoint.type === 'read') return Response.json(endpoint.read(context, id));
  const { texts, begin } = endpoint.plan(context, caller, content);
  const provoked = provokedBy(texts.filter(text => text !== undefined));
  // From here on nothing waits until the job has begun: a second request meets the estate as this one changes it.
  if (provoked.begins) void begin(provoked.effects);
  return provokedAnswer(provoked, { clock, signal });
}

/** Throws for a field of the query that the endpoint does not have: a value sent to the wrong place would be lost in silence. */
function checkQuery(endpoint: Endpoint, query: URLSearchParams): void {
  const taken = endpoint.type === 'write' ? endpoint.query : [];
  for (const key of query.keys())
    if (!taken.includes(key))
      throw new Refusal('INVALID_REQUEST', `${key}: is not a query field of ${endpoint.path}`, key);
}

async function boundedText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBody)
    throw new Refusal('BODY_TOO_LARGE', `a body may have ${maxBody} bytes`);
  const text = await request.text();
  if (text.length > maxBody) throw new Refusal('BODY_TOO_LARGE', `a body may have ${maxBody} bytes`);
  return text;
}
