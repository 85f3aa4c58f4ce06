import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { WallKind } from '../../../../src/sandbox/service/mariadb/wall/wall.ts';
import { startService } from '../../../../src/sandbox/service/server.ts';
import { type TestClock, testClock } from '../../../clock.ts';
import { describeOnServers, openEngine, stateFolder } from '../../../mariadb.ts';
import { accepted, field, rows, type Send, senderTo } from '../client.ts';
import { newPort } from './newPort.ts';

const run = promisify(execFile);

/** The live server that the engine makes as its example. */
export const live = 'MARIADB_LIVE_SERVER-1';

/** A service on real MariaDB servers, in a folder of its own. */
export type Real = {
  send: Send;
  /** The engine's state folder, and where the estate is kept. */
  folder: string;
  /** The engine's clock, which stands still until it is turned. */
  clock: TestClock;
  /** Ends the service, whatever is under way, and starts it again on what it left. */
  restart(): Promise<Real>;
  /** Sends a write that has to be accepted. */
  ask(endpoint: string, body: string | object): Promise<void>;
  record(id: string): Promise<unknown>;
  /** The record once no job works on it, failed or not. */
  settled(id: string): Promise<unknown>;
  /** As {@link Real.settled}; throws the record's own words where the job failed. */
  done(id: string): Promise<unknown>;
  /** Asks for a clone at a place and a port of its own, and gives its identifier. */
  begin(endpoint: string, settings?: object): Promise<string>;
  /** As {@link Real.begin}, waiting until the clone runs. */
  clone(settings?: object): Promise<string>;
  /** Takes a snapshot of a live server, and gives its record. */
  backUp(id?: string): Promise<unknown>;
  /** Restores a part of a live server, or all of it. */
  restore(scope: object, id?: string): Promise<unknown>;
  /** The command that the record shows to people, as words. */
  command(id: string): Promise<string[]>;
  /** What the server of a record answers to SQL: a line for each row, columns apart by tabs. */
  sql(id: string, statement: string, ...options: string[]): Promise<string[]>;
  /** Everything in a server: see {@link contentOf}. */
  content(id: string): Promise<Content>;
};

/**
 * By name of a table, view, trigger, routine or event: what it is defined as, and for a table its rows and their checksum, with
 * the history where one is kept.
 */
export type Content = Readonly<Record<string, string>>;

/** Tests on real servers, which have one service in common. Without the programs they are counted as skipped. */
export function describeReal(title: string, tests: (real: () => Real) => void, walls?: readonly WallKind[]): void {
  // Each restore starts two more servers, which takes long where much else goes on.
  vi.setConfig({ testTimeout: 120_000 });
  describeOnServers(title, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await openReal(walls);
    });
    afterAll(() => opened.close());
    tests(() => opened.real);
  });
}

type Opened = { real: Real; close(): Promise<void> };

/** Several files start servers at the same moment: one may take the port that another one has just found free. */
async function openReal(walls?: readonly WallKind[], attempts = 3): Promise<Opened> {
  try {
    return await openOnce(walls);
  } catch (error) {
    if (attempts === 1) throw error;
    return openReal(walls, attempts - 1);
  }
}

async function openOnce(walls?: readonly WallKind[]): Promise<Opened> {
  const { folder, remove } = stateFolder();
  // What servers do takes time of the machine: a test waits for what comes of it.
  const clock = testClock(Date.now(), () => Promise.resolve());
  let { service, real } = await start();
  return {
    get real() {
      return real;
    },
    async close() {
      await service.close();
      remove();
    },
  };

  async function start() {
    const engines = { MARIADB: await openEngine(folder, walls, clock) };
    const service = await startService({ port: 0, engines, stateDir: folder });
    const { body } = await senderTo(service.url)('POST /user/user/token', {
      username: 'ana',
      password: 'ana-password',
    });
    const send = senderTo(service.url, String(field(body, 'token')));
    // Without the example server each test would fail, and none would say why.
    if ((await send(`GET /database/${live}`)).status !== 200) {
      const host = await hostOf(send);
      await service.close();
      throw new Error(`the example server did not start: ${field(host, 'error') ?? field(host, 'unreachableServers')}`);
    }
    return { service, real: realAt(send, folder, clock, restart) };
  }

  async function restart(): Promise<Real> {
    await service.close();
    ({ service, real } = await start());
    return real;
  }
}

const atRest = ['RUNNING', 'STOPPED', 'FAILED', 'ENABLED'];

function realAt(send: Send, folder: string, clock: TestClock, restart: () => Promise<Real>): Real {
  const real: Real = {
    send,
    folder,
    clock,
    restart,
    async ask(endpoint, body) {
      const answer = await send(endpoint, body);
      expect(answer, answer.text).toMatchObject({ status: 200, body: accepted });
    },
    async record(id) {
      const answer = await send(`GET /${id.startsWith('HOST') ? 'environment' : 'database'}/${id}`);
      expect(answer.status).toBe(200);
      return answer.body;
    },
    settled: id =>
      vi.waitFor(
        async () => {
          const record = await real.record(id);
          if (!atRest.includes(String(field(record, 'state')))) throw new Error(`${id} is ${field(record, 'state')}`);
          return record;
        },
        { timeout: 45_000, interval: 50 },
      ),
    async done(id) {
      const record = await real.settled(id);
      if (field(record, 'state') === 'FAILED') throw new Error(`${id} FAILED: ${field(record, 'error')}`);
      return record;
    },
    async begin(endpoint, settings = {}) {
      const port = await newPort();
      const target = await hostOf(send);
      await real.ask(endpoint, {
        vendor: 'MARIADB',
        install: field(rows(field(target, 'installs'))[0], 'id'),
        environmentUser: field(rows(field(target, 'environmentUsers'))[0], 'id'),
        port,
        mountBase: `${field(target, 'mountRoots')}/${port}`,
        ...(endpoint.endsWith('share')
          ? { environment: field(target, 'id') }
          : {
              targetEnvironment: field(target, 'id'),
              sourceDatabase: live,
              cloneType: endpoint.includes('duplicate') ? 'PHYSICAL' : 'VIRTUALCLONE',
            }),
        ...settings,
      });
      const made = rows((await send('GET /database/list')).body).find(record => field(record, 'port') === port);
      return String(field(made, 'id'));
    },
    async clone(settings = {}) {
      const id = await real.begin('POST /database/clone/create', settings);
      await real.done(id);
      return id;
    },
    async backUp(id = live) {
      await real.ask('PUT /database/sync', { database: id });
      return rows(field(await real.done(id), 'snapshots')).at(-1);
    },
    async restore(scope, id = live) {
      await real.ask('POST /database/restore', { database: id, ...scope });
      return real.done(id);
    },
    async command(id) {
      return String(field(await real.record(id), 'connection')).split(' ');
    },
    async sql(id, statement, ...options) {
      const [program = '', ...given] = await real.command(id);
      const args = [...given, '--default-character-set=utf8mb4', '-BN', ...options, '-e', statement];
      const { stdout } = await run(program, args, { maxBuffer: 64_000_000 });
      return stdout.split('\n').slice(0, -1);
    },
    content: id => contentOf(statement => real.sql(id, statement)),
  };
  return real;
}

/** The environment that the engine shows its machine as. */
export async function hostOf(send: Send): Promise<unknown> {
  const environments = rows((await send('GET /environment/list')).body);
  return environments.find(environment => field(environment, 'name') === 'this-machine');
}

/** What a restore has replaced is kept beside for a day. */
const own = "NOT REGEXP '^(information_schema|mysql|performance_schema|sys|dolly_[a-z]+_[0-9]+_[0-9a-f]+)$'";
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Reads everything that people made in a server. A session takes longer to open than to answer: there are two. */
export async function contentOf(sql: (statement: string) => Promise<string[]>): Promise<Content> {
  const listed = await sql(
    `SELECT 'database', schema_name, '' FROM information_schema.schemata WHERE schema_name ${own};
     SELECT table_type, table_schema, table_name FROM information_schema.tables WHERE table_schema ${own};
     SELECT 'trigger', trigger_schema, trigger_name FROM information_schema.triggers WHERE trigger_schema ${own};
     SELECT routine_type, routine_schema, routine_name FROM information_schema.routines WHERE routine_schema ${own};
     SELECT 'event', event_schema, event_name FROM information_schema.events WHERE event_schema ${own}`,
  );
  // The client doubles backslashes.
  const parts = listed.map(line => line.replaceAll('\\\\', '\\').split('\t'));
  const statements = parts.flatMap(([kind = '', database = '', part = '']) => {
    const name = `${quoted(database)}.${quoted(part)}`;
    if (kind === 'database') return [`SHOW CREATE DATABASE ${quoted(database)}`];
    if (kind === 'trigger')
      return [
        `SELECT event_object_table, action_timing, event_manipulation, action_statement FROM information_schema.triggers
         WHERE HEX(trigger_schema) = '${hex(database)}' AND HEX(trigger_name) = '${hex(part)}'`,
      ];
    if (kind === 'event') return [`SHOW CREATE EVENT ${name}`];
    if (routines.includes(kind)) return [`SHOW CREATE ${kind} ${name}`];
    if (kind === 'SYSTEM VERSIONED')
      return [`SHOW CREATE TABLE ${name}; SELECT * FROM ${name} FOR SYSTEM_TIME ALL ORDER BY 1, 2`];
    if (kind === 'SEQUENCE') return [`SHOW CREATE SEQUENCE ${name}; SELECT * FROM ${name}`];
    const data = kind === 'VIEW' ? `SELECT * FROM ${name} ORDER BY 1` : `SELECT COUNT(*) FROM ${name}`;
    return [`SHOW CREATE TABLE ${name}; ${data}${kind === 'VIEW' ? '' : `; CHECKSUM TABLE ${name} EXTENDED`}`];
  });
  const answer = await sql(statements.join(`; SELECT '${divider}'; `));
  const texts = answer.join('\n').split(`\n${divider}\n`);
  expect(texts).toHaveLength(parts.length);
  return Object.fromEntries(
    parts.map(([kind, database, part], at) => [`${kind} ${database}${part && `.${part}`}`, texts[at] ?? '']),
  );
}

const routines = ['FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY'];
const divider = '=====';
const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex').toUpperCase();
