import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject, onTestFinished } from 'vitest';
import { clean } from '../../../../src/sandbox/service/mariadb/clean.ts';
import { marked } from '../../../../src/sandbox/service/mariadb/programs/processes.ts';
import { putExample, stateFolder } from '../../../mariadb.ts';
import { field, rows } from '../client.ts';

/** Any JSON object. */
export type Facts = Readonly<Record<string, unknown>>;

/** The service in a process of its own, and Ana, who is signed in to it. */
export type ServiceProcess = {
  pid: number;
  /** All that it has written. */
  output(): string;
  ended(): boolean;
  send(endpoint: string, body?: string | object): Promise<{ status: number; body: unknown; text: string }>;
  /** A database's record; undefined where there is none. */
  record(id: string): Promise<Facts | undefined>;
  records(): Promise<readonly Facts[]>;
  /** The record at the end of its job. */
  settled(id: string): Promise<Facts | undefined>;
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
};

export type Wanted = {
  folder: string;
  roots?: readonly string[];
  scriptLimit?: number;
  diesAt?: string | undefined;
  victims?: string | undefined;
  watched?: string;
  fills?: string;
  changes?: number;
};

const program = new URL('program.ts', import.meta.url).pathname;

/** A state folder; at the end of the test, or of the file, nothing of it is left, nor of its service and servers. */
export function clearedFolder(atEnd: (clear: () => Promise<void>) => void = onTestFinished): string {
  const { folder, remove } = stateFolder();
  atEnd(async () => {
    const pid = running.get(folder);
    signal(pid, 'SIGKILL');
    await until(() => pid === undefined || !existsSync(`/proc/${pid}`), 10_000);
    for (const { pid } of await marked(folder)) signal(pid, 'SIGKILL');
    await clean(folder);
    remove();
  });
  return folder;
}

/** The latest service on each state folder. */
const running = new Map<string, number>();

/** Sends a signal to a process that may be gone. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  // 0 would be everything that this process belongs to.
  if (pid === undefined || pid <= 0) return;
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}

/** Starts the program without waiting for it: it can be killed while it starts. */
export function beginProcess(wanted: Wanted) {
  const child = spawn(process.execPath, [program, JSON.stringify(wanted)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The program is started dozens of times, and half of each start is compiling.
    env: { ...process.env, NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled') },
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const end = async (name: 'SIGKILL' | 'SIGTERM') => {
    child.kill(name);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    exited,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Starts the service and signs Ana in. Rejects with its output where it does not start. */
export async function startProcess(wanted: Wanted): Promise<ServiceProcess> {
  await putExample(wanted.folder);
  const child = beginProcess(wanted);
  running.set(wanted.folder, child.pid);
  await until(() => child.ended() || /listens at/.test(child.output()), 60_000);
  const url = /listens at (\S+)/.exec(child.output())?.[1];
  if (url === undefined) throw new Error(child.output());
  let token = '';
  const send: ServiceProcess['send'] = async (endpoint, body) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const response = await fetch(`${url}/service${path}`, {
      method,
      headers: {
        // The service closes what is idle for seconds, which could be at the moment of the next request.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = JSON.parse(text);
    return { status: response.status, body: json, text };
  };
  const credentials = { username: 'ana', password: 'ana-password' };
  token = String(field((await send('POST /user/user/token', credentials)).body, 'token'));
  const records = async () => rows((await send('GET /database/list')).body).map(facts);
  const record = async (id: string) => (await records()).find(one => one.id === id);
  return {
    ...child,
    send,
    records,
    record,
    async settled(id) {
      const isAtRest = ({ state }: Facts) => ['RUNNING', 'STOPPED', 'DISABLED', 'FAILED'].includes(String(state));
      // Each look is a request of its own, which takes the machine some milliseconds.
      await until(async () => isAtRest((await record(id)) ?? { state: 'STOPPED' }), 60_000, 60);
      return record(id);
    },
  };
}

function facts(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Asks every `pause` milliseconds until it is true. Rejects after `limit` milliseconds. */
export async function until(check: () => boolean | Promise<boolean>, limit: number, pause = 20): Promise<void> {
  for (const end = performance.now() + limit; !(await check()); await sleep(pause))
    if (performance.now() > end) throw new Error(`not in ${limit / 1_000} seconds: ${check}`);
}

/** What the server of a record answers to a person who opens a session as the record says. */
export async function ask(record: Facts | undefined, statement: string): Promise<string> {
  const file = String(record?.connection).replace('mariadb --defaults-file=', '').replaceAll("'", '');
  const args = [`--defaults-file=${file}`, '--batch', '--skip-column-names', '--connect-timeout=5', '-e', statement];
  return (await promisify(execFile)('mariadb', args)).stdout.trim();
}

const tables = ['customers', 'products', 'orders', 'order_lines', 'sold'].map(name => `shop.${name}`);

/** The sum of each table of people: two servers with the same ones hold the same. */
export async function sums(record: Facts | undefined): Promise<Readonly<Record<string, string>>> {
  const text = await ask(record, `CHECKSUM TABLE ${[...tables, 'reviews.reviews'].join(', ')}`);
  return Object.fromEntries(text.split('\n').map(line => line.split('\t')));
}

export const live = 'MARIADB_LIVE_SERVER-1';

/** A request for a clone of the example server, on this machine. */
export async function wish(service: ServiceProcess, port: number, mountBase: string): Promise<Facts> {
  const environments = rows((await service.send('GET /environment/list')).body);
  const here = environments.find(one => field(one, 'name') === 'this-machine');
  return {
    vendor: 'MARIADB',
    cloneType: 'VIRTUALCLONE',
    sourceDatabase: live,
    targetEnvironment: field(here, 'id'),
    install: field(here, 'installs.0.id'),
    environmentUser: field(here, 'environmentUsers.0.id'),
    port,
    mountBase,
  };
}

/** The server processes of a state folder, by their home. */
export async function serversIn(state: string): Promise<ReadonlyMap<string, number>> {
  const processes = await marked(state);
  return new Map(
    processes.flatMap(({ pid, command }) => {
      const data = command.find(word => word.startsWith('--datadir='));
      return command[0]?.endsWith('mariadbd') && data ? [[data.slice('--datadir='.length, -'/data'.length), pid]] : [];
    }),
  );
}
