import { randomInt } from 'node:crypto';
import { isFree } from '../../../../src/sandbox/service/mariadb/servers/ports.ts';

/** Test files run beside each other: each begins elsewhere. */
let last = randomInt(10_000, 25_000);

/** A port that nobody uses, and that no other call gave: the record of a clone that is stopped still has its own. */
export async function newPort(): Promise<number> {
  const port = ++last;
  return (await isFree(port)) ? port : newPort();
}
