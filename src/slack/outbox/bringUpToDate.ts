import { mayWaitInVain } from '../../jobs/approval/people/whoCanNow.ts';
import { operationOf } from '../../jobs/request.ts';
import { hasEndedBadly, type KnownNews } from '../../jobs/standing.ts';
import { type Place, wasPosted } from '../../store/jobs/rows/data.ts';
import type { Job, JobChange, JobIn } from '../../store/jobs/rows/job.ts';
import { isDirect } from '../desk/placeKinds.ts';
import { resultAt } from '../messages/jobMessage.ts';
import type { DeliveryTurn } from './deliveryTurn.ts';
import { type Changed, change, isClosed } from './post.ts';
import { contentOf, postPart, postToEach, unlessShut } from './postings.ts';
import { tellAlone } from './tellAlone.ts';
import { tellHolders } from './tellHolders.ts';

/** Max approvers who are called by direct message. */
const maxCalled = 10;

/** Posts a job's missing messages, and updates outdated ones. Each result is stored at once. */
export async function bringUpToDate(turn: DeliveryTurn, job: Job): Promise<JobChange> {
  if (!isForChannel(job)) return tellAlone(turn, job);
  const own = ownPlace(job);
  // Of a run that is told at its end alone, that may be known where it is told.
  const standing = own ? undefined : turn.standing;
  if (standing?.is === 'in maintenance') return {};
  const stands = own && lags(job) ? await changeCard(turn, job, 'card', own) : own;
  const told = await beside(turn, job, standing);
  const card = stands ?? (await postCard(turn, told, 'card', own ? job.person : job.channel));
  const known = { ...told, place: card.place, messageTs: card.ts };
  // What is no news there is told in one message.
  if (standing) await turn.jobs.noteMessage(job.id, { replyTs: card.ts });
  const decided = await bringApproval(turn, known);
  for (const news of announcementsOf(job, decided !== undefined)) await announce(turn, known, news, decided ?? card);
  if (job.state === 'awaiting') await tellOutlook(turn, job);
  const { place, ts: messageTs } = card;
  if (job.endedAt !== null && job.replyTs === null && !standing) {
    const isMoved = turn.isCrowded && !isDirect(place);
    const way = isMoved ? job.person : { place, threadTs: threadOfEnd(known) };
    // A job that goes on after its end has a reply for each: one must not be taken for another.
    await postPart(turn, known, { part: 'reply', end: job.revision }, way);
    // Of one that was withdrawn, a reply may follow long after its end.
    if (job.state !== 'withdrawn')
      turn.meter.took('followUp', {}, turn.clock.now() - resultAt(job, operationOf(job), job.endedAt));
  }
  // Last, so that whoever cannot be told now keeps nobody waiting.
  await tellHolders(turn, job);
  // A message that cannot be changed does not prevent the post of the next one.
  if (turn.faults.length > 0) throw turn.faults[0];
  return { place, messageTs };
}

/**
 * Whether a job's message belongs in the channel: once the service has accepted it, or may have done so, or once others
 * have to decide on it. A message that stands there already goes on. A run of a schedule belongs there in any case: its
 * owner is not there to read what is for their eyes alone.
 */
function isForChannel(job: Job): boolean {
  if (job.schedule !== null) return true;
  // A message whose answer was lost may stand there, too, and would show for ever what it showed then.
  const mayStand = job.messageTs !== null || job.posting?.part === 'card';
  return mayStand || job.approval !== undefined || (job.sentAt !== null && job.state !== 'sending');
}

/** A job whose messages stand in the thread of what is known there already. */
async function beside({ jobs }: DeliveryTurn, job: Job, standing: KnownNews | undefined): Promise<Job> {
  const thread = job.thread ?? standing?.thread ?? null;
  if (thread !== job.thread) await jobs.noteMessage(job.id, { thread });
  return { ...job, thread };
}

/** Tells whoever asked, once, that nobody can decide now, or only people who seem to be away. */
async function tellOutlook(turn: DeliveryTurn, job: JobIn<'awaiting'>): Promise<void> {
  const part = { part: 'outlook' } as const;
  if (wasPosted(part, job.posts) || !mayWaitInVain(await turn.news.deciders(job))) return;
  await postPart(turn, job, part, job.person).catch(unlessShut(turn, job, job.person));
}

/** A message to approvers beside the card: the job waits, whoever holds its target objects, or it runs without them. */
type Announcement = Readonly<{ part: 'alarm' } | { part: 'call' | 'objection'; round: number }>;

/** What the approvers are to be told by now. `hasOwn` says that the card to decide on is another one than the job's own. */
function announcementsOf({ state, approval }: Job, hasOwn: boolean): readonly Announcement[] {
  const { emergency, reminders = 0, terms } = approval ?? {};
  const objections = terms?.objections?.length ?? 0;
  const waits = state === 'awaiting';
  return [
    ...(emergency ? [{ part: 'alarm' } as const] : []),
    // A new card in the channel for approvals notifies by itself. The job's own card was posted before the wait began.
    ...(waits && (reminders > 0 || !hasOwn) ? [{ part: 'call', round: reminders } as const] : []),
    ...(waits && objections > 0 ? [{ part: 'objection', round: objections } as const] : []),
  ];
}

/**
 * Tells the approvers: in the channel of the card, or each by a direct message if only the requester sees the card or
 * the channel takes no more messages.
 */
async function announce(turn: DeliveryTurn, job: Job, news: Announcement, card: Place): Promise<void> {
  const approvers = job.approval?.terms.approvers ?? [];
  const isAlarm = news.part === 'alarm';
  if (wasPosted(news, job.posts) || (approvers.length === 0 && news.part === 'call')) return;
  if (!isDirect(card.place) || approvers.length === 0) {
    try {
      const threadTs = isAlarm ? undefined : card.ts === job.messageTs ? threadOfJob(job) : card.ts;
      await postPart(turn, job, news, { place: card.place, threadTs });
      return;
    } catch (error) {
      if (!isClosed(error, job.tellTries)) throw error;
      turn.log.warn({ job: job.id, channel: card.place, error }, 'a channel takes nothing: I write to each approver');
    }
  }
  await announceToEach(turn, job, news);
}

/**
 * Tells each approver but the requester by a direct message. One who takes none does not stop the messages to the
 * others; where nobody takes one, all are tried again.
 */
async function announceToEach(turn: DeliveryTurn, job: Job, news: Announcement): Promise<void> {
  const ids = job.state === 'awaiting' ? (await turn.news.deciders(job)).calls : (job.approval?.terms.approvers ?? []);
  const approvers = await turn.people.membersOf(job.team, ids);
  if (ids.length > 0 && approvers.length === 0)
    turn.faults.push(new Error('Slack does not tell who is in the groups of approvers'));
  const called = approvers.filter(id => id !== job.person).slice(0, maxCalled);
  const refusals = await postToEach(turn, job, news, called);
  if (refusals.length === called.length) turn.faults.push(...refusals);
}

/**
 * The card in the channel for approvals; `undefined` if the job's own message is that card. If that channel takes no
 * more messages, nobody could decide there. Then the job's own message gets the buttons, and each approver is told.
 */
async function bringApproval(turn: DeliveryTurn, job: Job): Promise<Place | undefined> {
  const { approval } = job;
  if (!approval || approval.cardPlace === null) return undefined;
  const before = approval.cardTs === null ? undefined : { place: approval.cardPlace, ts: approval.cardTs };
  if (before && !lags(job)) return before;
  try {
    const card = before
      ? await changeCard(turn, job, 'approval', before)
      : await postCard(turn, job, 'approval', approval.cardPlace);
    if (card) return card;
  } catch (error) {
    if (!isClosed(error, job.tellTries)) throw error;
    turn.log.error({ job: job.id, channel: approval.cardPlace, error }, 'I cannot post in the channel for approvals');
  }
  if (job.state === 'awaiting') await announceToEach(turn, job, { part: 'call', round: job.approval.reminders });
  await turn.jobs.noteMessage(job.id, { cardPlace: null });
  const own = ownPlace(job);
  if (own) await changeCard(turn, withoutCard(job), 'card', own);
  return undefined;
}

/** The job for display once its approval has no card of its own any more. */
function withoutCard(job: Job): Job {
  return job.state === 'new' || !job.approval ? job : { ...job, approval: { ...job.approval, cardPlace: null } };
}

/** Updates a posted card; `undefined` if its channel takes no more messages and people still need a card. */
async function changeCard(turn: DeliveryTurn, job: Job, part: 'card' | 'approval', card: Place) {
  const changed = await update(turn, job, part, card).catch((error: unknown) => {
    turn.faults.push(error);
  });
  if (changed === 'place gone' && job.endedAt === null) return undefined;
  // Somebody deleted the message, or archived its channel. Then only the reply tells the outcome.
  if (changed !== 'changed') turn.log.info({ job: job.id, part, changed }, 'the message of a job cannot be changed');
  return card;
}

async function postCard(turn: DeliveryTurn, job: Job, part: 'card' | 'approval', wanted: string): Promise<Place> {
  const posted = await postPart(turn, job, { part }, wanted);
  // A recovered post still shows the job as it was at the time of the post.
  if (posted.found) await update(turn, job, part, posted);
  return posted;
}

/** Changes a posted card of a job, or puts that off where Slack changes no more messages for now. */
async function update(
  turn: DeliveryTurn,
  job: Job,
  part: 'card' | 'approval',
  at: Place,
): Promise<Exclude<Changed, object>> {
  turn.staysBehind ||= !turn.mayUpdate;
  if (!turn.mayUpdate) return 'changed';
  const message = { team: job.team, mustHold: turn.mustHold };
  const content = await contentOf(turn, job, part);
  const changed = await change(turn, message, { at, content, tries: job.tellTries });
  if (typeof changed === 'string') return changed;
  Object.assign(turn, { mayUpdate: false, staysBehind: true });
  return 'changed';
}

/** Whether the posted cards show an older revision of the job. */
function lags({ shown, revision }: Job): boolean {
  return shown < revision;
}

function ownPlace({ place, messageTs }: Job): Place | undefined {
  return place === null || messageTs === null ? undefined : { place, ts: messageTs };
}

/** The thread of its end. Of a run that went on in the thread of the day, what went wrong is for the channel. */
function threadOfEnd(job: Job): string | undefined {
  const isForAll = job.schedule !== null && job.thread !== null && hasEndedBadly(job);
  return isForAll ? undefined : threadOfJob(job);
}

/** The thread of what is said about a job: the one in which it was asked for, else that of its own message. */
export function threadOfJob({
  thread,
  channel,
  place,
  messageTs,
}: Pick<Job, 'thread' | 'channel' | 'place' | 'messageTs'>): string | undefined {
  return (place === channel ? thread : null) ?? messageTs ?? undefined;
}
