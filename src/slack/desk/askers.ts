import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import type { Job } from '../../store/jobs/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/blocks.ts';

/** Who asked for something, and where. */
type Asked = Owner & Readonly<{ channel: string }>;
type Answer = (content: Content) => Promise<unknown>;

/** How long a response URL takes answers, in milliseconds: Slack gives it half an hour. */
const answerable = 29 * 60_000;
/** So many are remembered; the oldest go first. */
const most = 2_000;

/**
 * Who can still be answered where they asked, though the bot may not write there: by the response URL of what they used
 * last. It is remembered by this process alone, since it is a way to write into a channel.
 */
export type Askers = {
  remember(who: Asked, answer: Answer): void;
  /** Tells the person of a job where they asked for it, so that they alone see it, if that can be done. */
  tell(job: Pick<Job, 'team' | 'person' | 'channel'>, content: Content): Promise<void>;
};

/** Nobody yet. */
export function askersOn(clock: Clock, log: Logger): Askers {
  const known = new LRUCache<string, { at: number; answer: Answer }>({ max: most });
  const keyOf = ({ team, person, channel }: Asked) => JSON.stringify([team, person, channel]);
  return {
    remember(who, answer) {
      known.set(keyOf(who), { at: clock.steady(), answer });
    },
    async tell(job, content) {
      const asked = known.get(keyOf(job));
      if (!asked || clock.steady() - asked.at > answerable) return;
      await asked.answer(content).catch((error: unknown) => {
        log.info({ error, person: job.person }, 'where a message went could not be told where it was asked for');
      });
    },
  };
}
