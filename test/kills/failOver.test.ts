import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { approvalKeys, asksToDelete, clicksWith } from '../journeys/approvals.ts';
import { answerTo, confirms } from '../journeys/asking.ts';
import { opensForm, quickLine } from '../journeys/clones.ts';
import { movingAddress } from '../movingAddress.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { scratchFolder } from '../scratch.ts';
import { world } from '../world.ts';
import { isOver, sentTo, type Write } from './report.ts';
import { plantLive, restoreLine } from './restores.ts';

/*
 * A fail-over to a standby that does not have the last seconds: what was sent in them stands as not sent there, and what was
 * forbidden in them as allowed. The processes go on.
 */

/** A part of `npm run kills`. */
const isNight = process.env.KILLS !== undefined;

const ports = [4_001, 4_002, 4_003, 4_004];

/** A primary with a standby that follows it, each by the URL of the same database. */
async function startPair() {
  const [model, first, second] = [scratchFolder('pg'), scratchFolder('pg'), scratchFolder('pg')];
  const made = startPostgres(false, model);
  const url = await made.database();
  await (await openShared(url, systemClock, { heard: () => undefined, faulty: () => undefined })).close();
  made.stop();
  const at = (folder: string) => {
    const server = new URL(url);
    server.searchParams.set('host', join(folder, 'data'));
    return server.href;
  };
  const primary = startPostgres(false, first, join(model, 'data'));
  writeFileSync(join(model, 'data', 'standby.signal'), '');
  const follows = `primary_conninfo = 'host=${join(first, 'data')} user=dolly'\n`;
  appendFileSync(join(model, 'data', 'postgresql.auto.conf'), follows);
  const standby = startPostgres(false, second, join(model, 'data'));
  onTestFinished(() => {
    for (const server of [primary, standby]) server.stop();
    for (const folder of [model, first, second]) rmSync(folder, { recursive: true, force: true });
  });
  return { primary, old: at(first), next: at(second) };
}

async function ask(url: string, ...statements: string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url);
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

test.runIf(hasPostgres && isNight).each([1, 2])(
  'A standby that takes over without the last seconds sends nothing twice and allows nothing denied: %i processes',
  async processes => {
    const pair = await startPair();
    const address = await movingAddress(pair.old);
    const writes: Write[] = [];
    let isBusy = true;
    const earth = await world({
      ownProcess: true,
      balanced: true,
      environment: { ...approvalKeys, DATABASE_URL: address.url, LOG_LEVEL: 'info' },
      service: {
        tokenLifetime: 1_000 * 3_600_000,
        async middleware(request, next) {
          if (request.method === 'GET' || request.url.includes('/user/user/')) return next();
          // Until the standby has it, nothing is sent for good.
          if (isBusy) return new Response('', { status: 429, headers: { 'retry-after': '1' } });
          writes.push({ url: request.url, body: await request.clone().text() });
          return next();
        },
      },
    });
    onTestFinished(() => earth.close());
    const others = [];
    for (let more = 1; more < processes; more++) others.push(await earth.joins());
    const [ana, ben, dev] = [
      await earth.enters('Ana', 'ana'),
      await earth.enters('Ben', 'ben'),
      await earth.enters('Dev', 'dev'),
    ] as const;
    const { card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    const restore = plantLive(earth, 'back1');
    for (const port of ports) {
      await opensForm(ana, '#databases', quickLine(port));
      expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    }
    await opensForm(ana, '#databases', restoreLine(restore).replace('=true', '=false'));
    await ana.submits();
    await confirms(ana, restore.database);
    await sleep(3_000);
    const position = await ask(pair.old, 'select pg_current_wal_lsn()::text as at');
    const isThere = `select pg_last_wal_replay_lsn() >= '${position[0]?.at}' as there`;
    await earth.until(async () => (await ask(pair.next, isThere))[0]?.there === true, 'the standby');
    await ask(pair.next, "alter system set primary_conninfo = ''", 'select pg_reload_conf()');
    await sleep(500);

    isBusy = false;
    await clicksWith(dev, card, 'Deny', 'It is needed.');
    await answerTo(ben, '/db logout');
    await answerTo(dev, '/db brake The store is in trouble.');
    await earth.until(() => writes.length > ports.length, `all to be sent`);
    await sleep(300);
    pair.primary.kill();
    address.leadsTo(pair.next);
    await ask(pair.next, 'select pg_promote()');

    const jobs = () => ask(pair.next, 'select id, operation, state, target from jobs order by created_at');
    const hasEnded = async () =>
      (await jobs()).every(
        ({ state }) => isOver(`· ${state}`.replace(/[a-z]/, one => one.toUpperCase())) || state === 'succeeded',
      );
    for (const end = Date.now() + 60_000; !(await hasEnded()) && Date.now() < end; await sleep(300))
      await earth.clock.advance(2_000);
    const stands = await jobs();
    const told = {
      clones: ports.map(port => writes.filter(({ body }) => body.includes(`"port":${port}`)).length),
      restores: sentTo(writes, 'restore', restore.database),
      deletion: stands.find(({ operation }) => operation === 'database.delete')?.state,
      signedIn: (await ask(pair.next, 'select person from credentials')).map(({ person }) => person).toSorted(),
      brake: (await ask(pair.next, "select state from things where kind = 'brake'")).map(({ state }) => state),
    };
    expect(told).toEqual({
      ...{ clones: ports.map(() => 1), restores: 1, deletion: 'denied' },
      ...{ signedIn: [ana.id, dev.id].toSorted(), brake: ['on'] },
    });
    expect(stands.filter(({ state }) => state === 'succeeded')).toHaveLength(ports.length + 1);
    const news = earth.playground.slack.messages('#dba-approvals').map(message => earth.text(message));
    expect(news.filter(text => text.includes('My store went back'))).not.toEqual([]);
    for (const other of others) await other.stop();
  },
  300_000,
);
