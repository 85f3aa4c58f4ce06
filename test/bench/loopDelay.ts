import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into a measured app before its own code. At each SIGUSR2 it writes the longest delay of the event loop since the last
 * one into the file LOOP_DELAY, in milliseconds.
 */
const { LOOP_DELAY } = process.env;
const resolution = 1;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('SIGUSR2', () => {
  // Each measured delay contains the timer's own.
  if (LOOP_DELAY) writeFileSync(LOOP_DELAY, String(Math.max(0, delay.max / 1e6 - resolution)));
  delay.reset();
});
