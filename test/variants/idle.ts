import { follow } from './recorded/follow.ts';
import { withConditions } from './recorded/forced.ts';
import { readRecording, recordingNames } from './recorded/recording.ts';
import { codeIn } from './recorded/tree.ts';

/*
 * `npm run idle` forces each condition of the judge, in each look at what `npm run record` kept, and prints those that change
 * the result of none: what a service needs of which there is no recording, or nobody. `PART=0 PARTS=2` takes every second one.
 */
const { PART = '0', PARTS = '1' } = process.env;
const { tree, conditions } = withConditions(new URL('../..', import.meta.url).pathname);
const counts = conditions.map(() => ({ reached: 0, decided: 0 }));
/** Looks that went the same way are alike: so many of each are tried. */
const ofEachWay = 4;
const ways = new Map<string, number>();
let forced: Readonly<{ number: number; to: boolean }> | undefined;
let reached: Set<string> | undefined;

type Tried = Readonly<{ result: Record<string, unknown> } | { wants: unknown }>;
type Step = (look: unknown, reading: unknown) => Tried;
function isOther(look: unknown, reading: unknown, told: string): boolean {
  try {
    const tried = step(look, reading);
    return 'result' in tried && shown(tried.result) !== told;
  } catch {
    // Without the condition there is nothing to look at.
    return true;
  }
}

const shown = ({ verdict, seen, claims, claimed, arrived }: Record<string, unknown>) =>
  JSON.stringify([verdict, seen, claims, claimed, arrived]);

Object.assign(globalThis, {
  condition(number: number, value: unknown) {
    reached?.add(`${number} ${Boolean(value)}`);
    return forced?.number === number ? forced.to : value;
  },
  looked(look: unknown, reading: unknown) {
    reached = new Set();
    const tried = step(look, reading);
    const [seen, way] = [reached, [...reached].toSorted().join()];
    reached = undefined;
    const times = ways.get(way) ?? 0;
    ways.set(way, times + 1);
    if (!('result' in tried) || times >= ofEachWay) return;
    const told = shown(tried.result);
    for (const [number, { forcedTo }] of conditions.entries()) {
      const count = counts[number];
      if (!count || !(seen.has(`${number} true`) || seen.has(`${number} false`))) continue;
      count.reached += 1;
      for (const to of forcedTo.filter(one => seen.has(`${number} ${!one}`))) {
        forced = { number, to };
        if (isOther(look, reading, told)) count.decided += 1;
        forced = undefined;
      }
    }
  },
});
Math.random = () => 0.5;
// Some conditions are asked as the code is loaded.
const { step }: { step: Step } = await import(`${tree}/src/jobs/evidence/gather.ts`);
const code = await codeIn(tree);
for (const [at, name] of recordingNames().entries())
  if (at % Number(PARTS) === Number(PART)) await follow(readRecording(name), code);
for (const [number, { file, line, text, forcedTo }] of conditions.entries()) {
  const { reached: times = 0, decided = 0 } = counts[number] ?? {};
  if (decided === 0) process.stdout.write(`${file}:${line}\t${forcedTo.join('/')}\treached ${times}\t${text}\n`);
}
const decisive = counts.filter(({ decided }) => decided > 0).length;
process.stdout.write(`${conditions.length} conditions, of which ${decisive} decide something\n`);
