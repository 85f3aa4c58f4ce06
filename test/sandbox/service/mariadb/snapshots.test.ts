import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { field, rows } from '../client.ts';
import { describeReal, live } from './real.ts';

describeReal('snapshots of a real server', real => {
  test('a clone of any snapshot holds what the server held then, whatever was changed, made, altered or dropped since', async () => {
    const { sql, content, clone, backUp } = real();
    await sql(
      live,
      `CREATE DATABASE closing; CREATE TABLE closing.tills (id INT PRIMARY KEY);
       CREATE TABLE shop.plain (id INT PRIMARY KEY, word TEXT) ENGINE=MyISAM; INSERT INTO shop.plain VALUES (1, 'old');
       CREATE TABLE shop.going (id INT PRIMARY KEY); INSERT INTO shop.going VALUES (1), (2);
       CREATE TABLE shop.going_plain (id INT PRIMARY KEY) ENGINE=Aria;
       CREATE TABLE shop.renamed (id INT PRIMARY KEY); INSERT INTO shop.renamed VALUES (7)`,
    );
    const first = await backUp();
    const before = await content(live);
    await sql(
      live,
      `UPDATE shop.orders SET note = REVERSE(note), placed = placed + INTERVAL 1 YEAR;
       DELETE FROM shop.customers WHERE id MOD 3 = 0; INSERT INTO shop.sold VALUES (100000, 1);
       ALTER TABLE shop.products ADD COLUMN colour VARCHAR(20) NOT NULL DEFAULT 'red', ADD KEY (colour);
       ALTER TABLE shop.orders DROP PARTITION y2024; TRUNCATE TABLE reviews.reviews;
       INSERT INTO reviews.reviews VALUES (1, 1, 5, 'new'); UPDATE shop.plain SET word = 'new';
       DROP TABLE shop.going; DROP TABLE shop.going_plain; RENAME TABLE shop.renamed TO shop.other_name;
       CREATE TABLE shop.renamed (word VARCHAR(9) PRIMARY KEY); INSERT INTO shop.renamed VALUES ('another');
       CREATE TABLE shop.made (id INT PRIMARY KEY, text TEXT); INSERT INTO shop.made SELECT seq, REPEAT('x', 3000) FROM shop.seq_1_to_2000;
       CREATE DATABASE opening; CREATE TABLE opening.doors (id INT PRIMARY KEY); INSERT INTO opening.doors VALUES (1);
       DROP DATABASE closing; DROP TRIGGER shop.count_sold`,
    );
    const second = await backUp();
    const after = await content(live);
    await sql(live, "INSERT INTO shop.made VALUES (5000, 'later'); DROP TABLE shop.other_name");
    const third = await backUp();
    expect([first, second, third].map(snapshot => field(snapshot, 'type'))).toEqual(Array(3).fill('INCREMENTAL'));

    const latest = await content(live);
    const of = async (snapshot: unknown) => content(await clone({ snapshot: field(snapshot, 'id') }));
    const [old, middle, newest, omitted] = await Promise.all([of(first), of(second), of(third), clone().then(content)]);
    expect(old).toEqual(before);
    expect(middle).toEqual(after);
    expect(newest).toEqual(latest);
    expect(omitted).toEqual(latest);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['BASE TABLE shop.going', 'database closing']));
    expect(after['BASE TABLE shop.made']).toMatch(/\n2000\n/);
  });

  test('a snapshot in the middle can be deleted: those around it stay whole, and the next increment, too', async () => {
    const { sql, content, clone, backUp, ask, record, folder } = real();
    const contents = [];
    const snapshots = [];
    for (const number of [1, 2, 3]) {
      await sql(
        live,
        `CREATE TABLE shop.step${number} AS SELECT seq FROM shop.seq_1_to_1000; DELETE FROM shop.sold LIMIT 9`,
      );
      snapshots.push(await backUp());
      contents.push(await content(live));
    }
    const [before, middle, last] = snapshots.map(snapshot => String(field(snapshot, 'id')));
    await ask(`PUT /snapshot/delete?input=${middle}`, '');
    await vi.waitFor(async () => {
      const listed = rows(field(await record(live), 'snapshots')).map(snapshot => field(snapshot, 'id'));
      expect(listed).not.toContain(middle);
    }, 20_000);
    expect(existsSync(join(folder, 'snapshots', `${before}`))).toBe(true);
    expect(existsSync(join(folder, 'snapshots', `${middle}`))).toBe(false);
    await sql(live, 'DELETE FROM shop.step1 WHERE seq > 10');
    expect(field(await backUp(), 'type')).toBe('INCREMENTAL');
    expect(await content(await clone({ snapshot: before }))).toEqual(contents[0]);
    expect(await content(await clone({ snapshot: last }))).toEqual(contents[2]);
    expect(await content(await clone())).toEqual(await content(live));
  });

  test('a clone holds what was committed at its backup, and nothing of an open transaction', async () => {
    const { sql, clone, command } = real();
    const [program = '', ...args] = await command(live);

    await sql(live, 'CREATE TABLE shop.promises (id INT PRIMARY KEY); INSERT INTO shop.promises VALUES (1)');
    const session = spawn(program, [...args, '-BN', '--unbuffered'], { stdio: ['pipe', 'ignore', 'ignore'] });
    session.stdin.write('START TRANSACTION;\nINSERT INTO shop.promises SELECT seq FROM shop.seq_2_to_500;\n');
    const open = 'SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_rows_modified > 400';
    // InnoDB renews this table only when nobody has read it for 100 ms, so a look more often would never see the transaction.
    await vi.waitFor(async () => expect(await sql(live, open)).toEqual(['1']), {
      timeout: 20_000,
      interval: 250,
    });
    await real().backUp();
    session.kill();
    expect(await sql(await clone(), 'SELECT * FROM shop.promises')).toEqual(['1']);
  });

  test('a backup that fails for a table names it as people do, and the next one without it is made', async () => {
    const { sql, ask, settled, backUp } = real();
    const [database, table] = ['表'.repeat(50), '表'.repeat(49)];
    await sql(live, `CREATE DATABASE ${database}; CREATE TABLE ${database}.${table} (id INT)`);
    await ask('PUT /database/sync', { database: live });
    expect(String(field(await settled(live), 'error'))).toContain(
      `Table ${database}.${table}: Failed to copy file ./@8868`,
    );
    await sql(live, `DROP DATABASE ${database}`);
    await backUp();
  });
});
