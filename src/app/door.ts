import type { IncomingMessage, RequestListener } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import { isTree, parseJson } from '../api/reading/jsonTree.ts';
import { readBody } from '../http/body.ts';
import type { healthPages } from '../http/health.ts';
import type { SocketLines } from '../slack/connection/socketLines.ts';
import type { Desk } from '../slack/desk/desk.ts';
import { signInPage } from '../slack/signIn/signInPage.ts';

/** The largest request of Slack that is read, in bytes: a form with everything in it has some ten thousand. */
const mostBytes = 1024 * 1024;

/** How far the clock of Slack may be ahead of ours, in milliseconds. Bolt itself refuses what is old only. */
const mostAhead = 60_000;

/** What is wrong with a request before its signature is looked at: Bolt would take it, or end the process. */
function faultOf({ headers }: IncomingMessage, body: Buffer): 'future' | 'no request' | undefined {
  const signedAt = Number(headers['x-slack-request-timestamp']) * 1_000;
  if (signedAt > Date.now() + mostAhead) return 'future';
  const text = body.toString('utf8');
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const payload = isForm ? new URLSearchParams(text).get('payload') : text;
  const read = payload === null ? {} : parseJson(payload);
  return read === undefined || isTree(read) ? undefined : 'no request';
}

/**
 * Whoever comes by HTTP: people's browsers to the sign-in page, what watches over the process, and Slack in HTTP mode.
 * All else is not there. Slack is told to come again until the bot `serves`, which it does when Slack has answered it.
 */
export function frontDoor(
  desk: Desk,
  receiver: HTTPReceiver | SocketLines,
  onHealth: ReturnType<typeof healthPages>,
  serves: () => boolean,
): RequestListener {
  const onPage = signInPage(desk);
  return (request, response) => {
    if (onHealth(request, response) || onPage(request, response)) return;
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
    const work = readBody(request, mostBytes).then(body => {
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
