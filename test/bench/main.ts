import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ack } from './ack.ts';
import { leaveNothingBehind } from './child.ts';
import { commits } from './commits.ts';
import { follows } from './crowd.ts';
import { machineFacts } from './machine.ts';
import { mariadb } from './mariadb.ts';
import { memory } from './memory.ts';
import type { Figure, Part } from './part.ts';
import { replicas } from './replicas.ts';
import { machineLine, resultOf, table } from './report.ts';
import { start } from './start.ts';
import { throughput } from './throughput.ts';
import { typeAhead } from './typeAhead.ts';

const parts: readonly Part[] = [ack, throughput, start, memory, ...follows, commits, typeAhead, replicas, mariadb];

const usage = [
  'npm run bench -- [--quick] [--json FILE] [--profile FOLDER] [part …]',
  '',
  'Measures Dolly in pairs with a floor (a bare Bolt app, or what the row says), and prints a table and JSON.',
  '',
  '  --quick           a short run; the figures are rough',
  '  --json FILE       write the JSON there instead of printing it',
  '  --profile FOLDER  let the measured apps write CPU profiles there; the figures are then worth nothing',
  '',
  ...parts.map(({ name, summary }) => `  ${name.padEnd(18)}  ${summary}`),
].join('\n');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
/** A part is named by its name, or several by how theirs begin: `people` means all crowds of people. */
const isNamed = (part: Part, name: string) => part.name === name || part.name.startsWith(`${name}-`);
const unknown = positionals.find(name => !parts.some(part => isNamed(part, name)));
if (options.help || unknown !== undefined) {
  console.error(unknown === undefined ? usage : `There is no part ${unknown}.\n\n${usage}`);
  process.exit(unknown === undefined ? 0 : 2);
}

leaveNothingBehind();
const date = new Date();
const machine = machineFacts();
const { quick, profile } = options;
const nodeOptions = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)];
const figures: Figure[] = [];
for (const part of parts) {
  if (positionals.length > 0 && !positionals.some(name => isNamed(part, name))) continue;
  try {
    figures.push(...(await part.measure({ quick, nodeOptions, say: line => console.error(`… ${line}`) })));
  } catch (error) {
    // What the others found is not lost with it.
    console.error(`✗ ${part.name}:`, error);
    process.exitCode = 1;
  }
}
const results = figures.map(resultOf);
const json = JSON.stringify({ date: date.toISOString(), quick, machine, results }, undefined, 2);
console.log(`${machineLine(machine, date)}${quick ? ' (quick run)' : ''}\n\n${table(results)}`);
if (options.json === undefined) console.log(`\n${json}`);
else writeFileSync(options.json, `${json}\n`);
