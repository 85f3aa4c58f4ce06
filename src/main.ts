import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(`Dolly needs Node 24 or newer, and this is ${process.versions.node}. Start it with: npm start`);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');

// Jobs wait for the start after a crash, so it reuses the code that an earlier start compiled. Only the store makes the
// folder.
const folder = process.env.DATA_DIR ?? './data';
if (existsSync(folder)) enableCompileCache(join(folder, 'compiled'));

const { runUntilStopped } = await import('./ground/run.ts');
if (process.env.SLACK_BOT_TOKEN) {
  const [{ startDolly }, { readConfig }] = await Promise.all([import('./app/app.ts'), import('./ground/config.ts')]);
  await runUntilStopped(async () => {
    const dolly = await startDolly(readConfig(process.env));
    console.log(`Dolly listens at ${dolly.url}`);
    return dolly;
  });
} else {
  // The packages of the sandbox are not in a production install.
  const { startSandbox } = await import('./sandbox/main.ts').catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    console.error(
      'SLACK_BOT_TOKEN is not set, and the sandbox, which starts without it, is not installed (npm ci does).',
    );
    process.exit(1);
  });
  await runUntilStopped(startSandbox);
}
// The cache is written soon, since a crash would lose it. It is not written at once, since that takes a moment in which
// people wait for their acks.
setTimeout(flushCompileCache, 3_000).unref();
