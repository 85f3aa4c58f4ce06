import { day } from '../ground/durations.ts';
import { type Loop, startLoop } from '../ground/loop.ts';
import type { Inbox } from '../store/tables/inbox.ts';
import type { Kind } from '../store/things/kind.ts';
import type { Parts } from './parts.ts';

/** The numbers of days for which the trail and the jobs that have ended are kept. */
export type RetentionDays = Readonly<{ auditDays: number; jobsDays: number }>;

/** Pause between two small steps, in milliseconds: a long history must not hold up the work of now. */
const breather = 25;

/**
 * Looks after what is over, in small steps: it deletes the jobs, the things of these kinds and the entries of the
 * trail that are over for so many days, at the start and once a day, and keeps the index of the trail. Several processes
 * may do so at the same time: a row cannot be deleted twice.
 */
export function keepHistory(
  parts: Parts<'jobs' | 'audit' | 'things' | 'outbox' | 'clock' | 'log'> & Readonly<{ inbox: Pick<Inbox, 'sweep'> }>,
  { auditDays, jobsDays }: RetentionDays,
  kinds: readonly Pick<Kind<string, object>, 'name' | 'over'>[],
): Loop {
  const { audit, jobs, things, outbox, inbox, clock, log } = parts;
  let next = clock.steady();
  return startLoop(clock, {
    async turn() {
      const now = clock.now();
      if (clock.steady() >= next) {
        const swept = await audit.sweep(now - auditDays * day, now);
        const before = now - jobsDays * day;
        let cleared = (await jobs.sweep(before, now)) + (await outbox.sweep(before)) + (await inbox.sweep(before));
        for (const kind of kinds) cleared += await things.sweep(kind, before);
        if (swept === 0 && cleared === 0) next = clock.steady() + day;
        else return now + breather;
      }
      return (await audit.index(now)) ? now + breather : now + (next - clock.steady());
    },
    failed: (error, times) => log.error({ error, times }, 'what is over could not be looked after'),
  });
}
