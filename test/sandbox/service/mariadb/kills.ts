import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { marked } from '../../../../src/sandbox/service/mariadb/programs/processes.ts';
import { homeIn } from '../../../../src/sandbox/service/mariadb/servers/serverCommand.ts';
import { accepted } from '../client.ts';
import { newPort } from './newPort.ts';
import { type Operation, operations } from './operations.ts';
import {
  ask,
  type Facts,
  live,
  type ServiceProcess,
  serversIn,
  startProcess,
  sums,
  type Wanted,
  wish,
} from './process.ts';

/** What came of many kills. `faults` should be empty. */
export type Report = {
  kills: number;
  /** By operation: how often it was as before, done, or failed with a sentence, after the next start. */
  ends: Record<string, Record<string, number>>;
  faults: string[];
};

/** What an operation works in: a service whose example server has a running clone and a stopped one. */
export type Scene = {
  folder: string;
  service: ServiceProcess;
  running: string;
  stopped: string;
  /** What each snapshot held when it was taken, by its identifier. */
  held: Map<string, Sums>;
};

/** The sum of each table. */
export type Sums = Readonly<Record<string, string>>;

/** Asks for a clone and waits for it. */
export async function clone({ service, folder }: Pick<Scene, 'service' | 'folder'>, more: Facts = {}): Promise<string> {
  const port = await newPort();
  const body = { ...(await wish(service, port, join(folder, 'mounts', `c${port}`))), ...more };
  await must(service, 'POST /database/clone/create', body);
  const id = String((await service.records()).at(-1)?.id);
  await good(service, id);
  return id;
}

/** Sends a request that must be accepted. */
export async function must(service: ServiceProcess, endpoint: string, body?: string | object): Promise<void> {
  const answer = await service.send(endpoint, body);
  if (JSON.stringify(answer.body) !== JSON.stringify(accepted)) throw new Error(`${endpoint}: ${answer.text}`);
}

/** Waits for the job of a record, which must not fail. */
export async function good(service: ServiceProcess, id: string): Promise<Facts> {
  const record = await service.settled(id);
  if (record === undefined || record.state === 'FAILED') throw new Error(`${id}: ${record?.error}`);
  return record;
}

/** A service on a state folder with a clone that runs and one that is stopped. */
export async function setScene(folder: string, more: Omit<Wanted, 'folder'> = {}): Promise<Scene> {
  const service = await startProcess({ folder, ...more });
  const scene = { folder, service, running: '', stopped: '', held: new Map<string, Sums>() };
  scene.held.set('MARIADB_SNAPSHOT-1', await sums(await service.record(live)));
  scene.running = await clone(scene);
  scene.stopped = await clone(scene);
  await must(service, 'PUT /database/stop', scene.stopped);
  await good(service, scene.stopped);
  return scene;
}

/** Kills the service in the middle of an operation, `count` times, each at a random moment of a random operation. */
export async function killAgainAndAgain(
  folder: string,
  count: number,
  only: string | undefined,
  tell: (line: string) => void,
): Promise<Report> {
  const report: Report = { kills: 0, ends: {}, faults: [] };
  const scene = await setScene(folder);
  const durations = new Map<string, number>();
  const names = Object.keys(operations).filter(name => only === undefined || name.includes(only));
  for (let round = 0; round < count; round += 1) {
    const name = names[round % names.length] ?? '';
    const operation = operations[name];
    if (operation === undefined) throw new Error(name);
    try {
      const end = await killOnce(scene, name, operation, durations);
      report.ends[name] = { ...report.ends[name], [end]: (report.ends[name]?.[end] ?? 0) + 1 };
      report.kills += 1;
    } catch (error) {
      report.faults.push(`${round} ${name}: ${error instanceof Error ? error.message : String(error)}`);
      tell(`${report.faults.at(-1)}`);
      // What one fault left would be told again and again.
      if (report.faults.length >= 3) break;
      scene.service = await startProcess({ folder }).catch(() => scene.service);
    }
  }
  await scene.service.stop();
  return report;
}

async function killOnce(
  scene: Scene,
  name: string,
  operation: Operation,
  durations: Map<string, number>,
): Promise<string> {
  const prepared = await operation.prepare(scene);
  const { target, ids } = prepared;
  const wasRunning = await serversIn(scene.folder);
  const before = await sums(await scene.service.record(live));
  const delay = Math.random() * (durations.get(name) ?? 1_000);
  const request = prepared.request(scene.service).catch(() => undefined);
  await sleep(delay);
  await scene.service.kill();
  await request;
  const left = await serversIn(scene.folder);
  scene.service = await startProcess({ folder: scene.folder });
  const where = `killed after ${Math.round(delay)} ms`;
  try {
    await invariants(scene, wasRunning, left, ids);
    if (!name.startsWith('restore')) same(before, await liveSums(scene), 'the live server');
    const end = await operation.judge(scene, prepared);
    const start = performance.now();
    await operation.again(scene, prepared, target);
    durations.set(name, Math.min(4_000, (performance.now() - start) * 0.9));
    return end;
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What is true after every start, whatever was cut off. `touched` are records that the operation may have changed. */
export async function invariants(
  { folder, service }: Scene,
  wasRunning: ReadonlyMap<string, number>,
  left: ReadonlyMap<string, number>,
  touched: readonly string[],
): Promise<void> {
  const records = (await service.records()).filter(({ vendor }) => vendor === 'MARIADB');
  const faults: string[] = [];
  const homes = new Set<string>([join(folder, 'live', 'webshop')]);
  for (const record of records) {
    const { id, state, error } = record;
    if (!['RUNNING', 'STOPPED', 'FAILED'].includes(String(state))) faults.push(`${id} is ${state}`);
    if (state === 'FAILED' && !/\w+ \w+/.test(String(error))) faults.push(`${id} does not say why it failed`);
    if (typeof record.dataDirectory === 'string') homes.add(dirname(record.dataDirectory));
    if (typeof record.localDirectory === 'string') homes.add(record.localDirectory);
    if (
      state !== 'STOPPED' &&
      typeof record.connection === 'string' &&
      (await ask(record, 'SELECT 1').catch(() => '')) !== '1'
    )
      faults.push(`${id} does not answer: ${error}`);
  }
  const now = await serversIn(folder);
  const touchedHomes = records.flatMap(({ id, dataDirectory }) =>
    touched.includes(String(id)) && typeof dataDirectory === 'string' ? [dirname(dataDirectory)] : [],
  );
  for (const [home, pid] of wasRunning)
    if (!touchedHomes.includes(home) && homes.has(home) && left.get(home) === pid && now.get(home) !== pid)
      faults.push(`${home} was started anew`);
  for (const { pid, command } of await marked(folder)) {
    // What stands between a server and the service waits for it, as the wall demands.
    const home = homeIn(command);
    if (home === undefined || !homes.has(home) || !now.has(home))
      faults.push(`process ${pid} is nobody's: ${command.join(' ').slice(0, 200)}`);
  }
  for (const name of readdirSync(join(folder, 'work'))) faults.push(`work/${name} was left`);
  for (const name of readdirSync(join(folder, 'mounts')))
    if (!homes.has(join(folder, 'mounts', name))) faults.push(`mounts/${name} was left`);
  for (const name of readdirSync(join(folder, 'clones')))
    if (!records.some(({ id }) => id === name)) faults.push(`clones/${name} was left`);
  const listed = records.flatMap(({ snapshots }) => (Array.isArray(snapshots) ? snapshots.map(({ id }) => id) : []));
  for (const name of readdirSync(join(folder, 'snapshots')))
    if (!listed.includes(name)) faults.push(`snapshots/${name} was left`);
  for (const id of listed) if (!existsSync(join(folder, 'snapshots', id))) faults.push(`${id} has no files`);
  if (faults.length > 0) throw new Error(faults.join('; '));
}

export const liveSums = async ({ service }: Scene): Promise<Sums> => sums(await service.record(live));

/** Throws where two servers hold different things. */
export function same(one: Sums, other: Sums, what: string): void {
  const differing = Object.keys(one).filter(table => one[table] !== other[table]);
  if (differing.length > 0) throw new Error(`${what} differs in ${differing.join(', ')}`);
}
