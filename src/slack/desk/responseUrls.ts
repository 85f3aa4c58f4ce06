import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/message.ts';

/** A person, and the channel in which they asked. */
type AskerInChannel = Owner & Readonly<{ channel: string }>;
type AnswerThere = (content: Content) => Promise<unknown>;

/** Max age of a response URL that is still used, in milliseconds. Slack takes answers for half an hour. */
const answerable = 29 * 60_000;
/** Max remembered people and channels; the least recently used go first. */
const max = 2_000;

/**
 * People whom Dolly can answer in the channel where they asked, although it may not write there: by the response URL of
 * their last use. Only this process's memory has the URLs, since anybody could write into a channel with one.
 */
export type ResponseUrls = Readonly<{
  /** Remembers how to answer a person in the channel where they asked just now. */
  remember(who: AskerInChannel, answer: AnswerThere): void;
  /**
   * Tells the person of a job in the channel where they asked for it, for their eyes only. Gives `false`, and does
   * nothing, if that is impossible.
   */
  tell(job: Pick<Job, 'team' | 'person' | 'channel'>, content: Content): Promise<boolean>;
}>;

/** Creates empty {@link ResponseUrls}. */
export function responseUrlsOn(clock: Clock, log: Logger): ResponseUrls {
  const known = new LRUCache<string, { at: number; answer: AnswerThere }>({ max });
  const keyOf = ({ team, person, channel }: AskerInChannel) => JSON.stringify([team, person, channel]);
  return {
    remember(who, answer) {
      known.set(keyOf(who), { at: clock.steady(), answer });
    },
    async tell(job, content) {
      const asked = known.get(keyOf(job));
      if (!asked || clock.steady() - asked.at > answerable) return false;
      try {
        await asked.answer(content);
        return true;
      } catch (error) {
        log.info({ error, person: job.person }, 'somebody could not be told where they asked');
        return false;
      }
    },
  };
}
