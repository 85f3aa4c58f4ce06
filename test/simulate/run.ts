import { writeFileSync } from 'node:fs';
import { type Chosen, choose, type Environment } from './choice.ts';
import { firstStore } from './firstStore.ts';
import { keep, keptOf, missedBy, textOf } from './kept.ts';
import { shrink } from './shrink.ts';
import { type Outcome, simulate } from './simulation.ts';
import { added, coverageText, emptyTally, tallyOf } from './tally.ts';

/**
 * Runs what the environment names: one seed, so many from there on, a plan in a file, or those in a folder. `SUMMARY` names
 * a file for the tally.
 * @returns the exit code: 1 where something was found
 * @throws Mistake where the environment names nothing that can be run
 */
export async function runSeeds(env: Environment): Promise<number> {
  const chosen = choose(env);
  const image = await firstStore();
  let tally = emptyTally;
  for (const one of chosen) {
    const began = process.cpuUsage();
    const trace: string[] = [];
    const outcome = await simulate(one.plan, image, env.TRACE ? what => trace.push(what) : undefined);
    if (env.TRACE) writeFileSync(env.TRACE, trace.join('\n'));
    const { user, system } = process.cpuUsage(began);
    const ms = (user + system) / 1_000;
    const missed = missedBy(one, outcome);
    const isFound = outcome.findings.length > 0 || missed.length > 0;
    report(one, outcome, missed, ms, env.VERBOSE === '1');
    tally = added(tally, tallyOf(outcome, ms, isFound ? [replayOf(one)] : []));
    if (env.SHRINK === '1' && outcome.findings.length > 0) {
      await shrinkFirst(outcome, image, env.KEEP === '1');
      break;
    }
    if (outcome.findings.some(({ invariant }) => invariant === env.STOP_AT || env.STOP_AT === 'any')) break;
  }
  if (chosen.length > 1) console.log(coverageText(tally));
  if (env.SUMMARY) writeFileSync(env.SUMMARY, JSON.stringify(tally));
  // Of unfair faults, what is found is only told.
  return tally.findings.length > 0 && env.UNFAIR !== '1' ? 1 : 0;
}

/** So many of the latest messages that people saw are told with a finding. */
const mostSeen = 12;

/** The command that runs the same again. */
const replayOf = ({ again }: Chosen) => `${again} npm run simulate`;

/** Shrinks the plan of the first finding, prints it, and keeps it if that is asked for. */
async function shrinkFirst(found: Outcome, image: Buffer, isKept: boolean): Promise<void> {
  const [first] = found.findings;
  if (!first) return;
  const { outcome, runs, isLeast } = await shrink(found, first.invariant, plan => simulate(plan, image));
  const sizeOf = ({ acts, faults }: Outcome['plan']) => `${acts.length} acts and ${faults.length} faults`;
  console.log(
    `shrunk in ${runs} runs from ${sizeOf(found.plan)} to ${sizeOf(outcome.plan)}${isLeast ? '' : ': there may be less'}`,
  );
  for (const { invariant, what } of outcome.findings) console.log(`  ${invariant}: ${what}`);
  for (const line of outcome.seen.slice(-mostSeen)) console.log(`  seen: ${line}`);
  const plan = keptOf(outcome, first.invariant);
  console.log(textOf(plan));
  if (isKept) console.log(`kept as ${keep(plan)}`);
}

function report(
  chosen: Chosen,
  { findings, fingerprint, events, kills, deeds, seen, covered, log }: Outcome,
  missed: readonly string[],
  ms: number,
  isVerbose: boolean,
): void {
  const isFound = findings.length > 0 || missed.length > 0;
  console.log(
    `${chosen.name}\t${fingerprint}\t${events} events\t${kills} kills\t${Math.round(ms)} ms${isFound ? '\tFOUND' : ''}`,
  );
  for (const { invariant, what, at } of findings)
    console.log(`  ${invariant} at ${new Date(at).toISOString()}: ${what}`);
  if (missed.length > 0) console.log(`  the plan no longer reaches: ${missed.join(', ')}`);
  if (isFound) console.log(`  replay: ${replayOf(chosen)}`);
  for (const line of seen.slice(-mostSeen)) console.log(`  seen: ${line}`);
  if (!isVerbose) return;
  for (const { act, isTaken, why } of deeds)
    console.log(`  ${act.id} ${act.act} ${isTaken ? 'taken' : `not taken: ${why}`}`);
  for (const [what, many] of [...covered].sort()) console.log(`  ${what}: ${many}`);
  for (const line of log) console.log(`  ${line.trim().slice(0, 600)}`);
}
