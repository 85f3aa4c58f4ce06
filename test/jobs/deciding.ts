import { connectService } from '../../src/api/connection/serviceClient.ts';
import type { AllParts } from '../../src/app/wholeDesk.ts';
import type { Click, ClickOutcome } from '../../src/jobs/approval/click.ts';
import { approve, deny } from '../../src/jobs/approval/decide.ts';
import { breakGlass } from '../../src/jobs/approval/people/breakGlass.ts';
import { PolicyFile, policyOf } from '../../src/jobs/approval/policy/rules.ts';
import { knowsRequest } from '../../src/jobs/request.ts';
import { send } from '../../src/jobs/send.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { startService } from '../../src/sandbox/service/server.ts';
import type { Store } from '../../src/store/database.ts';
import { type Jobs, jobsIn } from '../../src/store/jobs/jobs.ts';
import type { Job, JobState, NewJob } from '../../src/store/jobs/rows/job.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { takeUpSignedIn } from '../../src/store/things/takeUpSignedIn.ts';
import { openVault } from '../../src/store/vault.ts';
import { testClock } from '../clock.ts';
import { additionsTo } from '../house.ts';
import { storedParts } from './storedParts.ts';

const team = 'T1';

function told(outcome: ClickOutcome): string {
  return outcome.type === 'refused' ? outcome.sentence : `${outcome.type}: ${outcome.job.state}`;
}

/**
 * A job that waits for approval, without Slack and without loops: nothing happens but what a test does. The store and the
 * service are real; Ana asked, signed in as `ana`; Dev and Eve are approvers, and so is Ben.
 */
export async function board(
  store: Store,
  file: object = {},
  before: (board: { group: Map<string, boolean | undefined> }) => unknown = () => undefined,
  middleware?: Middleware,
) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const running = await startService({
    ...{ port: 0, clock, tokenLifetime: 30 * 24 * 3_600_000 },
    ...(middleware ? { middleware } : {}),
  });
  const service = connectService({ url: running.url, prefix: '/service', ca: undefined, clock });
  const jobs = jobsIn(store, { knows: knowsRequest });
  const credentials = credentialsIn(store, openVault([Buffer.alloc(32, 1)]), undefined, takeUpSignedIn);
  /** What Slack tells of the group; what it does not is left out. */
  const group = new Map<string, boolean | undefined>([
    ['U0ANA', true],
    ['U0BEN', true],
    ['U0DEV', true],
    ['U0EVE', true],
  ]);
  before({ group });
  const strangers = new Set<string>();
  const parts: AllParts = {
    ...storedParts(store, service, credentials, { clock, lastEnd: async () => 0 }),
    jobs,
    ...additionsTo(() => parts),
    policy: policyOf(PolicyFile.parse(file), ['S0DBAS']),
    approvalChannel: () => 'C0APPROVAL',
    people: {
      async isAmong({ person }, ids) {
        if (ids.includes(person)) return true;
        return ids.includes('S0DBAS') ? group.get(person) : false;
      },
      membersOf: async (_team, ids) =>
        ids.flatMap(id => (id === 'S0DBAS' ? [...group].flatMap(([who, isIn]) => (isIn ? [who] : [])) : [id])),
      nameOf: async () => 'Ana',
      zoneOf: async () => undefined,
      absenceOf: async () => undefined,
      standingOf: async ({ person }) => (strangers.has(person) ? 'outsider' : 'member'),
    },
  };
  const signsIn = async (person: string, username: string, token?: string) =>
    credentials.keep(
      { team, person },
      username,
      token ?? (await service.signIn(username, `${username}-password`)),
      clock.now(),
    );
  for (const name of ['ana', 'ben', 'dev', 'eve']) await signsIn(`U0${name.toUpperCase()}`, name);
  const asks = async (id: string, change: Partial<NewJob> = {}) => {
    const target = change.target ?? 'MARIADB_LIVE_SERVER-5';
    await jobs.add({
      id,
      requestKey: id,
      team,
      person: 'U0ANA',
      operation: 'database.delete',
      values: { database: target },
      labels: {},
      target,
      targetName: null,
      channel: 'C1',
      purpose: 'It is old.',
      createdAt: clock.now(),
      ...change,
    });
  };
  const id = 'job-1';
  await asks(id);
  const read = async (id: string): Promise<Job> => {
    const job = await jobs.find(id);
    if (!job || job.state === 'unreadable') throw new Error('the job is gone');
    return job;
  };
  const now = () => read(id);
  /** Sends the job if it can be, as the loop would; gives the state in which it is then. */
  const sends = async (change: Partial<AllParts> = {}, about = id): Promise<JobState> => {
    const job = await read(about);
    if (job.state === 'new' || job.state === 'approved') await send({ ...parts, ...change }, job);
    return (await read(about)).state;
  };
  /** Asks for something more, and sends it as the loop would; gives the job as it is then. */
  const asksAndSends = async (change: Partial<NewJob>): Promise<Job> => {
    await asks('job-2', change);
    const job = await read('job-2');
    if (job.state === 'new' || job.state === 'approved') await send(parts, job);
    return read('job-2');
  };
  await sends();
  const { approval } = await now();
  const click = (person: string): Click => ({ team, person, channel: 'C1', digest: approval?.digest ?? '' });
  return {
    parts,
    clock,
    credentials,
    group,
    strangers,
    signsIn,
    now,
    sends,
    asks,
    read,
    asksAndSends,
    service: running.service,
    /** Clicks of a person, in the process that has these parts; each gives what came of it. */
    approves: async (person: string, at = parts) => told(await approve(at, await now(), click(person))),
    async approvesOther(person: string, about: string) {
      const job = await read(about);
      return told(await approve(parts, job, { ...click(person), digest: job.approval?.digest ?? '' }));
    },
    denies: async (person: string, at = parts) => told(await deny(at, await now(), click(person), 'No.')),
    breaks: async (person = 'U0ANA', at = parts, reason = 'The disk is full.') =>
      told(await breakGlass(at, await now(), click(person), reason)),
    /** The last entries of the trail about the job, the oldest first, as `event actor: detail`. */
    async trail(count: number) {
      const { entries } = await parts.audit.read(team, { words: [] }, 50);
      return entries
        .filter(({ job }) => job !== null)
        .slice(0, count)
        .toReversed()
        .map(({ event, actor, detail }) => `${event} ${actor}: ${detail ?? ''}`);
    },
    writes: () => running.service.requests.filter(({ method }) => method === 'DELETE').length,
    async end() {
      await Promise.all([service.close(), running.close()]);
    },
  };
}
export type Board = Awaited<ReturnType<typeof board>>;

/**
 * The same parts as another process has them, which is held each time between reading a job and changing it, until `lets`
 * is called.
 */
export function replica(parts: AllParts) {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const held = async () => {
    arrived.resolve();
    await gate.promise;
  };
  const jobs: Jobs = {
    ...parts.jobs,
    async apply(...asked) {
      await held();
      return parts.jobs.apply(...asked);
    },
  };
  return { parts: { ...parts, jobs }, arrived: arrived.promise, lets: gate.resolve };
}
