import { z } from 'zod';
import { second } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import { isSamePart, Posting } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Notice } from '../../store/tables/outbox.ts';
import { meaningOfError } from '../connection/slackErrors.ts';
import type { Desk } from '../desk/desk.ts';
import { findPosts } from './lostPost.ts';

/*
 * A post whose answer is lost can arrive after it was looked for: then the message stands twice. So it is looked for once
 * more soon afterwards, and all but the one that the store knows are deleted.
 */

/** The kind of rows in the outbox that are no message, but such a look. */
export const doubleKind = 'double';

/** The time from a post to that look, in milliseconds. */
const lookAfter = 40 * second;
/** Max posts of one message that are deleted. */
const most = 20;

const Double = z.object({ about: z.string(), posting: Posting });

/** Keeps the look for a double in the store. */
export async function lookForDouble(
  { outbox, clock }: Desk<'outbox' | 'clock'>,
  { team, about }: Readonly<{ team: string; about: string }>,
  posting: Posting,
): Promise<void> {
  const now = clock.now();
  const id = JSON.stringify([doubleKind, about, posting]);
  const data = { about, posting } satisfies z.infer<typeof Double>;
  const row = { id, subject: id, team, kind: doubleKind, createdAt: now, isNews: true };
  await outbox.add([{ ...row, data, to: { channel: posting.place } }]);
}

/**
 * Deletes the posts of a message beside the one that the store knows. Gives the time of the look while that is still to
 * come. Where Dolly may not read the place, nobody can know.
 * @throws Slack's error while Slack is in trouble, so that it is tried again
 */
export async function removeDoubles(
  desk: Desk<'jobs' | 'outbox' | 'slack' | 'log'>,
  { data, team, createdAt }: Notice,
  now: number,
): Promise<number | undefined> {
  if (now >= createdAt && now < createdAt + lookAfter) return createdAt + lookAfter;
  const double = Double.safeParse(parseJson(data)).data;
  if (!double) return undefined;
  const { about, posting } = double;
  const known = await knownTs(desk, about, posting);
  const slack = desk.slack.of(team);
  const found = known === undefined ? [] : await findPosts(slack, { ...posting, job: about }, most);
  if (known === undefined || !found.includes(known)) return undefined;
  for (const ts of found.filter(one => one !== known)) {
    desk.log.warn({ about, part: posting.part, channel: posting.place, ts }, 'a message stood twice: one is deleted');
    await slack.chat.delete({ channel: posting.place, ts }).catch((error: unknown) => {
      if (meaningOfError(error) === 'again') throw error;
    });
  }
  return undefined;
}

/** The ts of a message by the store: of a part of a job’s messages, or of a message of the outbox. */
async function knownTs({ jobs, outbox }: Desk<'jobs' | 'outbox'>, about: string, part: Posting) {
  if (part.part === 'notice') return (await outbox.find(about))?.ts ?? undefined;
  const job = await jobs.find(about);
  return job && job.state !== 'unreadable' ? tsOf(job, part) : undefined;
}

function tsOf({ messageTs, replyTs, approval, posts }: Job, part: Posting): string | undefined {
  if (part.part === 'card') return messageTs ?? undefined;
  if (part.part === 'reply') return replyTs ?? undefined;
  if (part.part === 'approval') return approval?.cardTs ?? undefined;
  return posts.find(one => isSamePart(one, part))?.ts;
}
