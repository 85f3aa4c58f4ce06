import { parseJson } from '../../ground/json.ts';
import { type Loop, lockTime } from '../../ground/loop.ts';
import { allApprovers } from '../../jobs/approval/policy/rules.ts';
import type { Judge } from '../../jobs/parts.ts';
import { workOnQueue } from '../../jobs/workOnQueue.ts';
import type { Due, DueQueue } from '../../store/dueQueue.ts';
import type { Place, Posting } from '../../store/jobs/rows/data.ts';
import { holdOn, Overtaken } from '../../store/overtaken.ts';
import type { Notice } from '../../store/tables/outbox.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import type { Addressed, Words } from '../blocks/message.ts';
import { pauseAfter } from '../connection/retryAfter.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { isDirect } from '../desk/placeKinds.ts';
import { threadOfJob } from './bringUpToDate.ts';
import { closedPlace } from './closedPlaceWords.ts';
import { restTime } from './delivery.ts';
import { doubleKind, removeDoubles } from './doubles.ts';
import { endedKind, gatherEnded, gathersFor, isGathered } from './endedUnheard.ts';
import { giveUp } from './giveUp.ts';
import { findLostPost } from './lostPost.ts';
import { change, isClosed, isInVain, type Message, type Poster, postMessage, type Way } from './post.ts';

/** The parts of the desk that notices need. */
type Office = Poster & Judge & Desk<'jobs' | 'isUninstalled' | 'meter' | 'audit'>;

/** The pause of a message that waits for room, or for the message that it replies to, in milliseconds. */
const shortRest = 1_000;
/** Max people who are tried in place of a channel. */
const maxStandIns = 10;

/**
 * Tells the notices of the outbox in the words of their kinds: posts each once, and changes it in place when its outcome
 * is known. The store records each delivery, and a failed one is tried again until Slack takes it. Of the kinds
 * `latestAlone`, a later message replaces those that were not posted.
 */
export function tellNotices(
  office: Office,
  words: Readonly<Record<string, Words>>,
  latestAlone: readonly string[] = [],
): Loop {
  const { outbox, log } = office;
  const queue = outbox.queue(notice => log.warn({ notice }, 'a message of another release is left to that release'));
  return workOnQueue(office, {
    name: 'outbox',
    queue,
    ...{ maxAtOnce: 20, groupsAtOnce: 20 },
    groupOf: ({ id }) => id,
    shared: () => undefined,
    async step({ due, row: notice, now }) {
      if (notice.kind === doubleKind) {
        const rest = await removeDoubles(office, notice, now);
        await (rest === undefined ? outbox.told(due, notice.revision, now) : queue.rest(due, rest, { now }));
        return;
      }
      const content = words[notice.kind]?.(parseJson(notice.data), notice.outcome, notice.id);
      // Another release knows its words.
      await (content
        ? tellNotice({ ...office, latestAlone, queue, due, notice, content })
        : queue.rest(due, now + lockTime, { now }));
    },
    pauseAfter,
  });
}

type NoticeTurn = Office &
  Readonly<{ latestAlone: readonly string[]; queue: DueQueue<Notice>; notice: Notice; due: Due; content: Addressed }>;

async function tellNotice(turn: NoticeTurn): Promise<void> {
  const { outbox, queue, clock, notice, due } = turn;
  const rest = async (dueAt: number) => queue.rest(due, dueAt, { now: clock.now() });
  // Only what this turn has read counts as told: the row may have changed meanwhile.
  const isTold = () => outbox.told(due, notice.revision, clock.now());
  try {
    const { place, ts } = notice;
    const waits = place === null || ts === null ? await postNotice(turn) : await changeNotice(turn, { place, ts });
    await (waits === undefined ? isTold() : rest(clock.now() + waits));
  } catch (error) {
    // Whoever has it now tells it.
    if (error instanceof Overtaken) return;
    if (meaningOfError(error) === 'uninstalled') return rest(clock.now() + restTime);
    const age = { since: notice.createdAt, tries: due.tries, now: clock.now() };
    if (isAwaited(notice) || !isInVain(error, age)) throw error;
    await giveUp(turn, notice, error);
    await isTold();
  }
}

/** Whether a deletion may wait until a message has reached its person: then every refusal may end. */
function isAwaited({ kind, person, outcome }: Notice): boolean {
  return kind === 'lease' && person !== null && outcome === null;
}

/** The pause, in milliseconds, for which a message waits; `undefined` where it is told. */
type Waits = number | undefined;

async function postNotice(turn: NoticeTurn): Promise<Waits> {
  const { paces, clock, outbox, notice, content } = turn;
  const gathersUntil = notice.createdAt + gathersFor;
  if (notice.kind === endedKind && clock.now() < gathersUntil) return gathersUntil - clock.now();
  const replaced = turn.latestAlone.includes(notice.kind) ? await outbox.succession(notice) : undefined;
  // It is over before anybody heard of it, or a later one says more.
  if ((notice.outcome !== null || replaced?.hasLater) && !(await standsUnnoticed(turn))) {
    if (isGathered(notice)) await gatherEnded(turn, notice, content);
    return undefined;
  }
  const way = await wayOf(turn, notice);
  // Its job is gone, or never had a message: the person has the same news under Messages.
  if (way === undefined || typeof way === 'number') return way;
  const note = replaced?.unposted ? { note: replacedNote(replaced.unposted) } : {};
  if (!notice.posting && !paces.posts.isFree(way.place, clock.steady())) return shortRest;
  const { place, ts, found } = await postMessage(turn, messageOf(turn), { ...way, ...note });
  return found ? changeNotice(turn, { place, ts }) : undefined;
}

/** Whether a message was posted whose answer got lost. */
async function standsUnnoticed({ slack, notice: { id, team, posting } }: NoticeTurn): Promise<boolean> {
  return posting !== undefined && (await findLostPost(slack.of(team), { ...posting, job: id })) !== undefined;
}

function replacedNote(many: number): string {
  const those = many === 1 ? 'The one before it' : `The ${many} before it`;
  return `${those} could not be posted here, and this one replaces ${many === 1 ? 'it' : 'them'}.`;
}

/** A notice for the outbox. */
function messageOf(turn: NoticeTurn): Message {
  const { outbox, paces, clock, notice, due, content } = turn;
  const { id, team, posting } = notice;
  const held = holdOnNotice(turn);
  let people: string[] | undefined;
  return {
    ...{ team, about: id, part: { part: 'notice' }, lost: posting, mustHold: held.mustHold },
    content: () => Promise.resolve(content),
    begins: held.renew,
    counts: place => paces.posts.useSlot(place, clock.steady()),
    posted: ({ place, ts }) => outbox.posted(due, { place, ts, arrivedAt: clock.now() }),
    async otherWay(way, error) {
      // The thread's first message was deleted, or takes no replies.
      if (meaningOfError(error) === 'never' && way.threadTs !== undefined) return { ...way, threadTs: undefined };
      const isShut = isClosed(error, due.tries) || (isDirect(way.place) && meaningOfError(error) === 'never');
      if (!isShut) return undefined;
      people ??= await standIns(turn, notice);
      for (let person = people.shift(); person !== undefined; person = people.shift()) {
        const place = await directPlace(turn, { team, person }).catch(unlessShut);
        if (place === undefined || place === way.place) continue;
        const { is, mend } = closedPlace(error);
        const note = way.note ?? `It is for ${mentionOf(way.place)}. ${is}. ${mend}`;
        return { place, threadTs: undefined, note };
      }
      return undefined;
    },
  };
}

/**
 * The people who get what a channel does not take: the one beside it, else those who approve, one of whom can be reached.
 * What is for a person alone is for nobody else.
 */
async function standIns({ people, policy }: NoticeTurn, { team, person, channel }: Notice): Promise<string[]> {
  if (person !== null || channel === null) return person === null ? [] : [person];
  return [...(await people.membersOf(team, allApprovers(policy)))].slice(0, maxStandIns);
}

/** Gives nothing where Slack opens no direct messages with a person. @throws what is no refusal of that */
function unlessShut(error: unknown): undefined {
  if (meaningOfError(error) !== 'never' && meaningOfError(error) !== 'elsewhere') throw error;
}

/** The hold on a message. An intent to post is written along with it. */
function holdOnNotice({ outbox, clock, due }: NoticeTurn) {
  return holdOn<Posting | null>(clock, (until, posting) => outbox.keep(due, until, posting));
}

/**
 * The way of a notice; `undefined` where its thread has no message. A reply waits for the message that it replies to.
 * One to a channel that takes nothing goes to the person beside it.
 */
async function wayOf(turn: NoticeTurn, { team, person, channel, job, thread }: Notice): Promise<Way | Waits> {
  const stands = thread === null ? undefined : await turn.outbox.threadOf(thread);
  if (channel !== null) return { place: channel, threadTs: stands?.place === channel ? stands.ts : undefined };
  if (person !== null) return { place: await directPlace(turn, { team, person }), threadTs: undefined };
  if (thread !== null) {
    if (stands) return { place: stands.place, threadTs: stands.ts };
    const head = await turn.outbox.find(thread);
    return head && head.tellAt !== null ? shortRest : undefined;
  }
  const found = job === null ? undefined : await turn.jobs.find(job);
  if (!found || found.state === 'unreadable' || found.place === null || found.messageTs === null) return undefined;
  return { place: found.place, threadTs: threadOfJob(found) ?? found.messageTs };
}

async function changeNotice(turn: NoticeTurn, at: Place): Promise<Waits> {
  const { clock, paces, notice, due, content } = turn;
  if (!paces.updates.isFree(notice.team, clock.steady())) return shortRest;
  paces.updates.useSlot(notice.team, clock.steady());
  const { mustHold } = holdOnNotice(turn);
  const changed = await change(turn, { team: notice.team, mustHold }, { at, content, tries: due.tries });
  // Somebody deleted the message, or its channel takes nothing any more: then nothing more is to be told there.
  return typeof changed === 'string' ? undefined : changed.pause;
}
