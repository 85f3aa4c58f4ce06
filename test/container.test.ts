import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configKeys, readStoreKeys } from '../src/ground/config.ts';
import { startProcess } from './process.ts';
import { type World, world } from './world.ts';

/* Dockerfile and compose.yml as they are written, since there is no Docker where the tests run. */

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const Words = z.array(z.string());

/** The instructions of the Dockerfile, with lines that go on joined. */
const instructions = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .flatMap(line => {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
const all = (name: string) => instructions.filter(entry => entry.name === name).map(({ rest }) => rest);
const one = (name: string) => {
  const [first, ...others] = all(name);
  expect([name, others]).toEqual([name, []]);
  return first ?? '';
};
const environment = Object.fromEntries(all('ENV').flatMap(rest => rest.split(' ').map(pair => pair.split('='))));
/** What the builder gets of the folder: everything is left out but what is named with a “!”. */
const sent = read('.dockerignore')
  .split('\n')
  .flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []));

/** A version to its last number, and the digest if it is known: what is built tomorrow is what was tried today. */
const exact = /^(\d+)\.\d+(\.\d+)?(-[a-z-]+)?(@sha256:[0-9a-f]{64})?$/;

let earth: World;
beforeAll(async () => {
  earth = await world();
});
afterAll(() => earth.close());

describe('the image', () => {
  test('has a Node of one exact version, of the kind that the tests run on', () => {
    const [, major] = exact.exec(one('FROM').replace(/^node:/, '')) ?? [];
    expect(one('FROM')).toMatch(/^node:\d+\.\d+\.\d+-slim/);
    expect(major).toBe(process.versions.node.split('.')[0]);
  });

  test('copies what is there, what is sent to the builder, and nothing else', () => {
    const copied = all('COPY').flatMap(rest => rest.split(' ').slice(0, -1));
    for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(copied.toSorted()).toEqual(sent.toSorted());
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });

  test('sets keys that Dolly knows, and opens what they name', () => {
    const { NODE_ENV, ...keys } = environment;
    expect(NODE_ENV).toBe('production');
    expect(Object.keys(keys).filter(key => !configKeys.includes(key))).toEqual([]);
    expect([one('EXPOSE'), one('VOLUME')]).toEqual([environment.PORT, environment.DATA_DIR]);
    expect(environment.HOST).toBe('0.0.0.0');
  });

  test('runs the program itself, as nobody special, after everything that needs rights', () => {
    expect(Words.parse(JSON.parse(one('CMD')))).toEqual(['node', 'src/main.ts']);
    expect(one('USER')).toBe('node');
    const order = instructions.map(({ name }) => name);
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
    expect(all('RUN').some(rest => rest.startsWith('npm ci --omit=dev'))).toBe(true);
  });

  test('is healthy while Dolly answers, and no longer', () => {
    const [program, ...rest] = Words.parse(JSON.parse(one('HEALTHCHECK').replace(/^.*?CMD /, '')));
    expect(program).toBe('node');
    const check = async (port: string) => {
      const child = spawn(process.execPath, rest, { env: { PORT: port } });
      const [code] = await once(child, 'exit');
      return code;
    };
    const { port } = new URL(earth.dolly().url);
    return Promise.all([
      expect(check(port)).resolves.toBe(0),
      // Nothing listens there: a port below 1024 is nobody's in a test.
      expect(check('1')).resolves.toBe(1),
    ]);
  });
});

describe('compose.yml', () => {
  const Service = z.looseObject({
    environment: z.record(z.string(), z.coerce.string()),
    env_file: z.string().optional(),
    ports: Words.default([]),
    volumes: Words.default([]),
    stop_grace_period: z.string().optional(),
    image: z.string().optional(),
    user: z.string().optional(),
    read_only: z.boolean().default(false),
    tmpfs: Words.default([]),
    cap_drop: Words.default([]),
    cap_add: Words.default([]),
    security_opt: Words.default([]),
    privileged: z.literal(false).optional(),
  });
  const { services, volumes } = z
    .object({ services: z.object({ dolly: Service, postgres: Service }), volumes: z.record(z.string(), z.null()) })
    .parse(parse(read('compose.yml')));
  const { dolly, postgres } = services;

  test('sets keys that Dolly knows, and lets the port out that it listens on', () => {
    expect(Object.keys(dolly.environment).filter(key => !configKeys.includes(key))).toEqual([]);
    expect(dolly.ports).toEqual([`127.0.0.1:3000:${dolly.environment.PORT}`]);
    expect(environment.PORT).toBe(dolly.environment.PORT);
  });

  test('gives Dolly the database that it makes, with a password that stands in .env alone', () => {
    const url = dolly.environment.DATABASE_URL?.replace(/\$\{[^}]+\}/, 'secret');
    expect(readStoreKeys({ DATABASE_URL: url }).databaseUrl).toBe('postgres://dolly:secret@postgres/dolly');
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = postgres.environment;
    expect([POSTGRES_USER, POSTGRES_DB]).toEqual(['dolly', 'dolly']);
    expect(POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    expect(dolly.env_file).toBe('.env');
    const needed = [...read('compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    for (const name of needed) expect(read('.env.example')).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  });

  test.each(Object.entries(services))(
    'lets %s write nothing but its data, and gives it no right that it can do without',
    (_, of) => {
      expect(of).toMatchObject({ read_only: true, cap_drop: ['ALL'], cap_add: [] });
      expect(of.security_opt).toEqual(['no-new-privileges:true']);
      // The image of Dolly names its user itself.
      expect(of.user ?? one('USER')).toMatch(/^(node|postgres)$/);
      expect(of.tmpfs).toContain('/tmp');
    },
  );

  test('names the database by its exact version', () => {
    const [name, version = ''] = (postgres.image ?? '').split(/:(.*)/);
    expect(name).toBe('postgres');
    expect(version).toMatch(exact);
    expect(version).toContain('.');
  });

  test('keeps the data in a volume, and waits for longer than a stop takes', () => {
    const kept = postgres.volumes.map(volume => volume.split(':')[0]);
    expect(kept).toEqual(Object.keys(volumes));
    expect(Number.parseInt(dolly.stop_grace_period ?? '', 10)).toBeGreaterThan(20);
  });
});

test('every key is explained, and .env.example names no other', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) =>
    names.match(/\w+/g),
  );
  expect(configKeys.filter(key => !rows.includes(key))).toEqual([]);
  const examples = [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(examples.length).toBeGreaterThan(4);
  expect(examples.filter(key => ![...configKeys, 'POSTGRES_PASSWORD'].includes(key))).toEqual([]);
});

describe('where only the packages of production are installed', () => {
  const home = mkdtempSync(join(tmpdir(), 'dolly-production-'));
  const program = join(home, 'src', 'main.ts');
  beforeAll(() => {
    for (const path of sent) cpSync(join(root, path), join(home, path), { recursive: true });
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    for (const name of Object.keys(dependencies)) {
      const place = join(home, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), place);
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const withoutToken = () => spawnSync(process.execPath, [program], { cwd: home, env: {}, encoding: 'utf8' });
  const sentence =
    'SLACK_BOT_TOKEN is not set, and the sandbox, which starts without it, is not installed (npm ci does).\n';

  test('a start without a token says in one sentence what is missing', () => {
    expect(withoutToken()).toMatchObject({ status: 1, stdout: '', stderr: sentence });
    rmSync(join(home, 'src', 'sandbox'), { recursive: true });
    expect(withoutToken()).toMatchObject({ status: 1, stdout: '', stderr: sentence });
  });

  test('the bot starts, serves, and stops when it is told to', async () => {
    const bot = await startProcess({ ...earth.environment, DATA_DIR: join(home, 'data') }, home, program);
    expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
    const ready = async () => expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
    await vi.waitFor(ready, 5_000);
    await bot.stop();
    expect(bot.output()).toContain('SIGTERM');
  });
});
