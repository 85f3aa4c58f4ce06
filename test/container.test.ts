import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configKeys, readStoreKeys } from '../src/app/config/config.ts';
import { answerTo } from './journeys/asking.ts';
import { quickClone } from './journeys/clones.ts';
import { startProcess } from './process.ts';
import { scratchFolder } from './scratch.ts';
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
  test('the image is built and run with one exact version of Node, of the tests’ major version', () => {
    const [name = '', ...others] = all('FROM').map(from => from.replace(/ AS build$/, ''));
    expect(others).toEqual([name]);
    const [, major] = exact.exec(name.replace(/^node:/, '')) ?? [];
    expect(name).toMatch(/^node:\d+\.\d+\.\d+-slim/);
    expect(major).toBe(process.versions.node.split('.')[0]);
  });

  test('the image copies all files that are sent to the builder, and no others', () => {
    const copies = all('COPY').map(rest => rest.split(' ').slice(0, -1));
    const copied = copies.filter(([first]) => first !== '--from=build').flat();
    for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(copied.toSorted()).toEqual(sent.toSorted());
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });

  test('the image sets only keys that Dolly knows, and opens the port and volume that they name', () => {
    const { NODE_ENV, NODE_COMPILE_CACHE, ...keys } = environment;
    expect(NODE_ENV).toBe('production');
    expect(all('RUN').find(rest => rest.includes('compiled'))).toContain('chown node:node /data compiled');
    expect(NODE_COMPILE_CACHE).toBe(`${all('WORKDIR').at(-1)}/compiled`);
    expect(Object.keys(keys).filter(key => !configKeys.includes(key))).toEqual([]);
    expect([one('EXPOSE'), one('VOLUME')]).toEqual([environment.PORT, environment.DATA_DIR]);
    expect(environment.HOST).toBe('0.0.0.0');
  });

  test('the image runs the bundle, compiled before, without special rights', () => {
    expect(Words.parse(JSON.parse(one('CMD')))).toEqual(['node', 'dist/main.js']);
    expect(one('USER')).toBe('node');
    const order = instructions.map(({ name, rest }) => `${name} ${rest}`);
    expect(order.filter(line => line.startsWith('RUN')).at(-1)).toBe('RUN ["node", "dist/main.js", "compile"]');
    expect(order.findIndex(line => line.startsWith('RUN mkdir'))).toBeLessThan(order.indexOf('USER node'));
  });

  test('the image is healthy only while Dolly answers', () => {
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

  test('compose.yml sets only keys that Dolly knows, and opens the port on which Dolly listens', () => {
    expect(Object.keys(dolly.environment).filter(key => !configKeys.includes(key))).toEqual([]);
    expect(dolly.ports).toEqual([`127.0.0.1:3000:${dolly.environment.PORT}`]);
    expect(environment.PORT).toBe(dolly.environment.PORT);
  });

  test('compose.yml gives Dolly the database that it makes, with a password that stands in .env alone', () => {
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
    'compose.yml lets %s write only its data, and drops its capabilities',
    (_, of) => {
      expect(of).toMatchObject({ read_only: true, cap_drop: ['ALL'], cap_add: [] });
      expect(of.security_opt).toEqual(['no-new-privileges:true']);
      // The image of Dolly names its user itself.
      expect(of.user ?? one('USER')).toMatch(/^(node|postgres)$/);
      expect(of.tmpfs).toContain('/tmp');
    },
  );

  test('compose.yml names the database by its exact version', () => {
    const [name, version = ''] = (postgres.image ?? '').split(/:(.*)/);
    expect(name).toBe('postgres');
    expect(version).toMatch(exact);
    expect(version).toContain('.');
  });

  test('compose.yml keeps the data in a volume, and waits for longer than a stop takes', () => {
    const kept = postgres.volumes.map(volume => volume.split(':')[0]);
    expect(kept).toEqual(Object.keys(volumes));
    expect(Number.parseInt(dolly.stop_grace_period ?? '', 10)).toBeGreaterThan(20);
  });
});

test('every configuration key is documented, and .env.example names no other', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) =>
    names.match(/\w+/g),
  );
  expect(configKeys.filter(key => !rows.includes(key))).toEqual([]);
  const examples = [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(examples.length).toBeGreaterThan(4);
  expect(examples.filter(key => ![...configKeys, 'POSTGRES_PASSWORD'].includes(key))).toEqual([]);
});

describe('the bundle', () => {
  const home = scratchFolder('bundle');
  const dist = join(home, 'dist');
  const run = (...words: readonly string[]) => spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  beforeAll(() => {
    expect(run('src/bundle.ts', dist)).toMatchObject({ status: 0 });
    // As in the image, no other package can be found.
    mkdirSync(join(home, 'node_modules'));
    symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(home, 'node_modules', 'better-sqlite3'));
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('the bundle compiles its code in advance, answers a command, and makes a clone', async () => {
    const compiled = join(home, 'compiled');
    const compiler = spawnSync(process.execPath, [join(dist, 'main.js'), 'compile'], {
      env: { NODE_COMPILE_CACHE: compiled },
      encoding: 'utf8',
    });
    expect(compiler).toMatchObject({ status: 0, stderr: '' });
    const kept = readdirSync(compiled, { recursive: true }).length;
    expect(kept).toBeGreaterThan(8);

    const bundled = await world({
      ownProcess: true,
      program: () => join(dist, 'main.js'),
      environment: { NODE_COMPILE_CACHE: compiled },
    });
    onTestFinished(() => bundled.close());
    const ana = await bundled.enters('Ana', 'ana');
    expect((await answerTo(ana, '/db help')).text).toContain('/db');
    const card = await quickClone(bundled, ana, 3900);
    await bundled.until(() => bundled.text(card).includes('CREATING'), 'the clone');
    expect(readdirSync(compiled, { recursive: true })).toHaveLength(kept);
  });

  test('the bundle has the thread that reads long lists, beside the code that starts it', async () => {
    const starter = readdirSync(dist).find(
      file => file.endsWith('.js') && readFileSync(join(dist, file), 'utf8').includes('./listThread'),
    );
    expect(starter).toMatch(/^\w+\.js$/);
    const thread = new Worker(join(dist, 'listThread.js'));
    onTestFinished(async () => {
      await thread.terminate();
    });
    const text = JSON.stringify(Array.from({ length: 9_000 }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}` })));
    const bytes = new SharedArrayBuffer(text.length);
    Buffer.from(bytes).write(text);
    const turn = { whose: '', urgency: 'asked' };
    const how = { nouns: ['live'], mapping: {}, token: 'token-0123456789', turn };
    thread.postMessage({ nth: 1, bytes, size: text.length, known: undefined, ...how });
    const [report] = await once(thread, 'message');
    expect(report).toMatchObject({ nth: 1, is: 'list', packed: { size: text.length, cut: false } });
  });

  test('the bundle tells of an error with the lines of our own code', () => {
    const broken = `import { setSourceMapsSupport } from 'node:module';
      setSourceMapsSupport(true);
      const [run] = Object.values(await import(${JSON.stringify(join(dist, 'run.js'))}));
      await run();`;
    expect(run('--input-type=module', '--eval', broken).stderr).toMatch(/src\/app\/run\.ts:\d+:\d+/);
  });
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
    'No key of Slack or of the service is set, and the sandbox, which needs none, is not installed (npm ci installs it). Set SLACK_BOT_TOKEN and the other keys of docs/configuration.md.\n';

  test('a start without a token and with only production packages says in one sentence what is missing', () => {
    expect(withoutToken()).toMatchObject({ status: 1, stdout: '', stderr: sentence });
    rmSync(join(home, 'src', 'sandbox'), { recursive: true });
    expect(withoutToken()).toMatchObject({ status: 1, stdout: '', stderr: sentence });
  });

  test('the bot starts, serves and stops with only its production packages', async () => {
    const bot = await startProcess({ ...earth.environment, DATA_DIR: join(home, 'data') }, home, program);
    expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
    const ready = async () => expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
    await vi.waitFor(ready, 5_000);
    await bot.stop();
    expect(bot.output()).toContain('SIGTERM');
  });
});
