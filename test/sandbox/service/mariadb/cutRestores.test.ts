import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeOnServers } from '../../../mariadb.ts';
import { good, must } from './kills.ts';
import { ask, clearedFolder, type Facts, live, type ServiceProcess, startProcess, until } from './process.ts';
import { fields, heldItems, judge, startWriters } from './writers.ts';

/* A restore of a part that is killed before each of its steps: it is as if it had not been, or it is done. */

const database = { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'stock' };
const table = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'stock', tableName: 'items' };
const undone = ['loading', 'placing', 'exchanging'];
const done = ['keys', 'triggers', 'moving', 'definitions', 'tidying'];

const filled = [
  'CREATE DATABASE stock CHARACTER SET latin1',
  'CREATE DATABASE around',
  'USE stock',
  'CREATE SEQUENCE numbers START WITH 100 CACHE 5',
  'CREATE TABLE shelves (id INT PRIMARY KEY, at FLOAT)',
  'INSERT INTO shelves SELECT seq, 16777000 + seq FROM seq_1_to_300',
  `CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, shelf INT, number INT DEFAULT nextval(numbers), weight FLOAT, words TEXT,
     FULLTEXT (words), CONSTRAINT of_shelf FOREIGN KEY (shelf) REFERENCES shelves (id) ON DELETE CASCADE)`,
  "INSERT INTO items (shelf, weight, words) SELECT 1 + seq MOD 300, 16777216 + seq, CONCAT('word', seq) FROM seq_1_to_2000",
  'CREATE TABLE around.log (id INT AUTO_INCREMENT PRIMARY KEY, item INT)',
  'CREATE TABLE around.used (item INT, CONSTRAINT of_item FOREIGN KEY (item) REFERENCES stock.items (id) ON UPDATE CASCADE)',
  'CREATE TRIGGER logged AFTER INSERT ON items FOR EACH ROW INSERT INTO around.log (item) VALUES (NEW.id)',
  'CREATE VIEW heavy AS SELECT id, weight FROM items WHERE weight > 16777217',
  'CREATE PROCEDURE look() SELECT COUNT(*) FROM stock.items',
].join('; ');
const changed = [
  'USE stock',
  'UPDATE items SET weight = 1',
  'DELETE FROM items WHERE id > 1000',
  'ALTER TABLE items ADD COLUMN IF NOT EXISTS colour INT',
  'REPLACE INTO shelves VALUES (1000, 1)',
  'CREATE OR REPLACE VIEW heavy AS SELECT 1 AS one',
  'DO nextval(numbers)',
  'CREATE OR REPLACE TABLE made (id INT PRIMARY KEY)',
  'CREATE OR REPLACE TRIGGER later BEFORE INSERT ON made FOR EACH ROW SET @x = 1',
].join('; ');

/** What stands in the target, and in what is beside it, but for what each look at a trigger counts on. */
async function content(record: Facts | undefined): Promise<Readonly<Record<string, string>>> {
  const rows = async (statement: string) => (await ask(record, statement)).split('\n').filter(line => line !== '');
  const names = await rows(
    "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_schema = 'stock' AND table_type <> 'SEQUENCE' ORDER BY 1",
  );
  const shown = await Promise.all(
    names.map(
      async name =>
        [
          name,
          `${(await ask(record, `SHOW CREATE TABLE ${name}`)).replace(/ AUTO_INCREMENT=\d+/, '')} ${await ask(record, `CHECKSUM TABLE ${name} EXTENDED`)}`,
        ] as const,
    ),
  );
  return {
    ...Object.fromEntries(shown),
    triggers: await ask(
      record,
      "SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE trigger_schema = 'stock' ORDER BY 1",
    ),
    keys: await ask(
      record,
      'SELECT constraint_schema, constraint_name, referenced_table_name FROM information_schema.referential_constraints ORDER BY 1, 2',
    ),
    log: await ask(record, 'SELECT COUNT(*) FROM around.log'),
  };
}

/** The trigger fires, the key from outside holds; and none of it stays. */
async function holds(record: Facts | undefined): Promise<void> {
  const insert =
    "START TRANSACTION; SET @before = (SELECT COUNT(*) FROM around.log); INSERT INTO stock.items (shelf, words) VALUES (1, 'new'); SELECT COUNT(*) - @before FROM around.log; ROLLBACK";
  expect(await ask(record, insert)).toBe('1');
  await expect(ask(record, 'INSERT INTO around.used VALUES (999999)')).rejects.toThrow(/ERROR 1452/);
  await ask(record, 'START TRANSACTION; INSERT INTO around.used VALUES (1); ROLLBACK');
}

const ours = (record: Facts | undefined) =>
  ask(record, "SHOW DATABASES LIKE 'dolly%'").then(text => text.split('\n').filter(name => name !== ''));

const folder = clearedFolder(clear => afterAll(clear, 30_000));
let service: ServiceProcess;
afterAll(() => service?.stop());

describeOnServers('a restore of a part that is killed', () => {
  let held: Readonly<Record<string, string>> = {};
  let snapshot = '';

  async function begun(diesAt?: string, victims?: string): Promise<ServiceProcess> {
    await service?.kill();
    service = await startProcess({ folder, diesAt, victims });
    if (snapshot !== '') return service;
    await ask(await service.record(live), filled);
    held = await content(await service.record(live));
    await must(service, 'PUT /database/sync', { database: live });
    const { snapshots } = await good(service, live);
    snapshot = Array.isArray(snapshots) ? String(snapshots.at(-1)?.id) : '';
    return service;
  }

  const all = [...undone, ...done].flatMap(step => [
    { step, what: 'table', scope: table },
    { step, what: 'database', scope: database },
  ]);
  // In `npm test` one of a table that is undone and one of a database that is done; all of them in `npm run kills`.
  const some = process.env.KILLS === undefined ? all.filter((_, index) => [4, 11].includes(index)) : all;
  test.each(some)(
    'a restore of a $what that is killed before $step is undone or done after the next start',
    async ({ step, what, scope }) => {
      const first = await begun(step);
      const record = await first.record(live);
      await ask(record, changed);
      const before = await content(record);
      const kept = await ours(record);
      await must(first, 'POST /database/restore', { database: live, snapshot, ...scope });
      await until(first.ended, 30_000);
      await holds(record);
      const second = await begun();
      const after = await second.record(live);
      await holds(after);
      const found = await content(after);
      const made = (await ours(after)).filter(name => !kept.includes(name));
      expect(readdirSync(join(folder, 'work'))).toEqual([]);
      if (undone.includes(step)) {
        expect(after).toMatchObject({
          state: 'FAILED',
          error: expect.stringMatching(/was restored\. Nothing was changed\.$/),
        });
        expect(found).toEqual(before);
        expect(made).toEqual([]);
      } else {
        expect(after).toMatchObject({ state: 'RUNNING', restoredSnapshot: snapshot });
        const wanted = what === 'database' ? held : { ...before, 'stock.items': held['stock.items'] };
        expect({ ...found, log: '' }).toEqual({ ...wanted, log: '' });
        expect(made).toHaveLength(1);
      }
    },
    60_000,
  );

  const ends = [
    ['exchanging', false],
    ['moving', true],
  ] as const;
  // At every step, on other servers and among writers, in `npm run kills` (matrix.test.ts).
  test.each(process.env.KILLS === undefined ? ends.slice(0, 1) : ends)(
    'a restore whose server is killed before %s is at once either undone or done',
    async (step, isDone) => {
      const running = await begun(step, join(folder, 'live', 'webshop', 'data'));
      await ask(await running.record(live), changed);
      const before = await content(await running.record(live));
      await must(running, 'POST /database/restore', { database: live, snapshot, ...database });
      const after = await running.settled(live);
      await holds(after);
      expect(readdirSync(join(folder, 'work'))).toEqual([]);
      if (isDone) {
        expect(after).toMatchObject({ state: 'RUNNING', restoredSnapshot: snapshot });
        expect({ ...(await content(after)), log: '' }).toEqual({ ...held, log: '' });
      } else {
        const error = 'webshop stopped before the database stock was restored. Nothing was changed.';
        expect(after).toMatchObject({ state: 'FAILED', error });
        expect(await content(after)).toEqual(before);
      }
    },
    60_000,
  );
});

/** Only in `npm run kills`: it takes minutes. */
describe.skipIf(process.env.KILLS === undefined)('a restore that is killed while others write', () => {
  const place = clearedFolder(clear => afterAll(clear, 30_000));
  let running: ServiceProcess | undefined;
  afterAll(() => running?.stop());
  let snapshot = '';
  let from = 0;

  async function start(diesAt?: string): Promise<ServiceProcess> {
    await running?.kill();
    running = await startProcess({ folder: place, ...(diesAt === undefined ? {} : { diesAt }) });
    return running;
  }

  test.each(
    [...undone, ...done].flatMap(step => [
      { step, scope: 'TABLE' },
      { step, scope: 'DATABASE' },
    ]),
  )(
    'a restore of a $scope that is killed before $step while others write loses none of their commits elsewhere',
    async ({ step, scope }) => {
      if (snapshot === '') {
        const first = await start();
        await ask(await first.record(live), fields);
        await must(first, 'PUT /database/sync', { database: live });
        const { snapshots } = await good(first, live);
        snapshot = Array.isArray(snapshots) ? String(snapshots.at(-1)?.id) : '';
      }
      const first = await start(step);
      const record = await first.record(live);
      const [held] = (await ask(record, heldItems)).split('\n');
      from += 1_000_000;
      const writers = startWriters(join(place, 'live', 'webshop', 'client.cnf'), from);
      const more = (count: number) => {
        const least = writers.items.sent + count;
        return until(() => writers.items.sent > least, 20_000);
      };
      await more(20);
      const part = { databaseName: 'target', ...(scope === 'TABLE' ? { tableName: 'items' } : {}) };
      await must(first, 'POST /database/restore', {
        database: live,
        snapshot,
        objectType: `MARIADB_${scope}_RECOVERY_PARAMS`,
        ...part,
      });
      await until(first.ended, 40_000);
      await more(20);
      await start();
      await more(20);
      await writers.stop();
      const rows = async (statement: string) => (await ask(record, statement)).split('\n').filter(line => line !== '');
      const isDone = done.includes(step);
      expect(await judge(rows, writers, from, isDone, scope === 'DATABASE', held)).toEqual([]);
    },
    90_000,
  );
});
