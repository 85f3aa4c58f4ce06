import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { drawPlan, KeptPlan, Plan } from './plan.ts';
import { type Outcome, simulate } from './simulation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The store as the first start of a bot makes it. */
export async function firstStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-simulate-'));
  try {
    await (await openStore(folder)).destroy();
    const image = readFileSync(join(folder, 'dolly.sqlite'));
    // A store in memory has no write-ahead log, of which the header tells (sqlite.org/fileformat.html, offset 18).
    return image.fill(1, 18, 20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs what the environment names: one seed, so many from there on, or a plan in a file. @returns the exit code */
export async function runSeeds(env: Environment, read: (path: string) => string): Promise<number> {
  const image = await firstStore();
  const plans: Plan[] = [];
  if (env.PLAN) plans.push(KeptPlan.or(Plan).parse(JSON.parse(read(env.PLAN))));
  else {
    const first = Number(env.SEED ?? 1);
    for (let seed = first; seed < first + Number(env.SEEDS ?? 1); seed++) plans.push(drawPlan(String(seed)));
  }
  let failed = 0;
  const total = new Map<string, number>();
  for (const plan of plans) {
    const began = process.hrtime.bigint();
    const trace: string[] = [];
    const outcome = await simulate(plan, image, env.TRACE ? what => trace.push(what) : undefined);
    if (env.TRACE) writeFileSync(env.TRACE, trace.join('\n'));
    const ms = Number(process.hrtime.bigint() - began) / 1e6;
    if (outcome.findings.length > 0) failed += 1;
    report(outcome, ms, env.VERBOSE === '1');
    for (const [what, many] of outcome.covered) total.set(what, (total.get(what) ?? 0) + many);
    if (outcome.findings.some(({ invariant }) => invariant === env.STOP_AT)) break;
  }
  if (plans.length > 1)
    console.log(
      [...total]
        .sort()
        .map(([what, many]) => `${what}: ${many}`)
        .join('\n'),
    );
  return failed > 0 ? 1 : 0;
}

function report(
  { plan, findings, fingerprint, events, kills, deeds, covered, log }: Outcome,
  ms: number,
  isVerbose: boolean,
): void {
  console.log(
    `${plan.seed}\t${fingerprint}\t${events} events\t${kills} kills\t${Math.round(ms)} ms${findings.length > 0 ? '\tFOUND' : ''}`,
  );
  for (const { invariant, what, at } of findings)
    console.log(`  ${invariant} at ${new Date(at).toISOString()}: ${what}`);
  if (!isVerbose) return;
  for (const { act, isTaken, why } of deeds)
    console.log(`  ${act.id} ${act.act} ${isTaken ? 'taken' : `not taken: ${why}`}`);
  for (const [what, many] of [...covered].sort()) console.log(`  ${what}: ${many}`);
  for (const line of log) console.log(`  ${line.trim().slice(0, 600)}`);
}
