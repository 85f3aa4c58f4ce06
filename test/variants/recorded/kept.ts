import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { follow } from './follow.ts';
import type { RawAnswer, Recording } from './recording.ts';
import type { Code } from './tree.ts';

/** By the name of a rule, the job of a recording that ends otherwise without it. */
export type KeptJobs = Readonly<Record<string, Readonly<{ seed: number; job: string }>>>;

const folder = new URL('kept', import.meta.url).pathname;
const index = join(folder, 'jobs.json');

/** Leaves out of a recording what nobody asked for. */
export async function cutTo(recording: Recording, code: Code): Promise<Recording> {
  const used = new Map<string, Set<number>>();
  await follow(recording, code, (path, answer) => {
    const own = used.get(path) ?? new Set();
    used.set(path, answer === undefined ? own : own.add(answer));
  });
  const numbers = [...new Set([...used.values()].flatMap(some => [...some]))];
  const paths = Object.entries(recording.paths).flatMap(([path, all]) => {
    const own = used.get(path);
    const left = all.flatMap(([at, answer]) => (own?.has(answer) ? [[at, numbers.indexOf(answer)] as const] : []));
    return own ? [[path, left] as const] : [];
  });
  const answers = numbers.flatMap((number): RawAnswer[] => {
    const answer = recording.answers[number];
    return answer ? [answer] : [];
  });
  return { ...recording, answers, paths: Object.fromEntries(paths) };
}

/** Keeps recordings, and which of their jobs show what the rules are for. */
export function writeKept(jobs: KeptJobs, recordings: readonly Recording[]): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const one of recordings)
    writeFileSync(join(folder, `${one.seed}.json.gz`), gzipSync(JSON.stringify(one), { level: 9 }));
  writeFileSync(index, `${JSON.stringify(jobs, undefined, 2)}\n`);
}

/** The kept jobs, and their recordings by seed. */
export function readKept(): Readonly<{ jobs: KeptJobs; recordings: ReadonlyMap<number, Recording> }> {
  const jobs: KeptJobs = JSON.parse(readFileSync(index, 'utf8'));
  const seeds = new Set(Object.values(jobs).map(({ seed }) => seed));
  const read = (seed: number): Recording =>
    JSON.parse(gunzipSync(readFileSync(join(folder, `${seed}.json.gz`))).toString());
  return { jobs, recordings: new Map([...seeds].map(seed => [seed, read(seed)])) };
}
