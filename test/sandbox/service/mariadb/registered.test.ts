import { execFile } from 'node:child_process';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test, vi } from 'vitest';
import { tool } from '../../../mariadb.ts';
import { few } from '../../../whole.ts';
import { field, rows } from '../client.ts';
import { foreignServer, register } from './foreign.ts';
import { describeReal, hostOf, live, type Real } from './real.ts';

const run = promisify(execFile);

describeReal('a real server that is registered', real => {
  let id = '';
  let end: () => Promise<unknown> = async () => undefined;
  let send: (name: NodeJS.Signals) => void = () => undefined;
  beforeAll(async () => {
    const { folder, ask, send: request, record } = real();
    const foreign = await foreignServer(join(folder, '..', 'elsewhere'), ['--skip-log-bin']);
    end = foreign.end;
    send = foreign.send;
    const file = join(folder, 'registered', 'billing.cnf');
    await writeFile(file, foreign.options, { mode: 0o644 });
    const fill = `CREATE DATABASE bills CHARACTER SET utf8mb4; CREATE TABLE bills.paid (id INT PRIMARY KEY, text TEXT);
      INSERT INTO bills.paid SELECT seq, MD5(seq) FROM bills.seq_1_to_500; CREATE TABLE bills.open LIKE bills.paid`;
    await foreign.ask(fill);
    const environment = String(field(await hostOf(request), 'id'));
    await ask('PUT /environment/refresh', environment);
    await vi.waitFor(async () => expect(await record(environment)).toMatchObject({ state: 'ENABLED' }), 20_000);
    const listed = rows((await request('GET /database/list')).body);
    id = String(
      field(
        listed.find(database => field(database, 'name') === 'billing'),
        'id',
      ),
    );
    return () => end();
  });

  test('a registered server is discovered, and told from those that the sandbox made', async () => {
    expect(await real().record(id)).toMatchObject({
      role: 'LIVE',
      state: 'RUNNING',
      origin: 'registered',
      binaryLogs: 'off',
      databases: ['bills'],
    });
    expect(await real().record(live)).toMatchObject({ origin: 'made by the sandbox', binaryLogs: 'on' });
  });

  test('a backup of the logs of a registered server without binary logs fails with the server’s own words', async () => {
    await real().ask('PUT /database/sync', { database: id, syncType: 'LOG' });
    expect(await real().settled(id)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('ERROR 1381') });
  });

  test('a registered server that hangs in its backup is not waited for until it goes on', async () => {
    const { ask, settled } = real();
    send('SIGSTOP');
    try {
      await ask('PUT /database/sync', { database: id });
      expect(await settled(id)).toMatchObject({
        state: 'FAILED',
        error: expect.stringContaining('the server does not answer any more'),
      });
    } finally {
      send('SIGCONT');
    }
  });

  test('a backup gives up on somebody’s lock before others wait too long for it, and says what was in the way', async () => {
    const { ask, settled, sql } = real();
    const holds = sql(id, 'LOCK TABLES bills.paid WRITE; DO SLEEP(60)').catch(() => undefined);
    const holder = "SELECT id FROM information_schema.processlist WHERE info = 'DO SLEEP(60)'";
    await expect.poll(() => sql(id, holder)).toHaveLength(1);
    try {
      await ask('PUT /database/sync', { database: id });
      const waits = "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'Waiting for backup lock'";
      await expect.poll(() => sql(id, waits)).toEqual(['1']);
      const began = Date.now();
      await sql(id, 'CREATE TABLE bills.meanwhile (id INT); DROP TABLE bills.meanwhile');
      expect(Date.now() - began).toBeLessThan(20_000);
      expect(await settled(id)).toMatchObject({
        state: 'FAILED',
        error: expect.stringContaining('Somebody holds a lock'),
      });
    } finally {
      await sql(id, `KILL ${(await sql(id, holder))[0]}`);
      await holds;
    }
  });

  test('a registered server is backed up and cloned, and gets a table and a database back', async () => {
    const { sql, content, backUp, clone, restore } = real();
    expect(field(await backUp(id), 'type')).toBe('FULL');
    const before = await content(id);
    expect(Object.keys(before)).toContain('BASE TABLE bills.paid');
    await sql(id, "UPDATE bills.paid SET text = 'x'; INSERT INTO bills.open VALUES (1, 'newer')");
    expect(await content(await clone({ sourceDatabase: id }))).toEqual(before);
    const newer = await content(id);
    await restore({ objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'bills', tableName: 'paid' }, id);
    expect(await content(id)).toEqual({ ...newer, 'BASE TABLE bills.paid': before['BASE TABLE bills.paid'] });
    await restore({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'bills' }, id);
    expect(await content(id)).toEqual(before);
    await sql(id, "INSERT INTO bills.open VALUES (2, 'next')");
    await backUp(id);
    expect(await content(await clone({ sourceDatabase: id }))).toEqual(await content(id));
  });

  test('a restore of a registered server as a whole is refused at once, with what can be done instead', async () => {
    const { send: request, record } = real();
    const scope = { database: id, objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' };
    expect(await request('POST /database/restore', scope)).toMatchObject({
      status: 400,
      body: {
        error: {
          field: 'objectType',
          message:
            'billing is run by somebody else, so the sandbox can neither stop it nor replace its files: restore its databases or tables',
        },
      },
    });
    expect(await record(id)).toMatchObject({ state: 'RUNNING' });
  });

  test('a refresh of the environment names the registered servers that cannot be reached, until they can', async () => {
    const { folder, ask, record, send: request } = real();
    const environment = String(field(await hostOf(request), 'id'));
    const at = (name: string) => join(folder, 'registered', `${name}.cnf`);
    const look = async () => {
      await ask('PUT /environment/refresh', environment);
      return vi.waitFor(async () => {
        const found = await record(environment);
        expect(found).toMatchObject({ state: 'ENABLED' });
        return String(field(found, 'unreachableServers'));
      }, 20_000);
    };
    expect(await look()).toBe('null');
    const good = await readFile(at('billing'), 'utf8');
    const wrong = good.replace('user=root', 'user=nobody');
    await writeFile(at('billing'), wrong, { mode: 0o644 });
    await writeFile(at('torn'), 'port=3\n[cli', { mode: 0o644 });
    await writeFile(at('dead'), '[client]\nprotocol=tcp\nhost=127.0.0.1\nport=1\n', { mode: 0o644 });
    const told = await look();
    expect(told).toMatch(/^billing cannot be reached: ERROR 1045 .*Access denied/m);
    expect(told).toMatch(/^torn cannot be reached: .*option without preceding group/m);
    expect(told).toMatch(/^dead cannot be reached: ERROR 2002 .*Can't connect/m);
    await writeFile(at('billing'), good, { mode: 0o644 });
    await rm(at('torn'));
    await rm(at('dead'));
    expect(await look()).toBe('null');
  });

  test('a registered server with a changed password is not backed up until its file has the new one', async () => {
    const { folder, ask, settled, sql, backUp, record } = real();
    const before = field(await record(id), 'snapshots');
    await sql(id, "ALTER USER root@localhost IDENTIFIED BY 'another'");
    await ask('PUT /database/sync', { database: id });
    expect(await settled(id)).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/Access denied/) });
    expect(field(await record(id), 'snapshots')).toEqual(before);
    expect(await readdir(join(folder, 'work'))).toEqual([]);
    await appendFile(join(folder, 'registered', 'billing.cnf'), 'password=another\n');
    await backUp(id);
    expect(JSON.stringify(await record(id))).not.toContain('another');
  });

  test('a registered server is left running when the service ends', async () => {
    const file = join(real().folder, 'registered', 'billing.cnf');
    await real().restart();
    const { stdout } = await run('mariadb', [
      `--defaults-file=${file}`,
      '-BN',
      '-e',
      'SELECT COUNT(*) FROM bills.paid',
    ]);
    expect(stdout).toBe('500\n');
  });
});

describeReal('a registered server of another user, with rows that lie elsewhere (DATA DIRECTORY),', real => {
  test('a registered server with rows in a DATA DIRECTORY is backed up with them, cloned, and gets them back', async () => {
    const { folder, ask, settled, content, backUp, clone, restore, sql, clock } = real();
    const { id, server } = await register(real(), 'spread', ['--server-id=7', '--log-bin=binlog']);
    const elsewhere = join(folder, '..', 'spread', 'elsewhere');
    await server.ask(
      `CREATE DATABASE near; CREATE TABLE near.log (id INT PRIMARY KEY); CREATE DATABASE far; USE far;
       CREATE TABLE inno (id INT PRIMARY KEY, f FLOAT) DATA DIRECTORY = '${elsewhere}'; INSERT INTO inno SELECT seq, 16777216 + seq FROM seq_1_to_300;
       CREATE TABLE isam (id INT, w CHAR(9)) ENGINE=MyISAM DATA DIRECTORY = '${elsewhere}' INDEX DIRECTORY = '${elsewhere}'; INSERT INTO isam VALUES (1, 'a');
       CREATE TABLE parts (id INT PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION low VALUES LESS THAN (10) DATA DIRECTORY = '${elsewhere}', PARTITION high VALUES LESS THAN MAXVALUE);
       INSERT INTO parts VALUES (1), (20); CREATE TRIGGER logs AFTER INSERT ON inno FOR EACH ROW INSERT INTO near.log VALUES (NEW.id)`,
    );
    await ask('PUT /database/sync', { database: id });
    expect(await settled(id)).toMatchObject({
      state: 'FAILED',
      error: expect.stringMatching(/Can't open datafile far.* has to be able to write the files \*\.isl/s),
    });
    await run('sh', ['-c', `chmod g+w ${join(folder, '..', 'spread', 'data', 'far')}/*.isl`]);
    const sums = () => server.ask('CHECKSUM TABLE far.inno, far.isam, far.parts EXTENDED');
    await backUp(id);
    await server.ask(
      "INSERT INTO far.inno VALUES (1000, 0.1); INSERT INTO far.isam VALUES (2, 'b'); INSERT INTO far.parts VALUES (2)",
    );
    await backUp(id);
    const held = await sums();
    const made = await clone({ sourceDatabase: id });
    expect(await sql(made, 'CHECKSUM TABLE far.inno, far.isam, far.parts EXTENDED')).toEqual(held);
    await sql(made, 'DELETE FROM far.inno; DELETE FROM far.isam; DELETE FROM far.parts; FLUSH TABLES');
    expect(await sums()).toEqual(held);
    const scopes = [
      { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'far', tableName: 'inno' },
      { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'far' },
    ];
    for (const scope of few(scopes, (_, at) => at === 1)) {
      await server.ask('DELETE FROM far.inno; TRUNCATE far.isam; DROP TABLE IF EXISTS far.parts');
      if ('tableName' in scope) await server.ask('CREATE TABLE far.parts (id INT)');
      await restore(scope, id);
      if ('tableName' in scope) expect((await sums())[0]).toBe(held[0]);
      else expect(await sums()).toEqual(held);
    }
    await server.ask('INSERT INTO far.inno VALUES (2000, 1)');
    expect(await server.ask('SELECT id FROM near.log ORDER BY id')).toEqual(['1000', '2000']);
    await clock.advance(90_000_000);
    const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema LIKE 'dolly%'";
    // A look that is still under way waits for its next time only after it: the clock goes on until that has come.
    const later = (statement: string) => clock.advance(600_000).then(() => server.ask(statement));
    await expect.poll(() => later(tables)).toEqual([]);
    expect((await run('find', [elsewhere, '-type', 'f'])).stdout).toBe('');
    // MariaDB leaves the link of a table that was renamed twice, and cannot drop its empty database before somebody removes that.
    await run('sh', ['-c', `rm ${join(folder, '..', 'spread', 'data')}/dolly_*/*.isl`]);
    await expect.poll(() => later("SHOW DATABASES LIKE 'dolly%'")).toEqual([]);
    expect(Object.keys(await content(id))).toContain('BASE TABLE far.inno');
  });
});

describeReal('the binary logs of a real server', real => {
  async function events(name: string): Promise<string> {
    const { stdout } = await run(tool('binlog'), [name], { maxBuffer: 64_000_000 });
    return stdout;
  }
  const folder = ({ folder: state }: Real) => join(state, 'logs', live);
  const fetchLogs = async () => {
    await real().ask('PUT /database/sync', { database: live, syncType: 'LOG' });
    return real().done(live);
  };
  const insert = (id: number, text: string) =>
    real().sql(live, `INSERT INTO reviews.reviews VALUES (${id}, 1, 5, '${text}')`);

  test('the binary logs of a server are fetched whole, each once, also after the server was restored', async () => {
    await insert(7001, 'first words');
    await fetchLogs();
    const first = (await readdir(folder(real()))).toSorted();
    expect(await events(join(folder(real()), first.at(-1) ?? ''))).toContain('first words');
    await insert(7002, 'second words');
    const record = await fetchLogs();
    const second = (await readdir(folder(real()))).toSorted();
    expect(record).toMatchObject({ fetchedLogs: 1, lastLog: second.at(-1) });
    expect(second).toEqual([...first, second.at(-1)]);
    const newest = await events(join(folder(real()), second.at(-1) ?? ''));
    expect(newest).toContain('second words');
    expect(newest).not.toContain('first words');

    await real().restore({ objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' });
    await insert(7003, 'third words');
    await fetchLogs();
    const third = (await readdir(folder(real()))).toSorted();
    expect(third.slice(0, second.length)).toEqual(second);
    expect(await events(join(folder(real()), third.at(-1) ?? ''))).toContain('third words');
  });
});
