import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { endsOnce, opensForm, quickClone, quickLine } from '../journeys/clones.ts';
import { type Crossing, crossing } from '../journeys/crossing.ts';
import type { Someone } from '../person.ts';
import { ownPostgres } from '../postgres.ts';
import { hasPostgres } from '../postgresServer.ts';
import { few, isWhole } from '../whole.ts';
import { type World, world } from '../world.ts';
import { type KeptLog, keptLog } from './log.ts';

/* The store fails while the bot runs, at each point of a job's life: nothing is lost, nothing is done twice. */

let earth: World;
let road: Crossing;
let ana: Someone;
let kept: KeptLog;

type Trouble = Readonly<{ store: 'embedded' | 'PostgreSQL'; begins(): unknown; ends(): unknown }>;

const readOnly: Trouble = {
  store: 'embedded',
  begins: () => sql`pragma query_only = 1`.execute(earth.store()),
  ends: () => sql`pragma query_only = 0`.execute(earth.store()),
};
const stopped: Trouble = {
  store: 'PostgreSQL',
  begins: () => ownPostgres().kill(),
  ends: () => ownPostgres().start(),
};
/** Of the servers behind an address, the one with which Dolly stands became read-only; then the address leads to another one. */
const failedOver: Trouble = {
  store: 'PostgreSQL',
  async begins() {
    onTestFinished(() => orders('alter system reset default_transaction_read_only', 'select pg_reload_conf()'));
    await orders('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    // The server reads it after it has answered, and has told all connections before it takes a new one.
    while ((await shown('default_transaction_read_only')) !== 'on') await orders();
  },
  async ends() {
    const database = new URL(earth.environment.DATABASE_URL ?? '').pathname.slice(1);
    await orders(`alter database ${database} set default_transaction_read_only = off`);
    await earth.clock.advance(6_000);
  },
};
async function shown(setting: string): Promise<unknown> {
  const client = new pg.Client(earth.environment.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query(`show ${setting}`);
  await client.end();
  return rows[0]?.[setting];
}
async function orders(...statements: string[]): Promise<void> {
  const client = new pg.Client(earth.environment.DATABASE_URL);
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  for (const statement of statements) await client.query(statement);
  await client.end();
}
const cut: Trouble = {
  store: 'PostgreSQL',
  begins: () => orders("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dolly'"),
  ends: () => undefined,
};
const lasting: readonly (readonly [string, Trouble])[] = [
  ['takes nothing, being read-only', readOnly],
  ...(hasPostgres ? [['is down', stopped] as const, ['fails over, and ends no connection', failedOver] as const] : []),
];
const all = [...lasting, ...(hasPostgres ? [['loses all connections', cut] as const] : [])];

async function begins({ store }: Trouble): Promise<void> {
  // A claim that failed may have left it down.
  if (store === 'PostgreSQL') ownPostgres().start();
  road = crossing();
  kept = keptLog();
  const own = store === 'embedded' ? { handsOnStore: true } : {};
  const service = { middleware: road.middleware };
  earth = await world({ store, ...own, service, surroundings: { log: kept.log } });
  ana = await earth.enters('Ana', 'ana');
}
afterEach(() => earth.close());

/** For how many minutes a store is away: many attempts to reach it take a machine as long as all other tests of this file. */
const minutes = isWhole ? 10 : 3;

const theCard = () => earth.until(() => earth.cards('#databases')[0], 'the message');

describe.each(lasting)('a store that %s', (_what, trouble) => {
  test('a form that is submitted while the store is in trouble stays open and says why, and is taken later', async () => {
    await begins(trouble);
    await opensForm(ana, '#databases', quickLine(3401));
    await trouble.begins();
    const { open, errors } = await ana.submits();
    expect(open).toBe(true);
    // Whoever asked on a connection that broke just then does not know.
    const says =
      trouble !== stopped ? /so nothing was sent/ : /so nothing was sent|I do not know yet whether I saved this/;
    expect(Object.values(errors).join()).toMatch(says);
    await trouble.ends();
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await endsOnce(earth, await theCard(), 'shop-3401');
  });

  test('a store that is away for minutes is told in the log once a minute, and not asked in a storm', async () => {
    await begins(trouble);
    const card = await quickClone(earth, ana, 3402);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    const before = kept.lines.length;
    await trouble.begins();
    const end = earth.clock.now() + minutes * 60_000;
    await earth.until(() => earth.clock.now() >= end, 'these minutes');
    const lines = kept.lines.slice(before);
    expect(lines.some(({ msg }) => msg === 'the list of due jobs could not be read')).toBe(true);
    const counts = new Map<string, number>();
    for (const { msg, queue = '' } of lines) counts.set(`${msg} ${queue}`, (counts.get(`${msg} ${queue}`) ?? 0) + 1);
    // Each loop over the store and the connections say it at once, then once a minute; and a few steps failed at first.
    for (const [msg, count] of counts) expect([msg, count <= minutes + 1]).toEqual([msg, true]);
    const others = [...counts.keys()].filter(key => !key.startsWith('the queue of '));
    expect(others.length).toBeLessThan(8);
    await trouble.ends();
    await endsOnce(earth, card, 'shop-3402');
  });
});

/** In `npm test` a store that takes nothing and one that fails over: what is down or cut meets the same code, more slowly. */
describe.each(few(all, ([, trouble]) => trouble === readOnly || trouble === failedOver))(
  'a store that %s',
  (_what, trouble) => {
    test('a request is held back where the store fails right before it, and sent once the store is back', async () => {
      await begins(trouble);
      await opensForm(ana, '#databases', quickLine(3403));
      const look = road.holds('/database/list', 'after');
      await ana.submits();
      await look.arrived;
      await trouble.begins();
      look.lets();
      if (trouble !== cut) {
        await earth.until(() => kept.count('a step failed') > 0, 'the failure');
        expect(earth.writes()).toEqual([]);
      }
      await trouble.ends();
      await endsOnce(earth, await theCard(), 'shop-3403');
    });

    test('a request whose answer meets a failing store is in doubt, which a look settles', async () => {
      await begins(trouble);
      await opensForm(ana, '#databases', quickLine(3404));
      const create = road.holds('/database/clone/create', 'after');
      await ana.submits();
      await create.arrived;
      await trouble.begins();
      create.lets();
      if (trouble !== cut) await earth.until(() => kept.count('a step failed') > 0, 'the failure');
      await trouble.ends();
      await endsOnce(earth, await theCard(), 'shop-3404');
      if (trouble !== cut) expect(kept.count('found in doubt')).toBe(1);
    });

    test('a running job waits while the store fails, and ends once when the store is back', async () => {
      await begins(trouble);
      const card = await quickClone(earth, ana, 3405);
      await earth.until(() => earth.text(card).includes('Running'), 'running');
      await trouble.begins();
      const end = earth.clock.now() + 30_000;
      await earth.until(() => earth.clock.now() >= end, 'half a minute');
      await trouble.ends();
      await endsOnce(earth, card, 'shop-3405');
    });
  },
);

describe('a store that', () => {
  test.each([
    ['the message', 'message_ts'],
    ['the reply', 'reply_ts'],
  ])(
    'a message is looked for, and not posted again, where the store does not keep where %s stands',
    async (_what, column) => {
      await begins(readOnly);
      const trigger = `create trigger trouble before update of ${column} on jobs when new.${column} is not null begin select raise(abort, 'no space left'); end`;
      await sql.raw(trigger).execute(earth.store());
      await opensForm(ana, '#databases', quickLine(3406));
      await ana.submits();
      await earth.until(() => kept.count('Slack did not take a message') > 1, 'the failure', 900_000);
      await sql`drop trigger trouble`.execute(earth.store());
      await endsOnce(earth, await theCard(), 'shop-3406');
    },
  );

  test('a store that has no room left says so in the form, and goes on when there is some', async () => {
    await begins(readOnly);
    const params = Array.from({ length: 200 }, (_, at) => `name_${at}_${'x'.repeat(30)}=1`).join('\n');
    await opensForm(ana, '#databases', quickLine(3407));
    await ana.fills({ databaseParams: params });
    await sql`pragma max_page_count = 1`.execute(earth.store());
    const { errors } = await ana.submits();
    expect(Object.values(errors).join()).toContain('I cannot save this now, so nothing was sent');
    await sql`pragma max_page_count = 1000000`.execute(earth.store());
    expect((await ana.submits()).open).toBe(false);
    await endsOnce(earth, await theCard(), 'shop-3407');
  });

  describe.runIf(hasPostgres)('loses what it commits does not have it told as not sent:', () => {
    const open = 'I do not know yet whether I saved this';
    /** Ends each connection that commits a new row of this table; gives a way to let them be. */
    const endsAtCommit = async (table: string) => {
      const client = new pg.Client(earth.environment.DATABASE_URL);
      await client.connect();
      const ends = 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      await client.query(`create function ends() returns trigger language plpgsql as $$ ${ends} $$`);
      const atCommit = 'deferrable initially deferred for each row execute function ends()';
      await client.query(`create constraint trigger trouble after insert on ${table} ${atCommit}`);
      return async () => {
        await client.query(`drop trigger trouble on ${table}`);
        await client.end();
      };
    };
    test('a command whose commit was lost is told as perhaps saved, and not as not sent', async () => {
      await begins(cut);
      const lets = await endsAtCommit('inbox');
      await ana.types('#databases', '/db backup shop');
      await ana.reads('#databases', open);
      await lets();
    });
    test('a form whose commit was lost is told as perhaps saved, and taken once when it is submitted again', async () => {
      await begins(cut);
      await opensForm(ana, '#databases', quickLine(3409));
      const lets = await endsAtCommit('jobs');
      const { errors } = await ana.submits();
      expect(Object.values(errors).join()).toContain(open);
      await lets();
      expect((await ana.submits()).open).toBe(false);
      await endsOnce(earth, await theCard(), 'shop-3409');
    });
  });

  test.runIf(hasPostgres)(
    'a form that the store does not answer in time asks for a second submit, which is the same job',
    async () => {
      await begins(stopped);
      await opensForm(ana, '#databases', quickLine(3408));
      const client = new pg.Client(earth.environment.DATABASE_URL);
      await client.connect();
      await client.query('begin');
      await client.query('lock table audit in access exclusive mode');
      const submitting = ana.submits();
      const waits = 'select count(*)::int as count from pg_locks where not granted';
      await expect.poll(async () => (await client.query(waits)).rows, { timeout: 60_000 }).toEqual([{ count: 1 }]);
      await earth.clock.advance(2_500);
      const { errors } = await submitting;
      expect(Object.values(errors).join()).toContain('I do not know yet whether I saved this');
      await client.query('rollback');
      await client.end();
      expect((await ana.submits()).open).toBe(false);
      await endsOnce(earth, await theCard(), 'shop-3408');
    },
  );
});
