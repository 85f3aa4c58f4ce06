import { setTimeout as sleep } from 'node:timers/promises';

/** Asks `check` again and again until it is true. Rejects with `tooLate` after `limit` milliseconds. */
export async function until(
  check: () => boolean | Promise<boolean>,
  limit: number,
  tooLate: string,
  pause = 5,
): Promise<void> {
  const start = performance.now();
  while (!(await check())) {
    if (performance.now() - start > limit) throw new Error(tooLate);
    await sleep(pause);
  }
}
