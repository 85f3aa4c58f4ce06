import type { Live } from '../servers/lives.ts';
import { type Ask, literal } from '../servers/sql.ts';
import { plainly } from './definitions.ts';
import { foldersOf, shortOf } from './refusals.ts';

/** Seconds that a statement may wait for a lock: the others who want the same table stand behind it for as long. */
const waiting = 3;
/** Seconds that the work of a restore may wait for an earlier session of it, which ends: one that waited for space looks each minute. */
const patience = 90;
/** Milliseconds that the statements of one step may take: a database may have thousands of tables. */
const longest = 1_800_000;

/** Statements that begin each session of a restore: it is the only one of it, so that none of an earlier run still works. */
export function alone(stamp: string): string {
  return [
    plainly,
    `SET SESSION lock_wait_timeout = ${waiting}, innodb_lock_wait_timeout = ${waiting}, foreign_key_checks = 0, unique_checks = 0, check_constraint_checks = 0, innodb_strict_mode = 0`,
    // An error where the lock cannot be had.
    `SET @dolly = IF(GET_LOCK('dolly_${stamp}', ${patience}) = 1, 1, (SELECT 1 UNION SELECT 2))`,
  ].join('; ');
}

/** Asks the live server in the only session of this restore. */
export function askAlone({ ask }: Pick<Live, 'ask'>, stamp: string): Ask {
  return async (statement, signal, limit = longest) => {
    const full = new AbortController();
    const lookForRoom = async () => {
      const folders = await foldersOf(ask, signal).catch(() => []);
      const short = await shortOf({ bytes: least, folders });
      if (short !== undefined) full.abort(new FullError(`The server waits for room, since ${short}: make some.`));
    };
    const watch = setInterval(lookForRoom, look);
    try {
      return await ask(`${alone(stamp)}; ${statement}`, AbortSignal.any([signal, full.signal]), limit);
    } catch (error) {
      // The lock may be that of the server's own work, which waits for room.
      if (isHeld(error)) await lookForRoom();
      full.signal.throwIfAborted();
      throw error;
    } finally {
      clearInterval(watch);
    }
  };
}

/** A server whose disk is full says nothing, and waits. What was begun is brought to an end later. */
export class FullError extends Error {}
/** The bytes that a disk has at least which is not full, and milliseconds between two looks. */
const [least, look] = [65_536, 3_000];

/** Ends what an earlier session of this restore still does on the server. */
export async function endEarlier({ ask }: Pick<Live, 'ask'>, stamp: string, signal: AbortSignal): Promise<void> {
  const [[id = 'NULL'] = []] = await ask(`SELECT IS_USED_LOCK(${literal(`dolly_${stamp}`)})`, signal);
  // It may have ended meanwhile.
  if (id !== 'NULL') await ask(`KILL ${id}`, signal).catch(() => undefined);
}

/** Whether a statement failed since somebody else held a lock for too long. */
export const isHeld = (error: unknown) => /ERROR 1205\b/.test(String(error));

/** Whether a fault is that the server cannot be reached, since it has ended or hangs. */
export const isGone = (error: unknown) => /ERROR (20\d\d|1053)\b|server does not answer any more/.test(String(error));

/** Whether a fault may be over soon: a lock is held, or the server cannot be reached. */
export const isPassing = (error: unknown) =>
  /ERROR (1205|1040|1045|1242)\b/.test(String(error)) || error instanceof FullError || isGone(error);
