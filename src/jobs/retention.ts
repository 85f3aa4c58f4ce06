import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import type { Parts } from './parts.ts';
import { type Loop, loop } from './watch.ts';

const day = hoursToMilliseconds(24);

/**
 * Takes out of the trail what is older than so many days: at the start and once a day. Others may do so at the same
 * time: what is gone cannot be taken away twice.
 */
export function retain({ audit, clock, log }: Pick<Parts, 'audit' | 'clock' | 'log'>, days: number): Loop {
  let next = clock.steady();
  return loop(
    clock,
    async () => {
      const now = clock.now();
      if (clock.steady() >= next) {
        await audit.sweep(now - days * day, now);
        next = clock.steady() + day;
      }
      return now + (next - clock.steady());
    },
    (error, times) => log.error({ error, times }, 'old entries of the trail could not be taken away'),
  );
}
