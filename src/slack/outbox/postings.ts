import { hasEndedBadly, type KnownNews } from '../../jobs/standing.ts';
import { isSamePart, type Part, type Posting, wasPosted } from '../../store/jobs/rows/data.ts';
import type { Job, JobChange } from '../../store/jobs/rows/job.ts';
import { Overtaken } from '../../store/overtaken.ts';
import type { Addressed } from '../blocks/message.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import { isPerson } from '../desk/placeKinds.ts';
import { decidersOf } from '../messages/approval/approvalCard.ts';
import type { MessagePart } from '../messages/jobMessage.ts';
import { type Occasion, whomItRings } from '../messages/ringing.ts';
import type { DeliveryTurn } from './deliveryTurn.ts';
import { isClosed, type Message, postMessage, type Way } from './post.ts';

type ToPost = Part & Readonly<{ part: MessagePart }>;

/**
 * The current content of a part of a job's messages, and whom it rings. `person` is the one whom it goes to, of a part that
 * goes to one alone.
 */
export async function contentOf(turn: DeliveryTurn, job: Job, part: MessagePart, person?: string): Promise<Addressed> {
  return { ...(await turn.news.words(job, part, person)), rings: ringsAt(job, part, turn.standing) };
}

/** Whom a part of a job's messages rings: those who can decide, or whoever asked, at the end. */
function ringsAt(job: Job, part: MessagePart, standing: KnownNews | undefined): readonly string[] {
  if (part === 'reply') return whomItRings(occasionOfEnd(job), [job.person], standing);
  const isCall = part === 'call' || part === 'objection' || part === 'alarm' || job.state === 'awaiting';
  return isCall ? whomItRings('decision', decidersOf(job)) : [];
}

/** What the end of a job is to whoever asked. What a lease did is told by the message of that, unless it went wrong. */
function occasionOfEnd(job: Job): Occasion {
  if (job.schedule !== null) return 'trouble';
  return job.approval?.terms.lease !== undefined && !hasEndedBadly(job) ? 'line' : 'asked';
}

/** Posts a part of a job's messages `to` a channel, a person or a thread: another way where Slack refuses that for good. */
export async function postPart(
  turn: DeliveryTurn,
  job: Job,
  message: ToPost,
  to: string | Way,
): ReturnType<typeof postMessage> {
  const way = typeof to === 'string' ? await wayTo(turn, job, to) : to;
  const posted = await postMessage(turn, messageOf(turn, job, message), way);
  // The requester would wait in vain in the channel where they asked.
  const isElsewhere = message.part === 'card' && posted.place !== way.place && !posted.found;
  if (isElsewhere) void turn.responseUrls.tell(job, turn.news.detour(job, posted.refusal));
  return posted;
}

/**
 * Posts a part to each of some people alone, once. One who takes no direct message does not stop the messages to the others;
 * gives what Slack said of those.
 */
export async function postToEach(turn: DeliveryTurn, job: Job, message: ToPost, people: readonly string[]) {
  const refusals: unknown[] = [];
  for (const person of people) {
    const own = { ...message, person };
    if (wasPosted(own, job.posts)) continue;
    await postPart(turn, job, own, person).catch(error => refusals.push(unlessShut(turn, job, person)(error)));
  }
  return refusals;
}

/** Passes over that Slack takes no direct message to a person now; any other error goes on. */
export function unlessShut({ log }: DeliveryTurn, { id, tellTries }: Job, person: string): (error: unknown) => unknown {
  return error => {
    if (!isClosed(error, tellTries) && meaningOfError(error) !== 'never') throw error;
    log.warn({ job: id, person, error }, 'a person takes no direct message');
    return error;
  };
}

/** A part of a job's messages for the outbox. */
function messageOf(turn: DeliveryTurn, job: Job, message: ToPost): Message {
  const { part } = message;
  const { jobs, paces, clock } = turn;
  // A person may have made the job go on meanwhile: then its reply is not the last one.
  const isNoted = (change: JobChange) => jobs.noteMessage(job.id, change, part === 'reply' ? job.revision : undefined);
  return {
    ...{ team: job.team, about: job.id, part: message },
    lost: job.posting && isSamePart(job.posting, markedAs(job.posting, message)) ? job.posting : undefined,
    content: () => contentOf(turn, job, part, message.person),
    mustHold: turn.mustHold,
    async begins(posting) {
      if (!(await isNoted({ posting }))) throw new Overtaken();
    },
    counts(place) {
      if (turn.counted === place) turn.counted = undefined;
      else paces.posts.useSlot(place, clock.steady());
    },
    async posted({ place, ts }) {
      if (part === 'card') await isNoted({ posting: null, place, messageTs: ts });
      else if (part === 'reply') await isNoted({ posting: null, replyTs: ts });
      else if (part === 'approval') await isNoted({ posting: null, cardPlace: place, cardTs: ts });
      else await jobs.notePost(job.id, message, { place, ts });
    },
    otherWay: (way, error) => otherWay(turn, job, part, { way, error }),
  };
}

/**
 * A reply that began to be posted is that of this end, whatever its marks say: a job that goes on keeps no post of one. 0.2.0
 * did not mark the end.
 */
function markedAs({ end }: Posting, message: ToPost): Part {
  return message.part === 'reply' ? { ...message, end } : message;
}

/** The way to a channel or a person. A job that was asked for in a thread has its message there. */
async function wayTo(turn: DeliveryTurn, job: Job, to: string): Promise<Way> {
  const place = isPerson(to) ? await directPlace(turn, { team: job.team, person: to }) : to;
  return { place, threadTs: place === job.channel ? (job.thread ?? undefined) : undefined };
}

/** Another way for a message that Slack refused; `undefined` if there is none, or the same way is to be tried again. */
async function otherWay(
  turn: DeliveryTurn,
  job: Job,
  part: MessagePart,
  { way, error }: Readonly<{ way: Way; error: unknown }>,
): Promise<Way | undefined> {
  // The thread's first message was deleted, or takes no replies.
  if (meaningOfError(error) === 'never' && way.threadTs !== undefined) {
    const hasCard = way.threadTs === job.thread && job.messageTs !== null;
    return { ...way, threadTs: hasCard ? job.messageTs : undefined };
  }
  if (!(part === 'card' || part === 'reply') || !isClosed(error, job.tellTries)) return undefined;
  // The person gets a direct message if Dolly may not write in the channel.
  const { place } = await wayTo(turn, job, job.person);
  return place === way.place ? undefined : { place, threadTs: undefined };
}
