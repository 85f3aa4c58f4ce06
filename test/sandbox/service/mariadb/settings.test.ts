import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences } from '../../../../src/sandbox/service/mariadb/servers/settings.ts';
import { field } from '../client.ts';
import { register } from './foreign.ts';
import { describeReal } from './real.ts';

const makers = ['POST /database/clone/create', 'POST /database/duplicate/create'];

describeReal('a clone of a real server', real => {
  test('a clone answers as its source, whatever that demands of passwords, and runs no events by itself', async () => {
    const { backUp, begin, done, sql } = real();
    const { id, server } = await register(real(), 'strict', [
      '--skip-log-bin',
      '--lower-case-table-names=1',
      '--sql-mode=ANSI_QUOTES,PIPES_AS_CONCAT',
      '--default-time-zone=+05:30',
      '--character-set-server=latin1',
      '--collation-server=latin1_german2_ci',
      '--group-concat-max-len=77',
      '--event-scheduler=ON',
      '--strict-password-validation=ON',
    ]);
    await server.ask(
      "CREATE DATABASE words; CREATE TABLE words.Said (w TEXT); INSERT INTO words.said VALUES ('a' || 'b'); INSTALL SONAME 'simple_password_check'",
    );
    await backUp(id);
    const values = '@@lower_case_table_names, @@collation_server, @@group_concat_max_len, @@event_scheduler';
    for (const maker of makers) {
      const made = await begin(maker, { sourceDatabase: id });
      expect(field(await done(made), 'notes')).toBeUndefined();
      const answer = await sql(
        made,
        `SELECT "w" || '!' FROM words.SAID; SELECT TIMEDIFF(NOW(), UTC_TIMESTAMP()); SELECT ${values}`,
      );
      expect(answer).toEqual(['ab!', '05:30:00', '1\tlatin1_german2_ci\t77\tOFF']);
      await expect(sql(made, "CREATE USER weak IDENTIFIED BY 'weak'")).rejects.toThrow(/ERROR 1819/);
    }
    const databaseParams = [{ name: 'sql-mode', type: 'STRING', value: 'TRADITIONAL' }];
    const asked = await begin('POST /database/clone/create', { sourceDatabase: id, databaseParams });
    expect(field(await done(asked), 'notes')).toBeUndefined();
    expect((await sql(asked, 'SELECT @@GLOBAL.sql_mode'))[0]).toContain('TRADITIONAL');
  });

  test('a clone reads encrypted tables by the keys that came with the snapshot, full or incremental', async () => {
    const { folder, backUp, begin, done, sql } = real();
    const keys = join(folder, '..', 'keys');
    await writeFile(keys, `1;${'770A8A65DA156D24EE2A093277530142'.repeat(2)}\n`, { mode: 0o644 });
    const { id, server } = await register(real(), 'vault', [
      '--skip-log-bin',
      '--plugin-load-add=file_key_management',
      `--file-key-management-filename=${keys}`,
      '--innodb-encrypt-tables=ON',
      '--innodb-encrypt-log=ON',
    ]);
    await server.ask(
      'CREATE DATABASE gold; CREATE TABLE gold.bars (id INT PRIMARY KEY); INSERT INTO gold.bars VALUES (1)',
    );
    for (const count of ['1', '2']) {
      await backUp(id);
      for (const maker of makers) {
        const made = await begin(maker, { sourceDatabase: id });
        await done(made);
        expect(await sql(made, 'SELECT COUNT(*) FROM gold.bars')).toEqual([count]);
      }
      await server.ask('INSERT IGNORE INTO gold.bars VALUES (2)');
    }
  });
});

test('the notes of a clone name the settings and the time zone that could not come along from its source', () => {
  const source = { sql_mode: 'ANSI', time_zone: 'SYSTEM', system_time_zone: 'EST', old_mode: '' };
  expect(differences(source, { ...source, sql_mode: '', system_time_zone: 'UTC' }, [])).toEqual([
    'sql_mode is empty, and ANSI at its source.',
    'Its time zone is that of this machine, UTC, and not EST.',
  ]);
  expect(differences(source, { ...source, sql_mode: '' }, ['SQL-mode'])).toEqual([]);
  expect(
    differences({ ...source, time_zone: '+01:00' }, { ...source, system_time_zone: 'UTC' }, ['time_zone']),
  ).toEqual([]);
});
