import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { few, isWhole } from '../../../whole.ts';
import { field } from '../client.ts';
import { foreignServer } from './foreign.ts';
import { describeReal, hostOf, live, type Real } from './real.ts';

const database = (databaseName: string) => ({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName });
const table = (databaseName: string, tableName: string) => ({
  objectType: 'MARIADB_TABLE_RECOVERY_PARAMS',
  databaseName,
  tableName,
});

const kept = ({ sql }: Real) => sql(live, "SHOW DATABASES LIKE 'dolly%'");

/** A session that holds what these statements take, until it is told to end. */
async function holding(real: Real, statements: string): Promise<() => Promise<unknown>> {
  const [program = '', ...args] = await real.command(live);
  const session = spawn(program, [...args, '-BN', '--unbuffered'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(session, 'exit');
  const end = () => {
    session.stdin.end();
    return ended;
  };
  onTestFinished(async () => {
    await end();
  });
  session.stdin.write(`${statements}; SELECT 'held';\n`);
  await once(session.stdout, 'data');
  return end;
}

describeReal('what a restore of a part says is exact', real => {
  const fails = async (scope: object, id = live) => {
    await real().ask('POST /database/restore', { database: id, ...scope });
    const record = await real().settled(id);
    expect(record).toMatchObject({ state: 'FAILED' });
    return String(field(record, 'error'));
  };
  const notes = async (scope: object) => String(field(await real().restore(scope), 'notes'));

  test('a restore gives back FLOAT, counters, sequences and word indexes as they were, in every engine that keeps rows', async () => {
    const { sql, backUp, restore, content } = real();
    const engines = ['InnoDB', 'Aria', 'MyISAM', 'MyISAM ROW_FORMAT=FIXED', 'CSV', 'MEMORY'];
    await sql(
      live,
      `CREATE DATABASE exact; USE exact; CREATE SEQUENCE counted START WITH 7 INCREMENT BY 3 CACHE 4; DO nextval(counted);
       ${engines
         .map(
           (
             engine,
             at,
           ) => `CREATE TABLE e${at} (f FLOAT NOT NULL, d DOUBLE NOT NULL, w CHAR(20) NOT NULL, u FLOAT(10, 3) UNSIGNED NOT NULL) ENGINE=${engine};
         INSERT INTO e${at} SELECT 16777216 + seq * 1.37, 1 / seq, CONCAT(seq, ' words'), seq / 7 FROM seq_1_to_500`,
         )
         .join(';')};
       CREATE TABLE auto (id INT AUTO_INCREMENT PRIMARY KEY, f FLOAT, w TEXT, FULLTEXT (w)); INSERT INTO auto (f, w) SELECT 0.1 * seq, CONCAT('searched', seq) FROM seq_1_to_300;
       DELETE FROM auto WHERE id > 290; ALTER TABLE auto AUTO_INCREMENT = 5000`,
    );
    await backUp();
    const before = await content(live);
    await sql(
      live,
      `USE exact; UPDATE auto SET f = 1; ${engines.map((_, at) => `DROP TABLE e${at}`).join('; ')}; DROP SEQUENCE counted`,
    );
    await restore(database('exact'));
    // Its rows are in memory alone: no snapshot has them.
    const memory = 'BASE TABLE exact.e5';
    expect({ ...(await content(live)), [memory]: '' }).toEqual({ ...before, [memory]: '' });
    expect(await sql(live, "SELECT id FROM exact.auto WHERE MATCH (w) AGAINST ('searched7')")).toEqual(['7']);
    await sql(live, "INSERT INTO exact.auto (w) VALUES ('next')");
    expect(await sql(live, 'SELECT MAX(id), nextval(exact.counted) FROM exact.auto')).toEqual(['5000\t19']);
  });

  test('a transaction that was prepared at the backup is not restored, and holds nothing up', async () => {
    const { sql, backUp, restore } = real();
    await sql(live, 'CREATE TABLE exact.prepared (id INT PRIMARY KEY); INSERT INTO exact.prepared VALUES (1)');
    const end = await holding(
      real(),
      "XA START 'p'; INSERT INTO exact.prepared VALUES (2); XA END 'p'; XA PREPARE 'p'",
    );
    await backUp();
    await end();
    await sql(live, "XA ROLLBACK 'p'; DELETE FROM exact.prepared");
    await restore(table('exact', 'prepared'));
    expect(await sql(live, 'SELECT id FROM exact.prepared')).toEqual(['1']);
  });

  test('foreign keys from elsewhere point to the restored table, and rows that point nowhere are counted', async () => {
    const { sql, backUp } = real();
    await sql(
      live,
      `CREATE TABLE exact.owner (a INT, b INT, PRIMARY KEY (a, b)); INSERT INTO exact.owner VALUES (1, 1), (2, 2); CREATE DATABASE apart;
       CREATE TABLE apart.owned (a INT, b INT, CONSTRAINT of_owner FOREIGN KEY (a, b) REFERENCES exact.owner (a, b) ON DELETE CASCADE)`,
    );
    await backUp();
    await sql(live, 'INSERT INTO exact.owner VALUES (3, 3); INSERT INTO apart.owned VALUES (1, 1), (3, 3)');
    const told = await notes(table('exact', 'owner'));
    expect(told).toContain('The foreign key of_owner of apart.owned was pointed anew.');
    expect(told).toContain('1 row of apart.owned point to no row of exact.owner (foreign key of_owner).');
    await expect(sql(live, 'INSERT INTO apart.owned VALUES (9, 9)')).rejects.toThrow(/of_owner/);
    await sql(live, 'DELETE FROM exact.owner WHERE a = 1');
    expect(await sql(live, 'SELECT a FROM apart.owned')).toEqual(['3']);
    expect(await sql(live, 'SHOW CREATE TABLE apart.owned')).toEqual([
      expect.stringMatching(
        /CONSTRAINT `of_owner` FOREIGN KEY \(`a`, `b`\) REFERENCES `exact`\.`owner` \(`a`, `b`\) ON DELETE CASCADE/,
      ),
    ]);
  });

  test('a restore can be taken back: what it replaced is kept in a database, with its triggers and keys', async () => {
    const { sql, content, backUp } = real();
    await sql(
      live,
      'CREATE DATABASE taken; CREATE TABLE taken.one (id INT PRIMARY KEY, w VARCHAR(20)); INSERT INTO taken.one VALUES (1, 1); CREATE VIEW taken.seen AS SELECT 1 AS one',
    );
    await backUp();
    await sql(
      live,
      `USE taken; UPDATE one SET w = 'newer'; CREATE TABLE two (id INT PRIMARY KEY, CONSTRAINT of_one FOREIGN KEY (id) REFERENCES one (id)); INSERT INTO two VALUES (1);
       CREATE TRIGGER noted BEFORE INSERT ON two FOR EACH ROW SET @noted = NEW.id; CREATE OR REPLACE VIEW seen AS SELECT * FROM two; CREATE PROCEDURE said() SELECT 5`,
    );
    const before = await content(live);
    const already = await kept(real());
    const told = await notes(database('taken'));
    expect(await content(live)).not.toEqual(before);
    const [name = ''] = (await kept(real())).filter(one => !already.includes(one));
    expect(told).toContain(`is kept in the database ${name} until 20`);
    const again = await notes(database(name));
    expect(await content(live)).toEqual(before);
    const [other = ''] = (await kept(real())).filter(one => !already.includes(one));
    expect(again).toContain(`is kept in the database ${other} until 20`);
    expect(other).not.toBe(name);
    await notes(database(other));
    expect(await sql(live, 'SELECT w FROM taken.one')).toEqual(['1']);
  });

  test('what a restore replaced is removed by itself after a day, although a foreign key from elsewhere points there', async () => {
    const { sql, clock, ask, settled } = real();
    const name = (await kept(real())).at(-1) ?? '';
    await sql(
      live,
      `CREATE DATABASE after; CREATE TABLE after.late (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES ${name}.one (id))`,
    );
    await clock.advance(86_400_000 - 1);
    expect(await kept(real())).toContain(name);
    // A look that is still under way waits for its next time only after it: the clock goes on until that has come.
    const keptLater = () => clock.advance(600_000).then(() => kept(real()));
    await expect.poll(keptLater).toEqual([]);
    expect(await sql(live, 'SELECT w FROM taken.one')).toEqual(['1']);
    await ask('POST /database/restore', { database: live, ...database(name) });
    expect(await settled(live)).toMatchObject({ error: expect.stringContaining(`has no database ${name}`) });
    await sql(live, 'DROP DATABASE after');
  });

  test('a restore names who holds its table, holds nobody up for five seconds, and keeps what it loaded for later', async () => {
    const { sql, content } = real();
    await sql(live, "UPDATE taken.one SET w = 'held'");
    const before = await content(live);
    const already = await kept(real());
    const end = await holding(real(), 'START TRANSACTION; SELECT * FROM taken.one');
    const failure = fails(table('taken', 'one'));
    let longest = 0;
    let isOver = false;
    void failure.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      // By the server's own clock: how long a client takes to start is the machine's affair.
      const [, waited] = await sql(
        live,
        'SET @from = SYSDATE(6); SELECT COUNT(*) FROM taken.one; SELECT TIMESTAMPDIFF(MICROSECOND, @from, SYSDATE(6))',
      );
      longest = Math.max(longest, Number(waited));
      // Each look is a program more, and there would be as many as the machine can start.
      await sleep(100);
    }
    expect(await failure).toMatch(
      /^Somebody has held the table taken\.one for too long: .*session \d+ of dolly@.*a transaction since 20.*Nothing was changed\. What was loaded/s,
    );
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(5_000_000);
    expect(await content(live)).toEqual(before);
    const [loaded = ''] = (await kept(real())).filter(one => !already.includes(one));
    expect(await failure).toContain(loaded);
    expect(await sql(live, `SELECT w FROM ${loaded}.one`)).toEqual(['1']);
    await end();
    await real().restore(database(loaded));
    expect(await sql(live, 'SELECT w FROM taken.one')).toEqual(['1']);
    expect(await kept(real())).not.toContain(loaded);
  });

  test.skipIf(!isWhole)(
    'what a failed restore loaded and somebody holds is told, and taken away before the next restore',
    async () => {
      const { sql, content, restore } = real();
      const before = await content(live);
      const end = await holding(real(), 'START TRANSACTION; SELECT * FROM taken.one');
      const failure = fails(table('taken', 'one'));
      const coming = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'dolly%n0'";
      const found = await vi.waitUntil(async () => (await sql(live, coming))[0], { timeout: 30_000 });
      const endOther = await holding(real(), `LOCK TABLES taken.${found} READ`);
      expect(await failure).toMatch(
        /^Somebody has held the table taken\.one for too long: .*Nothing was changed\. What was loaded could not be taken away yet: ERROR 1205 .* I try that again/s,
      );
      await Promise.all([end(), endOther()]);
      await restore(table('taken', 'one'));
      expect(await sql(live, coming)).toEqual([]);
      expect(await content(live)).toEqual(before);
    },
  );

  test.skipIf(!isWhole)('a restore names the prepared transaction that holds its table', async () => {
    const { sql } = real();
    const end = await holding(real(), "XA START 'q'; UPDATE taken.one SET w = 'q'; XA END 'q'; XA PREPARE 'q'");
    expect(await fails(table('taken', 'one'))).toContain("the prepared transaction XA 'q'");
    await end();
    await sql(live, "XA ROLLBACK 'q'");
  });

  test('a restored table whose files were damaged comes back, and the record says that nothing of it could be kept', async () => {
    const { sql, backUp, folder, restore } = real();
    await sql(
      live,
      `CREATE DATABASE damaged; USE damaged; ${['InnoDB', 'MyISAM', 'Aria'].map(engine => `CREATE TABLE ${engine} (id INT PRIMARY KEY) ENGINE=${engine}; INSERT INTO ${engine} VALUES (1)`).join('; ')}`,
    );
    await backUp();
    const already = await kept(real());
    await sql(live, 'FLUSH TABLES');
    const files = join(folder, 'live', 'webshop', 'data', 'damaged');
    await Promise.all([
      rm(join(files, 'InnoDB.ibd')),
      rm(join(files, 'MyISAM.MYI')),
      writeFile(join(files, 'Aria.MAI'), 'x'),
    ]);
    const told = field(await restore(table('damaged', 'InnoDB')), 'notes');
    expect(told).toBe('The files of InnoDB were damaged, so nothing of it could be kept.');
    expect(await kept(real())).toEqual(already);
    expect(await notes(database('damaged'))).toMatch(
      /The files of (MyISAM|Aria) were damaged.*The files of (MyISAM|Aria) were/,
    );
    expect(await sql(live, 'SELECT * FROM damaged.InnoDB, damaged.MyISAM, damaged.Aria')).toEqual(['1\t1\t1']);
  });

  test.skipIf(!isWhole)(
    'a foreign key whose table somebody holds during a restore is pointed anew before the next restore',
    async () => {
      const { sql, backUp, restore } = real();
      await sql(
        live,
        'CREATE DATABASE behind; CREATE TABLE behind.a (id INT PRIMARY KEY); CREATE TABLE apart.b (id INT PRIMARY KEY, CONSTRAINT of_a FOREIGN KEY (id) REFERENCES behind.a (id))',
      );
      await backUp();
      const end = await holding(real(), 'START TRANSACTION; SELECT * FROM apart.b');
      expect(await fails(table('behind', 'a'))).toMatch(
        /is restored, but something is left to be done: somebody holds a lock: .*session \d+/,
      );
      await end();
      const told = field(await restore(table('behind', 'a')), 'notes');
      expect(told).toMatch(/^The earlier restore of the table behind\.a was not at its end, and is now\./);
      expect(await sql(live, 'SHOW CREATE TABLE apart.b')).toEqual([
        expect.stringContaining('REFERENCES `behind`.`a`'),
      ]);
    },
  );

  const refused = [
    [
      'a history by transactions',
      'CREATE TABLE taken.ledger (id INT PRIMARY KEY, s BIGINT UNSIGNED GENERATED ALWAYS AS ROW START, e BIGINT UNSIGNED GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING',
      '',
      'ledger',
      /keeps its history by transactions/,
    ],
    [
      'a sequence that is gone',
      'CREATE SEQUENCE taken.gone; CREATE TABLE taken.counts (id INT DEFAULT nextval(taken.gone))',
      'DROP TABLE taken.counts; DROP SEQUENCE taken.gone',
      'counts',
      /counts with the sequence taken\.gone, which webshop does not have/,
    ],
    [
      'a name of a trigger that another table has',
      'CREATE TABLE taken.fires (id INT); CREATE TRIGGER taken.named BEFORE INSERT ON taken.fires FOR EACH ROW SET @x = 1',
      'DROP TRIGGER taken.named; CREATE TRIGGER taken.named BEFORE INSERT ON taken.one FOR EACH ROW SET @x = 1',
      'fires',
      /The trigger named of table taken\.fires cannot come back, since taken\.one has one of that name now/,
    ],
  ] as const;
  test.each(few(refused, (_, at) => at === 2))(
    'the restore of a table with %s is refused before any work',
    async (_, made, then, name, words) => {
      const { sql, content, backUp } = real();
      await sql(live, made);
      await backUp();
      if (then !== '') await sql(live, then);
      const before = await content(live);
      const already = await kept(real());
      expect(await fails(table('taken', name))).toMatch(words);
      expect(await content(live)).toEqual(before);
      expect(await kept(real())).toEqual(already);
      expect(await readdir(join(real().folder, 'work'))).toEqual([]);
    },
  );

  test('a restore is refused on a server that replicates, that logs only some databases, or that denies the rights', async () => {
    const { folder, ask, record, backUp, send } = real();
    const server = await foreignServer(join(folder, '..', 'elsewhere'), [
      '--server-id=5',
      '--log-bin=own',
      '--binlog-do-db=some',
    ]);
    onTestFinished(async () => {
      await server.end();
    });
    await server.ask(
      'CREATE DATABASE bills; CREATE TABLE bills.paid (id INT); CREATE USER weak@localhost; GRANT SELECT, RELOAD, PROCESS, LOCK TABLES, BINLOG MONITOR, CREATE ON *.* TO weak@localhost',
    );
    const file = join(folder, 'registered', 'limited.cnf');
    await writeFile(file, server.options, { mode: 0o644 });
    const environment = String(field(await hostOf(send), 'id'));
    await ask('PUT /environment/refresh', environment);
    await vi.waitFor(async () => expect(await record(environment)).toMatchObject({ state: 'ENABLED' }), 20_000);
    const id = 'MARIADB_LIVE_SERVER-2';
    await backUp(id);
    expect(await fails(table('bills', 'paid'), id)).toMatch(/^limited leaves databases out of its binary log/);
    await server.ask("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_USER='x'");
    expect(await fails(table('bills', 'paid'), id)).toMatch(/^limited replicates from another server/);
    await writeFile(file, server.options.replace('user=root', 'user=weak'), { mode: 0o644 });
    expect(await fails(table('bills', 'paid'), id)).toMatch(
      /^The account on limited lacks rights that a restore needs: grant it INSERT, UPDATE, DELETE, DROP, ALTER, .*SLAVE MONITOR on \*\.\*/,
    );
    expect(await server.ask("SHOW DATABASES LIKE 'dolly%'")).toEqual([]);
  });
});
