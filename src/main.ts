import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { givenIn } from './app/config/given.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(`Dolly needs Node 24 or newer, but this is ${process.versions.node}. Start it with: npm start`);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
// The bundle has source maps of our own code.
setSourceMapsSupport(true);

// Jobs wait for the start after a crash, so it reuses the code that an earlier start compiled.
/** The folder in which compiled code is kept. */
export const compiled = resolve(
  process.env.NODE_COMPILE_CACHE ?? join(givenIn(process.env).DATA_DIR ?? './data', 'compiled'),
);
const isCompiled = existsSync(compiled);
const isCompiling = process.argv[2] === 'compile';
const isRestored = process.argv[2] === 'restored';
if (isCompiling) setPriority(constants.priority.PRIORITY_LOW);
if (isCompiled) enableCompileCache(compiled);

const { runUntilStopped } = await import('./app/run.ts');
const { isForReal } = await import('./app/config/realKeys.ts');
const loadDolly = () =>
  Promise.all([import('./app/app.ts'), import('./app/config/config.ts'), import('./app/giveBackMemory.ts')]);
if (isCompiling) {
  await Promise.all([loadDolly(), import('./store/drivers/sqlite.ts'), import('./store/drivers/postgres.ts')]);
} else if (isForReal(process.env)) {
  const [{ startDolly }, { readConfig }, { giveBackMemory }] = await loadDolly();
  await runUntilStopped(async () => {
    giveBackMemory();
    const dolly = await startDolly(readConfig(process.env), { isRestored });
    console.log(`Dolly listens at ${dolly.url}`);
    return dolly;
  });
  // Only the store makes the folder.
  if (!isCompiled && existsSync(dirname(compiled))) compileBeside();
} else {
  // The packages of the sandbox are not in a production install.
  const { startSandbox } = await import('./sandbox/main.ts').catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    console.error(
      'No key of Slack or of the service is set, and the sandbox, which needs none, is not installed (npm ci installs it). Set SLACK_BOT_TOKEN and the other keys of docs/configuration.md.',
    );
    process.exit(1);
  });
  await runUntilStopped(startSandbox);
}

/**
 * Compiles the code and keeps it, in a process of its own with the lowest priority: to write some 1,300 files takes a
 * moment in which people would wait for their acks. What an upgrade changes is kept when Dolly stops.
 */
function compileBeside(): void {
  const options = { stdio: 'ignore', env: { ...process.env, NODE_COMPILE_CACHE: compiled } } as const;
  const compiler = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'compile'], options);
  // Without it, the next start takes longer.
  compiler.on('error', () => undefined).unref();
  process.once('exit', () => compiler.kill());
}
