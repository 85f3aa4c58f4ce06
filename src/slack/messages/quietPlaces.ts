import { atLeast, type Clock } from '../../ground/clock.ts';

/** Where Slack wants to be left alone for a while: channels, or teams. */
export type QuietPlaces = {
  /** Until when, in milliseconds since the epoch, later or less late by chance; `undefined` where it does not. */
  until(place: string): number | undefined;
  /** Leaves a place alone for so many milliseconds. */
  keep(place: string, pause: number): void;
};

/** Remembers quiet places for as long as they are. */
export function quietPlaces(clock: Clock): QuietPlaces {
  /** When each may be used again, by the steady clock. */
  const known = new Map<string, number>();
  return {
    until(place) {
      const left = (known.get(place) ?? 0) - clock.steady();
      if (left > 0) return clock.now() + atLeast(left);
      known.delete(place);
      return undefined;
    },
    keep(place, pause) {
      known.set(place, clock.steady() + pause);
    },
  };
}
