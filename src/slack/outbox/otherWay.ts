import type { Job } from '../../store/jobs/rows/job.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import { isPerson } from '../desk/placeKinds.ts';
import type { MessagePart } from '../messages/jobMessage.ts';
import type { DeliveryTurn } from './deliveryTurn.ts';
import { isClosed, type Way } from './post.ts';

/** The way to a channel or a person. A job that was asked for in a thread has its message there. */
export async function wayTo(turn: DeliveryTurn, job: Job, to: string): Promise<Way> {
  const place = isPerson(to) ? await directPlace(turn, { team: job.team, person: to }) : to;
  return { place, threadTs: place === job.channel ? (job.thread ?? undefined) : undefined };
}

/** Another way for a message that Slack refused; `undefined` if there is none, or the same way is to be tried again. */
export async function otherWay(
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
