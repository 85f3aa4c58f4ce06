import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { differences } from '../../../../src/sandbox/service/mariadb/settings.ts';
import { field, rows } from '../client.ts';
import { foreignServer } from './foreign.ts';
import { describeReal, hostOf } from './real.ts';

const options = [
  '--skip-log-bin',
  '--lower-case-table-names=1',
  '--sql-mode=ANSI_QUOTES,PIPES_AS_CONCAT',
  '--default-time-zone=+05:30',
  '--character-set-server=latin1',
  '--collation-server=latin1_german2_ci',
  '--group-concat-max-len=77',
  '--event-scheduler=ON',
  '--strict-password-validation=ON',
];

describeReal('a clone of a server that has settings of its own', real => {
  let id = '';
  beforeAll(async () => {
    const { folder, ask, send, record } = real();
    const foreign = await foreignServer(join(folder, '..', 'elsewhere'), options);
    await writeFile(join(folder, 'registered', 'strict.cnf'), foreign.options, { mode: 0o644 });
    await foreign.ask(
      "CREATE DATABASE words; CREATE TABLE words.Said (w TEXT); INSERT INTO words.said VALUES ('a' || 'b')",
    );
    await foreign.ask("INSTALL SONAME 'simple_password_check'");
    const environment = String(field(await hostOf(send), 'id'));
    await ask('PUT /environment/refresh', environment);
    await vi.waitFor(async () => expect(await record(environment)).toMatchObject({ state: 'ENABLED' }), 20_000);
    const listed = rows((await send('GET /database/list')).body);
    id = String(
      field(
        listed.find(database => field(database, 'name') === 'strict'),
        'id',
      ),
    );
    await real().backUp(id);
    return () => foreign.end();
  });

  test.each(['POST /database/clone/create', 'POST /database/duplicate/create'])(
    'answers as its source does (%s), whatever that demands of passwords, and does nothing by itself',
    async endpoint => {
      const { begin, done, sql } = real();
      const made = await begin(endpoint, { sourceDatabase: id });
      const record = await done(made);
      expect(field(record, 'notes')).toBeUndefined();
      expect(await sql(made, 'SELECT "w" || \'!\' FROM words.SAID; SELECT TIMEDIFF(NOW(), UTC_TIMESTAMP())')).toEqual([
        'ab!',
        '05:30:00',
      ]);
      const names = '@@lower_case_table_names, @@collation_server, @@group_concat_max_len, @@event_scheduler';
      expect(await sql(made, `SELECT ${names}`)).toEqual(['1\tlatin1_german2_ci\t77\tOFF']);
      expect(await sql(made, 'SELECT @@strict_password_validation')).toEqual(['1']);
      await expect(sql(made, "CREATE USER weak IDENTIFIED BY 'weak'")).rejects.toThrow(/ERROR 1819/);
    },
  );

  test('has what was asked for instead, and its record says nothing of that', async () => {
    const { clone, record, sql } = real();
    const databaseParams = [{ name: 'sql-mode', type: 'STRING', value: 'TRADITIONAL' }];
    const made = await clone({ sourceDatabase: id, databaseParams });
    expect((await sql(made, 'SELECT @@GLOBAL.sql_mode'))[0]).toContain('TRADITIONAL');
    expect(field(await record(made), 'notes')).toBeUndefined();
  });
});

test('what could not come along is said: a value, and the zone of another machine', () => {
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
