import { atLeast, type Clock } from '../../ground/clock.ts';

/** Channels or teams that Slack wants left alone for a while. */
export type HomePauses = Readonly<{
  /**
   * The end of the pause, in milliseconds since the epoch, with some random delay; `undefined` if there is no pause.
   */
  until(place: string): number | undefined;
  /** Leaves a place alone for `pause` milliseconds. */
  keep(place: string, pause: number): void;
}>;

/** Remembers quiet places until their pauses end. */
export function homePauses(clock: Clock): HomePauses {
  /** When each place may be used again, by the steady clock. */
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
