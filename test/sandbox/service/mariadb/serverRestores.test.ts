import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { field } from '../client.ts';
import { describeReal, live } from './real.ts';

const wholeServer = { objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' };

describeReal('restoring a whole real server', real => {
  test('a restore of a whole server gives back all that the snapshot holds, and keeps the binary logs', async () => {
    const { sql, content, backUp, restore } = real();
    await sql(live, 'CREATE TABLE shop.kept (id INT PRIMARY KEY); CREATE USER guest@localhost');
    const snapshot = field(await backUp(), 'id');
    const before = await content(live);
    const logs = async () => (await sql(live, 'SHOW BINARY LOGS')).map(line => line.split('\t')[0]);
    await sql(
      live,
      "DROP DATABASE reviews; FLUSH BINARY LOGS; UPDATE shop.orders SET note = 'newer'; CREATE TABLE shop.made (id INT); DROP TABLE shop.kept; DROP USER guest@localhost",
    );
    const written = await logs();
    await backUp();
    await restore({ ...wholeServer, snapshot });
    expect(await content(live)).toEqual(before);
    expect(await sql(live, "SELECT COUNT(*) FROM mysql.user WHERE user = 'guest'")).toEqual(['1']);
    expect(await logs()).toEqual(expect.arrayContaining(written));
    await sql(live, 'INSERT INTO shop.kept VALUES (1)');
  });

  test('the first backup after a restore of a whole server is full, and holds just what the server then has', async () => {
    const { sql, content, backUp, restore, clone, folder } = real();
    await sql(
      live,
      'CREATE TABLE shop.lines_ (id INT PRIMARY KEY, text VARCHAR(300)); INSERT INTO shop.lines_ SELECT seq, MD5(seq) FROM shop.seq_1_to_5000',
    );
    const old = field(await backUp(), 'id');
    await sql(live, "UPDATE shop.lines_ SET text = REPEAT('gone', 20); UPDATE shop.orders SET note = 'gone'");
    const newest = await backUp();
    await restore({ ...wholeServer, snapshot: old });
    await sql(live, "UPDATE shop.lines_ SET text = REPEAT('since', 10) WHERE id MOD 7 = 0");
    // Only a server that is ahead of the newest backup would have an increment to it taken.
    const text = await readFile(
      join(folder, 'snapshots', String(field(newest, 'id')), 'xtrabackup_checkpoints'),
      'utf8',
    );
    const reached = Number(/^to_lsn = (\d+)$/m.exec(text)?.[1]);
    const at = async () => Number((await sql(live, "SHOW GLOBAL STATUS LIKE 'Innodb_lsn_current'"))[0]?.split('\t')[1]);
    for (let round = 0; (await at()) <= reached; round += 1)
      await sql(live, `INSERT INTO shop.lines_ SELECT seq + ${round + 1} * 10000, 'since' FROM shop.seq_1_to_5000`);

    const after = await content(live);
    const first = await backUp();
    expect(await content(await clone())).toEqual(after);
    expect(field(first, 'type')).toBe('FULL');

    await sql(live, 'DELETE FROM shop.lines_ WHERE id MOD 2 = 0');
    const second = await backUp();
    expect(field(second, 'type')).toBe('INCREMENTAL');
    expect(await content(await clone())).toEqual(await content(live));
    expect(await content(await clone({ snapshot: field(first, 'id') }))).toEqual(after);
  });

  test('a restore of a whole server is not taken back when a later restore of one table is cut off', async () => {
    const { sql, content, restore, ask, backUp } = real();
    const snapshot = field(await backUp(), 'id');
    await sql(live, "UPDATE shop.orders SET note = 'of before the restore'");
    await restore({ ...wholeServer, snapshot });
    await sql(live, 'CREATE TABLE shop.since (id INT PRIMARY KEY)');
    const before = await content(live);
    await ask('POST /database/restore', {
      database: live,
      objectType: 'MARIADB_TABLE_RECOVERY_PARAMS',
      databaseName: 'shop',
      tableName: 'customers',
    });
    expect(await real().record(live)).toMatchObject({ state: 'RESTORING' });
    const again = await real().restart();
    expect(await again.record(live)).toMatchObject({ state: 'FAILED' });
    expect(await again.content(live)).toEqual(before);
  });
});
