import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { startPostgres } from '../postgresServer.ts';
import { startBot } from './bots.ts';
import { leaveNothingBehind } from './child.ts';
import { longestRhythm, reportOf, startStub } from './crowd.ts';
import { machineFacts } from './machine.ts';
import { knowRunning } from './replicas.ts';
import { machineLine } from './report.ts';
import { seed } from './seed.ts';
import { watchDatabase } from './watchDatabase.ts';

const usage = [
  'npm run loadtest -- [--processes 1,2,4,8] [--people 1000,10000,100000] [--jobs 1] [--seconds 30]',
  '',
  'Several processes of Dolly on one PostgreSQL follow the jobs of people, at a service and a Slack in processes of their',
  'own. Prints a row for each number of processes and people. What the machine has too few cores for is not measured, and',
  'nothing is measured with more people once the machine was busy.',
].join('\n');

/** Where the machine is busy for a greater part of the time, the row shows the machine, and not Dolly. */
const mostBusy = 0.9;
/** Ends a second, less than Slack takes in the channels of a crowd. */
const endsPerSecond = 20;

const percent = (part: number) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;

/** The part of the time in which the machine's cores had something to do, since the last call. */
function busyTimes() {
  const sum = () => {
    const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => [user + nice + sys + irq, idle] as const);
    return [times.reduce((all, [used]) => all + used, 0), times.reduce((all, [, idle]) => all + idle, 0)] as const;
  };
  let before = sum();
  return () => {
    const [[used, idle], [wasUsed, wasIdle]] = [sum(), before];
    before = [used, idle];
    return (used - wasUsed) / (used - wasUsed + idle - wasIdle);
  };
}

type Size = Readonly<Record<'processes' | 'people' | 'jobsEach' | 'seconds', number>>;

/** One row. Tells whether the machine had time to spare. */
async function measure({ processes, people, jobsEach, seconds }: Size): Promise<boolean> {
  const crowd = { people, jobsEach, areVisible: true } as const;
  const server = startPostgres(true);
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const url = await server.database();
    const [service, slack] = await Promise.all([startStub(crowd), startStub({ people: 0, jobsEach: 0 })]);
    stops.push(service.stop, slack.stop);
    const shared = await openShared(url, systemClock, { heard: () => undefined, faulty: console.error });
    await knowRunning(shared.store, service.told);
    await seed(shared.store, crowd, Date.now() + 5_000);
    await shared.close();
    const bots = await Promise.all(
      Array.from({ length: processes }, () =>
        startBot(
          'dolly',
          { slackUrl: slack.told, serviceUrl: service.told },
          { environment: { DATABASE_URL: url, LOG_LEVEL: 'error' } },
        ),
      ),
    );
    stops.push(...bots.map(bot => bot.stop));
    // Until the looks have found their rhythm.
    await sleep(2 * longestRhythm * 1_000);
    await Promise.all([reportOf(service), reportOf(slack)]);
    const used = () => bots.reduce((all, { process }) => all + process.processorTime(), 0);
    const [before, busy, watched] = [used(), busyTimes(), await watchDatabase(url)];
    await sleep(seconds * 1_000);
    const [own, database, isBusy, looks] = [used() - before, await watched(), busy(), await reportOf(service)];
    const ends = Math.min(people * jobsEach, endsPerSecond * seconds);
    await request(`${service.told}/crowd/end?count=${ends}&every=${1_000 / endsPerSecond}`, { method: 'POST' });
    await sleep((ends / endsPerSecond + longestRhythm + 1) * 1_000);
    const { posts } = await reportOf(slack);
    const hasTime = isBusy <= mostBusy;
    const cells = [
      percent(own / seconds),
      percent(database.used / seconds),
      percent(database.waiting),
      (((looks.lists + looks.singles) * 10) / seconds / people).toFixed(2),
      percent(looks.fresh / people),
      percent(Math.min(1, posts / ends)),
      hasTime ? percent(isBusy) : `${percent(isBusy)}: not measurable here`,
    ];
    console.log(`| ${[processes, people.toLocaleString('en'), ...cells].join(' | ')} |`);
    return hasTime;
  } finally {
    for (const stop of stops.reverse()) await stop();
    server.stop();
  }
}

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4,8' },
    people: { type: 'string', default: '1000,10000,100000' },
    jobs: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '30' },
    help: { type: 'boolean' },
  },
});
if (values.help) console.log(usage);
else {
  leaveNothingBehind();
  const numbers = (text: string) => text.split(',').map(Number);
  console.log(`Measured on ${machineLine(machineFacts(), new Date())}.\n`);
  const head = ['processes', 'people', 'processor of Dolly', 'of PostgreSQL', 'statements that wait for a lock'];
  head.push('reads a person in 10 s', `looked at within ${longestRhythm} s`, 'ends told in time', 'machine busy');
  console.log(`| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |`);
  for (const processes of numbers(values.processes)) {
    let hasTime = processes <= cpus().length;
    for (const people of numbers(values.people)) {
      const size = { processes, people, jobsEach: Number(values.jobs), seconds: Number(values.seconds) };
      if (hasTime) hasTime = await measure(size);
      else console.log(`| ${processes} | ${people.toLocaleString('en')} | ${'| '.repeat(6)}not measurable here |`);
    }
  }
}
