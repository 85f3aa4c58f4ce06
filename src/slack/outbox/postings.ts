import { inRow } from '../../ground/wording.ts';
import { heldClonesOf } from '../../jobs/approval/people/holder.ts';
import { whoCanNow } from '../../jobs/approval/people/whoCanNow.ts';
import { allJobsOf } from '../../jobs/plans/turn.ts';
import { hasEndedBadly, type KnownNews } from '../../jobs/standing.ts';
import { isSamePart, type Part, type Posting, wasPosted } from '../../store/jobs/rows/data.ts';
import { isPlan, type Job, type JobChange, type JobIn } from '../../store/jobs/rows/job.ts';
import { Overtaken } from '../../store/overtaken.ts';
import { type Addressed, type Content, said } from '../blocks/message.ts';
import { bold } from '../blocks/mrkdwn.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import { callOfHolder, decidersOf } from '../messages/approval/approvalCard.ts';
import { holderEnding, holderMessage } from '../messages/approval/holderMessages.ts';
import { jobMessage, type MessagePart } from '../messages/jobMessage.ts';
import { describeJob } from '../messages/jobWords.ts';
import { planMessage } from '../messages/planMessage.ts';
import { type Occasion, whomItRings } from '../messages/ringing.ts';
import { outlookMessage } from '../messages/whoDecides.ts';
import { closedPlace } from './closedPlaceWords.ts';
import type { DeliveryTurn, Office } from './deliveryTurn.ts';
import { otherWay, wayTo } from './otherWay.ts';
import { isClosed, type Message, postMessage, type Way } from './post.ts';

type ToPost = Part & Readonly<{ part: MessagePart }>;

/**
 * The current content of a part of a job's messages, and whom it rings. `person` is the one whom it goes to, of a part that
 * goes to one alone.
 */
export async function contentOf(turn: DeliveryTurn, job: Job, part: MessagePart, person?: string): Promise<Addressed> {
  return { ...(await wordsOfPart(turn, job, part, person)), rings: ringsAt(job, part, turn.standing) };
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

async function wordsOfPart(office: Office, job: Job, part: MessagePart, person = job.person): Promise<Content> {
  const { jobs, policy, people, names, house } = office;
  if (part === 'outlook') {
    mustAwait(job);
    return outlookMessage(job, await whoCanNow(office, job));
  }
  const asker = bold((await people.nameOf(job)) ?? job.person, 80);
  const view = { hasGlass: policy.emergency.length > 0, asker, names, offers: house.offers };
  if ((part === 'call' || part === 'objection') && job.state === 'awaiting') {
    const { calls } = await whoCanNow(office, job);
    const { approval } = job;
    const called = { ...job, approval: { ...approval, terms: { ...approval.terms, approvers: [...calls] } } };
    return part === 'call' ? jobMessage(called, part, view) : callOfHolder(called, await objectors(office, job));
  }
  if (part === 'objection') throw new Overtaken();
  if (part === 'holder' || part === 'holder:end') {
    const held = await heldClonesOf(office, job, await jobsOfPlan({ jobs }, job));
    const own = held.filter(one => one.person === person);
    return part === 'holder' ? holderMessage(job, own, asker) : holderEnding(job, own, asker);
  }
  if (!isPlan(job) || !(part === 'card' || part === 'approval' || part === 'reply')) return jobMessage(job, part, view);
  return planMessage({ plan: job, jobs: await jobsOfPlan({ jobs }, job) }, part, view);
}

/** The jobs of a plan; none of any other job, and none where another release wrote one of them. */
export async function jobsOfPlan(parts: Pick<Office, 'jobs'>, job: Job): Promise<readonly Job[]> {
  return isPlan(job) ? ((await allJobsOf(parts, job.id)) ?? []) : [];
}

/** The names of those who hold what a request deletes and object, without mentions: their own word rings nobody of them. */
async function objectors({ people }: Office, { team, approval }: Job): Promise<string> {
  const all = approval?.terms.objections ?? [];
  const names = await Promise.all(
    all.map(async ({ person }) => bold((await people.nameOf({ team, person })) ?? person, 80)),
  );
  return inRow(names, names.length);
}

/** @throws {Overtaken} where the request waits no more: it has changed while its message was made */
function mustAwait(job: Job): asserts job is JobIn<'awaiting'> {
  if (job.state !== 'awaiting') throw new Overtaken();
}

/** Posts a part of a job's messages `to` a channel, a person or a thread: another way where Slack refuses that for good. */
export async function postPart(
  turn: DeliveryTurn,
  job: Job,
  message: ToPost,
  to: string | Way,
): ReturnType<typeof postMessage> {
  const way = typeof to === 'string' ? await wayTo(turn, job, to) : to;
  let refusal: unknown;
  const told = messageOf(turn, job, message);
  const heard: Message = {
    ...told,
    otherWay(from, error) {
      refusal = error;
      return told.otherWay(from, error);
    },
  };
  const posted = await postMessage(turn, heard, way);
  // The requester would wait in vain in the channel where they asked.
  const isElsewhere = message.part === 'card' && posted.place !== way.place && !posted.found;
  if (isElsewhere) void turn.responseUrls.tell(job, wentElsewhere(job, refusal));
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

function wentElsewhere(job: Job, refusal: unknown): Content {
  const { is, mend } = closedPlace(refusal);
  return said(`${is}, so I sent you the message of *${describeJob(job).title}* directly. ${mend}`);
}
