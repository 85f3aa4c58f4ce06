import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import type { Ended } from './recorded/follow.ts';
import { type RecordedJob, readRecording, recordingNames } from './recorded/recording.ts';
import { treeOf } from './recorded/tree.ts';

/*
 * `npm run replay -- <before> [<after>]` follows the jobs that `npm run record` kept with the code of two revisions (`.`, which
 * is the latter by default, is the code as it stands), and prints which ends differ, beside what is true.
 */
const [before, after = '.'] = process.argv.slice(2);
if (before === undefined) throw new Error('npm run replay -- <revision before> [<revision after>]');

/** So many processes follow the recordings for each revision: both have half of the machine. */
const parts = Math.max(1, Math.floor(availableParallelism() / 2));

async function endsOfPart(tree: string, part: number): Promise<readonly Ended[]> {
  const program = new URL('recorded/followAll.ts', import.meta.url).pathname;
  const given = [program, tree, String(part), String(parts)];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`the code in ${tree} could not follow the recordings`);
  return lines.split('\n').flatMap((line): readonly Ended[] => (line === '' ? [] : [JSON.parse(line)]));
}

async function endsBy(revision: string): Promise<ReadonlyMap<string, Ended>> {
  const tree = treeOf(revision);
  const ends = await Promise.all(Array.from({ length: parts }, (_, part) => endsOfPart(tree, part)));
  return new Map(ends.flat().map(one => [one.job, one]));
}

const isGood = (ending: string) => ending === 'succeeded' || ending === 'partial';

/** Whether an end says what is not so: one that came before, or another one. What others did is not known here. */
function isFalse({ state, after: at }: Ended, { row, truth }: RecordedJob): boolean {
  if (!truth || at === null) return false;
  const endedAfter = (truth.endsAt ?? Number.POSITIVE_INFINITY) - (row.sentAt ?? 0);
  if (state === 'succeeded') return !isGood(truth.ending) || at < endedAfter;
  return state === 'failed' && (isGood(truth.ending) || at < endedAfter);
}

const seconds = (milliseconds: number | null) =>
  milliseconds === null ? 'never' : `after ${Math.round(milliseconds / 100) / 10} s`;
const told = (end: Ended, job: RecordedJob) =>
  `${end.state} ${seconds(end.after)}${isFalse(end, job) ? ' (NOT SO)' : ''}: ${end.reason ?? ''}`;

function truthOf({ row, truth }: RecordedJob): string {
  if (!truth) return 'it was not sent';
  const { ending, endsAt } = truth;
  return `${ending} ${seconds(endsAt === null ? null : endsAt - (row.sentAt ?? 0))}`;
}

const [old, now] = await Promise.all([endsBy(before), endsBy(after)]);
const counts = { services: 0, jobs: 0, 'other ends': 0, 'other times': 0, 'not so before': 0, 'not so after': 0 };
for (const name of recordingNames()) {
  const { seed, jobs } = readRecording(name);
  counts.services += 1;
  for (const job of jobs) {
    const [was, is] = [old.get(job.row.id), now.get(job.row.id)];
    if (!was || !is) continue;
    counts.jobs += 1;
    if (isFalse(was, job)) counts['not so before'] += 1;
    if (isFalse(is, job)) counts['not so after'] += 1;
    if (was.state === is.state && was.reason === is.reason && was.after === is.after) continue;
    counts[was.state === is.state && was.reason === is.reason ? 'other times' : 'other ends'] += 1;
    process.stdout.write(`seed ${seed}: ${job.line}\n  before: ${told(was, job)}\n  after:  ${told(is, job)}\n`);
    process.stdout.write(`  truth:  ${truthOf(job)}\n`);
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
