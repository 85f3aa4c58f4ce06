import type { BlockAction, RespondArguments, RespondFn } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { within } from '../../ground/within.ts';
import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/message.ts';
import { insist } from '../connection/insist.ts';
import { meaningOfError, Refused } from '../connection/slackErrors.ts';
import { contentView, writePlace } from './contentView.ts';
import type { Desk, Sender, Voice } from './desk.ts';
import type { Interaction, Speaker, Tell } from './interaction.ts';
import { isDirect, isPerson } from './placeKinds.ts';
import { sendContent } from './sendContent.ts';
import { threadAt } from './thread.ts';
import { openView } from './views.ts';
import { placeOf, whoIn } from './who.ts';

/** Where a click was made, and the way to its response URL. A click in Home has no channel. */
type Click = Readonly<{
  body: Pick<BlockAction, 'channel' | 'container' | 'user' | 'team' | 'trigger_id' | 'view'>;
  respond: RespondFn;
}>;

/**
 * Tries of the three ways to answer, in order: response URL, ephemeral message, direct message. The last way lasts as
 * long as Slack may be away. Pauses in milliseconds.
 */
const patience = { response: { tries: 3, longest: 5_000 }, ephemeral: { tries: 3, longest: 5_000 } } as const;
const lastPatience = { tries: 15, longest: 120_000 } as const;
/** Max time that a response URL may take to answer, in milliseconds. */
const longestSilence = 10_000;

/** Answers a command, so that the person alone sees it. */
export function answerCommand(desk: Voice, speaker: Speaker, respond: RespondFn, content: Content): Promise<void> {
  return answer(desk, { ...speaker, respond }, content, { ...ephemeral, replace_original: false });
}

/**
 * Answers a click so that only the person sees it: beside the clicked message, or in its place. A click in Home brings
 * no response URL, so its answer is a direct message. A click inside a form is answered on top of the form, and one in a
 * thread is answered there. `thread` is the one in which the request goes on.
 */
export async function answerClick(
  desk: Voice,
  { body, respond }: Click,
  content: Content,
  how: Readonly<{ replaces?: boolean; thread?: string | undefined }> = {},
): Promise<void> {
  const owner = whoIn(body);
  if (body.view?.type === 'modal') {
    const at = { ...owner, channel: placeOf(body), thread: how.thread, trigger: body.trigger_id, isInForm: true };
    return tellInModal(desk, at, content, told => whisper(desk, at, told));
  }
  if (!body.channel) return tellDirectly(desk, owner, content);
  const speaker = { ...owner, channel: body.channel.id, thread: how.thread };
  const thread = threadAt(body);
  // A response URL shows what is for one person only outside of threads (github.com/slackapi/bolt-js/issues/963).
  if (thread !== undefined && !how.replaces) {
    if (how.thread !== undefined) return whisper(desk, speaker, content);
    const shown = showAlone(desk, { ...speaker, thread }, content).then(() => true);
    if (await shown.catch(() => false)) return;
  }
  const kind = how.replaces ? { replace_original: true } : { ...ephemeral, replace_original: false };
  await answer(desk, { ...speaker, respond }, content, kind);
}

/** Shows content in a modal; where that cannot be, since the trigger is over or three modals are open, by `tell`. */
export async function tellInModal(
  desk: Voice,
  at: Speaker & Pick<Interaction, 'trigger' | 'isInForm'>,
  content: Content,
  tell: Tell,
): Promise<void> {
  const view = contentView({ title: 'Dolly', metadata: writePlace(at) }, content);
  try {
    await openView(desk, at, view);
  } catch (error) {
    desk.log.info({ error, person: at.person }, 'no modal could be opened: the answer goes another way');
    await tell(content);
  }
}

/** Answers by the response URL; if that fails, by an ephemeral message in the channel, and last by a direct message. */
async function answer(
  desk: Voice,
  { respond, ...speaker }: Speaker & Pick<Click, 'respond'>,
  content: Content,
  kind: RespondArguments,
): Promise<void> {
  const once = async () => {
    const sent = respondWith(desk, speaker.team, respond, content, kind).then(() => true);
    if (!(await within(desk.clock, longestSilence, sent))) throw new Error('the response URL did not take the answer');
  };
  try {
    await insist(desk.clock, patience.response, once);
  } catch (error) {
    desk.log.info({ error }, 'a response URL takes no answer: it goes another way');
    await whisper(desk, speaker, content);
  }
}

/** Answers by a response URL, once. */
export function respondWith(desk: Sender, team: string, respond: RespondFn, content: Content, kind: RespondArguments) {
  return sendContent(desk, team, content, async body => {
    const response = await respond({ ...body, ...kind });
    const text = await response.text();
    // It is `ok`, as a rule. Some of Slack's refusals come with HTTP 200.
    const refusal = text.startsWith('{') ? Refusal.safeParse(parseJson(text)).data : undefined;
    if (refusal) throw new Refused(refusal.error);
  });
}
const Refusal = z.object({ ok: z.literal(false), error: z.string().default('no word') });

export const ephemeral = { response_type: 'ephemeral' } as const;

/**
 * Tells one person where they asked, in the thread if they asked in one: by an ephemeral message in a channel, by an
 * ordinary one in their direct messages. Where that fails, it goes outside of the thread, and last to their direct
 * messages.
 */
export async function whisper(desk: Voice, speaker: Speaker, content: Content): Promise<void> {
  const { team, person, channel, thread } = speaker;
  if (isPerson(channel)) return tellDirectly(desk, speaker, content);
  try {
    await showAlone(desk, speaker, content, isDirect(channel));
  } catch (error) {
    // The first message of the thread was deleted, or takes no replies.
    if (thread !== undefined && meaningOfError(error) === 'never')
      return whisper(desk, { team, person, channel }, content);
    desk.log.info({ error }, 'told somebody by direct message instead');
    await tellDirectly(desk, speaker, content);
  }
}

/** Shows a person something where they asked, for their eyes alone: by an ephemeral message, among their `direct` ones by an ordinary one. */
async function showAlone(
  desk: Voice,
  { team, person: user, channel, thread }: Speaker,
  content: Content,
  direct = false,
) {
  const { chat } = desk.slack.of(team);
  const at = { channel, ...(thread === undefined ? {} : { thread_ts: thread }) };
  await insist(desk.clock, patience.ephemeral, () =>
    sendContent(desk, team, content, body =>
      direct ? chat.postMessage({ ...at, ...body, ...quiet }) : chat.postEphemeral({ ...at, user, ...body }),
    ),
  );
}

/** A message of Dolly needs no previews of the addresses in it. */
const quiet = { unfurl_links: false, unfurl_media: false } as const;

/** Tells a person by a direct message. */
export async function tellDirectly(desk: Voice, owner: Owner, content: Content): Promise<void> {
  const { team } = owner;
  await insist(desk.clock, lastPatience, async () => {
    const channel = await directPlace(desk, owner);
    await sendContent(desk, team, content, body =>
      desk.slack.of(team).chat.postMessage({ channel, ...body, ...quiet }),
    );
  });
}

/**
 * The id of the direct messages with a person. Messages there can be read and updated by it, but not by the person's
 * id.
 */
export async function directPlace(desk: Desk<'slack'>, { team, person }: Owner): Promise<string> {
  const slack = desk.slack.of(team);
  const known = openedBy(slack);
  const before = known.get(person);
  if (before !== undefined) return before;
  const { channel } = await slack.conversations.open({ users: person });
  if (channel?.id === undefined) throw new Error('conversations.open gave no channel');
  known.set(person, channel.id);
  return channel.id;
}

/** The ids of opened direct messages. They stay the same, and Slack opens no more than 50 a minute. */
const openedBy = memoByObject((_: WebClient) => new Map<string, string>());
