import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { keptUntil, newLease } from '../../src/features/leases/lease.ts';
import { newSchedule, schedules } from '../../src/features/schedules/schedule.ts';
import { consents, newConsent } from '../../src/features/workflows/consent/consent.ts';
import { executions, newExecution } from '../../src/features/workflows/execution.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import type { NewJob } from '../../src/store/jobs/rows/job.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { homesIn } from '../../src/store/tables/homes.ts';
import { inboxIn } from '../../src/store/tables/inbox.ts';
import { leases } from '../../src/store/tables/leases.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { presetsIn } from '../../src/store/tables/presets.ts';
import { requiredFieldsIn } from '../../src/store/tables/requiredFields.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { openVault } from '../../src/store/vault.ts';
import { startPostgres } from '../postgresServer.ts';
import { claimFor, lookInVain, moveJob, noteJob } from './steps.ts';

/*
 * Writes the store of this release as SQL, with a few rows of what Dolly keeps: `node test/store/writeRelease.ts 0.2.0`.
 * It is run once, for each release, and its file then stays: later releases are tested on it (releases.test.ts).
 */

const owner = { team: 'T1', person: 'U1' };
const folder = mkdtempSync(join(tmpdir(), 'dolly-release-'));
const store = await openStore(folder);
const vault = openVault([Buffer.alloc(32, 1)]);
const jobs = jobsIn(store, { knows: () => true });
const target = 'MYSQL_LIVE_SERVER-1';
const wish = (id: string, change: Partial<NewJob> = {}): NewJob => ({
  ...{ id, requestKey: `request of ${id}`, ...owner, operation: 'database.delete', values: { database: target } },
  ...{ target, targetName: 'orders', labels: { [target]: 'orders' }, channel: 'C1', purpose: null, createdAt: 1_000 },
  ...change,
});
const named = (name: string) => ({ users: [], names: [name] });

await jobs.add(wish('waits'));
await moveJob(
  jobs,
  'waits',
  'new',
  'awaiting',
  {
    ...{ login: 'ben', digest: 'd', expiresAt: 90_000_000, cardPlace: null },
    facts: [{ key: 'name', label: 'Name', value: 'orders', compared: 'orders' }],
    terms: { rule: 'all', approvals: 1, approvers: ['U2'], asker: named('ben') },
  },
  2_000,
);
await jobs.add(wish('runs', { operation: 'database.refresh' }));
await moveJob(jobs, 'runs', 'new', 'sending', { sentAt: 2_000, deadlineAt: 1_800_000 }, 2_000);
await moveJob(jobs, 'runs', 'sending', 'running', { dueAt: 3_000 }, 2_000);
for (let look = 1; look <= 9; look++) await noteJob(jobs, 'runs', 'running', { dueAt: 3_000 }, false, 2_000);
await store.updateTable('jobs').set({ looks: 9 }).where('id', '=', 'runs').execute();
await lookInVain(jobs, 3_000, 10_000);
await jobs.add(wish('cloned', { operation: 'clone.create', values: { sourceDatabase: target } }));
await moveJob(jobs, 'cloned', 'new', 'sending', { sentAt: 2_000, deadlineAt: 1_800_000 }, 2_000);
await moveJob(jobs, 'cloned', 'sending', 'running', { dueAt: 3_000 }, 3_000);
await claimFor(jobs, { id: 'cloned' }, 'MYSQL_CLONE_SERVER-7');
await moveJob(
  jobs,
  'cloned',
  'running',
  'succeeded',
  { endedAt: 5_000, dueAt: null, claimed: 'MYSQL_CLONE_SERVER-7' },
  5_000,
);
const step = { operation: 'database.delete', values: { database: target }, labels: {}, target, targetName: 'orders' };
await jobs.add(wish('plan', { operation: 'database.teardown', steps: [step, step] }));
const plan = await moveJob(jobs, 'plan', 'new', 'running', { sentAt: 2_000, deadlineAt: 1_800_000 }, 2_000);
if (plan)
  await jobs.beginStep(
    plan,
    { state: 'running', changes: { step: 0 }, news: false },
    {
      ...wish('plan-0-1', { runsAs: 'service', createdAt: 3_000 }),
      ...{ plan: 'plan', step: 0, login: 'ben', approval: undefined },
    },
  );
const made = { name: 'shop', madeAt: 900, job: 'cloned', operation: 'clone.create', channel: 'C1', wish: null };
const lease = newLease({ ...owner, record: 'MYSQL_CLONE_SERVER-7', ...made, since: 5_000 });
await thingsIn(store).act(
  leases,
  lease.id,
  () => ({
    as: { ...lease, ...keptUntil(50_000, 5_000), plannedAt: 50_000 },
    dueAt: 50_000,
    trail: { event: 'lease set' },
  }),
  5_000,
);
const consent = newConsent({
  ...{ id: 'digest', ...owner, step: 'back_up', workflow: 'Nightly', channel: 'C1', runsAs: null, createdAt: 1_000 },
  about: { title: 'Back up a database', asks: 'back up orders', target, targetName: 'orders', lines: [] },
});
await thingsIn(store).act(consents, consent.id, () => ({ as: consent }), 1_000);
const execution = newExecution({
  ...{ ...owner, execution: 'Fx1', run: 'Wx1', step: 'back_up', inputs: { database: 'orders' }, declared: ['outcome'] },
  ...{ createdAt: 7_000, deadlineAt: 90_000_000 },
});
await thingsIn(store).act(executions, execution.id, () => ({ as: execution, dueAt: 7_000 }), 7_000);
await outboxIn(store).add([
  { id: 'warning', subject: 'T1 lease', team: 'T1', kind: 'lease', createdAt: 6_000, data: {}, to: { person: 'U1' } },
]);
const nightly = newSchedule({
  ...{ id: 'nightly', ...owner, channel: 'C1', kind: 'job', operation: 'database.backup', createdAt: 1_000 },
  ...{ values: { database: target }, labels: {}, target, targetName: 'orders', madeAt: null, purpose: null },
  ...{ rhythm: '{"every":"day","at":"02:00"}', zone: 'Europe/Berlin', tells: 'all', runsAs: 'owner' },
});
await thingsIn(store).act(
  schedules,
  nightly.id,
  () => ({ as: { ...nightly, plannedAt: 60_000 }, dueAt: 60_000, trail: { event: 'schedule made' } }),
  1_000,
);
await presetsIn(store).add(
  {
    ...{ id: 'preset', ...owner, scope: 'me', holder: 'U1', name: 'Mine', operation: 'clone.create', createdAt: 1_000 },
    ...{ inputs: { port: '3310' }, labels: {} },
  },
  { by: { actor: 'U1', login: 'ben', channel: 'C1' }, event: 'preset saved', detail: 'Mine', now: 1_000 },
);
await credentialsIn(store, vault).keep(owner, 'ben', 'the-token', 1_000, 'C1', named('ben'));
await inboxIn(store, vault).keep(
  { id: 'use', ...owner, channel: 'C1', thread: null, action: 'command', value: 'list', createdAt: 1_000 },
  20_000,
);
await homesIn(store).opened(owner, 1_000);
await requiredFieldsIn(store, 'https://service.example').learn(
  { operation: 'clone.create', vendor: '' },
  ['port'],
  1_000,
);
await store.destroy();

const sqlite = new Sqlite(join(folder, 'dolly.sqlite'));
const objects = sqlite
  .prepare<[], { type: string; name: string; sql: string }>(
    'select type, name, sql from sqlite_master where sql is not null order by rowid',
  )
  .all();
const quoted = (value: unknown) =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
const rows = objects
  .filter(({ type }) => type === 'table')
  .flatMap(({ name }) =>
    sqlite
      .prepare<[], Record<string, unknown>>(`select * from ${name}`)
      .all()
      .map(row => {
        const values = Object.entries(row).filter(([, value]) => value !== null);
        return `insert into ${name} (${values.map(([column]) => column).join(', ')}) values (${values.map(([, value]) => quoted(value)).join(', ')});`;
      }),
  );
const of = (...types: readonly string[]) =>
  objects.filter(({ type }) => types.includes(type)).map(one => `${one.sql};`);
sqlite.close();
rmSync(folder, { recursive: true });

const server = startPostgres();
const url = await server.database();
const shared = await openShared(url, systemClock, { heard: () => undefined, faulty: () => undefined });
const alone = await sql<{ text: string }>`
  select format('alter table %s alter column %s set storage main', attrelid::regclass, attname) as text
    from pg_attribute where attname = 'grams' and attstorage = 'm'
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`.execute(shared.store);
await shared.close();
await server.stop();

const [release = 'next'] = process.argv.slice(2);
const file = new URL(`${release}.sql`, import.meta.url);
const parts = [
  [...of('table', 'index'), ...rows],
  ['-- SQLite alone', ...of('trigger')],
  ['-- PostgreSQL alone', ...alone.rows.map(({ text }) => `${text};`), ''],
];
writeFileSync(file, parts.flat().join('\n'));
