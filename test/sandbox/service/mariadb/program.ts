import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { openMariadb } from '../../../../src/sandbox/service/mariadb/mariadb.ts';
import { gone } from '../../../../src/sandbox/service/mariadb/programs/processes.ts';
import { startService } from '../../../../src/sandbox/service/server.ts';

/* The service with real servers as a program: process.ts starts it, so that it can be killed. */

const Wanted = z.object({
  folder: z.string(),
  roots: z.array(z.string()).optional(),
  scriptLimit: z.number().optional(),
  /** The step of a restore at which the program is killed. */
  diesAt: z.string().optional(),
  /** The data of the server that is killed instead. The restore goes on when it is gone. */
  victims: z.string().optional(),
  /** A folder: it is killed not at the step, but when so many files came to or went from this folder after it. */
  watched: z.string().optional(),
  /** A folder whose disk is filled at the step, in place of a kill. */
  fills: z.string().optional(),
  changes: z.number().optional(),
});
const {
  folder,
  roots = [],
  scriptLimit = 60_000,
  diesAt,
  victims,
  watched,
  fills,
  changes = 1,
} = Wanted.parse(JSON.parse(process.argv[2] ?? ''));

// It is mostly killed, and would then keep nothing of what it compiled.
flushCompileCache();

let hasKilled = false;

/** Nothing follows on the step where the program itself is killed. */
async function onStep(step: string): Promise<void> {
  if (step !== diesAt || hasKilled) return;
  hasKilled = true;
  if (fills !== undefined) {
    // It fails at the end of the disk, which is what it is for.
    spawnSync('dd', ['if=/dev/zero', `of=${join(fills, 'filler')}`, 'bs=64k']);
    return;
  }
  const victim = victims === undefined ? process.pid : serverOn(victims);
  if (watched === undefined) {
    process.kill(victim, 'SIGKILL');
    await gone(victim, 10_000);
    return;
  }
  let left = changes;
  const watcher = watch(watched, type => {
    // What others write into the files is a `change`.
    if (type === 'rename') left -= 1;
    if (left > 0) return;
    watcher.close();
    process.kill(victim, 'SIGKILL');
  });
}

/** The process of the server, whoever's it is, that works on these data. */
function serverOn(data: string): number {
  const found = readdirSync('/proc').find(pid => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return program.endsWith('mariadbd') && args.includes(`--datadir=${data}`);
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`no server works on ${data}`);
  return Number(found);
}

const say = (line: string) => process.stdout.write(`${line}\n`);
try {
  const opened = await openMariadb({ folder, example: { megabytes: 2 }, roots, scriptLimit, onStep });
  if ('reason' in opened) throw new Error(opened.reason);
  say('The engine is open.');
  const service = await startService({ port: 0, engines: { MARIADB: opened.engine }, stateDir: folder, log: say });
  process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
  say(`The service listens at ${service.url}`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
