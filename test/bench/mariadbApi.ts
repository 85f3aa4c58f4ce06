import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';

const Database = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  error: z.string().optional(),
  port: z.number().optional(),
  environment: z.string(),
  environmentUser: z.string().optional(),
  install: z.string().optional(),
  cloneType: z.string().optional(),
  mountBase: z.string().optional(),
  snapshots: z.array(z.object({ id: z.string(), type: z.string() })),
});
export type DatabaseRecord = z.output<typeof Database>;

/** The service as its users have it: over HTTP. */
export type Api = Readonly<{
  /** Sends a write. Resolves with the success envelope, when the job has begun. */
  send(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<void>;
  list(): Promise<readonly DatabaseRecord[]>;
  /** Resolves when a job on this record has ended. Rejects with the record's words where it failed. */
  settled(id: string): Promise<DatabaseRecord>;
  /** Resolves when there is no such record any more. */
  gone(id: string): Promise<void>;
  stop(): Promise<void>;
}>;

/** Milliseconds between two reads of a record. */
const pause = 5;
/** Milliseconds that the example may take to be made. */
const patience = 900_000;
const atRest = ['RUNNING', 'STOPPED'];

/** Starts the service on real servers below `folder`, with an example of about `megabytes`, and signs in. */
export async function startMariadbService(folder: string, cwd: string, megabytes: number): Promise<Api> {
  const child: Child = await startChild(new URL('mariadbService.ts', import.meta.url), {
    environment: { BENCH_FOLDER: folder, BENCH_MEGABYTES: `${megabytes}` },
    folder: cwd,
    ready: /^ready (.*)$/,
    patience,
    nodeOptions: [],
  });
  const { url, account } = z
    .object({ url: z.string(), account: z.object({ username: z.string(), password: z.string() }) })
    .parse(JSON.parse(child.told));

  async function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, token?: string) {
    const answer = await request(`${url}/service${path}`, {
      method,
      // The service closes what is idle for some seconds, which could be at the moment of the next request.
      reset: true,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    const value: unknown = JSON.parse(text);
    return value;
  }
  const { username, password } = account;
  const signedIn = await ask('POST', '/user/user/token', { username, password });
  const { token } = z.object({ token: z.string() }).parse(signedIn);
  const list = async () => z.array(Database).parse(await ask('GET', '/database/list', undefined, token));

  return {
    list,
    async send(method, path, body) {
      await ask(method, path, body, token);
    },
    async settled(id) {
      for (;;) {
        const record = Database.parse(await ask('GET', `/database/${id}`, undefined, token));
        if (record.state === 'FAILED') throw new Error(`${id}: ${record.error}`);
        if (atRest.includes(record.state)) return record;
        await sleep(pause);
      }
    },
    async gone(id) {
      for (;;) {
        const record = (await list()).find(other => other.id === id);
        if (record === undefined) return;
        if (record.state === 'FAILED') throw new Error(`${id}: ${record.error}`);
        await sleep(pause);
      }
    },
    stop: () => child.stop(),
  };
}
