import { createHook } from 'node:async_hooks';
import { runningKernel } from './kernel.ts';

/*
 * A world that runs touches nothing real: no socket, no file, no thread, no timer, no chance of the machine. Node tells of
 * each such resource as it begins. Promises are left out of that: the hook then costs nothing that can be measured
 * (8 seeds took 8.0 to 8.7 s of processor time without it, and 7.9 to 8.4 s with it, three times each).
 */

/** What the event loop does at once, in its order. All else waits for the machine. */
const ownOfTheLoop = new Set(['Immediate', 'Microtask', 'TickObject']);

/** Ends a guard. */
export type Guard = Readonly<{ end(): void }>;

/** Hears of each real resource that begins while a world runs: its kind, whose it is, and where it began. */
export function guard(found: (what: string) => void): Guard {
  const hook = createHook({
    init(_id, kind) {
      const kernel = ownOfTheLoop.has(kind) ? undefined : runningKernel();
      if (kernel) found(`${kernel.host().name} began a real ${kind} ${placeOf(new Error().stack)}`);
    },
    trackPromises: false,
  }).enable();
  return { end: () => void hook.disable() };
}

/** The places of a stack outside of Node and of this file, the nearest first. */
function placeOf(stack = ''): string {
  const places = stack.split('\n').slice(1);
  return places
    .map(place => place.trim())
    .filter(place => !place.includes('(node:') && !place.includes('at node:') && !place.includes(import.meta.url))
    .slice(0, 4)
    .join(' ');
}
