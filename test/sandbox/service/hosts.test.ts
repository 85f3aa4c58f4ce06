import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { accepted, field, rows, type Send, startSandbox } from './client.ts';
import { host, realEngine } from './realEngine.ts';

const clone = {
  vendor: 'MARIADB',
  cloneType: 'VIRTUALCLONE',
  port: 3400,
  mountBase: '/mnt/qa',
  environmentUser: 'ENVIRONMENT_USER-21',
  install: 'MARIADB_INSTALL-1',
  sourceDatabase: 'MARIADB_LIVE_SERVER-1',
  targetEnvironment: 'HOST_ENVIRONMENT-8',
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'estate-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const list = async (send: Send, what: string) => rows((await send(`GET /${what}/list`)).body);

test('the host of an engine is an environment, with what the engine says of it', async () => {
  const send = await (await startSandbox({ engines: { MARIADB: realEngine() } })).as('ana');
  expect((await list(send, 'environment')).at(-1)).toMatchObject({
    id: 'HOST_ENVIRONMENT-8',
    name: 'this-machine',
    host: '127.0.0.1',
    operatingSystem: 'Debian 13',
    state: 'ENABLED',
    simulated: false,
    freeGb: 12,
    installs: [{ id: 'MARIADB_INSTALL-1', vendor: 'MARIADB', version: '11.8.3', path: '/usr' }],
    environmentUsers: [{ id: 'ENVIRONMENT_USER-21', name: 'mysql' }],
  });
});

test('the host of an engine is the same environment after a restart, and up to date', async () => {
  const stateDir = folder();
  await (await startSandbox({ stateDir, engines: { MARIADB: realEngine() } })).close();
  const newer = {
    ...host,
    operatingSystem: 'Debian 14',
    facts: { freeGb: 11 },
    installs: [
      { vendor: 'MARIADB', name: 'MariaDB 12', version: '12.0', path: '/opt/12' } as const,
      ...host.installs.map(install => ({ ...install, version: '11.8.4' })),
    ],
  };
  const engine = realEngine({ host: newer });
  const send = await (await startSandbox({ stateDir, engines: { MARIADB: engine } })).as('ana');
  const found = (await list(send, 'environment')).filter(record => field(record, 'name') === 'this-machine');
  expect(found).toMatchObject([
    {
      id: 'HOST_ENVIRONMENT-8',
      operatingSystem: 'Debian 14',
      freeGb: 11,
      installs: [
        { id: 'MARIADB_INSTALL-2', version: '12.0' },
        { id: 'MARIADB_INSTALL-1', version: '11.8.4' },
      ],
      environmentUsers: [{ id: 'ENVIRONMENT_USER-21' }],
    },
  ]);
  expect(engine.asked).toEqual([]);
});

test('a sandbox with real MariaDB servers has no simulated ones, and all other vendors’ records as without them', async () => {
  const send = await (await startSandbox({ engines: { MARIADB: realEngine() } })).as('ana');
  const plain = await (await startSandbox()).as('ana');
  const own = (record: unknown) => field(record, 'vendor') === 'MARIADB';
  const databases = await list(send, 'database');
  expect(databases.filter(own).map(record => field(record, 'simulated'))).toEqual([false]);
  expect(databases.filter(record => !own(record))).toEqual(
    (await list(plain, 'database')).filter(record => !own(record)),
  );
  const environments = await list(send, 'environment');
  expect(environments.map(record => field(record, 'name'))).not.toContain('mariadb-prod');
  for (const environment of environments.filter(record => field(record, 'simulated') === true)) {
    expect(rows(field(environment, 'installs')).filter(own)).toEqual([]);
    const { body } = await plain(`GET /environment/${field(environment, 'id')}`);
    expect(rows(field(body, 'environmentUsers'))).toEqual(
      expect.arrayContaining([...rows(field(environment, 'environmentUsers'))]),
    );
  }
});

test('a real server is discovered and backed up at the first start, so that a clone can be asked for at once', async () => {
  const engine = realEngine();
  const send = await (await startSandbox({ engines: { MARIADB: engine } })).as('ana');
  expect(engine.asked).toEqual(['discover', 'backup MARIADB_SNAPSHOT-1']);
  const live = (await send('GET /database/MARIADB_LIVE_SERVER-1')).body;
  expect(live).toMatchObject({
    name: 'invoices',
    state: 'RUNNING',
    simulated: false,
    environment: 'HOST_ENVIRONMENT-8',
    install: 'MARIADB_INSTALL-1',
    snapshots: [{ id: 'MARIADB_SNAPSHOT-1', type: 'FULL', state: 'AVAILABLE' }],
  });
  expect(field(live, 'owner')).toBeUndefined();
  expect((await send('POST /database/clone/create', clone)).body).toEqual(accepted);
});

test('a discovery or backup that fails at the start stands in the record and the log, and the service starts', async () => {
  const lines: string[] = [];
  const fails = (text: string) => async () => Promise.reject(new Error(text));
  const blind = realEngine({ discover: fails('no socket') });
  const log = (line: string) => void lines.push(line);
  const first = await (await startSandbox({ engines: { MARIADB: blind }, log })).as('ana');
  expect((await first('GET /environment/HOST_ENVIRONMENT-8')).body).toMatchObject({
    state: 'FAILED',
    error: 'no socket',
  });
  const full = realEngine({ backup: fails('disk full') });
  const second = await (await startSandbox({ engines: { MARIADB: full }, log })).as('ana');
  expect((await second('GET /database/MARIADB_LIVE_SERVER-1')).body).toMatchObject({
    state: 'FAILED',
    error: 'disk full',
    snapshots: [],
  });
  expect(lines.filter(line => /no socket|disk full/.test(line))).toHaveLength(2);
});

test('a discovery of a host that failed is tried again at the next start', async () => {
  const stateDir = folder();
  const blind = realEngine({ discover: async () => Promise.reject(new Error('no socket')) });
  await (await startSandbox({ stateDir, engines: { MARIADB: blind } })).close();
  const send = await (await startSandbox({ stateDir, engines: { MARIADB: realEngine() } })).as('ana');
  expect((await send('GET /environment/HOST_ENVIRONMENT-8')).body).toMatchObject({ state: 'ENABLED' });
  expect((await send('GET /database/MARIADB_LIVE_SERVER-1')).status).toBe(200);
});

test('a request that the engine finds fault with is refused at its field, before anything is begun', async () => {
  const engine = realEngine({
    check: ({ specificPostScriptPath, databaseParams, localDirectory, mountBase }) => {
      if (specificPostScriptPath === '/no.sql') return { field: 'specificPostScriptPath', message: 'is not there' };
      if (databaseParams?.[0]?.name === 'nope') return { field: 'databaseParams', message: 'nope is no parameter' };
      if (localDirectory === '/full') return { field: 'localDirectory', message: 'is full' };
      return mountBase === '/etc' ? { field: 'mountBase', message: 'is not empty' } : undefined;
    },
  });
  const sandbox = await startSandbox({ engines: { MARIADB: engine } });
  const send = await sandbox.as('ana');
  expect((await send('POST /database/clone/create', clone)).body).toEqual(accepted);
  await sandbox.clock.advance(0);
  const before = sandbox.service.estate.databases.size;
  const one = { ...clone, port: 3401, mountBase: '/mnt/one' };
  const { targetEnvironment: environment, cloneType: _, ...shared } = one;
  const sharing = { ...shared, environment, sourceDatabase: 'MARIADB_CLONE_SERVER-1' };
  const databaseParams = [{ name: 'nope', type: 'STRING', value: 'x' }];
  for (const [path, body, name] of [
    ['clone/create', { ...one, specificPostScriptPath: '/no.sql' }, 'specificPostScriptPath'],
    ['duplicate/create', { ...one, cloneType: 'PHYSICAL', databaseParams }, 'databaseParams'],
    ['clone/share', { ...sharing, mountBase: '/etc' }, 'mountBase'],
    ['clone/switch', { database: 'MARIADB_CLONE_SERVER-1', localDirectory: '/full' }, 'localDirectory'],
  ] as const) {
    const answer = await send(`POST /database/${path}`, body);
    expect([path, answer.status, field(answer.body, 'error.field')]).toEqual([path, 400, name]);
  }
  expect(sandbox.service.estate.databases.size).toBe(before);
});

test('no word in a request provokes a failure on real servers', async () => {
  const sandbox = await startSandbox({ engines: { MARIADB: realEngine() } });
  const send = await sandbox.as('ana');
  const made = await send('POST /database/clone/create', { ...clone, mountBase: '/home/refuse/torn' });
  expect(made).toMatchObject({ status: 200, body: accepted });
  const scope = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'vanish', tableName: 'busy_slots' };
  const restored = await send('POST /database/restore', { database: 'MARIADB_LIVE_SERVER-1', ...scope });
  expect(restored).toMatchObject({ status: 200, body: accepted });
});

test('a record of a real server shows which job ended last, how and when; a simulated one does not', async () => {
  let fault: Error | undefined;
  const engine = realEngine({
    async stop() {
      if (fault) throw fault;
      return {};
    },
  });
  const sandbox = await startSandbox({ engines: { MARIADB: engine } });
  const send = await sandbox.as('ana');
  await send('POST /database/clone/create', { ...clone, mountBase: '/home/qa/shown' });
  await sandbox.clock.advance(0);
  const made = (await list(send, 'database')).at(-1);
  const id = String(field(made, 'id'));
  const createdAt = field(made, 'createdAt');
  expect(made).toMatchObject({
    lastJob: { operation: 'database/clone/create', state: 'SUCCEEDED', startedAt: createdAt, completedAt: createdAt },
  });
  fault = new Error('it hangs');
  await sandbox.clock.advance(60_000);
  await send('PUT /database/stop', id);
  await sandbox.clock.advance(0);
  const stopped = (await list(send, 'database')).at(-1);
  expect(stopped).toMatchObject({ error: 'it hangs', lastJob: { operation: 'database/stop', state: 'FAILED' } });
  const simulated = (await list(send, 'database')).filter(record => field(record, 'simulated') === true);
  expect(simulated.some(record => field(record, 'lastJob') !== undefined)).toBe(false);
});

test('a snapshot is mounted below the folder of its host, and its record shows the port that was used', async () => {
  const engine = realEngine({ mount: async ({ clone: { port = 0 } }) => ({ port: port + 7 }) });
  const sandbox = await startSandbox({ engines: { MARIADB: engine } });
  const send = await sandbox.as('ana');
  await send('POST /database/snapshot/mount', { database: 'MARIADB_LIVE_SERVER-1' });
  await sandbox.clock.advance(0);
  expect((await list(send, 'database')).at(-1)).toMatchObject({
    state: 'RUNNING',
    cloneType: 'STAGING',
    mountBase: '/srv/mounts/invoices_1',
    port: 13_407,
  });
});

test('a request during the start waits until the engine has looked at its host', async () => {
  const other = await startSandbox();
  const port = Number(new URL(other.url).port);
  await other.close();
  const looking = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<{ found: readonly [] }>();
  const engine = realEngine({
    discover() {
      looking.resolve();
      return seen.promise;
    },
  });
  const start = startSandbox({ port, engines: { MARIADB: engine } });
  await looking.promise;
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', data => {
    answer += data;
  });
  socket.write('GET /service/database/list HTTP/1.1\r\nhost: sandbox\r\nconnection: close\r\n\r\n');
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(answer).toBe('');
  seen.resolve({ found: [] });
  await start;
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

test('a start of the simulated service that fails leaves no engine running', async () => {
  let closed = 0;
  const engine = realEngine({
    recover: async () => Promise.reject(new Error('no server binary')),
    async close() {
      closed += 1;
    },
  });
  await expect(startSandbox({ engines: { MARIADB: engine } })).rejects.toThrow('no server binary');
  expect(closed).toBe(1);
});
