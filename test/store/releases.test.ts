import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { schedules } from '../../src/features/schedules/schedule.ts';
import { consents } from '../../src/features/workflows/consent/consent.ts';
import { executions } from '../../src/features/workflows/execution.ts';
import { systemClock } from '../../src/ground/clock.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { isShared } from '../../src/store/lock.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { homesIn } from '../../src/store/tables/homes.ts';
import { inboxIn } from '../../src/store/tables/inbox.ts';
import { leases } from '../../src/store/tables/leases.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { presetsIn } from '../../src/store/tables/presets.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { openVault } from '../../src/store/vault.ts';
import { freshDatabase } from '../postgres.ts';
import { ben, folder, jobsOf, storeIn, stores } from './folder.ts';
import { moveJob } from './steps.ts';

/*
 * The stores of all releases, as they were written (writeRelease.ts). A file of a release never changes: every later
 * schema is reached from it, and what is in it is read and worked on.
 */

const releases = ['0.2.0'] as const;

/** What a store of that release was made by, for SQLite and for PostgreSQL. */
function statementsOf(release: string) {
  const text = readFileSync(new URL(`${release}.sql`, import.meta.url), 'utf8');
  const [both = '', embedded = '', shared = ''] = text.split(/^-- \w+ alone$/m);
  return { embedded: both + embedded, shared: both + shared };
}

const opened: Readonly<Record<string, (release: string) => Promise<Store>>> = {
  async 'the embedded store'(release) {
    const dataDir = folder();
    const sqlite = new Sqlite(join(dataDir, 'dolly.sqlite'));
    sqlite.exec(statementsOf(release).embedded);
    sqlite.close();
    return storeIn(dataDir);
  },
  async PostgreSQL(release) {
    const url = await freshDatabase();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(statementsOf(release).shared);
    await client.end();
    const { store, close } = await openShared(url, systemClock, { heard: () => undefined, faulty: () => undefined });
    onTestFinished(close);
    return store;
  },
};

/** All columns, indexes and triggers of a store, in an order of their own. */
async function shapeOf(store: Store): Promise<readonly string[]> {
  const lines = isShared(store)
    ? sql<{ line: string }>`
        select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
          from information_schema.columns where table_schema = current_schema()
        union all select indexdef from pg_indexes where schemaname = current_schema()
        union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace`
    : sql<{ line: string }>`
        select concat_ws(' ', m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk) as line
          from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'
        union all select sql from sqlite_master where type <> 'table' and sql is not null`;
  const { rows } = await lines.execute(store);
  return rows.map(({ line }) => line.replaceAll(/\s+/g, ' ')).toSorted();
}

describe.each(stores)('in %s', (name, fresh) => {
  const open = (release: string) => opened[name]?.(release) ?? Promise.reject(new Error(`there is no ${name}`));

  test.each(releases)('the schema of a store from %s becomes that of a new store', async release => {
    expect(await shapeOf(await open(release))).toEqual(await shapeOf(await fresh()));
  });

  test.each(releases)('what a store from %s kept is read, and worked on', async release => {
    const store = await open(release);
    const vault = openVault([Buffer.alloc(32, 1)]);
    const jobs = jobsOf(store);
    expect(await jobs.find('waits')).toMatchObject({
      state: 'awaiting',
      approval: { terms: { approvers: ['U2'], asker: { names: ['ben'] } }, facts: [{ key: 'name', value: 'orders' }] },
    });
    expect(await jobs.stepsOf('plan')).toMatchObject([{ operation: 'database.delete', runsAs: 'service', step: 0 }]);
    expect((await jobs.takeDue(10_000, 1_000, 10)).map(({ id }) => id).toSorted()).toEqual([
      'plan',
      'plan-0-1',
      'runs',
      'waits',
    ]);
    expect((await jobs.takeUntold(10_000, 1_000, 10)).map(({ id }) => id)).toContain('cloned');
    expect(await moveJob(jobs, 'runs', 'running', 'succeeded', { endedAt: 11_000, dueAt: null }, 11_000)).toMatchObject(
      {
        state: 'succeeded',
        targetName: 'orders',
      },
    );
    expect(await jobs.claimsOn(['MYSQL_CLONE_SERVER-7'])).toMatchObject([{ job: 'cloned', sign: '', endedAt: 5_000 }]);
    expect(await thingsIn(store).queue(leases).take(50_000, 9)).toMatchObject([
      { row: { name: 'shop', state: 'kept', endsAt: 50_000 } },
    ]);
    expect(await thingsIn(store).queue(executions).take(50_000, 9)).toMatchObject([
      { row: { person: 'U1', state: 'asked', inputs: { database: 'orders' }, declared: ['outcome'] } },
    ]);
    expect(await thingsIn(store).find(consents, 'digest')).toMatchObject({ state: 'asked', workflow: 'Nightly' });
    expect(await thingsIn(store).queue(schedules).take(60_000, 9)).toMatchObject([
      { row: { id: 'nightly', values: { database: expect.any(String) } } },
    ]);
    expect(await outboxIn(store).queue().take(60_000, 9)).toMatchObject([{ row: { id: 'warning' } }]);
    expect(await presetsIn(store).of(ben, 'C1')).toMatchObject([{ name: 'Mine', inputs: { port: '3310' } }]);
    expect(await credentialsIn(store, vault).find(ben)).toMatchObject({
      token: 'the-token',
      identity: { names: ['ben'] },
    });
    expect(await inboxIn(store, vault).queue().take(60_000, 9)).toMatchObject([{ row: { id: 'use', value: 'list' } }]);
    expect((await homesIn(store).take(60_000, 9)).taken).toMatchObject([{ ...ben, steps: 'open' }]);
    expect(await store.selectFrom('audit').select('event').where('job', '=', 'runs').orderBy('id').execute()).toEqual(
      ['asked', 'sending', 'running', 'succeeded'].map(event => ({ event })),
    );
  });
});
