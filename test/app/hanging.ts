import { runUntilStopped } from '../../src/app/run.ts';
import { openLog } from '../../src/ground/log.ts';

/* A program that hangs at its stop, and whose log nobody reads. */

await runUntilStopped(async () => ({ stop: () => new Promise(() => undefined) }), 100);
setInterval(() => undefined, 1_000);
const log = openLog('info');
for (const line of Array.from({ length: 2_000 }, (_, at) => `${at} ${'x'.repeat(3_000)}`)) log.info(line);
process.stderr.write('ready');
