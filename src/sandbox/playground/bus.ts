import type { PlayEvent } from './protocol.ts';

/** Carries events to the open pages. */
export type Bus = {
  /** @param concerns who may know of it; everyone if absent */
  publish(event: PlayEvent, concerns?: (user: string) => boolean): void;
  /** @returns ends the subscription */
  subscribe(user: string, hear: (event: PlayEvent) => void): () => void;
  /** Hears everything, whomever it concerns. @returns ends it */
  overhear(hear: (event: PlayEvent) => void): () => void;
};

export function newBus(): Bus {
  const listeners = new Set<{ user: string; hear: (event: PlayEvent) => void }>();
  const overhearing = new Set<(event: PlayEvent) => void>();
  return {
    publish(event, concerns = () => true) {
      for (const listener of listeners) if (concerns(listener.user)) listener.hear(event);
      for (const hear of overhearing) hear(event);
    },
    subscribe(user, hear) {
      const listener = { user, hear };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    overhear(hear) {
      overhearing.add(hear);
      return () => overhearing.delete(hear);
    },
  };
}
