import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { type Bot, startBot } from './bots.ts';
import { repliesOf, startStub } from './crowd.ts';
import type { Crowd } from './estate.ts';
import { atMost, type Build, type Figure, type Part } from './part.ts';
import { knowRunning } from './replicas.ts';
import { seed } from './seed.ts';

/** How long all ends may take, in seconds. */
const patience = 900;

/** The moments at which a bot is killed: after each statement of the transaction that ends a job, and before what it told is kept. */
const moments = {
  'after the verdict': "after update on jobs for each row when (old.state = 'running' and new.state = 'succeeded')",
  'after its entry in the trail': "after insert on audit for each row when (new.event = 'succeeded')",
  'after its claim': 'after insert or update on claims for each row',
  'at its commit': "after update on jobs deferrable initially deferred for each row when (new.state = 'succeeded')",
  'after its reply was posted':
    'after update on jobs for each row when (old.reply_ts is null and new.reply_ts is not null)',
} as const;
const points = Object.entries(moments);

/** Two bots on one PostgreSQL find many ends, and one after the other is killed while it writes one. */
export const deaths: Part = {
  name: 'deaths',
  summary: 'ends that two bots find, of which one after the other is killed while it writes one',
  group: 'The store, and several processes',
  async measure({ quick, say, build }) {
    if (!hasPostgres) throw new Error('there is no PostgreSQL for this machine');
    const crowd = { people: quick ? 20 : 100, jobsEach: 50, areReported: true } as const;
    const kills = points.length * (quick ? 1 : 4);
    const server = startPostgres(true);
    try {
      say('without kills');
      const calm = await endAll(await server.database(), crowd, 0, build);
      say(`with ${kills} kills`);
      const killed = await endAll(await server.database(), crowd, kills, build);
      const name = `of ${(crowd.people * crowd.jobsEach).toLocaleString('en')} ends, 2 processes, ${killed.kills} kills`;
      const none = (what: string, dolly: number): Figure => {
        return { name: `${what} ${name}`, unit: '', rounds: [{ dolly }], aim: atMost('dolly', 0) };
      };
      return [
        {
          name: `time until the last ${name} (floor: without kills) is told`,
          unit: 's',
          rounds: [{ bare: calm.seconds, dolly: killed.seconds }],
        },
        none('told twice or never', killed.untold + calm.untold),
        none('confirmed without the claim, or with the claim of another,', killed.unclaimed + calm.unclaimed),
        none('not confirmed, or not once in the trail,', killed.unproved + calm.unproved),
      ];
    } finally {
      server.stop();
    }
  },
};

/** What came of all ends: the kills, the seconds until the last one was told, and how many are wrong. */
type Ends = Readonly<Record<'kills' | 'seconds' | 'untold' | 'unclaimed' | 'unproved', number>>;

const Wrong = z.object({ unclaimed: z.coerce.number(), unproved: z.coerce.number() });

async function endAll(url: string, crowd: Crowd, most: number, build: Build): Promise<Ends> {
  const all = crowd.people * crowd.jobsEach;
  const stub = await startStub(crowd);
  const shared = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
  const hand = new pg.Client(url);
  await hand.connect();
  const bots = new Map<string, Bot>();
  const start = async (user: string) => {
    // The user of a connection tells whose it is.
    const own = new URL(url);
    own.username = user;
    const environment = { DATABASE_URL: own.href, LOG_LEVEL: 'error' };
    bots.set(user, await startBot('dolly', { slackUrl: stub.told, serviceUrl: stub.told }, { ...build, environment }));
  };
  try {
    await knowRunning(shared.store, stub.told);
    for (const user of ['one', 'other']) {
      await hand.query(`drop role if exists ${user}`);
      await hand.query(`create role ${user} superuser login`);
      await start(user);
    }
    await hand.query(`create function waits() returns trigger language plpgsql as $$ begin
      if tg_table_name = 'claims' then
        -- A claim that came before the end of its job is no part of that.
        if not exists (select from jobs where id = new.job and state = 'succeeded') then return null; end if;
      end if;
      perform pg_advisory_xact_lock_shared(tg_argv[0]::int);
      return null;
    end $$`);
    for (const [at, [, when]] of points.entries())
      await hand.query(
        `create ${when.includes('deferred') ? 'constraint ' : ''}trigger waits_${at} ${when} execute function waits(${at})`,
      );
    await request(`${stub.told}/crowd/end?count=${all}&every=0`, { method: 'POST' });
    // Due when all of them sleep.
    const from = Date.now() + 6_000;
    await seed(shared.store, crowd, from, true);
    await sleep(Math.max(0, from - Date.now()));
    const began = performance.now();
    shared.replicas.announce();
    let kills = 0;
    const isOver = async () => (await repliesOf(stub)).told === all;
    for (; kills < most; kills++) {
      const user = await victim(hand, kills % points.length, isOver);
      if (user === undefined) break;
      bots.get(user)?.process.signal('SIGKILL');
      await hand.query('select pg_advisory_unlock_all()');
      await bots.get(user)?.stop();
      await start(user);
    }
    for (; !(await isOver()); await sleep(250))
      if (performance.now() - began > patience * 1_000)
        throw new Error(`${(await repliesOf(stub)).told} of ${all} ends are told`);
    const seconds = (performance.now() - began) / 1_000;
    const { told, more } = await repliesOf(stub);
    const { rows } = await hand.query(`select
      count(*) filter (where claims.job is distinct from jobs.id or claims.record is null) as unclaimed,
      count(*) filter (where jobs.state <> 'succeeded' or
        (select count(*) from audit where audit.job = jobs.id and audit.event = 'succeeded') <> 1) as unproved
      from jobs left join claims on claims.record = jobs.claimed and claims.sign = ''`);
    return { kills, seconds, untold: all - told + more, ...Wrong.parse(rows[0]) };
  } finally {
    await Promise.all([...bots.values()].map(bot => bot.stop()));
    await hand.end();
    await shared.close();
    await stub.stop();
  }
}

/** Lets the next one that comes to a moment wait there. @returns the user of its connection; `undefined` where all is over */
async function victim(hand: pg.Client, moment: number, isOver: () => Promise<boolean>): Promise<string | undefined> {
  await hand.query('select pg_advisory_lock($1)', [moment]);
  for (; !(await isOver()); await sleep(100)) {
    const { rows } = await hand.query<{ usename: string }>(
      `select usename from pg_stat_activity join pg_locks using (pid) where locktype = 'advisory' and not granted`,
    );
    if (rows[0]) return rows[0].usename;
  }
  await hand.query('select pg_advisory_unlock_all()');
  return undefined;
}
