import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createApplication, type Middleware, type ReceivedRequest } from './application.ts';
import { endpoints } from './catalogue.ts';
import { type Clock, machineClock } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engine } from './engine.ts';
import type { Database, Environment, Estate, Project, Role, User } from './estate.ts';
import { parseIdentifier, type Vendor } from './identifiers.ts';
import type { Log, RunningJob } from './jobs.ts';
import { type Opened, openEstate } from './open.ts';

const usualTokenLifetime = 8 * 3_600_000;

export type ServiceOptions = {
  /** 0: any free port. */
  port: number;
  /** Loopback when left out. */
  host?: string;
  clock?: Clock;
  /** Milliseconds; 8 hours when left out. */
  tokenLifetime?: number;
  log?: Log;
  /** The first segment of every path (spec §1.2); `/service` when left out. */
  prefix?: string;
  middleware?: Middleware;
  /** Engines that replace the simulated one, by vendor. */
  engines?: Partial<Record<Vendor, Engine>>;
  /** Those of the specification when left out. */
  endpoints?: readonly Endpoint[];
  /** The folder where the estate is kept from one start to the next; in memory alone when left out. */
  stateDir?: string;
};

export type Account = { username: string; password: string; role: Role; fullName: string };

type AnyRecord = Database | Environment | User | Project;

/** Access for tests and the sandbox that bypasses the API. */
export type Service = {
  /** The state itself; changes show in the next answer. */
  estate: Estate;
  requests: readonly ReceivedRequest[];
  /** Counts the requests for an endpoint, which is written as in {@link ReceivedRequest}. */
  count(endpoint: string): number;
  /** The jobs under way. */
  jobs(): readonly RunningJob[];
  add(record: Database): void;
  /** Changes fields of any record. Throws when there is no such record. */
  change(id: string, fields: Partial<Database> | Partial<Environment> | Partial<User> | Partial<Project>): void;
  rename(id: string, name: string): void;
  remove(id: string): void;
  /** Ends every token of a user name, as if their time were over. */
  signOut(username: string): void;
};

export type RunningService = {
  /** Scheme, host and port, without the prefix: spec's {base_url}. */
  url: string;
  accounts: readonly Account[];
  service: Service;
  close(): Promise<void>;
};

/**
 * Starts the sandbox service on the estate that was kept, or on the example's. Rejects, and leaves no engine running,
 * when the port cannot be had, or as {@link openEstate} does.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { clock = machineClock, host = '127.0.0.1', log = () => undefined, engines = {} } = options;
  const requests: ReceivedRequest[] = [];
  const application = Promise.withResolvers<(request: Request) => Promise<Response>>();
  // The port is taken before anything is touched, so that a second service on one folder ends here. Requests wait.
  const server = createAdaptorServer({ fetch: async request => (await application.promise)(request) });
  const closeServer = async () => {
    const closed = new Promise<void>(done => server.close(() => done()));
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  };
  const closeEngines = async () => {
    await Promise.all(new Set(Object.values(engines)).values().map(engine => engine.close()));
  };
  const opened = await open().catch(async error => {
    await closeServer();
    await closeEngines();
    throw error;
  });
  const { context } = opened;
  const { estate, jobs, tokens, keep } = context;
  application.resolve(
    createApplication(context, {
      endpoints: options.endpoints ?? endpoints,
      prefix: options.prefix ?? '/service',
      middleware: options.middleware,
      log,
      requests,
    }),
  );
  const address = server.address();

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(address)}`,
    accounts: [...estate.users.values()].flatMap(({ username, password, role, fullName }) =>
      password === undefined ? [] : [{ username, password, role, fullName }],
    ),
    service: {
      estate,
      requests,
      count: endpoint => requests.filter(request => request.endpoint === endpoint).length,
      jobs: jobs.running,
      add(record) {
        estate.databases.set(record.id, record);
        keep();
      },
      change(id, fields) {
        Object.assign(recordOf(estate, id), fields);
        keep();
      },
      rename(id, name) {
        Object.assign(recordOf(estate, id), id.startsWith('USER-') ? { username: name } : { name });
        keep();
      },
      remove(id) {
        for (const items of mapsOf(estate)) items.delete(id);
        keep();
      },
      signOut(username) {
        for (const user of estate.users.values()) if (user.username === username) tokens.revoke(user.id);
      },
    },
    async close() {
      const closed = new Promise<void>(done => server.close(() => done()));
      await opened.close();
      await closeEngines();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };

  async function open(): Promise<Opened> {
    const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(options.port, host, resolve);
    await listening;
    const { stateDir, tokenLifetime = usualTokenLifetime } = options;
    return openEstate({ clock, log, tokenLifetime, stateDir, engines });
  }
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function mapsOf({ databases, environments, users, projects }: Estate): readonly Map<string, AnyRecord>[] {
  return [databases, environments, users, projects];
}

function recordOf(estate: Estate, id: string): AnyRecord {
  const record = mapsOf(estate)
    .map(items => items.get(id))
    .find(found => found !== undefined);
  if (record === undefined) throw new Error(`there is no ${parseIdentifier(id) ? id : `identifier ${id}`}`);
  return record;
}
