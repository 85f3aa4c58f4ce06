import { minute } from '../../ground/durations.ts';
import { wasPosted } from '../../store/jobs/rows/data.ts';
import { longestSilence } from '../../store/jobs/rows/encode.ts';
import type { Job, JobChange } from '../../store/jobs/rows/job.ts';
import { Overtaken } from '../../store/overtaken.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import { isChannel } from '../desk/placeKinds.ts';
import { sendContent } from '../desk/sendContent.ts';
import { type AlonePart, aloneParts } from '../messages/jobMessage.ts';
import type { DeliveryTurn } from './deliveryTurn.ts';
import { isCertain, isClosed } from './post.ts';
import { contentOf, postPart } from './postings.ts';

/** Time after a request for which its person is expected to look at the channel, in milliseconds. */
const looksFor = 2 * minute;

/**
 * The news of a job that its person alone is told, and from when on, in milliseconds since the epoch; `undefined` where
 * there is none: most jobs are sent at once, and whoever withdraws one is answered.
 */
function newsAlone(job: Job): Readonly<{ part: AlonePart; from: number }> | undefined {
  switch (job.state) {
    case 'new':
      if (job.hold === 'sign-in') return { part: 'alone:sign-in', from: 0 };
      return job.hold === 'busy' ? { part: 'alone:busy', from: job.createdAt + longestSilence } : slowness(job);
    case 'sending':
      return slowness(job);
    case 'failed':
    case 'expired':
      return { part: 'alone:end', from: 0 };
    default:
      return undefined;
  }
}

/** The news that a job takes long; none where its person was told before that it waits. */
function slowness({ createdAt, posts }: Job): ReturnType<typeof newsAlone> {
  const isKnown = posts.some(({ part }) => aloneParts.some(one => one === part));
  return isKnown ? undefined : { part: 'alone:slow', from: createdAt + longestSilence };
}

/**
 * Tells the person of a job that is no news for the channel: in the channel where they asked, for their eyes alone, as
 * long as they are likely to look there, else by a direct message, which stays. If the answer to the first one is lost,
 * or the process ends before it, a direct message follows: Slack does not tell whether it showed the first one.
 */
export async function tellAlone(turn: DeliveryTurn, job: Job): Promise<JobChange> {
  const news = newsAlone(job);
  if (!news || wasPosted(news, job.posts)) return {};
  if (turn.clock.now() < news.from) return { tellAt: news.from };
  const { part } = news;
  const isDoubtful = job.posting?.part === part;
  const triesThere = !isDoubtful && looksThere(turn, job);
  if (triesThere && (await whisperPart(turn, job, part))) return {};
  try {
    await postPart(turn, job, { part }, job.person);
  } catch (error) {
    const isShut = isClosed(error, job.tellTries) || meaningOfError(error) === 'never';
    if (!isShut || triesThere || !isChannel(job.channel) || !(await whisperPart(turn, job, part))) throw error;
  }
  return {};
}

/** Whether the person is likely to look at the channel: they asked there a moment ago, and this process runs since then. */
function looksThere({ clock, begunAt }: DeliveryTurn, { channel, createdAt }: Job): boolean {
  return isChannel(channel) && createdAt >= begunAt && clock.now() - createdAt <= looksFor;
}

/**
 * Tells the person in the channel, for their eyes alone: as a message of Dolly's, or, where Dolly may not write, by the
 * answer to their last use. The intent is stored first, as for every message.
 * @returns whether Slack took it; `false` where the channel takes nothing
 */
async function whisperPart(turn: DeliveryTurn, job: Job, part: AlonePart): Promise<boolean> {
  const { jobs, slack, clock, log, responseUrls } = turn;
  const { channel, thread, person } = job;
  const at = { channel, user: person, ...(thread === null ? {} : { thread_ts: thread }) };
  const content = await contentOf(turn, job, part);
  if (!(await jobs.noteMessage(job.id, { posting: { part, place: channel, since: clock.now() } })))
    throw new Overtaken();
  try {
    const { message_ts: ts = '' } = await sendContent(turn, job.team, content, async body => {
      await turn.mustHold();
      return slack.of(job.team).chat.postEphemeral({ ...at, ...body });
    });
    await jobs.notePost(job.id, { part }, { place: channel, ts });
    return true;
  } catch (error) {
    // Where nothing was shown, the next try need not fear to say it twice.
    if (isCertain(error)) await jobs.noteMessage(job.id, { posting: null });
    if (meaningOfError(error) === 'again' || meaningOfError(error) === 'operator') throw error;
    log.info({ job: job.id, part, error }, 'a message for one person goes another way');
    if (!(await responseUrls.tell(job, content))) return false;
    await jobs.notePost(job.id, { part }, { place: channel, ts: '' });
    return true;
  }
}
