import { z } from 'zod';
import type { Snapshot } from '../../../src/sandbox/playground/protocol.ts';
import type { Playground } from '../../../src/sandbox/playground/server.ts';

/** What one person sees at this moment, kept up to date. */
export type Watch = {
  now(): Snapshot;
  /** Resolves when `now()` shows all that had happened at the time of the call. */
  refreshed(): Promise<void>;
  /**
   * Waits until `read` gives something.
   * @throws Error naming `what`, after `limit` milliseconds of real time, or once nothing moves any more
   */
  until<T>(read: () => T | undefined | false, what: string, limit?: number): Promise<T>;
  stop(): void;
};

/** Resolves once nothing moves any more, so that whoever waits waits in vain. It ends with the signal. */
export type Standstill = (signal: AbortSignal) => Promise<void>;

/** The part of a playground that shows what people see. */
type Inside = Pick<Playground['slack'], 'seenAs' | 'overhears'>;

/** The answers come from our own server: their outline is checked, the rest is its own affair. */
const snapshot = z.custom<Snapshot>(value => z.object({ me: z.object({ id: z.string() }) }).safeParse(value).success);

/**
 * Watches the playground as one person. Its events only say *that* something happened; what is there now is always
 * read whole, so that nothing old can overwrite something newer.
 * @param as a person's id
 */
export async function watch(url: string, as: string, standstill?: Standstill): Promise<Watch> {
  const ended = new AbortController();
  const changed = new EventTarget();
  const read = async () => {
    const response = await fetch(`${url}/play/state?as=${as}`, { signal: ended.signal });
    return snapshot.parse(await response.json());
  };

  const events = await fetch(`${url}/play/events?as=${as}`, { signal: ended.signal });
  let seen = await read();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function reread() {
    seen = await read();
    changed.dispatchEvent(new Event('change'));
  }
  /** At most one reading runs and one waits: it starts after the call, so it sees what the caller knows of. */
  function refreshed(): Promise<void> {
    if (running === undefined) {
      running = reread().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return refreshed();
      });
    return next;
  }

  async function listen() {
    // Traffic says nothing of what a person sees.
    const decoder = new TextDecoder();
    for await (const chunk of events.body ?? []) {
      const lines = decoder.decode(chunk, { stream: true }).split('\n');
      const quiet = lines.every(line => line === '' || line.startsWith('data: {"type":"traffic"'));
      if (!quiet) void refreshed().catch(() => undefined);
    }
  }
  void listen().catch(() => undefined);

  return {
    now: () => seen,
    refreshed,
    until: waitsOn(changed, { now: () => seen, refreshed, standstill }),
    stop: () => ended.abort(),
  };
}

/** Waits that look whenever `changed` says so. */
function waitsOn(
  changed: EventTarget,
  { now, refreshed, standstill }: Pick<Watch, 'now' | 'refreshed'> & { standstill: Standstill | undefined },
): Watch['until'] {
  return (find, what, limit = 120_000) =>
    new Promise((resolve, reject) => {
      const waiting = new AbortController();
      const done = () => {
        clearTimeout(timer);
        waiting.abort();
        changed.removeEventListener('change', look);
      };
      const look = () => {
        const found = find();
        if (found === undefined || found === false) return;
        done();
        resolve(found);
      };
      const fail = (why: string) => {
        if (waiting.signal.aborted) return;
        done();
        reject(new Error(`${now().me.name} waited in vain for ${what}: ${why}`));
      };
      const timer = setTimeout(fail, limit, `it did not come in ${limit} ms`);
      changed.addEventListener('change', look);
      look();
      const stands = waiting.signal.aborted ? undefined : standstill?.(waiting.signal);
      // What is here by then counts, whether or not its event came.
      stands?.then(refreshed).then(
        () => fail('nothing moves any more'),
        () => undefined,
      );
    });
}

/**
 * Watches a playground of this process, with nothing on the wire: what a person sees is put together when it is looked
 * at, and no sooner.
 * @param as a person's id
 */
export function watchInside({ seenAs, overhears }: Inside, as: string, standstill?: Standstill): Watch {
  const changed = new EventTarget();
  let seen: Snapshot | undefined;
  let isToTell = false;
  const silence = overhears(() => {
    seen = undefined;
    if (isToTell) return;
    isToTell = true;
    setImmediate(() => {
      isToTell = false;
      changed.dispatchEvent(new Event('change'));
    });
  });
  const now = (): Snapshot => {
    const current = seen ?? seenAs(as);
    seen = current;
    return current;
  };
  const refreshed = async () => {
    seen = undefined;
  };
  return { now, refreshed, until: waitsOn(changed, { now, refreshed, standstill }), stop: silence };
}
