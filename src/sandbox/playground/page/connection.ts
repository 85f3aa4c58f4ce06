import type { PlayEvent } from '../protocol.ts';
import { readSnapshot, readTraffic } from './requests.ts';
import type { Event } from './store.ts';

const RETRY_MS = 1000;

/**
 * Keeps the page in step with the playground for one person: listens first, then reads the snapshot, so that nothing
 * falls between the two; what arrives meanwhile is applied after it. After each break it starts anew.
 * @returns a function that ends the connection.
 */
export function connect(as: string, dispatch: (event: Event) => void): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  function open(): void {
    let waiting: PlayEvent[] | undefined = [];
    const current = new EventSource(
      `/play/events?${new URLSearchParams({ as, zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}`,
    );
    source = current;
    const lost = (): void => {
      if (ended || source !== current) return;
      current.close();
      dispatch({ type: 'broken' });
      clearTimeout(retry);
      retry = setTimeout(open, RETRY_MS);
    };
    current.onerror = lost;
    current.onmessage = ({ data }) => {
      const event: PlayEvent = JSON.parse(String(data));
      if (waiting) waiting.push(event);
      else dispatch({ type: 'play', event });
    };
    current.onopen = async () => {
      try {
        const [snapshot, traffic] = await Promise.all([readSnapshot(as), readTraffic()]);
        if (ended || source !== current) return;
        if (!snapshot) return lost();
        dispatch({ type: 'snapshot', snapshot });
        dispatch({ type: 'traffic', traffic });
        // The traffic that was just read may hold these exchanges already.
        for (const event of waiting ?? []) if (event.type !== 'traffic') dispatch({ type: 'play', event });
        waiting = undefined;
      } catch {
        lost();
      }
    };
  }

  open();
  return () => {
    ended = true;
    clearTimeout(retry);
    source?.close();
  };
}
