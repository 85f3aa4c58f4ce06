import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import { isTree } from '../api/reading/jsonTree.ts';
import { parseJson } from '../ground/json.ts';
import { readBody } from '../http/body.ts';
import type { SocketLines } from '../slack/connection/socketLines.ts';
import type { WholeDesk } from './wholeDesk.ts';

/** The maximum size of a request of Slack, in bytes. A form with all its fields filled in has about 10,000. */
const maxBytes = 1024 * 1024;

/**
 * The maximum time by which a request may be dated ahead of our clock, in milliseconds. Bolt itself refuses only old
 * ones.
 */
const maxAhead = 60_000;

/** A form in which a name begins like `payload`, plain or escaped. */
const mayHavePayload = /(?:^|&)(?:p|%70)/;

/**
 * The fault of a request that must not reach Bolt: Bolt would accept it, or end the process. Its signature is not
 * checked yet.
 */
function faultOf({ headers }: IncomingMessage, body: Buffer): 'future' | 'no request' | undefined {
  const signedAt = Number(headers['x-slack-request-timestamp']) * 1_000;
  if (signedAt > Date.now() + maxAhead) return 'future';
  const text = body.toString('utf8');
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  // Slack's own forms need no second reading: what begins like an object is one, or no JSON at all, and commands have none.
  if (isForm && ((text.startsWith('payload=%7B') && !text.includes('&')) || !mayHavePayload.test(text)))
    return undefined;
  const payload = isForm ? new URLSearchParams(text).get('payload') : text;
  const read = payload === null ? {} : parseJson(payload);
  return read === undefined || isTree(read) ? undefined : 'no request';
}

/** Answers a request if it is for a page of its own, and tells whether it was. */
type OwnPage = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Handles all HTTP requests: people's browsers on the pages, monitors, and Slack in HTTP mode. Any other path is
 * a 404. Until the bot `serves`, Slack gets a 503 and tries again; the bot serves once Slack has answered it.
 */
export function frontDoor(
  desk: WholeDesk,
  receiver: HTTPReceiver | SocketLines,
  pages: readonly OwnPage[],
  serves: () => boolean,
): RequestListener {
  return (request, response) => {
    if (pages.some(answers => answers(request, response))) return;
    // Bolt throws at any other path, which would end the process: anybody can ask for one.
    const isSlacks = request.method === 'POST' && request.url?.split('?')[0] === '/slack/events';
    if (!isSlacks || !(receiver instanceof HTTPReceiver)) {
      response.writeHead(404).end();
      return;
    }
    if (!serves()) {
      response.writeHead(503).end();
      return;
    }
    const work = readBody(request, maxBytes).then(body => {
      if (body === 'broken off') return;
      if (body === 'too large') {
        desk.log.warn({ from: request.socket.remoteAddress }, 'a request was too large to be Slack’s');
        response.writeHead(413).end();
        return;
      }
      const fault = faultOf(request, body);
      if (fault !== undefined) {
        desk.log.warn({ from: request.socket.remoteAddress, fault }, 'a request was not Slack’s');
        response.writeHead(fault === 'future' ? 401 : 400).end();
        return;
      }
      // Bolt takes a body that was read before, and checks its signature and age.
      receiver.requestListener(Object.assign(request, { rawBody: body }), response);
    });
    work.catch((error: unknown) => desk.log.error({ error }, 'a request of Slack could not be taken'));
  };
}
