import { mayDeleteClones } from '../../jobs/approval/people/holder.ts';
import type { Part } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { DeliveryTurn } from './deliveryTurn.ts';
import type { JobNews } from './jobNews.ts';
import { postToEach } from './postings.ts';

/** Max people who are told of one request. */
const maxHolders = 30;

/**
 * Tells those who hold what a request deletes, once each: when it waits for approval, and when it has ended. Not whoever asked
 * or decided; and those who approve are called anyway. Who takes no direct message keeps nobody waiting.
 */
export async function tellHolders(turn: DeliveryTurn, job: Job): Promise<void> {
  const part = partNow(job);
  if (part === undefined || !mayDeleteClones(job)) return;
  await postToEach(turn, job, part, await holdersToTell(turn.news, job));
}

function partNow({ state, endedAt }: Job): (Part & Readonly<{ part: 'holder' | 'holder:end' }>) | undefined {
  if (state === 'awaiting') return { part: 'holder' };
  // A job that goes on after its end has a message for each.
  return endedAt === null ? undefined : { part: 'holder:end', round: endedAt };
}

async function holdersToTell(news: JobNews, job: Job): Promise<readonly string[]> {
  const held = await news.held(job);
  const people = new Set(held.map(({ person }) => person));
  for (const { person, type } of job.approval?.decisions ?? []) if (type !== 'dropped') people.delete(person);
  if (people.size > 0 && job.state === 'awaiting' && job.approval.terms.approvers.length > 0)
    for (const person of (await news.deciders(job)).can) people.delete(person);
  return [...people].slice(0, maxHolders);
}
