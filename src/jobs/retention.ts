import { thisMoment, wasSetSince } from '../ground/clock.ts';
import { day, hour, minute } from '../ground/durations.ts';
import { type Loop, startLoop } from '../ground/loop.ts';
import type { Inbox } from '../store/tables/inbox.ts';
import type { Kind } from '../store/things/kind.ts';
import type { Parts } from './parts.ts';

/** The numbers of days for which the trail and the jobs that have ended are kept. */
type RetentionDays = Readonly<{ auditDays: number; jobsDays: number }>;

/** Pause between two small steps, in milliseconds: a long history must not hold up the work of now. */
const breather = 25;
/** Pause after the index of the trail was complete, in milliseconds: it takes up entries that are a minute old. */
const indexPause = minute;
/** The time for which the clock must have gone on before anything is deleted by it, in milliseconds. */
const settledAfter = hour;

/**
 * Looks after what is over, in small steps: it deletes the jobs, the things of these kinds and the entries of the
 * trail that are over for so many days, an hour after the start and once a day, and keeps the index of the trail. A clock
 * that was just set may be wrong: it is waited for an hour again. Several processes may do so at the same time: a row
 * cannot be deleted twice.
 */
export function keepHistory(
  parts: Parts<'jobs' | 'audit' | 'things' | 'outbox' | 'clock' | 'log'> & Readonly<{ inbox: Pick<Inbox, 'sweep'> }>,
  { auditDays, jobsDays }: RetentionDays,
  kinds: readonly Pick<Kind<string, object>, 'name' | 'over'>[],
): Loop {
  const { audit, jobs, things, outbox, inbox, clock, log } = parts;
  let [before, next] = [thisMoment(clock), clock.steady() + settledAfter];
  let indexAt = 0;
  return startLoop(clock, {
    async turn() {
      const now = clock.now();
      if (wasSetSince(clock, before)) next = Math.max(next, clock.steady() + settledAfter);
      before = thisMoment(clock);
      if (clock.steady() >= next) {
        const swept = await audit.sweep(now - auditDays * day, now);
        const time = now - jobsDays * day;
        let cleared = (await jobs.sweep(time, now)) + (await outbox.sweep(time)) + (await inbox.sweep(time));
        for (const kind of kinds) cleared += await things.sweep(kind, time);
        if (swept === 0 && cleared === 0) next = clock.steady() + day;
        else return now + breather;
      }
      if (clock.steady() >= indexAt) {
        if (await audit.index(now)) return now + breather;
        indexAt = clock.steady() + indexPause;
      }
      return now + (Math.min(next, indexAt) - clock.steady());
    },
    failed: (error, times) => log.error({ error, times }, 'what is over could not be looked after'),
  });
}
