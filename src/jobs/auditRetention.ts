import { day } from '../ground/durations.ts';
import { type Loop, startLoop } from '../ground/loop.ts';
import type { Parts } from './parts.ts';

/**
 * Deletes the entries of the trail that are older than so many days: at the start and once a day. Several processes may
 * do so at the same time: an entry cannot be deleted twice.
 */
export function sweepTrail({ audit, clock, log }: Pick<Parts, 'audit' | 'clock' | 'log'>, days: number): Loop {
  let next = clock.steady();
  return startLoop(clock, {
    async turn() {
      const now = clock.now();
      if (clock.steady() >= next) {
        await audit.sweep(now - days * day, now);
        next = clock.steady() + day;
      }
      return now + (next - clock.steady());
    },
    failed: (error, times) => log.error({ error, times }, 'old entries of the trail could not be taken away'),
  });
}
