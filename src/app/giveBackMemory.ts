import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage once, and gives the memory back to the system: what V8 took while it loaded the modules of Dolly it
 * would keep for good, since no later collection makes that part of its heap smaller.
 */
export function giveBackMemory(): void {
  // The function exists only for code that begins while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
