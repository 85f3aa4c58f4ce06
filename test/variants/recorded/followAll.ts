import { follow } from './follow.ts';
import { readRecording, recordingNames } from './recording.ts';
import { codeIn } from './tree.ts';

/* Follows all recordings with the code in a folder, and writes each end as a line of JSON. */
const [, , tree = '.', part = '0', parts = '1'] = process.argv;
Math.random = () => 0.5;
const code = await codeIn(tree);
for (const [at, name] of recordingNames().entries())
  if (at % Number(parts) === Number(part))
    for (const ended of await follow(readRecording(name), code)) process.stdout.write(`${JSON.stringify(ended)}\n`);
