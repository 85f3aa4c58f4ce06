import type { StepRun } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import type { World } from '../world.ts';
import { clicks } from './clicks.ts';
import { type Report, sentTo, type Write } from './report.ts';
import { plantLive } from './restores.ts';

/** A step of a workflow: a backup of a database that nobody else’s work is about, of the same name as the workflow. */
export type Stepped = Readonly<{ name: string; database: string; step: () => StepRun | undefined }>;

/** Starts a workflow of one step in Ana's name, while the bot runs. */
export async function startsStep(ana: Someone, earth: World, number: number): Promise<Stepped> {
  const { name, database } = plantLive(earth, `step${number}`);
  const inputs = { workflow: name, person: ana.id, database };
  const workflow = await ana.buildsWorkflow({ name, steps: [{ function: 'back_up', inputs }] });
  const { id } = await ana.runsWorkflow(workflow);
  return { name, database, step: () => earth.playground.slack.runs().find(run => run.id === id)?.steps[0] };
}

/** Allows what workflows ask for. */
export async function allowsSteps(ana: Someone): Promise<void> {
  for (const message of ana.messages('@dolly').filter(one => textOf(one).includes('Let the workflow')))
    await clicks(ana, 'Allow', message);
}

/**
 * Reports on steps by what Slack, the service and the person saw: each was asked about once, sent once, and told to Slack
 * as it went.
 */
export function reportSteps(
  ana: Someone,
  earth: World,
  result: Report,
  all: readonly Stepped[],
  writes: readonly Write[],
): void {
  const direct = ana.messages('@dolly').map(textOf);
  for (const { name, database, step } of all) {
    const request = `step of ${name}`;
    const isIn = new RegExp(`\\b${name}\\b`);
    const sent = sentTo(writes, 'sync', database);
    const run = step();
    const asked = direct.filter(text => isIn.test(text) && /Let the workflow|asked to/.test(text)).length;
    result.asked += 1;
    if (sent > 1) result.doubled.push(`${request}: sent ${sent} times`);
    if (asked > 1) result.doubled.push(`${request}: asked about ${asked} times`);
    if (run?.state === 'running') result.stuck.push(`${request}: asked about ${asked} times, sent ${sent} times`);
    const made = (earth.service.service.estate.databases.get(database)?.snapshots.length ?? 0) - 1;
    if (run?.state === 'completed' && made < 1) result.untrue.push(`${request}: completed without a snapshot`);
    // One that never left is in doubt until its person has had enough.
    if (run?.state === 'failed' && sent > 0) result.untrue.push(`${request}: failed: ${run.error}`);
  }
}
