import { follow } from './recorded/follow.ts';
import { withConditions } from './recorded/forced.ts';
import { readRecording, recordingNames } from './recorded/recording.ts';
import { codeIn } from './recorded/tree.ts';
import { tryConditions } from './recorded/trying.ts';

/*
 * `npm run idle` forces each condition of the judge, in each look at what `npm run record` kept, and prints those that change
 * the result of none: what a service needs of which there is no recording, or nobody. `PART=0 PARTS=2` takes every second one.
 */
const { PART = '0', PARTS = '1' } = process.env;
const { tree, conditions } = withConditions(new URL('../..', import.meta.url).pathname);
const counts = tryConditions(conditions, 4);
Math.random = () => 0.5;
// Some conditions are asked as the code is loaded.
const code = await codeIn(tree);
for (const [at, name] of recordingNames().entries())
  if (at % Number(PARTS) === Number(PART)) await follow(readRecording(name), code);
for (const [number, { file, line, text, forcedTo }] of conditions.entries()) {
  const { reached = 0, decided = 0, asks = 0 } = counts[number] ?? {};
  const found = `${file}:${line}\t${forcedTo.join('/')}\treached ${reached}\tasks ${asks}\t${text}\n`;
  if (decided === 0) process.stdout.write(found);
}
const decisive = counts.filter(({ decided }) => decided > 0).length;
process.stdout.write(`${conditions.length} conditions, of which ${decisive} decide something\n`);
