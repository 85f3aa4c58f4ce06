import { follow } from './recorded/follow.ts';
import { cutTo, type KeptJobs, writeKept } from './recorded/kept.ts';
import { type Recording, readRecording, recordingNames } from './recorded/recording.ts';
import { codeIn, treeOf } from './recorded/tree.ts';
import { ruleNames, without } from './recorded/without.ts';

/*
 * `node test/variants/keep.ts [<rule>…]` finds for each rule of evidence, or for the named ones, a job that ends otherwise without
 * that rule, among the recordings of `npm run record`, and keeps what it was answered in recorded/kept. `SEEDS=61002,62056` looks
 * among those alone.
 */
const { SEEDS } = process.env;
Math.random = () => 0.5;
const code = await codeIn(treeOf('.'));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ruleNames;
const kept: Record<string, KeptJobs[string]> = {};
const cuts = new Map<number, Recording>();

/** The recordings, those before the others that need the least room. */
const recordings = recordingNames()
  .filter(name => SEEDS === undefined || SEEDS.split(',').includes(String(Number.parseInt(name, 10))))
  .map(name => readRecording(name))
  .toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);

async function endsOf(recording: Recording) {
  const ends = await follow(recording, code);
  return new Map(ends.map(({ job, state, reason, after }) => [job, JSON.stringify({ state, reason, after })]));
}

for (const recording of recordings) {
  const open = wanted.filter(name => kept[name] === undefined);
  if (open.length === 0) break;
  const cut = await cutTo(recording, code);
  const ends = await endsOf(cut);
  for (const name of open) {
    const others = await without(name, () => endsOf(cut)).catch(() => new Map<string, string>());
    const job = [...ends].find(([id, end]) => others.has(id) && others.get(id) !== end)?.[0];
    if (job === undefined) continue;
    kept[name] = { seed: recording.seed, job };
    cuts.set(recording.seed, cut);
    process.stdout.write(`${name}: ${recording.seed}\n`);
  }
}
writeKept(kept, [...cuts.values()]);
process.stdout.write(`none for: ${wanted.filter(name => kept[name] === undefined).join(' · ')}\n`);
