import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { field } from '../client.ts';
import { describeReal, live } from './real.ts';
import { zoo } from './zoo.ts';

const database = (databaseName: string) => ({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName });
const table = (databaseName: string, tableName: string) => ({
  objectType: 'MARIADB_TABLE_RECOVERY_PARAMS',
  databaseName,
  tableName,
});
const options = ['--delimiter=//', '--comments', '--binary-mode'];

/** Ends the session that loads a dump as soon as it changes this database. Sessions that only read it are let be. */
const killer = (databaseName: string) => `BEGIN NOT ATOMIC
  REPEAT
    DO SLEEP(0.002);
    SET @loading = (SELECT MAX(id) FROM information_schema.processlist WHERE db = '${databaseName}' AND info REGEXP '^(/[*]|DROP|CREATE|INSERT|ALTER)' AND id <> CONNECTION_ID());
  UNTIL @loading IS NOT NULL END REPEAT;
  KILL @loading;
END //`;

const reviews = 'BASE TABLE reviews.reviews';
/** Its history is one by transactions, which no dump can hold. */
const ledger = `CREATE TABLE zoo.ledger (id INT PRIMARY KEY, s BIGINT UNSIGNED GENERATED ALWAYS AS ROW START, e BIGINT UNSIGNED GENERATED ALWAYS AS ROW END,
  PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING; INSERT INTO zoo.ledger (id) VALUES (1); UPDATE zoo.ledger SET id = 2`;

describeReal('a restore of a part that fails', real => {
  const fails = async (scope: object) => {
    await real().ask('POST /database/restore', { database: live, ...scope });
    const record = await real().settled(live);
    expect(record).toMatchObject({ state: 'FAILED' });
    return String(field(record, 'error'));
  };
  const work = () => readdir(join(real().folder, 'work'));

  test('on the copy of the server on which it is tried leaves the live one alone, and says what is missing', async () => {
    const { sql, content, backUp } = real();
    await sql(live, zoo, ...options);
    await backUp();
    await sql(
      live,
      'ALTER TABLE zoo.aaa ALTER id SET DEFAULT 0; CREATE TABLE zoo.made (id INT); DROP TABLE zoo.tickets; DROP SEQUENCE zoo.numbers',
    );
    const before = await content(live);
    expect(await fails(table('zoo', 'tickets'))).toMatch(
      /^ERROR 1146 .*Table 'zoo\.numbers' doesn't exist.*nothing was changed\.$/s,
    );
    expect(await content(live)).toEqual(before);
    expect(await work()).toEqual([]);
  });

  test('in the middle of its load is taken back alone: what others wrote elsewhere stays', async () => {
    const { sql, content } = real();
    const before = await content(live);
    const killed = sql(live, killer('zoo'), '--delimiter=//');
    const failure = fails(database('zoo'));
    await killed;
    await sql(live, "INSERT INTO reviews.reviews VALUES (9900, 1, 1, 'meanwhile')");
    expect(await failure).toMatch(/^ERROR/);
    expect({ ...(await content(live)), [reviews]: before[reviews] }).toEqual(before);
    expect(await sql(live, 'SELECT text FROM reviews.reviews WHERE id = 9900')).toEqual(['meanwhile']);
    expect(await work()).toEqual([]);
  });

  test('and of which no dump can be made gets the files of the whole server back, and the record says so', async () => {
    const { sql, content, restore } = real();
    let [error, before] = ['', await content(live)];
    // The session may come to its end before it is caught: then the restore is done, and all begins anew.
    for (let attempt = 0; attempt < 10 && error === ''; attempt++) {
      await sql(live, ledger);
      before = await content(live);
      const killed = sql(live, killer('zoo'), '--delimiter=//');
      await real().ask('POST /database/restore', { database: live, ...database('zoo') });
      error = String(field(await real().settled(live), 'error') ?? '');
      await killed;
    }
    expect(error).toMatch(
      /^ERROR .*could not be taken back alone \(.*transaction-precise history.*the whole server is as it was at 20/s,
    );
    expect(await content(live)).toEqual(before);
    await restore(database('zoo'));
    expect(await sql(live, "SHOW TABLES IN zoo LIKE 'ledger'")).toEqual([]);
    expect(await work()).toEqual([]);
  });

  test('and cannot be taken back after the end of the service is kept for people, and hinders no later one', async () => {
    const { ask, folder } = real();
    await real().sql(live, ledger);
    await ask('POST /database/restore', { database: live, ...database('zoo') });
    const isLoading = () => existsSync(join(folder, 'work', `${live}-restore.json`));
    await vi.waitUntil(isLoading, { timeout: 45_000, interval: 2 });
    const { record, sql, content, restore } = await real().restart();
    expect(await record(live)).toMatchObject({
      state: 'FAILED',
      error: expect.stringMatching(/could not be taken back yet.*transaction-precise history/),
    });
    const before = await content(live);
    await sql(live, 'DELETE FROM reviews.reviews');
    const { notes } = Object(await restore(database('reviews')));
    expect(notes).toMatch(
      /^The restore of database zoo of 20.* could not be taken back: .*transaction-precise history/,
    );
    const [, data = ''] = /is kept in (\S+): a database administrator can start a server on it/.exec(notes) ?? [];
    expect(existsSync(join(data, 'zoo', 'ledger.ibd'))).toBe(true);
    expect({ ...(await content(live)), [reviews]: before[reviews] }).toEqual(before);
    expect(await restore(database('zoo'))).toMatchObject({ notes: null });
    expect(await work()).toEqual([]);
  });
});
