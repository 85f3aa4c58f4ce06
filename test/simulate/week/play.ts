import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { day, hour, second } from '../../../src/ground/durations.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Database } from '../../../src/sandbox/service/estate.ts';
import { approvalKeys } from '../../journeys/approvals.ts';
import { answerTo } from '../../journeys/asking.ts';
import { type Someone, textOf } from '../../person.ts';
import { scratchFolder } from '../../scratch.ts';
import { type World, world } from '../../world.ts';
import { type Random, randomOf } from '../random.ts';
import { addSnapshot, fillEstate, standingOn } from './estate.ts';
import { eve, failsEachNight, lookTime, type Member, monday, policy, scheduleRows } from './plan.ts';
import { gatherPosts, type Post } from './posts.ts';

/** The team at work: the world, who is there, and what the service does not do at the moment. */
export type Team = Readonly<{
  earth: World;
  random: Random;
  people: Readonly<Record<Member, Someone>>;
  posts: readonly Post[];
  /** What the service refuses: each time the words that a request has, such as its path and an identifier. */
  refused: Set<string>;
  /** The databases that nobody backs up but Dolly, if she does, by their identifiers. */
  leftOut: Set<string>;
  /** Those that a schedule or a trouble has: the next one is another. */
  taken: Set<string>;
  /** What is still to happen; a deed may add to it. */
  agenda: Deed[];
  /** The targets of the schedules, by the words of their rows and their hosts. */
  scheduled: Map<string, readonly Database[]>;
}>;

/** What happens at a moment. */
export type Deed = Readonly<{ at: number; does(): Promise<unknown> | unknown }>;

/** The shortest and the longest time that the clock jumps: idle loops look every five seconds, and locks last longer. */
const jump = { shortest: 5 * second, longest: lookTime - second } as const;

/**
 * Begins the world of a seed on the evening before the week, with the estate and the people, who are signed in.
 * @param most how many databases a host has at most: fewer are quicker
 */
export async function openTeam(
  seed: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Team & { close(): Promise<void> }> {
  const random = randomOf(seed, 'week');
  const refused = new Set<string>();
  const middleware: Middleware = async (request, next) => {
    if (request.method === 'GET') return next();
    const said = `${decodeURIComponent(request.url)} ${await request.clone().text()}`;
    const isRefused = [...refused].some(words => words.split(' ').every(word => said.includes(word)));
    if (!isRefused) return next();
    return Response.json({ error: { code: 'CONFLICT', message: 'The storage takes no more.' } }, { status: 409 });
  };
  const folder = scratchFolder('week');
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  let earth: World | undefined;
  const gathered = gatherPosts(
    (channel, ts) => earth?.playground.slack.messages(channel).find(message => message.ts === ts),
    () => earth?.clock.now() ?? 0,
  );
  earth = await world({
    environment: { ...approvalKeys, POLICY_FILE: file },
    service: { tokenLifetime: 900 * day, middleware },
    slack: { middleware: gathered.middleware },
    handsOnStore: true,
  });
  fillEstate(earth.service.service.estate, random, most);
  await earth.clock.leap(eve - earth.clock.now());
  const [Ana, Ben, Chi, Dev] = [
    await earth.enters('Ana', 'ana'),
    await earth.enters('Ben', 'ben'),
    await earth.enters('Chi', 'chi'),
    await earth.enters('Dev', 'dev'),
  ];
  const close = async () => {
    await earth.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const rest = {
    leftOut: new Set<string>(),
    taken: new Set<string>(),
    scheduled: new Map<string, readonly Database[]>(),
    agenda: [],
  };
  return { earth, random, people: { Ana, Ben, Chi, Dev }, posts: gathered.posts, refused, ...rest, close };
}

/** Says something to Dolly in the channel. @returns its answer to this person alone */
export async function says({ people, earth }: Team, by: Member, line: string): Promise<string> {
  const answer = textOf(await answerTo(people[by], line));
  await earth.clock.advance(second);
  return answer;
}

/** A database on a host that neither a schedule nor a trouble has. */
export function ordinaryOn({ earth, random, taken }: Team, host: string): Database {
  return random.one(standingOn(earth.service.service.estate, host).filter(({ id }) => !taken.has(id)));
}

/** Makes the schedules, the report and the alerts of the team. @throws where Dolly did not make all of them */
export async function setUp(team: Team): Promise<void> {
  const { earth, random, leftOut, taken, scheduled } = team;
  const { estate } = earth.service.service;
  for (const row of scheduleRows) {
    const { by, what, target, host, when, many, hour: ranAt } = row;
    const free = standingOn(estate, host, target === 'clone').filter(({ id }) => !taken.has(id));
    const fits = free.filter(({ name }) => (name === failsEachNight.name) === (target === 'failing'));
    // The same clone is started in the morning and stopped in the evening.
    const all = target === 'clone' ? fits.filter(({ owner }) => owner === by.toLowerCase()).slice(0, 1) : fits;
    const chosen: Database[] = [];
    while (chosen.length < many && chosen.length < all.length)
      chosen.push(random.one(all.filter(one => !chosen.includes(one))));
    const isBackup = what === 'backup';
    const covered = target === 'environment' ? all : chosen;
    for (const one of covered) {
      if (target !== 'clone') taken.add(one.id);
      if (isBackup) leftOut.add(one.id);
      if (isBackup) one.snapshots = [];
      if (isBackup) addSnapshot(estate, one, lastAt(ranAt));
    }
    scheduled.set(`${what} ${host} ${by}`, covered);
    for (const one of chosen) {
      const named = target === 'environment' ? `env:${host}` : one.id;
      await says(team, by, `/db schedule ${what} ${named} ${when}`);
    }
  }
  // The clone that is started in the morning stands still at night.
  for (const one of scheduled.get('start dev Chi') ?? []) one.state = 'STOPPED';
  await says(team, 'Ana', '/db alerts on');
  await says(team, 'Ana', '/db report daily at=08:30');
  // What is due at its first moment is of the week.
  await runUntil(team, monday - second);
  const wanted = scheduleRows.reduce((sum, { many }) => sum + many, 0) + 1;
  const made = await earth.store().selectFrom('things').select('id').where('kind', '=', 'schedule').execute();
  if (made.length !== wanted) throw new Error(`there are ${made.length} schedules, and not ${wanted}`);
}

/** The last time before the week at which it was so late. */
function lastAt(hours: number): number {
  const today = Math.floor(eve / day) * day + hours * hour;
  return today < eve ? today : today - day;
}

/** Lets the time pass, in jumps to what is due next; each deed of the agenda is done at its moment. */
export async function runUntil({ earth, agenda }: Team, end: number): Promise<void> {
  const { clock } = earth;
  for (;;) {
    agenda.sort((one, other) => one.at - other.at);
    const next = agenda[0];
    if (next && next.at <= clock.now()) {
      agenda.shift();
      await next.does();
      continue;
    }
    if (clock.now() >= end) return;
    const until = Math.min(end, next?.at ?? end);
    const due = Math.max(await nextDue(earth), clock.now() + jump.shortest);
    await clock.leap(Math.min(until, due) - clock.now());
  }
}

/** When something in Dolly's store is due next. */
async function nextDue(earth: World): Promise<number> {
  const store = earth.store();
  const now = earth.clock.now();
  const { fn } = store;
  const things = await store
    .selectFrom('due')
    .select(fn.min('dueAt').as('at'))
    .where('lockedUntil', '<=', now)
    .executeTakeFirst();
  const jobs = await store
    .selectFrom('jobs')
    .select([fn.min('dueAt').as('at'), fn.min('tellAt').as('tellAt')])
    .executeTakeFirst();
  const times = [things?.at, jobs?.at, jobs?.tellAt].flatMap(at =>
    at === null || at === undefined ? [] : [Number(at)],
  );
  return Math.min(...times, now + jump.longest);
}
