import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Recovered } from '../../../src/sandbox/service/engine.ts';
import { accepted, field, rows, type Send, startSandbox } from './client.ts';
import { realEngine, untilClosed } from './realEngine.ts';

const clone = {
  vendor: 'MYSQL',
  cloneType: 'VIRTUALCLONE',
  port: 3400,
  mountBase: '/mnt/orders_qa',
  environmentUser: 'ENVIRONMENT_USER-8',
  install: 'MYSQL_INSTALL-2',
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  targetEnvironment: 'HOST_ENVIRONMENT-4',
  databaseParams: [{ name: 'max_connections', type: 'NUMBER', value: 50 }],
};
const made = 'MYSQL_CLONE_SERVER-4';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'estate-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function record(send: Send, id: string): Promise<unknown> {
  return (await send(`GET /${id.startsWith('HOST') ? 'environment' : 'database'}/${id}`)).body;
}

test('a clone that was made before a restart is there after it, unchanged', async () => {
  const stateDir = folder();
  const first = await startSandbox({ stateDir });
  const before = await first.as('ana');
  await before('POST /database/clone/create', clone);
  await first.clock.advance(3_000);
  const all = (await before('GET /database/list')).body;
  await first.close();
  const send = await (await startSandbox({ stateDir })).as('ana');
  expect(await record(send, made)).toMatchObject({ state: 'RUNNING', databaseParams: clone.databaseParams });
  expect((await send('GET /database/list')).body).toEqual(all);
});

test('every start of the sandbox without a folder begins with the example estate', async () => {
  const first = await startSandbox();
  await (await first.as('ana'))('DELETE /project/delete?input=PROJECT-4');
  await first.clock.advance(1_000);
  await first.close();
  const send = await (await startSandbox()).as('ana');
  expect((await send('GET /project/PROJECT-4')).status).toBe(200);
});

test('the number of a deleted record is not given again, not even after a restart', async () => {
  const stateDir = folder();
  const first = await startSandbox({ stateDir });
  const before = await first.as('ana');
  await before('POST /database/clone/create', clone);
  await first.clock.advance(3_000);
  await before(`DELETE /database/delete?input=${made}`);
  await first.clock.advance(2_000);
  await first.close();
  const send = await (await startSandbox({ stateDir })).as('ana');
  expect((await send(`GET /database/${made}`)).status).toBe(404);
  await send('POST /database/clone/create', clone);
  expect(field(rows((await send('GET /database/list')).body).at(-1), 'id')).toBe('MYSQL_CLONE_SERVER-5');
});

test('discoveries, sign-ins and changes behind the API outlive a restart of the sandbox', async () => {
  const stateDir = folder();
  const first = await startSandbox({ stateDir });
  const before = await first.as('ana');
  await before('PUT /environment/refresh', '"HOST_ENVIRONMENT-2"');
  await first.clock.advance(3_000);
  first.service.rename('PROJECT-1', 'renamed');
  first.service.remove('USER-7');
  first.service.change('MYSQL_LIVE_SERVER-2', { state: 'DISABLED' });
  await first.close();
  const second = await startSandbox({ stateDir });
  const send = await second.as('eve');
  expect((await send('GET /project/PROJECT-1')).body).toMatchObject({ name: 'renamed' });
  expect((await send('GET /user/user/USER-7')).status).toBe(404);
  expect(field((await send('GET /user/user/USER-1')).body, 'lastSignInAt')).toBeDefined();
  expect(await record(send, 'MYSQL_LIVE_SERVER-2')).toMatchObject({ state: 'DISABLED' });
  expect(await record(send, 'MYSQL_LIVE_SERVER-5')).toMatchObject({ name: 'newsletter' });
  await (await second.as('ana'))('PUT /environment/refresh', '"HOST_ENVIRONMENT-2"');
  await second.clock.advance(3_000);
  expect((await send('GET /database/MYSQL_LIVE_SERVER-6')).status).toBe(404);
});

test('the file of a kept estate is open to its owner alone, and nothing lies beside it', async () => {
  const stateDir = join(folder(), 'new');
  await startSandbox({ stateDir });
  expect(readdirSync(stateDir)).toEqual(['estate.json']);
  expect(statSync(join(stateDir, 'estate.json')).mode & 0o777).toBe(0o600);
});

test('a clone whose creation was cut by the end of the service has failed: it cannot be started, but deleted', async () => {
  const stateDir = folder();
  const first = await startSandbox({ stateDir });
  await (await first.as('ana'))('POST /database/clone/create', clone);
  await first.close();
  const second = await startSandbox({ stateDir });
  const send = await second.as('ana');
  expect(await record(send, made)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('delete it') });
  expect((await send('PUT /database/start', made)).status).toBe(409);
  expect((await send(`DELETE /database/delete?input=${made}`)).body).toEqual(accepted);
  await second.clock.advance(2_000);
  expect((await send(`GET /database/${made}`)).status).toBe(404);
});

test('a job that was cut by the end of the service has failed, and can be asked for again', async () => {
  const stateDir = folder();
  const first = await startSandbox({ stateDir });
  const before = await first.as('ana');
  for (const [endpoint, body] of [
    ['PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-1' }],
    ['PUT /snapshot/delete?input=MYSQL_SNAPSHOT-5'],
    ['PUT /environment/refresh', '"HOST_ENVIRONMENT-2"'],
    ['PUT /environment/disable', '"HOST_ENVIRONMENT-1"'],
    ['DELETE /user/user/delete?input=USER-7'],
    ['DELETE /project/delete?input=PROJECT-4'],
  ] as const)
    expect((await before(endpoint, body)).body).toEqual(accepted);
  await first.close();
  const send = await (await startSandbox({ stateDir })).as('ana');
  const failed = { state: 'FAILED', error: expect.stringContaining('ask for it again') };
  const live = await record(send, 'MYSQL_LIVE_SERVER-1');
  expect(live).toMatchObject(failed);
  expect(rows(field(live, 'snapshots'))).toHaveLength(4);
  expect(rows(field(await record(send, 'MYSQL_LIVE_SERVER-2'), 'snapshots'))[0]).toMatchObject({
    ...failed,
    state: 'AVAILABLE',
  });
  expect(await record(send, 'HOST_ENVIRONMENT-2')).toMatchObject(failed);
  expect(await record(send, 'HOST_ENVIRONMENT-1')).toMatchObject(failed);
  expect((await send('GET /user/user/USER-7')).body).toMatchObject(failed);
  expect((await send('GET /project/PROJECT-4')).body).toMatchObject(failed);
  expect((await send('PUT /database/sync', { database: 'MYSQL_LIVE_SERVER-1' })).body).toEqual(accepted);
  expect((await send('DELETE /project/delete?input=PROJECT-4')).body).toEqual(accepted);
});

const onHost = {
  ...clone,
  vendor: 'MARIADB',
  environmentUser: 'ENVIRONMENT_USER-21',
  install: 'MARIADB_INSTALL-1',
  sourceDatabase: 'MARIADB_LIVE_SERVER-1',
  targetEnvironment: 'HOST_ENVIRONMENT-8',
};

test('an engine recovers the databases of its own vendor alone, and none of a fresh estate', async () => {
  const stateDir = folder();
  const engine = realEngine();
  await (await startSandbox({ stateDir, engines: { MARIADB: engine } })).close();
  expect(engine.recovered).toEqual([[]]);
  await startSandbox({ stateDir, engines: { MARIADB: engine } });
  expect(engine.recovered[1]?.map(({ id }) => id)).toEqual(['MARIADB_LIVE_SERVER-1']);
});

test('a clone that an engine recovered stands in its record, and one that the engine calls gone is gone', async () => {
  const stateDir = folder();
  const cut = realEngine({ createVirtual: untilClosed });
  const first = await startSandbox({ stateDir, engines: { MARIADB: cut } });
  const before = await first.as('ana');
  expect((await before('POST /database/clone/create', onHost)).body).toEqual(accepted);
  const other = { ...onHost, port: 3401, mountBase: '/mnt/other' };
  expect((await before('POST /database/clone/create', other)).body).toEqual(accepted);
  await first.close();
  const engine = realEngine({
    recover: async () =>
      new Map<string, Recovered>([
        ['MARIADB_CLONE_SERVER-1', { state: 'STOPPED', usable: true }],
        ['MARIADB_CLONE_SERVER-2', 'gone'],
      ]),
  });
  const send = await (await startSandbox({ stateDir, engines: { MARIADB: engine } })).as('ana');
  expect(await record(send, 'MARIADB_CLONE_SERVER-1')).toMatchObject({ state: 'STOPPED' });
  expect((await send('GET /database/MARIADB_CLONE_SERVER-2')).status).toBe(404);
  expect((await send('PUT /database/start', 'MARIADB_CLONE_SERVER-1')).body).toEqual(accepted);
});

test.each([
  ['is no JSON', '{"estate":'],
  ['holds something else', '{"estate":{"databases":[]}}'],
])('a kept estate that %s ends the start with a sentence, and stays as it is', async (_title, text) => {
  const stateDir = folder();
  const file = join(stateDir, 'estate.json');
  writeFileSync(file, text);
  const engine = realEngine();
  const start = startSandbox({ stateDir, engines: { MARIADB: engine } });
  await expect(start).rejects.toThrow(`The estate kept in ${file} cannot be read`);
  await expect(start).rejects.toThrow('delete it');
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(engine.recovered).toEqual([]);
});

test('an estate of a simulated vendor is not handed to a real engine, nor the other way round', async () => {
  const simulated = folder();
  await (await startSandbox({ stateDir: simulated })).close();
  const engine = realEngine();
  await expect(startSandbox({ stateDir: simulated, engines: { MARIADB: engine } })).rejects.toThrow('MARIADB');
  expect(engine.recovered).toEqual([]);
  const real = folder();
  await (await startSandbox({ stateDir: real, engines: { MARIADB: engine } })).close();
  await expect(startSandbox({ stateDir: real })).rejects.toThrow('has MARIADB real, and now it is simulated');
});

test('a job that cannot be written down is not begun, and the service goes on', async () => {
  const stateDir = folder();
  const lines: string[] = [];
  const sandbox = await startSandbox({ stateDir, log: line => void lines.push(line) });
  const send = await sandbox.as('ana');
  rmSync(stateDir, { recursive: true });
  writeFileSync(stateDir, 'a file where the folder was');
  const answer = await send('PUT /database/stop', 'MYSQL_CLONE_SERVER-1');
  expect([answer.status, field(answer.body, 'error.code')]).toEqual([500, 'INTERNAL_ERROR']);
  expect(sandbox.service.jobs()).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('the estate was not kept'));
  rmSync(stateDir);
  expect((await send('PUT /database/stop', 'MYSQL_CLONE_SERVER-1')).body).toEqual(accepted);
});

test('the simulated service writes nothing to its file after its end', async () => {
  const stateDir = folder();
  const sandbox = await startSandbox({ stateDir });
  await sandbox.close();
  const before = readFileSync(join(stateDir, 'estate.json'), 'utf8');
  sandbox.service.rename('PROJECT-1', 'too late');
  expect(readFileSync(join(stateDir, 'estate.json'), 'utf8')).toBe(before);
});
