import { existsSync, readdirSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { describeOnServers } from '../../../mariadb.ts';
import { clone, good, invariants, killAgainAndAgain, liveSums, must, type Scene, setScene } from './kills.ts';
import { newPort } from './newPort.ts';
import { alter } from './operations.ts';
import {
  ask,
  beginProcess,
  clearedFolder,
  live,
  serversIn,
  signal,
  startProcess,
  sums,
  until,
  wish,
} from './process.ts';

const folder = clearedFolder(clear => afterAll(clear, 30_000));
let made: Promise<Scene> | undefined;
/** One for all tests: each leaves it as it needs to be for the next. */
function theScene(): Promise<Scene> {
  made ??= setScene(folder);
  return made;
}

/** Kills the service as soon as `check` says so; then it is started again. What must hold after every start is looked at. */
async function cutOff(scene: Scene, check: () => boolean | Promise<boolean>, touched: readonly string[] = []) {
  const running = await serversIn(scene.folder);
  for (const end = performance.now() + 20_000; !(await check()); await sleep(1))
    if (performance.now() > end) throw new Error('the moment did not come');
  signal(scene.service.pid, 'SIGKILL');
  await scene.service.kill();
  const left = await serversIn(scene.folder);
  scene.service = await startProcess({ folder: scene.folder });
  await invariants(scene, running, left, touched);
}

const table = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'shop', tableName: 'products' };
const server = { objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' };
const restore = ({ service }: Scene, scope: object) =>
  must(service, 'POST /database/restore', { database: live, snapshot: 'MARIADB_SNAPSHOT-1', ...scope });

afterAll(async () => (await made)?.service.kill());

describeOnServers('after a crash of the service', () => {
  test('servers that ran at a crash of the service are found again as they are, and stopped ones stay stopped', async () => {
    const scene = await theScene();
    const { folder, running, stopped } = scene;
    const before = await serversIn(folder);
    signal(before.get(readlinkSync(join(folder, 'clones', running))), 'SIGSTOP');
    await cutOff(scene, () => true);
    expect(await serversIn(folder)).toEqual(before);
    expect(await ask(await scene.service.record(running), 'SELECT 1')).toBe('1');
    expect(await scene.service.record(stopped)).toMatchObject({ state: 'STOPPED' });
    const { connection } = (await scene.service.record(running)) ?? {};
    await scene.service.stop();
    expect(await serversIn(folder)).toEqual(new Map());
    scene.service = await startProcess({ folder });
    expect([...(await serversIn(folder)).keys()].toSorted()).toEqual([...before.keys()].toSorted());
    expect(await scene.service.record(running)).toMatchObject({ state: 'RUNNING', connection });
    expect(await scene.service.record(stopped)).toMatchObject({ state: 'STOPPED' });
    expect(await ask(await scene.service.record(running), 'SELECT 1')).toBe('1');
  });

  test('a table’s restore that a crash cuts off takes back itself alone, and not the server’s restore before it', async () => {
    const scene = await theScene();
    const { folder } = scene;
    await alter(await scene.service.record(live));
    await restore(scene, server);
    await good(scene.service, live);
    await alter(await scene.service.record(live));
    const before = await liveSums(scene);
    await restore(scene, table);
    await cutOff(scene, () => true);
    expect(await liveSums(scene)).toEqual(before);
    await restore(scene, table);
    await cutOff(scene, () => existsSync(join(folder, 'work', `${live}-restore.json`)));
    expect(await liveSums(scene)).toEqual(before);
    await restore(scene, table);
    expect(await good(scene.service, live)).toMatchObject({ state: 'RUNNING' });
  });

  test('a server’s restore that a crash cuts off in the exchange of its data leaves what was before', async () => {
    const scene = await theScene();
    await alter(await scene.service.record(live));
    const before = await liveSums(scene);
    await restore(scene, server);
    await cutOff(scene, () => existsSync(join(scene.folder, 'live', 'webshop', 'data.before')), [live]);
    expect(await scene.service.record(live)).toMatchObject({ state: 'FAILED' });
    expect(await liveSums(scene)).toEqual(before);
    await restore(scene, server);
    await good(scene.service, live);
    expect(await liveSums(scene)).toEqual(scene.held.get('MARIADB_SNAPSHOT-1'));
  });

  test('a reset that a crash cuts off in the exchange of data leaves the clone as it was, and reachable', async () => {
    const scene = await theScene();
    const { folder, running } = scene;
    await alter(await scene.service.record(running));
    const before = await sums(await scene.service.record(running));
    await must(scene.service, 'PUT /database/reset', running);
    const home = readlinkSync(join(folder, 'clones', running));
    await cutOff(scene, () => existsSync(join(home, 'data.before')), [running]);
    expect(await sums(await scene.service.record(running))).toEqual(before);
    await must(scene.service, 'PUT /database/reset', running);
    await good(scene.service, running);
    expect(await sums(await scene.service.record(running))).toEqual(scene.held.get('MARIADB_SNAPSHOT-1'));
  });

  test('a reset that a crash cuts off between the two renames of its data leaves the clone as it was', async () => {
    const scene = await theScene();
    const { folder, running } = scene;
    const before = await sums(await scene.service.record(running));
    const home = readlinkSync(join(folder, 'clones', running));
    signal(scene.service.pid, 'SIGKILL');
    await scene.service.kill();
    renameSync(join(home, 'data'), join(home, 'data.before'));
    scene.service = await startProcess({ folder });
    expect(await sums(await scene.service.record(running))).toEqual(before);
  });

  test('a clone’s conversion that a crash cuts off is told as failed or done, as far as it came', async () => {
    const scene = await theScene();
    const { folder, service } = scene;
    const port = await newPort();
    await must(service, 'POST /database/clone/create', await wish(service, port, `${folder}/mounts/./x/`));
    const id = String((await service.records()).at(-1)?.id);
    await good(service, id);
    const before = await sums(await service.record(id));
    const body = { database: id, localDirectory: join(folder, 'mounts', 'own') };
    await must(service, 'POST /database/clone/switch', body);
    await cutOff(scene, () => existsSync(join(folder, 'mounts', 'own', 'data')), [id]);
    expect(await scene.service.record(id)).toMatchObject({ state: 'FAILED', cloneType: 'VIRTUALCLONE' });
    expect(await sums(await scene.service.record(id))).toEqual(before);
    await must(scene.service, 'POST /database/clone/switch', body);
    await cutOff(scene, () => readlinkSync(join(folder, 'clones', id)).endsWith('own'), [id]);
    expect(await scene.service.record(id)).toMatchObject({ state: 'RUNNING', cloneType: 'PHYSICAL' });
    expect(await sums(await scene.service.record(id))).toEqual(before);
    expect(existsSync(join(folder, 'mounts', 'x'))).toBe(false);
  });

  test('a server that was starting at a crash of the service is not started a second time beside itself', async () => {
    const scene = await theScene();
    const { folder, stopped } = scene;
    const home = readlinkSync(join(folder, 'clones', stopped));
    await must(scene.service, 'PUT /database/start', stopped);
    const isStarting = async () => {
      const pid = (await serversIn(folder)).get(home);
      // Held still, it is no further when the service is back.
      if (pid !== undefined) signal(pid, 'SIGSTOP');
      return pid !== undefined;
    };
    await cutOff(scene, isStarting, [stopped]);
    expect(await ask(await scene.service.record(stopped), 'SELECT 1')).toBe('1');
    expect(String((await scene.service.record(stopped))?.error)).not.toMatch(/mariadbd|port/);
  });

  /** A few in `npm test`; as many as one likes with `KILLS=300 npm run kills`. */
  const kills = Number(process.env.KILLS ?? 2);

  test('the first start of the service, killed again and again, comes to its end at last', async () => {
    const folder = clearedFolder();
    for (let moment = 300; moment < 4_000; moment += process.env.KILLS === undefined ? 2_400 : 900) {
      const child = beginProcess({ folder });
      const end = performance.now() + moment;
      await until(() => performance.now() > end || child.ended(), 10_000);
      await child.kill();
    }
    const service = await startProcess({ folder });
    expect(await service.record(live)).toMatchObject({ name: 'webshop' });
    expect(readdirSync(join(folder, 'work'))).toEqual([]);
    await must(service, 'PUT /database/sync', { database: live });
    expect(await good(service, live)).toMatchObject({ state: 'RUNNING' });
    const scene = { folder, service, running: '', stopped: '', held: new Map() };
    expect(await sums(await service.record(await clone(scene)))).toEqual(await liveSums(scene));
  });

  test(
    'whatever was under way at a crash is as before or done, or has failed and can be asked for again',
    async () => {
      const say = (line: string) => void process.stdout.write(`${line}\n`);
      const report = await killAgainAndAgain(clearedFolder(), kills, process.env.ONLY, say);
      say(`real servers: ${report.kills} kills: ${JSON.stringify(report.ends)}`);
      expect(report).toMatchObject({ kills, faults: [] });
    },
    kills * 8_000 + 60_000,
  );
});
