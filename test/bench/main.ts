import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ack, ackInTeam } from './ack.ts';
import { alerts } from './alerts.ts';
import { audits } from './audit.ts';
import { checkOut, measureBoth } from './builds.ts';
import { leaveNothingBehind } from './child.ts';
import { commits } from './commits.ts';
import { follows } from './crowd.ts';
import { deaths } from './deaths.ts';
import { disk } from './disk.ts';
import { writeFigures } from './figuresPage.ts';
import { watchOthers } from './foreign.ts';
import { handover } from './handover.ts';
import { machineFacts } from './machine.ts';
import { mariadb } from './mariadb.ts';
import { walledClone } from './mariadbWall.ts';
import { memory } from './memory.ts';
import type { Build, Part, Run } from './part.ts';
import { readers } from './readers.ts';
import { replicas } from './replicas.ts';
import { type Measured, machineLine, resultOf, table } from './report.ts';
import { rest } from './rest.ts';
import { schedules } from './schedules.ts';
import { firstLooks, firstSeconds, start } from './start.ts';
import { status } from './status.ts';
import { throughput } from './throughput.ts';
import { typeAheads } from './typeAhead.ts';

/** The parts of a whole run. Real MariaDB servers take as long as all of them, and are measured only by name. */
const usual: readonly Part[] = [
  ack,
  ackInTeam,
  throughput,
  start,
  firstSeconds,
  firstLooks,
  memory,
  ...follows,
  rest,
  schedules,
  ...audits,
  ...typeAheads,
  readers,
  status,
  alerts,
  commits,
  disk,
  replicas,
  deaths,
  handover,
];
const parts: readonly Part[] = [...usual, walledClone, mariadb];

const usage = [
  'npm run bench -- [--quick] [--against COMMIT] [--core N] [--json FILE] [--docs] [--profile FOLDER] [part …]',
  '',
  'Measures Dolly in pairs with a floor (a bare Bolt app, or what the row says), and prints a table and JSON.',
  'Without a part, all of them are measured but those of real MariaDB servers. A part is named in whole or by its beginning.',
  '',
  '  --quick           a short run; the figures are rough',
  '  --against COMMIT  measure that Dolly, too, in turns with this one: it stands in the place of the floor',
  '  --core N          let the measured apps run on this core alone (by taskset)',
  '  --json FILE       write the JSON there instead of printing it',
  '  --docs            write the tables of docs/figures.md: of a whole run, or of mariadb alone',
  '  --profile FOLDER  let the measured apps write CPU profiles there; the figures are then worth nothing',
  '',
  ...parts.map(({ name, summary }) => `  ${name.padEnd(18)}  ${summary}`),
].join('\n');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
    core: { type: 'string' },
    json: { type: 'string' },
    docs: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const chosen = positionals.length > 0 ? parts.filter(({ name }) => positionals.some(isNameOf(name))) : usual;
const unknown = positionals.find(word => !parts.some(({ name }) => isNameOf(name)(word)));
const isWhole = options.against === undefined && (chosen === usual || (chosen.length === 1 && chosen[0] === mariadb));
if (options.help || unknown !== undefined || (options.docs && (!isWhole || options.quick))) {
  const fault = unknown === undefined ? '--docs needs a whole run that is not quick.' : `There is no part ${unknown}.`;
  console.error(options.help ? usage : `${fault}\n\n${usage}`);
  process.exit(options.help ? 0 : 2);
}

/** A part is measured once more where other programs used more than this percentage of a core meanwhile. */
const mostForeign = 5;

leaveNothingBehind();
const date = new Date();
const machine = machineFacts();
const { quick, profile, core } = options;
const build: Build = {
  nodeOptions: profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)],
  ...(core === undefined ? {} : { core: Number(core) }),
};
const other: Build | undefined =
  options.against === undefined ? undefined : { ...build, root: checkOut(options.against) };
const measured: Measured[] = [];
const reportNow = () => JSON.stringify({ date: date.toISOString(), quick, machine, measured }, undefined, 2);
for (const part of chosen) {
  const began = Date.now();
  const first = await measureBeside(part);
  if (first.foreign <= mostForeign || quick) measured.push(first);
  else {
    console.error(`… others used ${Math.round(first.foreign)} % of a core: ${part.name} once more`);
    const again = await measureBeside(part);
    measured.push(again.results.length > 0 && again.foreign < first.foreign ? again : first);
  }
  console.error(`  ${part.name}: ${Math.round((Date.now() - began) / 1_000)} s`);
  // Whoever stops a long run has what it found so far.
  if (options.json !== undefined) writeFileSync(options.json, `${reportNow()}\n`);
}
const most = Math.max(...measured.map(({ foreign }) => foreign));
const said = `${machineLine(machine, date)}; other programs used ${most.toFixed(1)} % of a core at most beside a part`;
console.log(`${said}${quick ? ' (quick run)' : ''}\n\n${table(measured.flatMap(({ results }) => results))}`);
if (options.json === undefined) console.log(`\n${reportNow()}`);
if (options.docs) writeFigures(said, measured);
// A part that failed may have left its processes behind: they end with this one.
process.exit();

async function measureBeside(part: Part): Promise<Measured> {
  const { name, group } = part;
  const foreignSince = watchOthers();
  try {
    const run: Run = { quick, build, say: line => console.error(`… ${line}`) };
    const figures = await (other ? measureBoth(part, run, other) : part.measure(run));
    return { part: name, group, results: figures.map(resultOf), foreign: foreignSince() };
  } catch (error) {
    // What the others found is not lost with it.
    console.error(`✗ ${name}:`, error);
    process.exitCode = 1;
    return { part: name, group, results: [], foreign: foreignSince() };
  }
}

/** `people` names all parts that begin with it. */
function isNameOf(name: string): (word: string) => boolean {
  return word => name === word || name.startsWith(`${word}-`);
}
