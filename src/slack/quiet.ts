import { atLeast, type Clock } from '../clock.ts';

/** Where Slack wants to be left alone for a while: channels, or teams. */
export type QuietPlaces = {
  /** Until when, in milliseconds since the epoch, later or less late by chance; `undefined` where it does not. */
  until(place: string): number | undefined;
  /** Leaves a place alone for so many milliseconds. */
  keep(place: string, pause: number): void;
};

/** Remembers quiet places for as long as they are. */
export function quietPlaces(clock: Clock): QuietPlaces {
  const known = new Map<string, { since: number; until: number }>();
  return {
    until(place) {
      const quiet = known.get(place);
      const now = clock.now();
      // What began in the future began before the clock was set back.
      if (quiet && quiet.since <= now && now < quiet.until) return now + atLeast(quiet.until - now);
      known.delete(place);
      return undefined;
    },
    keep(place, pause) {
      const now = clock.now();
      known.set(place, { since: now, until: now + pause });
    },
  };
}
