import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { field } from '../client.ts';
import { describeReal } from './real.ts';

/** Fills two tables, each row of one with a row of the other, as fast as it can. */
const pairs = `CREATE DATABASE pairs//
CREATE TABLE pairs.one (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(400))//
CREATE TABLE pairs.other (id INT PRIMARY KEY, text VARCHAR(400), KEY (text))//
CREATE PROCEDURE pairs.fill() WHILE TRUE DO
  START TRANSACTION;
  INSERT INTO pairs.one (text) VALUES (REPEAT(MD5(RAND()), 10));
  INSERT INTO pairs.other SELECT id, text FROM pairs.one WHERE id = LAST_INSERT_ID();
  COMMIT;
END WHILE//`;
const broken =
  'SELECT (SELECT COUNT(*) FROM pairs.one) - (SELECT COUNT(*) FROM pairs.other), (SELECT COUNT(*) FROM pairs.one a LEFT JOIN pairs.other b ON a.id = b.id AND a.text = b.text WHERE b.id IS NULL)';
const rows = 'SELECT COUNT(*) FROM pairs.one';

describeReal('sharing clones of a real server', real => {
  test('a clone that is written to all the while is shared as it was at one moment', async () => {
    const { sql, clone, begin, done, command, record } = real();
    const source = await clone();
    await sql(source, pairs, '--delimiter=//');
    const [program = '', ...args] = await command(source);
    const writing = async () => {
      const session = spawn(program, [...args, '-e', 'CALL pairs.fill()'], { stdio: 'ignore' });
      onTestFinished(() => void session.kill());
      const count = async () => Number((await sql(source, rows))[0]);
      const before = await count();
      await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before + 300), { timeout: 20_000 });
      return { session, atLeast: before + 300, ended: once(session, 'exit') };
    };
    // Where blocks are shared the moment is short, and one that is torn is rare.
    const times = String(field(await record(source), 'storage')).startsWith('shared') ? 8 : 3;
    for (let time = 0; time < times; time += 1) {
      const { session, atLeast, ended } = await writing();
      const shared = await begin('POST /database/clone/share', { sourceDatabase: source });
      await done(shared);
      expect(await sql(shared, broken)).toEqual(['0\t0']);
      expect(await sql(shared, 'CHECK TABLE pairs.one, pairs.other EXTENDED')).toEqual([
        'pairs.one\tcheck\tstatus\tOK',
        'pairs.other\tcheck\tstatus\tOK',
      ]);
      expect(Number((await sql(shared, rows))[0])).toBeGreaterThanOrEqual(atLeast);
      // Where blocks cannot be shared the source was stopped for the copy, and the session with it.
      session.kill();
      await ended;
      expect(await sql(source, broken)).toEqual(['0\t0']);
    }
  });

  test('a shared clone has what was committed in its source before, whether that ran or was stopped', async () => {
    const { sql, clone, begin, done, content, ask } = real();
    const source = await clone();
    await sql(
      source,
      "CREATE DATABASE tests; CREATE TABLE tests.runs (id INT PRIMARY KEY); INSERT INTO tests.runs VALUES (1); UPDATE shop.orders SET note = 'run'",
    );
    const written = await content(source);
    const running = await begin('POST /database/clone/share', { sourceDatabase: source });
    await done(running);
    expect(await content(running)).toEqual(written);
    expect(await content(source)).toEqual(written);
    await ask('PUT /database/stop', source);
    await done(source);
    const stopped = await begin('POST /database/clone/share', { sourceDatabase: source });
    await done(stopped);
    expect(await content(stopped)).toEqual(written);
    expect(await real().record(source)).toMatchObject({ state: 'STOPPED' });
  });

  test('a shared clone of a shared clone is reset to the snapshot at the root', async () => {
    const { sql, clone, begin, done, content, ask } = real();
    const source = await clone();
    const before = await content(source);
    await sql(source, 'DROP TABLE shop.sold');
    const child = await begin('POST /database/clone/share', { sourceDatabase: source });
    await done(child);
    await sql(child, 'DROP DATABASE reviews');
    const grandchild = await begin('POST /database/clone/share', { sourceDatabase: child });
    await done(grandchild);
    expect(Object.keys(await content(grandchild))).not.toContain('database reviews');
    await ask('PUT /database/reset', grandchild);
    await done(grandchild);
    expect(await content(grandchild)).toEqual(before);
    expect(Object.keys(await content(child))).not.toContain('database reviews');
  });
});
