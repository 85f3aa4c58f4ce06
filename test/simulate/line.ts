import type { Hono } from 'hono';
import { snapshotFor } from '../../src/sandbox/playground/play.ts';
import type { Snapshot } from '../../src/sandbox/playground/protocol.ts';
import type { Slack } from '../../src/sandbox/playground/slack.ts';
import type { Line } from '../person.ts';
import type { Watch } from '../sandbox/playground/watch.ts';

/** How long people wait for something to appear, in milliseconds. */
export const patience = 30_000;
/** How long it takes them to see what has changed. */
const glance = 40;

/** The way from people to Slack's own client: its app, in the same world. */
export function lineTo(slack: Slack, play: Hono): Line {
  return {
    ask: async (path, init) => play.request(path, init),
    async watch(id): Promise<Watch> {
      let seen: Snapshot | undefined;
      const looks = new Set<() => void>();
      let isLooking = false;
      slack.bus.overhear(event => {
        if (event.type === 'traffic' || event.type === 'violation') return;
        seen = undefined;
        if (isLooking || looks.size === 0) return;
        isLooking = true;
        setTimeout(() => {
          isLooking = false;
          for (const look of [...looks]) look();
        }, glance);
      });
      const now = () => {
        seen ??= snapshotFor(slack, id);
        return seen;
      };
      return {
        now,
        refreshed: async () => undefined,
        until(read, what, limit = patience) {
          return new Promise((resolve, reject) => {
            const look = () => {
              const found = read();
              if (found === undefined || found === false) return;
              done();
              resolve(found);
            };
            const timer = setTimeout(() => {
              done();
              reject(new Error(`waited in vain for ${what}`));
            }, limit);
            const done = () => {
              clearTimeout(timer);
              looks.delete(look);
            };
            looks.add(look);
            look();
          });
        },
        stop: () => undefined,
      };
    },
  };
}
