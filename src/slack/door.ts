import type { RequestListener } from 'node:http';
import { HTTPReceiver, type SocketModeReceiver } from '@slack/bolt';
import { readBody } from './body.ts';
import type { Desk } from './desk.ts';
import type { healthPages } from './health.ts';
import { signInPage } from './page.ts';

/** The largest request of Slack that is read, in bytes: a form with everything in it has some ten thousand. */
const mostBytes = 1024 * 1024;

/**
 * Whoever comes by HTTP: people's browsers to the sign-in page, what watches over the process, and Slack in HTTP mode.
 * All else is not there.
 */
export function frontDoor(
  desk: Desk,
  receiver: HTTPReceiver | SocketModeReceiver,
  onHealth: ReturnType<typeof healthPages>,
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
    const work = readBody(request, mostBytes).then(body => {
      if (body === 'broken off') return;
      if (body === 'too large') {
        desk.log.warn({ from: request.socket.remoteAddress }, 'a request was too large to be Slack’s');
        response.writeHead(413).end();
        return;
      }
      // Bolt takes a body that was read before, and checks its signature and age.
      receiver.requestListener(Object.assign(request, { rawBody: body }), response);
    });
    work.catch((error: unknown) => desk.log.error({ error }, 'a request of Slack could not be taken'));
  };
}
