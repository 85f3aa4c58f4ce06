import type { Json } from '../../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { signingSecret, type World } from '../world.ts';

/** All that Dolly wrote in a channel, for everybody or for one person, oldest first. */
export function said({ playground: { slack } }: World, channel: string): readonly StoredMessage[] {
  return slack.messages(channel).filter(({ user }) => user === slack.workspace.app.botUser);
}

/** Waits until a job's message says that it is confirmed, and its end is told in a thread. */
export async function endsIn(earth: World, card: Pick<Message, 'channel' | 'ts'>, threadTs: string): Promise<void> {
  await earth.until(() => earth.text(card).includes('Confirmed'), `the end; the message says: ${earth.text(card)}`);
  const isEnd = ({ threadTs: at, ts }: StoredMessage) => at === threadTs && Number(ts) > Number(card.ts);
  await earth.until(() => said(earth, card.channel).some(isEnd), 'the end in the thread');
}

/** Tells the bot of an event as Slack does, signed; `change` replaces parts of the envelope. Gives the HTTP status. */
export async function tells(earth: World, event: Json, change: Json = {}, to = earth.dolly()): Promise<number> {
  const { team, app } = earth.playground.slack.workspace;
  const body = JSON.stringify({
    token: 'unused',
    team_id: team.id,
    api_app_id: app.id,
    type: 'event_callback',
    event_id: 'Ev0TALKING1',
    event_time: Math.floor(earth.clock.now() / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: app.botUser, is_bot: true, is_enterprise_install: false },
    ],
    event,
    ...change,
  });
  const headers = signatureHeaders(signingSecret, Math.floor(Date.now() / 1_000), body);
  const answer = await fetch(`${to.url}/slack/events`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return answer.status;
}
