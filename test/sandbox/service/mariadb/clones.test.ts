import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { isFree } from '../../../../src/sandbox/service/mariadb/servers/ports.ts';
import { accepted, field } from '../client.ts';
import { describeReal, live } from './real.ts';

const run = promisify(execFile);

const scribble =
  "INSERT INTO shop.customers VALUES (900001, 'New', 'new@example.com', 'Oslo', '2026-01-01'); UPDATE shop.orders SET note = 'scribbled'; DELETE FROM reviews.reviews WHERE stars = 1; CREATE TABLE shop.extra (id INT PRIMARY KEY)";

describeReal('the data of clones of a real server', real => {
  test('a virtual clone holds what the live server does, to the last row, view, trigger and partition, and all of it works', async () => {
    const { sql, content, clone } = real();
    const id = await clone();
    const there = await content(id);
    expect(there).toEqual(await content(live));
    expect(Object.keys(there).toSorted()).toEqual([
      'BASE TABLE reviews.reviews',
      ...['customers', 'order_lines', 'orders', 'products', 'sold'].map(name => `BASE TABLE shop.${name}`),
      'VIEW shop.revenue_by_city',
      'database reviews',
      'database shop',
      'trigger shop.count_sold',
    ]);
    for (const [name, text] of Object.entries(there)) if (name.startsWith('BASE')) expect(text).toMatch(/\n[1-9]\d*\n/);

    const sold = 'SELECT quantity FROM shop.sold WHERE product = 5';
    const [before] = await sql(id, sold);
    await sql(id, "INSERT INTO shop.order_lines VALUES (1, 99, 5, 17, 'x')");
    expect(await sql(id, sold)).toEqual([String(Number(before) + 17)]);
    await expect(sql(id, "INSERT INTO shop.order_lines VALUES (1, 100, 4711, 1, 'x')")).rejects.toThrow(/ERROR 1452/);
    expect(await sql(id, 'SELECT COUNT(*) FROM shop.revenue_by_city')).toEqual(['5']);
    const [whole] = await sql(id, 'SELECT COUNT(*) FROM shop.orders WHERE YEAR(placed) = 2023');
    expect(Number(whole)).toBeGreaterThan(0);
    expect(await sql(id, 'SELECT COUNT(*) FROM shop.orders PARTITION (y2023)')).toEqual([whole]);
  });

  test('what is written in a clone reaches neither the live server, nor the snapshot, nor a sibling, nor its child', async () => {
    const { sql, content, clone, begin, done } = real();
    const before = await content(live);
    const [one, sibling] = await Promise.all([clone(), clone()]);
    const child = await begin('POST /database/clone/share', { sourceDatabase: one });
    await done(child);
    await sql(one, scribble);
    expect(await content(one)).not.toEqual(before);
    for (const id of [live, sibling, child, await clone()]) expect([id, await content(id)]).toEqual([id, before]);
    const scribbled = await content(one);
    await sql(
      child,
      "DELETE FROM shop.sold; INSERT INTO shop.customers VALUES (900002, 'C', 'c', 'Lima', '2026-01-01')",
    );
    expect(await content(one)).toEqual(scribbled);
    expect(await content(sibling)).toEqual(before);
  });

  test('what is written in the live server reaches no clone, and no snapshot', async () => {
    const { sql, content, clone } = real();
    const before = await content(live);
    const id = await clone();
    await sql(live, 'CREATE TABLE shop.news (id INT PRIMARY KEY); UPDATE shop.products SET stock = stock + 1');
    expect(await content(id)).toEqual(before);
    expect(await content(await clone())).toEqual(before);
    await sql(live, 'DROP TABLE shop.news; UPDATE shop.products SET stock = stock - 1');
    expect(await content(live)).toEqual(before);
  });

  test('a physical clone holds what the live server does, and what is written in it stays there', async () => {
    const { sql, content, begin, done } = real();
    const id = await begin('POST /database/duplicate/create', { parallel: 2 });
    expect(await done(id)).toMatchObject({ cloneType: 'PHYSICAL', storage: 'a full copy' });
    const before = await content(live);
    expect(await content(id)).toEqual(before);
    await sql(id, scribble);
    expect(await content(live)).toEqual(before);
  });

  test('a clone that was stopped and started holds what was written in it', async () => {
    const { sql, content, clone, ask, done } = real();
    const id = await clone();
    await sql(id, scribble);
    const written = await content(id);
    const command = await real().command(id);
    await ask('PUT /database/stop', id);
    expect(await done(id)).toMatchObject({ state: 'STOPPED' });
    await expect(sql(id, 'SELECT 1')).rejects.toThrow(/ERROR 2002/);
    await ask('PUT /database/start', id);
    expect(await done(id)).toMatchObject({ state: 'RUNNING' });
    expect(await content(id)).toEqual(written);
    expect(await real().command(id)).toEqual(command);
  });

  test.each(['RUNNING', 'STOPPED'])(
    'a reset gives a clone that is %s the rows of its snapshot again, behind the same port and command',
    async state => {
      const { sql, content, clone, ask, done, command, record } = real();
      const id = await clone();
      const before = await content(id);
      const port = field(await record(id), 'port');
      const typed = await command(id);
      await sql(id, `${scribble}; DROP DATABASE reviews`);
      if (state === 'STOPPED') await ask('PUT /database/stop', id);
      expect(await done(id)).toMatchObject({ state });
      await ask('PUT /database/reset', id);
      expect(await done(id)).toMatchObject({ state: 'RUNNING', port });
      expect(await command(id)).toEqual(typed);
      expect(await content(id)).toEqual(before);
      expect(await sql(id, 'SELECT @@port')).toEqual([String(port)]);
      await sql(id, scribble);
    },
  );

  test('a converted clone keeps its own changes in a folder of its own, and cannot be reset any more', async () => {
    const { sql, content, clone, ask, done, record, send, folder, command } = real();
    const id = await clone();
    await sql(id, scribble);
    const before = await content(id);
    const typed = await command(id);
    const old = String(field(await record(id), 'dataDirectory'));
    expect(existsSync(old)).toBe(true);
    const localDirectory = `${folder}/mounts/own/place`;
    await ask('POST /database/clone/switch', { database: id, localDirectory });
    expect(await done(id)).toMatchObject({ state: 'RUNNING', cloneType: 'PHYSICAL', localDirectory });
    expect(await sql(id, 'SELECT @@datadir')).toEqual([`${localDirectory}/data/`]);
    expect(existsSync(old)).toBe(false);
    expect(await content(id)).toEqual(before);
    expect(await command(id)).toEqual(typed);
    expect((await send('PUT /database/reset', id)).status).toBe(409);
    expect(await content(id)).toEqual(before);
  });

  test('the parameters of a clone are set in its server, and stay through stop, reset and conversion', async () => {
    const { sql, clone, ask, done, record, folder } = real();
    const databaseParams = [
      { name: 'max_connections', type: 'NUMBER', value: 37 },
      { name: 'innodb_file_per_table', type: 'BOOLEAN', value: 'false' },
      { name: 'event_scheduler', type: 'BOOLEAN', value: 'true' },
      { name: 'innodb-flush-log-at-trx-commit', type: 'BOOLEAN', value: 'false' },
      { name: 'sort_buffer_size', type: 'STRING', value: '1M' },
      { name: 'sql_mode', type: 'STRING', value: 'ANSI_QUOTES,STRICT_ALL_TABLES' },
    ];
    const id = await clone({ databaseParams });
    const port = String(field(await record(id), 'port'));
    const seen = () =>
      sql(
        id,
        `SELECT @@max_connections, @@innodb_file_per_table, @@global.sql_mode, @@port,
       @@event_scheduler, @@innodb_flush_log_at_trx_commit, @@sort_buffer_size`,
      );
    const set = [`37\t0\tANSI_QUOTES,STRICT_ALL_TABLES\t${port}\tON\t0\t1048576`];
    expect(field(await record(id), 'notes')).toBeUndefined();
    expect(await seen()).toEqual(set);
    await ask('PUT /database/stop', id);
    await done(id);
    await ask('PUT /database/start', id);
    await done(id);
    expect(await seen()).toEqual(set);
    await ask('PUT /database/reset', id);
    await done(id);
    expect(await seen()).toEqual(set);
    await ask('POST /database/clone/switch', { database: id, localDirectory: `${folder}/mounts/parameters` });
    await done(id);
    expect(await seen()).toEqual(set);
    expect(await sql(live, 'SELECT @@max_connections')).not.toEqual(['37']);
  });

  test('the record of a clone notes a parameter of which the server made another value', async () => {
    const { clone, record } = real();
    const id = await clone({ databaseParams: [{ name: 'max_connections', type: 'NUMBER', value: 1 }], parallel: 2 });
    expect(field(await record(id), 'notes')).toMatch(
      /^parallel had no effect: .*\. max_connections is 10: the server does not take 1\.$/,
    );
  });

  test('a clone whose folder was removed is told as failed, and is deleted with all folders made for it', async () => {
    const { clone, ask, settled, send, folder, record } = real();
    const team = `${folder}/mounts/team`;
    const one = await clone({ mountBase: `${team}/one/of` });
    const other = await clone({ mountBase: `${team}/other` });
    const ports = await Promise.all([one, other].map(async id => Number(field(await record(id), 'port'))));
    rmSync(`${team}/one/of`, { recursive: true });
    await ask('PUT /database/refresh', one);
    expect(await settled(one)).toMatchObject({
      state: 'FAILED',
      error: expect.stringMatching(/^The files of .* are gone: delete it/),
    });
    const remove = async (id: string) => {
      expect(await send(`DELETE /database/delete?input=${id}`)).toMatchObject({ body: accepted });
      await vi.waitFor(async () => expect((await send(`GET /database/${id}`)).status).toBe(404), 20_000);
    };
    await remove(one);
    expect(readdirSync(team).toSorted()).toEqual(['.dolly-folder', 'other']);
    await remove(other);
    expect(existsSync(team)).toBe(false);
    expect(await Promise.all(ports.map(isFree))).toEqual([true, true]);
  });

  test('a clone shares disk blocks just where its record says so, and a physical or converted one never does', async () => {
    const { clone, begin, done, record, ask, folder } = real();
    const sharesBlocks = async (id: string) => {
      const file = `${field(await record(id), 'dataDirectory')}/ibdata1`;
      const { stdout, stderr } = await run('filefrag', ['-v', file]).catch(error => error);
      // What lies in memory has no blocks that could be shared.
      if (String(stderr).includes('unsupported')) return false;
      expect(stdout).toContain('extent');
      return /\bshared\b/.test(stdout);
    };
    const virtual = await clone();
    const says = String(field(await record(virtual), 'storage'));
    expect(await sharesBlocks(virtual)).toBe(says.startsWith('shared'));
    const physical = await begin('POST /database/duplicate/create');
    await done(physical);
    expect(await sharesBlocks(physical)).toBe(false);
    await ask('POST /database/clone/switch', { database: virtual, localDirectory: `${folder}/mounts/blocks` });
    expect(await done(virtual)).toMatchObject({ storage: 'a full copy' });
    expect(await sharesBlocks(virtual)).toBe(false);
  });

  test('a mounted snapshot holds what the live server held', async () => {
    const { content, ask, send, done } = real();
    await ask('POST /database/snapshot/mount', { database: live });
    const list = (await send('GET /database/list')).body;
    const id = String(field(Array.isArray(list) ? list.at(-1) : undefined, 'id'));
    expect(await done(id)).toMatchObject({ cloneType: 'STAGING' });
    expect(await content(id)).toEqual(await content(live));
  });
});
