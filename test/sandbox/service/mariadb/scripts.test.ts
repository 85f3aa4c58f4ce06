import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { field } from '../client.ts';
import { describeReal, live } from './real.ts';

describeReal('the script of a clone of a real server', real => {
  async function script(name: string, ...lines: string[]): Promise<string> {
    const path = join(real().folder, 'scripts', name);
    await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    return path;
  }
  const emails = "SELECT COUNT(*) FROM shop.customers WHERE email NOT LIKE 'masked%'";

  test.each(['POST /database/clone/create', 'POST /database/duplicate/create'])(
    'has masked the data before the clone of %s is there for people, and what it said stands in the record',
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

  test('that fails leaves a record with its words, and nothing of the clone', async () => {
    const { begin, settled } = real();
    const specificPostScriptPath = await script('fail.sh', 'echo "column ssn is not there" >&2', 'exit 3');
    const id = await begin('POST /database/clone/create', { specificPostScriptPath });
    const record = await settled(id);
    expect(record).toMatchObject({ state: 'FAILED' });
    expect(field(record, 'error')).toBe('column ssn is not there (fail.sh ended with 3)');
    expect(existsSync(String(field(record, 'mountBase')))).toBe(false);
  });
});
