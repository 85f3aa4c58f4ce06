import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { field, rows } from '../client.ts';
import { describeReal, live } from './real.ts';

describeReal('the script of a clone of a real server', real => {
  async function script(name: string, ...lines: string[]): Promise<string> {
    const path = join(real().folder, 'scripts', name);
    await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    return path;
  }
  const emails = "SELECT COUNT(*) FROM shop.customers WHERE email NOT LIKE 'masked%'";

  test.each(['POST /database/clone/create', 'POST /database/duplicate/create'])(
    'a clone’s script has masked the data before the clone of %s can be reached, and its output is recorded',
    async endpoint => {
      const { begin, record, sql, settled } = real();
      const specificPostScriptPath = await script(
        'mask.sh',
        'echo "$DOLLY_CLONE"',
        `mariadb --defaults-file="$DOLLY_DEFAULTS_FILE" -e "UPDATE shop.customers SET email = CONCAT('masked', id), name = 'X'"`,
        'echo oops >&2',
      );
      const id = await begin(endpoint, { specificPostScriptPath });
      const early = await record(id);
      expect(early).toMatchObject({ state: 'CREATING' });
      expect(field(early, 'connection')).toBeUndefined();
      expect(await settled(id)).toMatchObject({
        state: 'RUNNING',
        postScript: specificPostScriptPath,
        postScriptOutput: `${id}\noops`,
        postScriptEnded: expect.stringMatching(/^mask\.sh ended with 0 at \d{4}-/),
      });
      expect(await sql(id, emails)).toEqual(['0']);
      expect(await sql(live, emails)).not.toEqual(['0']);
    },
  );

  test('a clone’s script that fails leaves a record with its words, and nothing of the clone', async () => {
    const { begin, settled } = real();
    const specificPostScriptPath = await script('fail.sh', 'echo "column ssn is not there" >&2', 'exit 3');
    const id = await begin('POST /database/clone/create', { specificPostScriptPath });
    const record = await settled(id);
    expect(record).toMatchObject({ state: 'FAILED' });
    expect(field(record, 'error')).toBe('column ssn is not there (fail.sh ended with 3)');
    expect(existsSync(String(field(record, 'mountBase')))).toBe(false);
  });

  test('a clone’s script masks again what a reset brings, also of a shared clone, and before a port is open', async () => {
    const { begin, done, ask, sql, settled, record } = real();
    const specificPostScriptPath = await script(
      'again.sh',
      `mariadb --defaults-file="$DOLLY_DEFAULTS_FILE" -e "UPDATE shop.customers SET email = CONCAT('masked', id); SELECT @@skip_networking"`,
    );
    const id = await begin('POST /database/clone/create', { specificPostScriptPath });
    expect(await done(id)).toMatchObject({ postScriptOutput: '@@skip_networking\n1' });
    const child = await begin('POST /database/clone/share', { sourceDatabase: id });
    expect(field(await done(child), 'postScriptEnded')).toBeUndefined();
    for (const one of [id, child]) {
      expect(await sql(one, emails)).toEqual(['0']);
      await sql(one, "UPDATE shop.customers SET email = CONCAT('open', id)");
      await ask('PUT /database/reset', one);
      expect(await settled(one)).toMatchObject({ state: 'RUNNING', postScriptEnded: expect.any(String) });
      expect(await sql(one, emails)).toEqual(['0']);
    }
    expect(await record(child)).toMatchObject({ specificPostScriptPath });
  });

  test('a clone’s script that fails at a reset leaves the clone with the masked data that it had', async () => {
    const { begin, done, ask, sql, settled } = real();
    const mask = `mariadb --defaults-file="$DOLLY_DEFAULTS_FILE" -e "UPDATE shop.customers SET email = CONCAT('masked', id)"`;
    const specificPostScriptPath = await script('twice.sh', mask);
    const id = await begin('POST /database/clone/create', { specificPostScriptPath });
    await done(id);
    await sql(id, "UPDATE shop.customers SET name = 'mine'");
    await script('twice.sh', mask, 'echo it is too late >&2', 'exit 1');
    await ask('PUT /database/reset', id);
    expect(await settled(id)).toMatchObject({ state: 'FAILED', error: 'it is too late (twice.sh ended with 1)' });
    expect(await sql(id, emails)).toEqual(['0']);
    expect(await sql(id, "SELECT COUNT(*) FROM shop.customers WHERE name <> 'mine'")).toEqual(['0']);
  });

  test('the record of a mounted snapshot says that no script has masked it', async () => {
    const { ask, send, done } = real();
    const before = new Set(rows((await send('GET /database/list')).body).map(one => field(one, 'id')));
    await ask('POST /database/snapshot/mount', { database: live });
    const made = rows((await send('GET /database/list')).body).find(one => !before.has(field(one, 'id')));
    const record = await done(String(field(made, 'id')));
    expect(field(record, 'notes')).toContain('no script has masked it');
  });
});
