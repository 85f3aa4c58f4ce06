import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { Mistake, wholeNumber } from './choice.ts';
import { type Defect, readDefects, search } from './defects.ts';
import { added, coverageText, emptyTally, Tally, tallyTable } from './tally.ts';

/*
 * What takes too long for `npm test`: fresh seeds, every planted defect, the longer suites, and the week of a team. `SEEDS`
 * says how many seeds, `SEED` the first one, `DEFECT` names one defect, `ONLY` one part.
 */

const root = new URL('../..', import.meta.url).pathname;
const parts = ['seeds', 'defects', 'suites', 'week'] as const;

/** Seeds a process: what a process keeps from seed to seed shows, and a crash costs no more than these. */
const seedsAProcess = 50;
const processes = 2;
/** So many findings of a night are shrunk: each takes some minutes. */
const mostShrunk = 4;
/** How much the longer suites do: kills on each store, services that are drawn, and all cases of what has few in `npm test`. */
const suites = { kills: { KILLS: '500' }, variants: { SEEDS: '300', SEED: '' }, whole: {} } as const;

/** Begins the seeds of a day where those of another one do not come: 20261123 begins at 202611230001. */
const firstOf = (date: Date) => `${date.toISOString().slice(0, 10).replaceAll('-', '')}0001`;

/** Runs fresh seeds. @returns what failed, in a sentence each */
async function runFreshSeeds(first: number, many: number, isDrawn = false): Promise<readonly string[]> {
  console.log(`${many} seeds from ${first} on${isDrawn ? ', on services that are drawn' : ''}`);
  const folder = mkdtempSync(join(tmpdir(), 'dolly-night-'));
  const limit = pLimit(processes);
  const failures: string[] = [];
  let tally = emptyTally;
  const runSome = async (seed: number) => {
    const seeds = Math.min(seedsAProcess, first + many - seed);
    const summary = join(folder, `${seed}.json`);
    const child = spawn(process.execPath, ['--disable-warning=DEP0204', 'test/simulate/main.ts'], {
      cwd: root,
      env: {
        ...process.env,
        PLAN: '',
        SEED: String(seed),
        SEEDS: String(seeds),
        SUMMARY: summary,
        ...(isDrawn ? { DRAWN: '1' } : {}),
      },
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    for (const found of out.match(/^.*\tFOUND\n(?: {2}.*\n)*/gm) ?? []) console.log(found.trimEnd());
    if (errors !== '') console.log(errors.trimEnd());
    if (existsSync(summary)) tally = added(tally, Tally.parse(JSON.parse(readFileSync(summary, 'utf8'))));
    else failures.push(`The process of the seeds from ${seed} on did not come to its end.`);
  };
  try {
    const begins = Array.from({ length: Math.ceil(many / seedsAProcess) }, (_, at) => first + at * seedsAProcess);
    await Promise.all(begins.map(seed => limit(() => runSome(seed))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${coverageText(tally)}\n\n${tallyTable(tally)}\n`);
  await Promise.all(tally.findings.slice(0, mostShrunk).map(replay => limit(() => shrinkOne(replay))));
  return [...failures, ...tally.findings.map(replay => `A seed found something: ${replay}`)];
}

/** Prints the shortest plan that finds the same as a replay, and what people saw. */
async function shrinkOne(replay: string): Promise<void> {
  const again = Object.fromEntries(
    [...replay.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const child = spawn(process.execPath, ['--disable-warning=DEP0204', 'test/simulate/main.ts'], {
    cwd: root,
    env: { ...process.env, PLAN: '', SUMMARY: '', SEEDS: '1', SHRINK: '1', ...again },
  });
  console.log(await text(child.stdout));
}

/** Plants the defects. @returns those that were not found, in a sentence each */
async function plantAll(defects: readonly Defect[]): Promise<readonly string[]> {
  const limit = pLimit(processes);
  const failures: string[] = [];
  const plant = async (defect: Defect) => {
    if (defect.reason !== undefined) return console.log(`${defect.name}: not looked for, since ${defect.reason}`);
    const { foundBy, said } = await search(defect);
    if (foundBy !== undefined) return console.log(`${defect.name}: found by seed ${foundBy}`);
    failures.push(`The defect ${defect.name} was not found by "${defect.invariant}" within ${defect.seeds} seeds.`);
    const lines = said.split('\n').filter(line => /^ {2}\d|^ {2}the |rror|applies/.test(line));
    console.log([`${defect.name}: not found`, ...lines.slice(0, 8)].join('\n'));
  };
  await Promise.all(defects.map(defect => limit(() => plant(defect))));
  return failures;
}

/** Runs the longer suites, one after the other. @returns those that failed, in a sentence each */
async function runSuites(): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const [name, env] of Object.entries(suites)) {
    console.log(`npm run ${name}`);
    const child = spawn('npm', ['run', name], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    const code = await new Promise<unknown>((resolve, reject) => child.on('close', resolve).on('error', reject));
    if (code !== 0) failures.push(`npm run ${name} failed.`);
  }
  return failures;
}

/** Plays the week whose figures are compared from night to night, and prints them. @returns only that it was not played */
async function runWeek(): Promise<readonly string[]> {
  console.log('npm run week');
  const env = { ...process.env, SEED: '1', DAYS: '7', VERBOSE: '' };
  const child = spawn(process.execPath, ['--disable-warning=DEP0204', 'test/simulate/week/main.ts'], {
    ...{ cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
  });
  const code = await new Promise<unknown>((resolve, reject) => child.on('close', resolve).on('error', reject));
  return code === 0 ? [] : ['The week did not come to its end.'];
}

async function night(env: NodeJS.ProcessEnv): Promise<number> {
  const { ONLY, DEFECT } = env;
  const only = parts.find(part => part === (ONLY || (DEFECT ? 'defects' : undefined)));
  if (ONLY && !only) throw new Mistake(`ONLY must be one of ${parts.join(', ')}, and is ${JSON.stringify(ONLY)}.`);
  const first = wholeNumber('SEED', env.SEED ?? firstOf(new Date()));
  const many = wholeNumber('SEEDS', env.SEEDS ?? '2000');
  const all = readDefects();
  const defects = DEFECT ? all.filter(({ name }) => name === DEFECT) : all;
  if (defects.length === 0)
    throw new Mistake(`There is no defect ${DEFECT}: there are ${all.map(({ name }) => name).join(', ')}.`);
  const failures: string[] = [];
  for (const part of only ? [only] : parts) {
    if (part === 'seeds')
      failures.push(...(await runFreshSeeds(first, many)), ...(await runFreshSeeds(first, Math.ceil(many / 5), true)));
    if (part === 'defects') failures.push(...(await plantAll(defects)));
    if (part === 'suites') failures.push(...(await runSuites()));
    if (part === 'week') failures.push(...(await runWeek()));
  }
  console.log(failures.length === 0 ? 'Nothing failed.' : failures.join('\n'));
  return failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await night(process.env);
} catch (error) {
  if (!(error instanceof Mistake)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
