import { flushCompileCache } from 'node:module';
import { z } from 'zod';
import { openMariadb } from '../../../../src/sandbox/service/mariadb/mariadb.ts';
import { startService } from '../../../../src/sandbox/service/server.ts';

/* The service with real servers as a program: process.ts starts it, so that it can be killed. */

const Wanted = z.object({
  folder: z.string(),
  roots: z.array(z.string()).optional(),
  scriptLimit: z.number().optional(),
  /** The step of a restore at which the program is killed. */
  diesAt: z.string().optional(),
});
const { folder, roots = [], scriptLimit = 60_000, diesAt } = Wanted.parse(JSON.parse(process.argv[2] ?? ''));

// It is mostly killed, and would then keep nothing of what it compiled.
flushCompileCache();

/** Nothing follows on the step. */
function onStep(step: string): Promise<void> | void {
  if (step !== diesAt) return;
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
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
