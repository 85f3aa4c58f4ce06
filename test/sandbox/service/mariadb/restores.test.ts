import { expect, test } from 'vitest';
import { few } from '../../../whole.ts';
import { field } from '../client.ts';
import { type Content, describeReal, live, quoted } from './real.ts';

const table = (databaseName: string, tableName: string) => ({
  objectType: 'MARIADB_TABLE_RECOVERY_PARAMS',
  databaseName,
  tableName,
});
const database = (databaseName: string) => ({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName });

/** Everything but what these names belong to. */
function without(content: Content, ...names: string[]): Content {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)));
}

describeReal('restoring parts of a real server', real => {
  test('a restored table is as in its snapshot, with its trigger and keys, and all else keeps what is newer', async () => {
    const { sql, content, backUp, restore } = real();
    await backUp();
    const before = await content(live);
    await sql(
      live,
      `UPDATE shop.order_lines SET quantity = quantity + 1; ALTER TABLE shop.order_lines ADD COLUMN colour INT;
       CREATE TRIGGER shop.second BEFORE DELETE ON shop.order_lines FOR EACH ROW SET @x = 1;
       UPDATE shop.orders SET note = 'newer'; UPDATE shop.sold SET quantity = 1; INSERT INTO reviews.reviews VALUES (9000, 1, 1, 'newer')`,
    );
    const newer = await content(live);
    await restore(table('shop', 'order_lines'));
    const name = 'BASE TABLE shop.order_lines';
    const after = await content(live);
    expect(after[name]).toBe(before[name]);
    const dependent = [name, 'VIEW shop.revenue_by_city', 'trigger shop.second'];
    expect(without(after, ...dependent)).toEqual(without(newer, ...dependent));
    expect(Object.keys(after)).not.toContain('trigger shop.second');
    await sql(live, "INSERT INTO shop.order_lines VALUES (1, 99, 5, 17, 'x')");
    expect(await sql(live, 'SELECT quantity FROM shop.sold WHERE product = 5')).toEqual(['18']);
    await expect(sql(live, "INSERT INTO shop.order_lines VALUES (1, 98, 4711, 1, 'x')")).rejects.toThrow(/ERROR 1452/);
    await expect(sql(live, 'DELETE FROM shop.products')).rejects.toThrow(/ERROR 1451/);
  });

  test.each(['products', 'revenue_by_city'])(
    'the table or view %s, dropped on the live server, is there again after its restore',
    async name => {
      const { sql, content, backUp, restore } = real();
      await backUp();
      const before = await content(live);
      const kind = name === 'revenue_by_city' ? 'VIEW' : 'TABLE';
      await sql(live, `SET foreign_key_checks = 0; DROP ${kind} shop.${name}`);
      await restore(table('shop', name));
      expect(await content(live)).toEqual(before);
    },
  );

  test('a restored database loses what was made since and gets back what was dropped, and others are left alone', async () => {
    const { sql, content, backUp, restore } = real();
    await sql(
      live,
      'CREATE PROCEDURE shop.hello() SELECT 42; CREATE EVENT shop.nightly ON SCHEDULE EVERY 1 DAY DO SELECT 1',
    );
    await backUp();
    const before = await content(live);
    await sql(
      live,
      `CREATE TABLE shop.made (id INT PRIMARY KEY); UPDATE shop.customers SET name = 'newer'; DROP TABLE shop.sold;
       SET foreign_key_checks = 0; DROP TABLE shop.products; DROP PROCEDURE shop.hello; DROP EVENT shop.nightly;
       INSERT INTO reviews.reviews VALUES (9001, 1, 1, 'newer')`,
    );
    await restore(database('shop'));
    const after = await content(live);
    const reviews = 'BASE TABLE reviews.reviews';
    expect(without(after, reviews)).toEqual(without(before, reviews));
    expect(await sql(live, 'SELECT text FROM reviews.reviews WHERE id = 9001')).toEqual(['newer']);
    expect(await sql(live, 'CALL shop.hello()')).toEqual(['42']);
    expect(await sql(live, 'SELECT event_name FROM information_schema.events')).toEqual(['nightly']);
  });

  test('a dropped database is there again after its restore', async () => {
    const { sql, content, backUp, restore } = real();
    await backUp();
    const before = await content(live);
    await sql(live, 'DROP DATABASE reviews');
    await restore(database('reviews'));
    expect(await content(live)).toEqual(before);
  });

  test('a restore brings back the snapshot that is named, and the latest one where none is', async () => {
    const { sql, backUp, restore } = real();
    await sql(live, 'CREATE TABLE shop.ages (id INT PRIMARY KEY); INSERT INTO shop.ages VALUES (1)');
    const snapshot = field(await backUp(), 'id');
    await sql(live, 'UPDATE shop.ages SET id = 2');
    await backUp();
    await sql(live, 'UPDATE shop.ages SET id = 3');
    await restore(table('shop', 'ages'));
    expect(await sql(live, 'SELECT id FROM shop.ages')).toEqual(['2']);
    await restore({ ...table('shop', 'ages'), snapshot });
    expect(await sql(live, 'SELECT id FROM shop.ages')).toEqual(['1']);
  });

  const refused = [
    ['a table that the snapshot does not have', table('shop', 'missing'), /has no table shop\.missing$/],
    ['a database that the snapshot does not have', database('missing'), /has no database missing$/],
    ['a table whose name differs by case', table('shop', 'Orders'), /has no table shop\.Orders$/],
    ['a pattern in place of a name', table('shop', 'order%'), /has no table shop\.order%$/],
  ] as const;
  test.each(few(refused, (_, at) => at % 2 === 1))(
    'a restore of %s fails, its record says why, and nothing is changed',
    async (_, scope, words) => {
      const { sql, content, ask, settled } = real();
      await sql(
        live,
        "CREATE TABLE IF NOT EXISTS shop.missing AS SELECT 'only here' AS word; CREATE DATABASE IF NOT EXISTS missing",
      );
      const before = await content(live);
      await ask('POST /database/restore', { database: live, ...scope });
      expect(await settled(live)).toMatchObject({ state: 'FAILED', error: expect.stringMatching(words) });
      expect(await content(live)).toEqual(before);
    },
  );

  test.each([database('mysql'), table('Mysql', 'user')])(
    'a restore of %o is refused at once, since it is the server’s own',
    async scope => {
      expect(await real().send('POST /database/restore', { database: live, ...scope })).toMatchObject({
        status: 400,
        body: { error: { field: 'databaseName', message: expect.stringContaining('belongs to the server itself') } },
      });
    },
  );

  const odd = `-w\`e"i'rd % d_b ünï\\x`;
  const restored = ['--help', 'a_b', `q'u"o\` dot.ted/ünï 表 back\\slash`];
  const names = [...restored, 'aXb', '%'];
  const at = (name: string) => `${quoted(odd)}.${quoted(name)}`;

  test('a restore of a table or a database with an odd name brings back exactly the one that it names', async () => {
    const { sql, content, backUp, restore } = real();
    await sql(
      live,
      `CREATE DATABASE ${quoted(odd)} CHARACTER SET utf8mb4; CREATE DATABASE \`%\`; CREATE TABLE \`%\`.t (id INT);
       ${names.map((name, at2) => `CREATE TABLE ${at(name)} (${quoted(name)} VARCHAR(40)); INSERT INTO ${at(name)} VALUES ('old ünï ''\\\\ 表'); CREATE TRIGGER ${quoted(odd)}.${quoted(`on ${at2} ${name}`)} AFTER DELETE ON ${at(name)} FOR EACH ROW SET @x = 1`).join(';')}`,
    );
    await backUp();
    const before = await content(live);
    const change = names.map(name => `INSERT INTO ${at(name)} VALUES ('newer')`).join(';');
    await sql(live, `${change}; INSERT INTO \`%\`.t VALUES (1)`);
    let expected = await content(live);
    // In `npm test` the oddest one: that of the database is a pattern, too.
    for (const name of few(restored, (_, at) => at === 2)) {
      await restore(table(odd, name));
      const key = `BASE TABLE ${odd}.${name}`;
      expect(Object.keys(before)).toContain(key);
      expected = { ...expected, [key]: before[key] ?? '' };
      expect(await content(live)).toEqual(expected);
    }
    await sql(live, `${change}; CREATE TABLE ${at('made')} (id INT)`);
    await restore(database(odd));
    const other = 'BASE TABLE %.t';
    expect(await content(live)).toEqual({ ...before, [other]: expected[other] });
    await restore(database('%'));
    expect(await content(live)).toEqual(before);
  });
});
