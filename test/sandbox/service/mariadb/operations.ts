import { join } from 'node:path';
import { clone, good, liveSums, must, type Scene, type Sums, same } from './kills.ts';
import { newPort } from './newPort.ts';
import { ask, type Facts, live, type ServiceProcess, sums, wish } from './process.ts';

/** A request that is about to be cut off. */
type Prepared = {
  /** The record that it concerns; empty where it makes one. */
  target: string;
  /** Records that it may change. */
  ids: readonly string[];
  request(service: ServiceProcess): Promise<unknown>;
  before?: Sums;
  asked?: Sums;
  /** What is done at its end. */
  tidy?: readonly string[];
};

export type Operation = {
  prepare(scene: Scene): Promise<Prepared>;
  /** Says what came of it; throws where that is neither as before nor as asked nor told. */
  judge(scene: Scene, prepared: Prepared): Promise<string>;
  /** Asks again where it was not done: it must work. */
  again(scene: Scene, prepared: Prepared, target: string): Promise<void>;
};

let change = 0;
/** Changes a table of each database of a server. */
export async function alter(record: Facts | undefined): Promise<void> {
  change += 1;
  await ask(
    record,
    `UPDATE shop.products SET stock = stock + ${change} WHERE id MOD 3 = 0; UPDATE shop.sold SET quantity = ${change} WHERE product < 9; UPDATE reviews.reviews SET stars = ${change} MOD 7 WHERE id MOD 5 = 0`,
  );
}

async function remove(service: ServiceProcess, id: string): Promise<void> {
  await must(service, `DELETE /database/delete?input=${id}`);
  await service.settled(id);
  if ((await service.record(id)) !== undefined) throw new Error(`${id} was not deleted`);
}

const latest = async ({ service }: Scene): Promise<string> => String(snapshotsOf(await service.record(live)).at(-1));
const snapshotsOf = (record: Facts | undefined): readonly string[] =>
  Array.isArray(record?.snapshots) ? record.snapshots.map(({ id }) => String(id)) : [];

/** Operations that make a clone: what was cut off has failed, and is deleted and asked for again. */
function making(endpoint: string, body: (scene: Scene) => Promise<Facts>, isShare = false): Operation {
  const send = async (scene: Scene, service: ServiceProcess) => must(service, endpoint, await body(scene));
  return {
    async prepare(scene) {
      const asked = isShare
        ? await sums(await scene.service.record(scene.running))
        : scene.held.get(await latest(scene));
      const known = (await scene.service.records()).map(({ id }) => String(id));
      return {
        target: '',
        ids: isShare ? [...known, scene.running] : known.filter(id => id === live),
        request: service => send(scene, service),
        ...(asked ? { asked } : {}),
      };
    },
    async judge(scene, { asked }) {
      const made = (await scene.service.records()).at(-1);
      if (isShare && asked) same(asked, await sums(await scene.service.record(scene.running)), 'the source');
      if (made?.id === scene.stopped) return 'not begun';
      if (made?.state === 'RUNNING') {
        if (asked) same(asked, await sums(made), 'the clone');
        await remove(scene.service, String(made.id));
        return 'done';
      }
      if (made?.state !== 'FAILED') throw new Error(`${made?.id} is ${made?.state}`);
      await remove(scene.service, String(made.id));
      return 'failed';
    },
    async again(scene, { asked }) {
      await send(scene, scene.service);
      const made = await good(scene.service, String((await scene.service.records()).at(-1)?.id));
      if (asked) same(asked, await sums(made), 'the clone that was asked for again');
      await remove(scene.service, String(made.id));
    },
  };
}

/** Operations on a clone made for it, which are told by its state. */
function changing(
  path: string,
  start: 'running' | 'stopped',
  end: string,
  body: (id: string, scene: Scene) => string | object,
): Operation {
  const isDone = (record: Facts | undefined) =>
    end === 'gone' ? record === undefined : end === 'PHYSICAL' ? record?.cloneType === end : record?.state === end;
  return {
    async prepare(scene) {
      const id = await clone(scene);
      await alter(await scene.service.record(id));
      const before = await sums(await scene.service.record(id));
      if (start === 'stopped') {
        await must(scene.service, 'PUT /database/stop', id);
        await good(scene.service, id);
      }
      const request = (service: ServiceProcess) => must(service, path.replace('{id}', id), body(id, scene));
      return { target: id, ids: [id], before, request };
    },
    async judge(scene, { target, before }) {
      const record = await scene.service.record(target);
      if (isDone(record)) return 'done';
      if (record === undefined) throw new Error(`${target} is gone`);
      if (record.state === 'FAILED' && before) same(before, await sums(record), 'the clone that failed');
      return record.state === 'FAILED' ? 'failed' : `before`;
    },
    async again(scene, { target, before }) {
      const record = await scene.service.record(target);
      if (!isDone(record)) {
        await must(scene.service, path.replace('{id}', target), body(target, scene));
        const changed = await scene.service.settled(target);
        if (!isDone(changed)) throw new Error(`${target} is ${changed?.state}: ${changed?.error}`);
      }
      const changed = await scene.service.record(target);
      if (changed?.state === 'RUNNING' && before) same(before, await sums(changed), 'the clone');
      if (changed) await remove(scene.service, target);
    },
  };
}

const reset: Operation = {
  async prepare(scene) {
    const id = await clone(scene);
    const asked = await sums(await scene.service.record(id));
    await alter(await scene.service.record(id));
    const before = await sums(await scene.service.record(id));
    return { target: id, ids: [id], before, asked, request: service => must(service, 'PUT /database/reset', id) };
  },
  async judge(scene, prepared) {
    return either(await sums(await scene.service.record(prepared.target)), prepared);
  },
  async again(scene, { target, asked }) {
    await must(scene.service, 'PUT /database/reset', target);
    const record = await good(scene.service, target);
    if (asked) same(asked, await sums(record), 'the clone that was reset');
    await remove(scene.service, target);
  },
};

/** Whether a server is as it was or as it was asked to be: never half. */
function either(now: Sums, { before = {}, asked = {} }: Prepared): string {
  const is = (wanted: Sums) => Object.keys(wanted).every(table => wanted[table] === now[table]);
  if (is(before)) return 'before';
  if (is(asked)) return 'done';
  throw new Error(`it is neither as before nor as asked: ${JSON.stringify({ before, asked, now })}`);
}

const backup: Operation = {
  async prepare(scene) {
    await alter(await scene.service.record(live));
    return {
      target: live,
      ids: [],
      before: await liveSums(scene),
      request: service => must(service, 'PUT /database/sync', { database: live }),
    };
  },
  async judge(scene, { before }) {
    const record = await scene.service.record(live);
    const id = await latest(scene);
    if (scene.held.has(id)) return record?.state === 'FAILED' ? 'failed' : 'not begun';
    if (before) scene.held.set(id, before);
    return 'done';
  },
  async again(scene) {
    await alter(await scene.service.record(live));
    await must(scene.service, 'PUT /database/sync', { database: live });
    await good(scene.service, live);
    const held = await liveSums(scene);
    scene.held.set(await latest(scene), held);
    const made = await clone(scene);
    same(held, await sums(await scene.service.record(made)), 'a clone of the new snapshot');
    await remove(scene.service, made);
  },
};

const deletion: Operation = {
  async prepare(scene) {
    await must(scene.service, 'PUT /database/sync', { database: live });
    await good(scene.service, live);
    const id = await latest(scene);
    scene.held.set(id, await liveSums(scene));
    return { target: id, ids: [], request: service => must(service, `PUT /snapshot/delete?input=${id}`) };
  },
  async judge(scene, { target }) {
    if ((await latest(scene)) !== target) return 'done';
    const made = await clone(scene);
    const held = scene.held.get(target);
    if (held) same(held, await sums(await scene.service.record(made)), 'a clone of the snapshot that was kept');
    await remove(scene.service, made);
    return 'before';
  },
  async again(scene, { target }) {
    if ((await latest(scene)) !== target) return;
    await must(scene.service, `PUT /snapshot/delete?input=${target}`);
    while ((await latest(scene)) === target);
  },
};

/** A restore from the first snapshot. Only tables that `isMeant` matches may change. */
function restore(scope: Facts, isMeant: RegExp): Operation {
  const send = (service: ServiceProcess) =>
    must(service, 'POST /database/restore', { database: live, snapshot: 'MARIADB_SNAPSHOT-1', ...scope });
  return {
    async prepare(scene) {
      await alter(await scene.service.record(live));
      const before = await liveSums(scene);
      const held = scene.held.get('MARIADB_SNAPSHOT-1') ?? {};
      const asked = { ...before };
      for (const [table, sum] of Object.entries(held)) if (isMeant.test(table)) asked[table] = sum;
      return { target: live, ids: 'databaseName' in scope ? [] : [live], before, asked, request: send };
    },
    async judge(scene, prepared) {
      return either(await liveSums(scene), prepared);
    },
    async again(scene, { asked }) {
      await send(scene.service);
      await good(scene.service, live);
      if (asked) same(asked, await liveSums(scene), 'the server that was restored');
    },
  };
}

const create =
  (extra: Facts) =>
  async ({ service, folder }: Scene): Promise<Facts> => {
    const port = await newPort();
    return { ...(await wish(service, port, join(folder, 'mounts', `k${port}`))), ...extra };
  };

/** Everything that can be cut off, by name. */
export const operations: Readonly<Record<string, Operation>> = {
  'virtual clone': making('POST /database/clone/create', create({})),
  'physical clone': making('POST /database/duplicate/create', create({ cloneType: 'PHYSICAL' })),
  mount: making('POST /database/snapshot/mount', async () => ({ database: live })),
  share: making(
    'POST /database/clone/share',
    async scene => {
      const { targetEnvironment, cloneType: _, ...rest } = await create({})(scene);
      return { ...rest, environment: targetEnvironment, sourceDatabase: scene.running };
    },
    true,
  ),
  convert: changing('POST /database/clone/switch', 'running', 'PHYSICAL', (database, { folder }) => ({
    database,
    localDirectory: join(folder, 'mounts', `${database}-own`),
  })),
  stop: changing('PUT /database/stop', 'running', 'STOPPED', id => id),
  start: changing('PUT /database/start', 'stopped', 'RUNNING', id => id),
  delete: changing('DELETE /database/delete?input={id}', 'running', 'gone', () => ''),
  reset,
  backup,
  'snapshot delete': deletion,
  'restore table': restore(
    { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'shop', tableName: 'products' },
    /^shop\.products$/,
  ),
  'restore database': restore(
    { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'reviews' },
    /^reviews\./,
  ),
  'restore server': restore({ objectType: 'MARIADB_SERVER_RECOVERY_PARAMS' }, /./),
  'restore table after the server': restore(
    { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'shop', tableName: 'products' },
    /^shop\.products$/,
  ),
  'backup after the server was restored': backup,
};
