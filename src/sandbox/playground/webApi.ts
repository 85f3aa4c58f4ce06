import { performance } from 'node:perf_hooks';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { OrderedFault } from './faults.ts';
import { uploadedBytes } from './files.ts';
import { type Json, parsed, recordOf, stringOf } from './json.ts';
import { chatMethods } from './methods/chat.ts';
import { conversationMethods } from './methods/conversations.ts';
import { directoryMethods } from './methods/directory.ts';
import { fileMethods } from './methods/files.ts';
import { functionMethods } from './methods/functions.ts';
import type { Method } from './methods/method.ts';
import { oauthAccess } from './methods/oauth.ts';
import { viewMethods } from './methods/views.ts';
import { respond } from './responses.ts';
import type { Slack } from './slack.ts';
import { SlackError } from './slackError.ts';
import type { SocketMode } from './socketMode.ts';

type Env = { Bindings: HttpBindings };
type Reply = { status: number; body: Json | string; headers?: Record<string, string> };

export type Tokens = { botToken: string; appToken?: string };

const methods: Record<string, Method> = {
  ...chatMethods,
  ...conversationMethods,
  ...directoryMethods,
  ...fileMethods,
  ...functionMethods,
  ...viewMethods,
};

/** Answers that show a fault of the bot, not of the moment. */
const faultsOfTheBot: ReadonlySet<string> = new Set([
  'cant_delete_message',
  'cant_update_message',
  'duplicate_external_id',
  'exchanged_trigger_id',
  'expired_trigger_id',
  'expired_url',
  'file_not_found',
  'function_execution_not_found',
  'invalid_arguments',
  'invalid_attachments',
  'invalid_attachments_format',
  'invalid_auth',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_form_data',
  'invalid_length',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'invalid_trigger_id',
  'metadata_too_large',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'not_authed',
  'parameter_validation_failed',
  'push_limit_reached',
  'unknown_method',
  'used_url',
  'view_too_large',
]);

async function argumentsOf(c: Context<Env>): Promise<Json> {
  const query = c.req.query();
  if (c.req.method === 'GET') return query;
  const type = c.req.header('content-type') ?? '';
  if (type.startsWith('application/json')) return { ...query, ...recordOf(parsed(await c.req.text())) };
  return { ...query, ...(await c.req.parseBody()) };
}

/**
 * Slack as the owner of a token sees it.
 * @throws SlackError not_authed, invalid_auth, not_allowed_token_type, token_expired, token_revoked, account_inactive
 */
function authorize(slack: Slack, method: string, given: string, appToken: string | undefined): Slack {
  if (given === '') throw new SlackError('not_authed');
  const isAppToken = given === appToken;
  if (isAppToken !== (method === 'apps.connections.open')) {
    if (!isAppToken) slack.installs.of(given);
    throw new SlackError('not_allowed_token_type');
  }
  if (isAppToken) return slack;
  if (given.startsWith('xwfp-')) return slack.at(slack.workflows.admit(given));
  return slack.at(slack.installs.of(given).team);
}

/** The Web API and the response URLs: all that the bot asks of Slack. */
export function webApi(slack: Slack, sockets: SocketMode, tokens: Tokens): Hono<Env> {
  const app = new Hono<Env>();

  function call(method: string, given: string, args: Json): Json {
    const seen = authorize(slack, method, given, tokens.appToken);
    if (method === 'apps.connections.open') return { url: slack.url().replace(/^http/, 'ws') + sockets.invite() };
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined) throw new SlackError('unknown_method', { req_method: method });
    return run(args, seen);
  }

  /** Runs `work`, unless an ordered fault stands in the way; records what went to and fro. */
  async function observed(c: Context<Env>, method: string, request: Json, work: () => Reply): Promise<Response> {
    const at = slack.clock.now();
    const started = performance.now();
    const fault = slack.faults.take(method, stringOf(request.channel));
    const isBroken = fault?.kind === 'lose-answer' || fault?.kind === 'reset';
    const hasNoAnswer = isBroken || fault?.kind === 'hang';
    const reply = fault === undefined || fault.kind === 'lose-answer' ? work() : faultReply(fault);
    slack.inspector.traffic({
      at,
      direction: 'from bot',
      what: method,
      milliseconds: performance.now() - started,
      status: hasNoAnswer ? 0 : reply.status,
      request,
      response: fault?.kind === 'lose-answer' ? { lost: reply.body } : reply.body,
    });
    if (isBroken) c.env.outgoing.destroy();
    // A call that hangs stays open until the caller gives up or the playground closes.
    if (hasNoAnswer) return RESPONSE_ALREADY_SENT;
    const { status, body, headers } = reply;
    return typeof body === 'string'
      ? new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } })
      : Response.json(body, { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers } });
  }

  /** Turns a refusal into Slack's answer, and a fault of the bot into a violation. */
  function refused(error: unknown, what: string, status: number): Reply {
    if (!(error instanceof SlackError)) throw error;
    if (error.source === 'bot' && faultsOfTheBot.has(error.code)) slack.inspector.refusal(what, error);
    return { status, body: { ok: false, error: error.code, ...error.details } };
  }

  app.on(['GET', 'POST'], '/api/:method', async c => {
    const method = c.req.param('method');
    const { token, ...args } = await argumentsOf(c);
    const authorization = c.req.header('authorization') ?? '';
    const given = authorization.replace(/^Bearer /i, '') || stringOf(token);
    const basic = /^Basic (.*)/i.exec(authorization)?.[1] ?? '';
    return observed(c, method, readable(args), () => {
      try {
        if (method === 'oauth.v2.access')
          return { status: 200, body: { ok: true, ...oauthAccess(slack, args, basic) } };
        return { status: 200, body: { ok: true, ...call(method, given, args) } };
      } catch (error) {
        return refused(error, method, 200);
      }
    });
  });

  app.post('/upload/v1/:ticket', async c => {
    // Read before anything is answered; what is wrong with it is told as the rest is.
    const bytes = await uploadedBytes(c.req.raw).catch((error: unknown) => ({ error }));
    const request = 'error' in bytes ? {} : { length: bytes.length };
    return observed(c, 'upload', request, () => {
      try {
        if ('error' in bytes) throw bytes.error;
        return { status: 200, body: `OK - ${slack.files.receive(c.req.param('ticket'), bytes).size}` };
      } catch (error) {
        return refused(error, 'upload', 400);
      }
    });
  });

  app.post('/response/:id', async c => {
    const args = await argumentsOf(c);
    return observed(c, 'response_url', args, () => {
      try {
        respond(slack, c.req.param('id'), args);
        return { status: 200, body: { ok: true } };
      } catch (error) {
        return refused(error, 'response_url', error instanceof SlackError && /_url$/.test(error.code) ? 404 : 500);
      }
    });
  });
  return app;
}

function faultReply({ kind, retryAfter = 1, word = 'internal_error' }: OrderedFault): Reply {
  if (kind === 'refuse') return { status: 200, body: { ok: false, error: word } };
  if (kind === 'rate-limit') {
    return {
      status: 429,
      body: { ok: false, error: 'ratelimited' },
      headers: { 'Retry-After': String(retryAfter) },
    };
  }
  return { status: 500, body: { ok: false, error: 'internal_error' } };
}

/** Arguments for the inspector: the JSON in form fields is shown as what it is. */
function readable(args: Json): Json {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' && /^[[{]/.test(value) ? (parsed(value) ?? value) : value,
    ]),
  );
}
