import { ageOf, thisMoment } from '../../ground/clock.ts';
import { day } from '../../ground/durations.ts';
import { lockTime } from '../../ground/loop.ts';
import type { Pause } from '../../store/drivers/replicas.ts';
import type { Part, Place, Posting } from '../../store/jobs/rows/data.ts';
import { Overtaken } from '../../store/overtaken.ts';
import { context } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { mentionedIn, namedInstead } from '../blocks/mentionPeople.ts';
import type { Addressed, Content } from '../blocks/message.ts';
import { bold, code } from '../blocks/mrkdwn.ts';
import { isLimited, pauseAfter } from '../connection/retryAfter.ts';
import { meaningOfError, platformError } from '../connection/slackErrors.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { isDirect } from '../desk/placeKinds.ts';
import { type Body, sendContent } from '../desk/sendContent.ts';
import { lookForDouble } from './doubles.ts';
import { findLostPost, marked } from './lostPost.ts';
import { ringAlone } from './ringAlone.ts';
import type { Paces } from './slackRates.ts';

/*
 * How everything is told that must be told. There are two sources, jobs and notices. Each says where its message goes and
 * keeps what became of it; what is common stands here: the intent is stored first, a post whose answer was lost is looked
 * for, Slack's pauses are kept by all processes, and a place that takes nothing is left for another one.
 */

/** What telling needs: Slack, and its rate limits, which all that is told shares. Posts by channel, changes by team. */
export type Poster = Voice & Desk<'replicas' | 'outbox' | 'people'> & Readonly<{ paces: Paces }>;

/** A place and a thread for a message; `note` says why it does not go to the place that it is for. */
export type Way = Readonly<{ place: string; threadTs: string | undefined; note?: string }>;

/** A message of either source. */
export type Message = Readonly<{
  team: string;
  /** What its post is found by in the channel: what it is about, and which part of that. */
  about: string;
  part: Part;
  /** Its post that began before and whose answer may be lost. */
  lost: Posting | undefined;
  content(): Promise<Addressed>;
  /** Stores that a post begins, or that Slack refused it. @throws {Overtaken} where another process has the message */
  begins(posting: Posting | null): Promise<unknown>;
  /** Is asked when the words leave: after a pause another process may be telling them. @throws {Overtaken} */
  mustHold(): Promise<unknown>;
  /** Counts a post against the limit of its channel. */
  counts(place: string): void;
  /** Keeps where the message stands. */
  posted(at: Place): Promise<unknown>;
  /** The way after one that Slack refused; `undefined` where there is none, or the same is to be tried again. */
  otherWay(way: Way, error: unknown): Promise<Way | undefined>;
}>;

/**
 * Posts a message, and gives its place. The intent is stored first: if the answer is lost, the next try looks for the
 * post in the channel before it posts again (chat.postMessage has no idempotency key). `found` says that it did: the
 * message then stands there as it was. If Slack refuses one way for good, another one is tried; `refusal` is what it said.
 */
export async function postMessage(
  poster: Poster,
  message: Message,
  first: Way,
): Promise<Place & Readonly<{ found: boolean; refusal?: unknown }>> {
  const { team, about, part, lost } = message;
  const stands = async (at: Place, { text }: Content, alone: readonly string[]) => {
    await ringAlone(poster, { team, about, part, at, text, people: isDirect(at.place) ? [] : alone });
    return keep(message, at);
  };
  if (lost) {
    const ts = await findLostPost(poster.slack.of(team), { ...lost, job: about });
    await lookForDouble(poster, message, lost);
    if (ts !== undefined) {
      const at = { place: lost.place, ts };
      const content = await message.content().catch(unlessOver);
      const alone = content ? await poster.outbox.wantAlone(team, content.rings) : [];
      return { ...(await (content ? stands(at, content, alone) : keep(message, at))), found: true };
    }
  }
  const content = await message.content();
  const alone = await poster.outbox.wantAlone(team, content.rings);
  const called = { ...content, rings: content.rings.filter(person => !alone.includes(person)) };
  let refusal: unknown;
  for (let way = first; ; ) {
    const named = isDirect(way.place) ? content : await namingOthers(poster, team, called);
    try {
      const at = await send(poster, message, way, noted(named, way));
      return { ...(await stands(at, content, alone)), found: false, refusal };
    } catch (error) {
      const other = await message.otherWay(way, error);
      if (!other) throw error;
      poster.log.info({ about, part, error }, 'a message goes another way');
      [way, refusal] = [other, error];
    }
  }
}

/** Gives nothing of what has changed while it was posted, so that nobody is to be rung for it now. @throws anything else */
function unlessOver(error: unknown): undefined {
  if (!(error instanceof Overtaken)) throw error;
}

/**
 * Names those of whom a message speaks in a channel, and whom it does not ring: a mention would. Of whom Slack tells no name,
 * the id stands.
 */
async function namingOthers(
  { people }: Desk<'people'>,
  team: string,
  { rings, ...content }: Addressed,
): Promise<Content> {
  const others = mentionedIn(JSON.stringify(content)).filter(person => !rings.includes(person));
  if (others.length === 0) return content;
  const named = others.map(async id => {
    const name = await people.nameOf({ team, person: id });
    return [id, name === undefined ? code(id, 40) : bold(name, 80)] as const;
  });
  return withTexts(content, new Map(await Promise.all(named)));
}

/** The same message with names in place of mentions, in each of its texts. */
function withTexts(content: Content, names: ReadonlyMap<string, string>): Content {
  const fresh = structuredClone(content);
  const rename = (tree: object) => {
    for (const [key, value] of Object.entries(tree))
      if (typeof value === 'string') Reflect.set(tree, key, namedInstead(value, names));
      else if (typeof value === 'object' && value !== null) rename(value);
  };
  rename(fresh);
  return fresh;
}

/** A message with the note of its way, as far as Slack takes both. */
function noted(content: Content, { note }: Way): Content {
  if (note === undefined) return content;
  const withNote = (blocks: Content['blocks']) => [...blocks.slice(0, limits.messageBlocks - 1), context(note)];
  const { text, blocks, plain } = content;
  return {
    text: cut(`${text}\n${note}`, limits.messageText),
    blocks: withNote(blocks),
    ...(plain ? { plain: withNote(plain) } : {}),
  };
}

async function keep(message: Message, at: Place): Promise<Place> {
  await message.posted(at);
  return at;
}

async function send(poster: Poster, message: Message, { place, threadTs }: Way, content: Content): Promise<Place> {
  const { team, about, part } = message;
  const [posting, thread] = [
    { ...part, place, since: poster.clock.now(), ...(threadTs === undefined ? {} : { threadTs }) },
    threadTs === undefined ? {} : { thread_ts: threadTs },
  ];
  await message.begins(posting);
  message.counts(place);
  const marks = { metadata: marked(about, part), unfurl_links: false, unfurl_media: false };
  let since = thisMoment(poster.clock);
  const sleptSince = () => ageOf(poster.clock, since) >= lockTime / 2;
  const say = async (body: Body) => {
    await message.mustHold();
    since = thisMoment(poster.clock);
    return poster.slack.of(team).chat.postMessage({ channel: place, ...body, ...thread, ...marks });
  };
  try {
    const posted = await sendContent(poster, team, content, say);
    if (posted.ts === undefined) throw new Error('chat.postMessage gave no ts');
    return { place: posted.channel ?? place, ts: posted.ts };
  } catch (error) {
    // Any change makes a message due at once; the limiter still has to honour Slack's pause for the channel.
    if (isLimited(error)) keepPause(poster, { limit: 'posts', key: place, milliseconds: pauseAfter(error, 0) });
    // Nothing stands there: the next try need not look for it.
    if (isCertain(error) && !sleptSince()) await message.begins(null);
    throw error;
  } finally {
    // Another process may have taken the message meanwhile, and told it.
    if (sleptSince()) await lookForDouble(poster, message, posting);
  }
}

/** Whether a refused post stands nowhere for sure. Slack's own trouble can come after it was taken, and so can a new word. */
export function isCertain(error: unknown): boolean {
  const meaning = meaningOfError(error);
  return isLimited(error) || (meaning !== 'again' && meaning !== 'unknown');
}

/**
 * What came of a change: it is done; the message is gone or cannot be changed any more; its whole channel is gone; or
 * Slack changes no more messages for so many milliseconds.
 */
export type Changed = 'changed' | 'message gone' | 'place gone' | Readonly<{ pause: number }>;

/** Changes a message in place. `tries` failed before it. */
export async function change(
  poster: Poster,
  { team, mustHold }: Pick<Message, 'team' | 'mustHold'>,
  { at: { place, ts }, content, tries }: Readonly<{ at: Place; content: Content; tries: number }>,
): Promise<Changed> {
  try {
    await sendContent(poster, team, content, async body => {
      await mustHold();
      return poster.slack.of(team).chat.update({ channel: place, ts, blocks: [], ...body });
    });
    return 'changed';
  } catch (error) {
    if (isLimited(error)) {
      const pause = pauseAfter(error, 0);
      poster.log.warn({ team, error, pause }, 'Slack changes no more messages for now');
      keepPause(poster, { limit: 'updates', key: team, milliseconds: pause });
      return { pause };
    }
    if (isClosed(error, tries)) return 'place gone';
    if (meaningOfError(error) === 'never') return 'message gone';
    throw error;
  }
}

/** Keeps a pause that Slack asked for, and lets the other processes keep it. */
function keepPause({ clock, replicas, paces }: Poster, pause: Pause & { limit: 'posts' | 'updates' }): void {
  paces[pause.limit].rest(pause.key, clock.steady() + pause.milliseconds);
  replicas.passOn(pause);
}

/** Max tries of a place that refuses with words that do not promise an end; then it counts as closed. */
const maxTries = 5;

/**
 * Whether a place takes no more messages: by Slack's word, or after repeated refusals. Slack's own trouble passes, and
 * its operator mends what refuses the app as a whole.
 */
export function isClosed(error: unknown, tries: number): boolean {
  const meaning = meaningOfError(error);
  if (meaning === 'elsewhere') return true;
  const mayPass = meaning === 'again' || meaning === 'operator' || meaning === 'uninstalled';
  return platformError(error) !== undefined && !mayPass && tries >= maxTries;
}

/**
 * A refusal may end: Dolly is invited, a setting is changed, an account is opened again. For so long all is tried again,
 * and so often at least, since Dolly may have slept most of that time.
 */
const patience = day;
const leastTries = 8;

/**
 * Whether nobody will take a message: neither its place nor its person does, in Slack's own words, and has not for a
 * day. What Slack as a whole refuses is never given up. `since` is when there was something to tell.
 */
export function isInVain(error: unknown, { since, tries, now }: Readonly<Record<'since' | 'tries' | 'now', number>>) {
  const meaning = meaningOfError(error);
  const isFinal = meaning !== 'again' && meaning !== 'operator' && meaning !== 'uninstalled';
  return isFinal && tries >= leastTries && now - since >= patience;
}
