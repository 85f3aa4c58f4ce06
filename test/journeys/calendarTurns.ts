import { hour, minute } from '../../src/ground/durations.ts';
import type { World } from '../world.ts';

/* How journeys turn the clock by days and weeks to the times of a calendar. */

/** Sleeps until shortly before a moment, so that what is due then comes in its time. */
export async function sleepsUntil(earth: World, moment: number): Promise<void> {
  await earth.clock.leap(Math.max(0, moment - earth.clock.now() - minute));
}

/** The times at which the service was asked to do something to a record, in ISO format to the minute, the first ones first. */
export function timesOf(earth: World, path: string, record: string): string[] {
  return earth
    .writes()
    .filter(request => request.path.endsWith(path) && JSON.stringify(request.body).includes(`"${record}"`))
    .map(({ at }) => new Date(at).toISOString().slice(0, 16));
}

/**
 * Turns the clock to one time after the other, and waits each time until something is so; an hour later it is to be
 * just so, still.
 */
export async function passes(earth: World, times: readonly string[], isDone: (time: string) => boolean): Promise<void> {
  for (const time of times) {
    await sleepsUntil(earth, Date.parse(`${time}Z`));
    await earth.until(
      () => isDone(time),
      `what is due at ${time}; it is ${new Date(earth.clock.now()).toISOString()}`,
      10 * minute,
    );
    await earth.clock.leap(hour);
  }
}
