import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { marked } from '../../../../src/sandbox/service/mariadb/programs/processes.ts';
import { askAlone } from '../../../../src/sandbox/service/mariadb/restores/session.ts';
import { isFree } from '../../../../src/sandbox/service/mariadb/servers/ports.ts';
import type { Ask } from '../../../../src/sandbox/service/mariadb/servers/sql.ts';
import { describeOnServers } from '../../../mariadb.ts';
import { few, isWhole } from '../../../whole.ts';
import { field } from '../client.ts';
import { clone, good, liveSums, must, type Scene, setScene } from './kills.ts';
import { newPort } from './newPort.ts';
import { ask, clearedFolder, type Facts, live, serversIn, signal, startProcess, sums, until, wish } from './process.ts';

const folder = clearedFolder(clear => afterAll(clear, 30_000));
let made: Promise<Scene> | undefined;
/** One for all tests: each leaves it as it needs to be for the next. */
function theScene(): Promise<Scene> {
  made ??= setScene(folder, { scriptLimit: 1_500, roots: [disk] });
  return made;
}
afterAll(async () => (await made)?.service.kill());

/** A folder for clones that has room for one, where this user may mount; another one elsewhere. */
const disk = smallDisk('8m', afterAll);
const hasSmallDisk = execFileSync('stat', ['-f', '-c', '%T', disk], { encoding: 'utf8' }).trim() === 'tmpfs';
if (!hasSmallDisk) process.stdout.write('This user may not mount: what is claimed of a full disk is not tested.\n');

function smallDisk(size: string, atEnd: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    // Then it is a folder like any other.
  }
  chmodSync(folder, 0o777);
  atEnd(() => {
    if (hasSmallDisk) execFileSync('umount', ['-l', folder]);
    execFileSync('rm', ['-rf', folder]);
  });
  return folder;
}

/** Asks for a clone that cannot be made; gives why, and looks whether anything is left of it. */
async function fails(scene: Scene, extra: Facts, path = 'clone/create'): Promise<string> {
  const { service, folder } = scene;
  const port = await newPort();
  const body = { ...(await wish(service, port, join(folder, 'mounts', `f${port}`))), ...extra };
  const before = await traces(scene);
  const answer = await service.send(`POST /database/${path}`, body);
  if (answer.status !== 200) {
    expect(await traces(scene)).toEqual(before);
    return `${answer.status} ${field(answer.body, 'error.field')}: ${field(answer.body, 'error.message')}`;
  }
  const record = await service.settled(String((await service.records()).at(-1)?.id));
  expect([extra, record]).toMatchObject([extra, { state: 'FAILED' }]);
  await until(async () => JSON.stringify(await traces(scene)) === JSON.stringify(before), 3_000).catch(() => undefined);
  expect(await traces(scene)).toEqual(before);
  if (extra.port === undefined) expect(await isFree(port)).toBe(true);
  await must(service, `DELETE /database/delete?input=${record?.id}`);
  await service.settled(String(record?.id));
  return String(record?.error);
}

/** All that a clone consists of. */
async function traces({ folder }: Scene) {
  return {
    processes: (await marked(folder)).map(({ command }) => command.join(' ')).toSorted(),
    folders: ['mounts', 'clones', 'work'].map(name => readdirSync(join(folder, name))),
    disk: readdirSync(disk).filter(name => name !== 'filler'),
  };
}

function script(scene: Scene, name: string, lines: string, mode = 0o755): { specificPostScriptPath: string } {
  const path = join(scene.folder, 'scripts', name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, mode);
  return { specificPostScriptPath: path };
}

const text = (name: string, value: string) => ({ databaseParams: [{ name, type: 'STRING', value }] });

describeOnServers('what cannot be done leaves nothing:', () => {
  test('a clone on a port that somebody else has fails, and leaves nothing', async () => {
    const scene = await theScene();
    const port = await newPort();
    const other = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void other.close());
    expect(await fails(scene, { port })).toBe(`port ${port} is in use on this machine`);
  });

  test.each([
    [{ port: 80 }, /^400 port: 80 is no port for a clone: those below 1024 belong to the system/],
    [{ mountBase: '/mounts/a:b' }, /^400 mountBase: "\/mounts\/a:b" has a colon or a control character in it/],
    [
      { mountBase: `/mounts/${'x'.repeat(256)}` },
      /^400 mountBase: the path is too long: at most 300 bytes in all, and 255 in each name$/,
    ],
    [{ mountBase: `/mounts/${'x/'.repeat(150)}` }, /^400 mountBase: the path is too long/],
  ])('a clone with %o is refused at once, and leaves nothing', async (wanted, words) => {
    expect(await fails(await theScene(), wanted)).toMatch(words);
  });

  test('a clone in a place that is outside of its folder, taken, or within another clone fails, and leaves nothing', async () => {
    const scene = await theScene();
    const { folder, service, running } = scene;
    const mounts = join(folder, 'mounts');
    const home = dirname(String((await service.record(running))?.dataDirectory));
    symlinkSync('/tmp', join(mounts, 'out'));
    symlinkSync('/tmp/nowhere-yet', join(mounts, 'nowhere'));
    mkdirSync(join(mounts, 'full'));
    writeFileSync(join(mounts, 'full', 'mine'), '');
    const places = [
      '/etc/dolly',
      mounts,
      `${mounts}/`,
      join(folder, 'snapshots', 'x'),
      `${mounts}/../work/x`,
      join(mounts, 'out', 'x'),
      join(mounts, 'nowhere', 'x'),
      join(home, 'x'),
      join(home, 'data', 'x'),
      join(mounts, 'full'),
      join(mounts, 'full', 'mine'),
      join(mounts, 'x'.repeat(300)),
      join(mounts, 'full', 'mine', 'x'),
    ];
    for (const mountBase of places) expect(await fails(scene, { mountBase })).toMatch(/^400 mountBase: |mkdir/);
    for (const localDirectory of places) {
      const answer = await service.send('POST /database/clone/switch', { database: running, localDirectory });
      if (answer.status === 200) expect((await service.settled(running))?.error).toMatch(/mkdir/);
      else expect(field(answer.body, 'error.field')).toBe('localDirectory');
    }
    expect(readdirSync(join(mounts, 'full'))).toEqual(['mine']);
    await must(service, 'PUT /database/refresh', running);
    await good(service, running);
  });

  test('a clone whose script is missing, out of place, not executable, failing or endless fails, and leaves nothing', async () => {
    const scene = await theScene();
    for (const path of ['/bin/true', join(scene.folder, 'scripts', 'none'), join(scene.folder, 'scripts', '../lock')])
      expect(await fails(scene, { specificPostScriptPath: path })).toMatch(/^400 specificPostScriptPath: /);
    expect(await fails(scene, script(scene, 'plain', 'true', 0o644))).toMatch(
      /^plain could not be started: the servers’ user may not run it/,
    );
    const windows = script(scene, 'windows', 'true');
    writeFileSync(windows.specificPostScriptPath, '#!/bin/sh\r\ntrue\r\n');
    expect(await fails(scene, windows)).toMatch(
      /^windows could not be started: it is not there, or the program that its first line names/,
    );
    expect(await fails(scene, script(scene, 'wrong', 'echo this went wrong >&2; exit 3'))).toBe(
      'this went wrong (wrong ended with 3)',
    );
    if (isWhole) {
      expect(await fails(scene, script(scene, 'long', 'sleep 1000 & sleep 1001'))).toContain('took longer than 1.5');
      expect(await fails(scene, script(scene, 'deaf', "trap '' TERM; sleep 1000; sleep 1000"))).toContain(
        'took longer',
      );
    }
    expect(await fails(scene, script(scene, 'away', 'setsid sleep 1002; exit 4'))).toContain('took longer');
    const loud = await fails(scene, script(scene, 'loud', 'yes line | head -c 1000000; echo the end; exit 5'));
    expect(loud).toContain('the end');
    expect(loud.length).toBeLessThan(2_001);
  });

  test('a child process that a clone’s script leaves behind is ended with it, wherever it went', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const port = await newPort();
    const wanted = await wish(service, port, join(folder, 'mounts', `f${port}`));
    const leaves = script(scene, 'leaves', 'sleep 1003 & setsid sleep 1004 & echo done');
    await must(service, 'POST /database/clone/create', { ...wanted, ...leaves });
    const record = await good(service, String((await service.records()).at(-1)?.id));
    expect(record).toMatchObject({ state: 'RUNNING', postScriptOutput: 'done' });
    expect((await marked(folder)).filter(({ command }) => command[0] === 'sleep')).toEqual([]);
    await must(service, `DELETE /database/delete?input=${record.id}`);
    await service.settled(String(record.id));
  });

  test('a child process that hides from the service and holds the output open does not hold up its clone', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const port = await newPort();
    const wanted = await wish(service, port, join(folder, 'mounts', `h${port}`));
    const hides = script(scene, 'hides', 'env -i setsid sleep 30 & sleep 0.3; echo done');
    await must(service, 'POST /database/clone/create', { ...wanted, ...hides });
    const record = await good(service, String((await service.records()).at(-1)?.id));
    expect(record).toMatchObject({ state: 'RUNNING', postScriptOutput: 'done' });
    await must(service, `DELETE /database/delete?input=${record.id}`);
    await service.settled(String(record.id));
  });

  test('a clone with a parameter that is unknown, reserved, points outside or has a bad value leaves nothing', async () => {
    const scene = await theScene();
    const own = [
      'datadir',
      'DataDir',
      'init_file',
      'plugin-load-add',
      'Skip_Grant_Tables',
      'bind_address',
      'user',
      'help',
    ];
    for (const name of own)
      expect(await fails(scene, text(name, 'x'))).toMatch(/^400 databaseParams: .*service itself/);
    for (const name of ['max_connection', 'loose_datadir', 'skip_datadir', 'loose-max-connections', 'no', '-'])
      expect(await fails(scene, text(name, 'x'))).toMatch(/^400 databaseParams: .*is not a variable/);
    for (const value of ['/etc/passwd', '../../x', `${scene.folder}/../x`])
      expect(await fails(scene, text('ft_stopword_file', value))).toMatch(/^400 databaseParams: .*leads out/);
    const elsewhere = join(scene.folder, 'snapshots', 'MARIADB_SNAPSHOT-1');
    for (const name of [
      'innodb_data_home_dir',
      'innodb_log_group_home_dir',
      'innodb_undo_directory',
      'aria_log_dir_path',
      'innodb_tmpdir',
      'log_slow_query_file',
      'relay_log_info_file',
      'wsrep_provider',
      'wsrep_notify_cmd',
      'chroot',
    ])
      expect([name, await fails(scene, text(name, elsewhere))]).toEqual([
        name,
        expect.stringMatching(/^400 databaseP/),
      ]);
    expect([await fails(scene, text('sql_mode', 'NOT_A_MODE'))]).toEqual([expect.stringContaining('NOT_A_MODE')]);
  });

  test.skipIf(!hasSmallDisk)(
    'a clone or a conversion on a full disk fails, and the source and the clone go on',
    async () => {
      const scene = await theScene();
      const { service, running } = scene;
      const mountBase = join(disk, 'x');
      expect(await fails(scene, { mountBase })).toMatch(/No space left/);
      expect(await fails(scene, { mountBase, cloneType: 'PHYSICAL' }, 'duplicate/create')).toMatch(/space|errno: 28/i);
      const before = await sums(await service.record(running));
      await must(service, 'POST /database/clone/switch', { database: running, localDirectory: mountBase });
      expect(await service.settled(running)).toMatchObject({
        state: 'FAILED',
        error: expect.stringMatching(/No space/),
      });
      expect(await sums(await service.record(running))).toEqual(before);
      expect(readdirSync(disk)).toEqual([]);
      await must(service, 'PUT /database/refresh', running);
      await good(service, running);
      await liveSums(scene);
    },
  );

  test.skipIf(!hasSmallDisk)(
    'a backup onto a full disk fails, and the snapshots before and after it are whole',
    async () => {
      const place = smallDisk('400m', onTestFinished);
      const folder = join(place, 'state');
      const service = await startProcess({ folder });
      onTestFinished(async () => {
        await service.kill();
        for (const { pid } of await marked(folder)) signal(pid, 'SIGKILL');
      });
      const before = await service.record(live);
      const held = await sums(before);
      await ask(before, "UPDATE shop.customers SET name = 'newer'");
      const newer = await sums(before);
      const { bavail, bsize } = statfsSync(place);
      execFileSync('fallocate', ['-l', String(bavail * bsize - 15e6), join(place, 'filler')]);
      await must(service, 'PUT /database/sync', { database: live });
      const failed = await service.settled(live);
      expect(failed).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/no space|errno: 28/i) });
      expect(failed?.snapshots).toEqual(before?.snapshots);
      expect(readdirSync(join(folder, 'work'))).toEqual([]);
      expect(readdirSync(join(folder, 'snapshots'))).toEqual(['MARIADB_SNAPSHOT-1']);
      rmSync(join(place, 'filler'));
      await must(service, 'PUT /database/sync', { database: live });
      await good(service, live);
      const first = await clone({ service, folder }, { snapshot: 'MARIADB_SNAPSHOT-1' });
      expect(await sums(await service.record(first))).toEqual(held);
      expect(await sums(await service.record(await clone({ service, folder })))).toEqual(newer);
    },
  );

  test.skipIf(!hasSmallDisk).each(few(['loading', 'placing', 'exchanging', 'moving'], step => step === 'moving'))(
    'a restore whose disk fills up before the step %s says so in ten seconds, and is done once there is room',
    async step => {
      const place = smallDisk('400m', onTestFinished);
      const folder = join(place, 'state');
      const service = await startProcess({ folder, diesAt: step, fills: place });
      onTestFinished(async () => {
        await service.kill();
        for (const { pid } of await marked(folder)) signal(pid, 'SIGKILL');
      });
      const held = await sums(await service.record(live));
      await ask(
        await service.record(live),
        "UPDATE shop.products SET price = 1; UPDATE shop.customers SET name = 'newer'",
      );
      const scope = { database: live, objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'shop' };
      await must(service, 'POST /database/restore', scope);
      await until(() => existsSync(join(place, 'filler')), 30_000);
      const began = performance.now();
      const failed = await service.settled(live);
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(failed).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/no space|Errcode: 28|room/i) });
      rmSync(join(place, 'filler'));
      await must(service, 'POST /database/restore', scope);
      // The server looks each minute whether there is room again.
      await until(async () => (await service.record(live))?.state !== 'RESTORING', 120_000);
      expect(await service.record(live)).toMatchObject({ state: 'RUNNING' });
      expect(await sums(await service.record(live))).toEqual(held);
      expect(readdirSync(join(folder, 'work'))).toEqual([]);
    },
  );

  test.skipIf(!hasSmallDisk)('a lock that times out while the disk is full is told as the full disk', async () => {
    const folder = smallDisk('1m', onTestFinished);
    const ask: Ask = statement =>
      statement.includes('@@datadir')
        ? Promise.resolve([[folder, '0', '']])
        : Promise.reject(new Error('ERROR 1205 (HY000): Lock wait timeout exceeded'));
    const asked = () => askAlone({ ask }, 'stamp')('RENAME TABLE a TO b', new AbortController().signal);
    await expect(asked()).rejects.toThrow('ERROR 1205');
    writeFileSync(join(folder, 'filler'), new Uint8Array(statfsSync(folder).bavail * statfsSync(folder).bsize));
    await expect(asked()).rejects.toThrow(
      /^The server waits for room, since the disk of .* has 0 MB left: make some\.$/,
    );
  });

  test('a clone whose server was killed is started, stopped, reset, shared or deleted as ever', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const id = await clone(scene);
    const home = dirname(String((await service.record(id))?.dataDirectory));
    const kill = async () => {
      signal((await serversIn(folder)).get(home), 'SIGKILL');
      await until(async () => !(await serversIn(folder)).has(home), 5_000);
    };
    const does = async (endpoint: string) => {
      await must(service, endpoint, id);
      return good(service, id);
    };
    const before = await sums(await service.record(id));
    await kill();
    expect(await does('PUT /database/stop')).toMatchObject({ state: 'STOPPED' });
    expect(await sums(await does('PUT /database/start'))).toEqual(before);
    await kill();
    expect(await sums(await does('PUT /database/reset'))).toEqual(before);
    await kill();
    const port = await newPort();
    const { targetEnvironment: environment, cloneType: _, ...rest } = await wish(service, port, `${home}-shared`);
    await must(service, 'POST /database/clone/share', { ...rest, environment, sourceDatabase: id });
    const shared = await good(service, String((await service.records()).at(-1)?.id));
    expect(await sums(shared)).toEqual(before);
    for (const gone of [String(shared.id), id]) {
      await kill();
      await must(service, `DELETE /database/delete?input=${gone}`);
      await service.settled(gone);
    }
    expect(existsSync(home)).toBe(false);
  });

  test('a live server that is killed while it starts on restored data goes on with what it had', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const pidNow = async () => (await serversIn(folder)).get(join(folder, 'live', 'webshop'));
    const held = await liveSums(scene);
    await must(service, 'PUT /database/sync', { database: live });
    await good(service, live);
    const restores = () =>
      must(service, 'POST /database/restore', { database: live, objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' });
    let newer = {};
    let record: Facts | undefined;
    const isKilledInTime = async () => {
      await restores();
      await good(service, live);
      await ask(await service.record(live), "UPDATE shop.customers SET name = 'newer'");
      newer = await liveSums(scene);
      const before = await pidNow();
      await restores();
      await until(async () => ![before, undefined].includes(await pidNow()), 20_000);
      signal(await pidNow(), 'SIGKILL');
      record = await service.settled(live);
      return record?.state === 'FAILED';
    };
    await until(isKilledInTime, 60_000);
    expect(record?.error).toContain('mariadbd ended while it started');
    expect(await liveSums(scene)).toEqual(newer);
    await restores();
    await good(service, live);
    expect(await liveSums(scene)).toEqual(held);
  });

  test('a registered server that is not there does not keep a refresh from finding the others', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const file = join(folder, 'registered', 'dead.cnf');
    writeFileSync(file, '[client]\nprotocol=tcp\nhost=127.0.0.1\nport=1\nuser=x\npassword=hush-hush-hush\n', {
      mode: 0o644,
    });
    const before = (await service.records()).length;
    const { targetEnvironment } = await wish(service, 1, '/');
    await must(service, 'PUT /environment/refresh', JSON.stringify(targetEnvironment));
    const look = async () => (await service.send(`GET /environment/${targetEnvironment}`)).body;
    await until(async () => field(await look(), 'state') !== 'REFRESHING', 20_000);
    expect(await look()).toMatchObject({ state: 'ENABLED' });
    expect(await service.records()).toHaveLength(before);
  });

  test('a backup whose program is killed fails, leaves nothing, and can be asked for again', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const find = async () => (await marked(folder)).find(({ command }) => command.includes('--backup'))?.pid;
    let record: Facts | undefined;
    // A backup may end before it is found.
    const isKilledInTime = async () => {
      await must(service, 'PUT /database/sync', { database: live });
      let pid = await find();
      for (; pid === undefined; pid = await find())
        if ((await service.record(live))?.state !== 'BACKING_UP') return false;
      signal(pid, 'SIGKILL');
      record = await service.settled(live);
      return record?.state === 'FAILED';
    };
    await until(isKilledInTime, 60_000);
    expect(record?.error).toContain('SIGKILL');
    expect(readdirSync(join(folder, 'work'))).toEqual([]);
    await must(service, 'PUT /database/sync', { database: live });
    await good(service, live);
  });

  test('no password of a real server stands in a record, the kept estate, the log or a command', async () => {
    const scene = await theScene();
    const { service, folder } = scene;
    const file = readFileSync(join(folder, 'live', 'webshop', 'client.cnf'), 'utf8');
    const [, password = ''] = /^password=(.+)$/m.exec(file) ?? [];
    expect(password.length).toBeGreaterThan(20);
    const tells = script(scene, 'tells', 'cat $DOLLY_DEFAULTS_FILE; exit 6');
    const told = await fails(scene, tells);
    expect(told).toContain('password=');
    expect(told).not.toMatch(/password=\w/);
    const seen = [
      service.output(),
      readFileSync(join(folder, 'estate.json'), 'utf8'),
      JSON.stringify(await service.records()),
      JSON.stringify(await marked(folder)),
    ].join('\n');
    expect(seen).not.toContain(password);
  });
});
