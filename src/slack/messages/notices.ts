import { parseJson } from '../../api/reading/jsonTree.ts';
import { ageOf, thisMoment } from '../../ground/clock.ts';
import { type Loop, lockTime } from '../../ground/loop.ts';
import { accountNoticeKind } from '../../jobs/account/accountNotice.ts';
import { wishKind } from '../../jobs/leases/leaseWish.ts';
import { grantNoticeKind } from '../../jobs/workflows/grantAbout.ts';
import { workOnQueue } from '../../jobs/workOnQueue.ts';
import type { Posting } from '../../store/jobs/data.ts';
import { Overtaken } from '../../store/overtaken.ts';
import type { Due, DueQueue } from '../../store/queue.ts';
import type { Notice } from '../../store/tables/notices.ts';
import { alertMessage } from '../alerts/alertMessages.ts';
import type { Content } from '../blocks/blocks.ts';
import { isLimited, pauseAfter, verdictOn } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { type Body, sendContent } from '../desk/sendContent.ts';
import { grantMessage } from '../grants/grantMessages.ts';
import { leaseMessage, wishMessage } from '../leases/leaseMessages.ts';
import { scheduleMessage } from '../schedules/scheduleMessages.ts';
import { reportMessage } from '../status/reportMessage.ts';
import { accountMessage } from './accountMessage.ts';
import { restTime } from './delivery.ts';
import { findLostPost, marked } from './lostPost.ts';
import type { Pace } from './pace.ts';
import { keepPause, threadOfJob } from './postings.ts';

/** The words of each kind of notice: a function of its data and its outcome; `undefined` for one that it cannot read. */
const kinds: Readonly<Record<string, (data: unknown, outcome: string | null, id: string) => Content | undefined>> = {
  alert: alertMessage,
  lease: leaseMessage,
  [wishKind]: wishMessage,
  report: reportMessage,
  [accountNoticeKind]: accountMessage,
  [grantNoticeKind]: grantMessage,
  schedule: scheduleMessage,
};

/** The parts of the desk that notices need, and the rate limits that they share with the messages of jobs. */
type Office = Pick<Desk, 'notices' | 'jobs' | 'slack' | 'clock' | 'log' | 'hasLeft' | 'replicas' | 'olderWorkspaces'> &
  Readonly<{ posts: Pace; updates: Pace }>;

/** Pause before the next try of a reply whose message is not posted yet, in milliseconds. */
const replyPause = 1_000;
/** Max tries of a place that refuses with words that do not promise an end. */
const maxTries = 5;

/**
 * Tells the notices of the outbox: posts each once, and changes it in place when its outcome is known. The store
 * records each delivery, and a failed one is tried again until Slack takes it.
 */
export function tellNotices(office: Office): Loop {
  const { notices, log } = office;
  const queue = notices.queue(notice => log.warn({ notice }, 'a message of another release is left to that release'));
  return workOnQueue(office, {
    name: 'notices',
    queue,
    ...{ maxAtOnce: 20, groupsAtOnce: 20 },
    groupOf: ({ id }) => id,
    shared: () => undefined,
    step: ({ due, row }) => tellNotice({ ...office, queue }, row, due),
    pauseAfter,
  });
}

async function tellNotice(office: Office & { queue: DueQueue<Notice> }, notice: Notice, due: Due): Promise<void> {
  const { notices, queue, clock, log } = office;
  const keep: Keep = async posting => {
    const since = thisMoment(clock);
    if (!(await notices.keep(due, since.now + lockTime, posting))) throw new Overtaken();
    return () => {
      if (ageOf(clock, since) >= lockTime / 2) throw new Overtaken();
    };
  };
  const rest = async (dueAt: number) => queue.rest(due, dueAt, { now: clock.now() });
  // Only what this turn has read counts as told: the row may have changed meanwhile.
  const isTold = () => notices.told(due, notice.revision, clock.now());
  try {
    const content = kinds[notice.kind]?.(parseJson(notice.data), notice.outcome, notice.id);
    // Another release knows its words.
    if (!content) return await rest(clock.now() + lockTime);
    const telling = { content, keep, due };
    const outcome =
      notice.ts === null ? await postNotice(office, notice, telling) : await changeNotice(office, notice, telling);
    await (outcome === 'told' ? isTold() : rest(outcome.waitUntil));
  } catch (error) {
    // Whoever has it now tells it.
    if (error instanceof Overtaken) return;
    if (verdictOn(error) === 'uninstalled') return rest(clock.now() + restTime);
    if (isAwaited(notice) || !isRefused(error, due.tries)) throw error;
    log.error({ notice: notice.id, error }, 'Slack takes a message never, so it is given up');
    await isTold();
  }
}

/** Whether a deletion may wait until a message has reached its person: then every refusal may end. */
function isAwaited({ kind, person, outcome }: Notice): boolean {
  return kind === 'lease' && person !== null && outcome === null;
}

/** Whether Slack takes a message never: by its word, or after repeated refusals in words that do not promise an end. */
function isRefused(error: unknown, tries: number): boolean {
  const verdict = verdictOn(error);
  if (verdict === 'elsewhere' || verdict === 'never') return true;
  return (verdict === 'unknown' || verdict === 'plainer') && tries >= maxTries;
}

/**
 * Makes sure that this process still has a message, right before something is said of it, and keeps it for the time that
 * this takes: after a pause, another process may be telling the same. The function that it gives is asked when the words leave.
 * @throws {Overtaken} where another process has it
 */
type Keep = (posting?: Posting) => Promise<() => void>;
type Telling = Readonly<{ content: Content; keep: Keep; due: Due }>;
type Wait = Readonly<{ waitUntil: number }>;
type Told = 'told' | Wait;
type Way = Readonly<{ channel: string; thread_ts?: string }>;

/** Posts a notice. The intent is stored first: if the answer is lost, the next try looks for the post. */
async function postNotice(office: Office, notice: Notice, { content, keep, due }: Telling): Promise<Told> {
  const { notices, slack, clock, posts } = office;
  // It is over before anybody heard of it.
  if (notice.outcome !== null && !notice.posting) return 'told';
  const way = await wayOf(office, notice);
  // Its job is gone, or never had a message: the person has the same news under Messages.
  if (!way) return 'told';
  if ('waitUntil' in way) return way;
  const { posting } = notice;
  const found =
    posting &&
    (await findLostPost(slack.of(notice.team), {
      ...posting,
      job: notice.id,
      part: 'notice',
      threadTs: way.thread_ts,
    }));
  if (posting && found !== undefined) {
    await keep();
    await notices.posted(due, { place: posting.place, ts: found, arrivedAt: clock.now() });
    await changeNotice(office, { ...notice, place: posting.place, ts: found }, { content, keep, due });
    return 'told';
  }
  if (!posts.isFree(way.channel, clock.steady())) return { waitUntil: clock.now() + 1_000 };
  posts.use(way.channel, clock.steady());
  const mustHold = await keep({ part: 'notice', place: way.channel, since: clock.now() });
  const marks = { metadata: marked(notice.id, { part: 'notice' }), unfurl_links: false, unfurl_media: false };
  const post = async (body: Body) => {
    mustHold();
    return slack.of(notice.team).chat.postMessage({ ...way, ...body, ...marks });
  };
  const posted = await sendContent(office, notice.team, content, post).catch((error: unknown) => {
    if (isLimited(error)) keepPause(office, { limit: 'posts', key: way.channel, milliseconds: pauseAfter(error, 0) });
    throw error;
  });
  if (posted.ts === undefined) throw new Error('chat.postMessage gave no ts');
  await notices.posted(due, { place: posted.channel ?? way.channel, ts: posted.ts, arrivedAt: clock.now() });
  return 'told';
}

/**
 * The channel and the thread of a notice; `undefined` where its thread has no message. A reply waits for the message
 * that it replies to.
 */
async function wayOf(office: Office, { team, person, channel, job, thread }: Notice): Promise<Way | Wait | undefined> {
  if (person !== null) return { channel: await directPlace(office, { team, person }) };
  if (channel !== null) return { channel };
  if (thread !== null) {
    const head = await office.notices.find(thread);
    if (head && head.place !== null && head.ts !== null) return { channel: head.place, thread_ts: head.ts };
    return head && head.tellAt !== null ? { waitUntil: office.clock.now() + replyPause } : undefined;
  }
  const found = job === null ? undefined : await office.jobs.find(job);
  if (!found || found.state === 'unreadable' || found.place === null || found.messageTs === null) return undefined;
  return { channel: found.place, thread_ts: threadOfJob(found) ?? found.messageTs };
}

async function changeNotice(office: Office, notice: Notice, { content, keep }: Telling): Promise<Told> {
  const { slack, clock, updates } = office;
  const { team, place, ts } = notice;
  if (place === null || ts === null) return 'told';
  if (!updates.isFree(team, clock.steady())) return { waitUntil: clock.now() + 1_000 };
  updates.use(team, clock.steady());
  const mustHold = await keep();
  try {
    await sendContent(office, team, content, async body => {
      mustHold();
      return slack.of(team).chat.update({ channel: place, ts, blocks: [], ...body });
    });
  } catch (error) {
    if (isLimited(error)) keepPause(office, { limit: 'updates', key: team, milliseconds: pauseAfter(error, 0) });
    // Somebody deleted the message, or its channel takes nothing any more.
    const verdict = verdictOn(error);
    if (verdict !== 'never' && verdict !== 'elsewhere') throw error;
  }
  return 'told';
}
