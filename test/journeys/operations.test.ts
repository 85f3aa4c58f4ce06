import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import { findOperation } from '../../src/operations/catalogue.ts';
import type { Proof } from '../../src/operations/proofs.ts';
import { readCommand } from '../../src/slack/words/commandText.ts';
import type { Someone } from '../person.ts';
import { endpoints, scopes } from '../specification.ts';
import { type World, world } from '../world.ts';
import { type Answers, asks, comesToAnEnd } from './asking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Every endpoint of the specification, asked for in Slack, received by the service, and told of in Slack. */

/** The endpoints whose fields differ by vendor (spec §4.3–4.6). */
const vendorsDiffer = endpoints.slice(12, 17);
const proofs: readonly Proof['type'][] = ['appears', 'gone', 'reaches', 'changes', 'converts'];
/** How a proof can end: seen, contradicted by a failure that the record tells, or not seen in its time. */
const endings = ['confirmed', 'failed', 'not seen'] as const;
type Ending = (typeof endings)[number];

/** A request as it went over the wire. */
type Sent = { line: string; type: string | null; authorization: string | null; text: string };

let earth: World;
let road: Crossing;
let ana: Someone;
const sent: Sent[] = [];
/** How each kind of proof was seen to end. */
const ended = new Map<Proof['type'], Set<Ending>>();

beforeAll(async () => {
  road = crossing();
  earth = await world({
    service: {
      tokenLifetime: 90 * 24 * 3_600_000,
      async middleware(request, next) {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        sent.push({
          line: `${method} ${pathname.replace('/service', '')}${search}`,
          type: headers.get('content-type'),
          authorization: headers.get('authorization'),
          text: await request.clone().text(),
        });
        return road.middleware(request, next);
      },
    },
  });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const change = (id: string, fields: Parameters<World['service']['service']['change']>[1]) =>
  earth.service.service.change(id, fields);

/** The writes on the wire since `from`. */
const writes = (from: number) => sent.slice(from).filter(({ line }) => !line.startsWith('GET'));

/** Asks for a write, and gives what was sent for it, its kind of proof, and how it ended. */
async function does(line: string, answers: Answers = {}) {
  const from = sent.length;
  const card = await asks(earth, ana, line, answers);
  const told = await comesToAnEnd(earth, card);
  const requests = writes(from);
  const [request] = requests;
  if (!request || requests.length > 1) throw new Error(`${line} sent ${JSON.stringify(requests)}: ${told}`);
  const operation = findOperation(readCommand(line.replace('/db ', '').replace('/', '')).words)?.operation;
  const target = parseIdentifier(/[A-Z_]+-\d+/.exec(`${request.line} ${request.text}`)?.[0] ?? '');
  if (operation?.type !== 'write' || !target) throw new Error(`${line} is no write`);
  const proof = operation.proof.type;
  const word = /· (Confirmed|Finished, result not shown|Failed|Unconfirmed)/.exec(told)?.[1];
  const ending = endingOf(word, told);
  ended.set(proof, (ended.get(proof) ?? new Set()).add(ending));
  return { request, told, word, ending };
}

/** How a proof ended, from what people are told; a job that the service refused has none. */
function endingOf(word: string | undefined, told: string): Ending {
  if (word === 'Confirmed') return 'confirmed';
  if (word === 'Finished, result not shown') return 'not seen';
  if (word === 'Failed' && /no space left|did not commit|timed out/i.test(told)) return 'failed';
  if (word === 'Unconfirmed' || /still (is|stands|says)/.test(told)) return 'not seen';
  throw new Error(`this is no end of a proof: ${told}`);
}

/** A write that carries nothing but an identifier: bare, as a JSON string for an environment, or as the query `input`. */
async function doesTo(line: string, endpoint: string, id: string, says: string, answers: Answers = {}) {
  const { request, told, word } = await does(line, answers);
  const isQuery = endpoint.endsWith('/delete');
  expect(request).toMatchObject({
    line: isQuery ? `${endpoint}?input=${id}` : endpoint,
    type: isQuery ? null : 'application/json',
    text: isQuery ? '' : endpoint.includes('/environment/') ? `"${id}"` : id,
    authorization: expect.stringMatching(/^Bearer ./),
  });
  expect([word, told]).toEqual(['Confirmed', expect.stringContaining(says)]);
}

/** A write with a JSON body, which must be this to the letter. */
async function doesWith(line: string, endpoint: string, body: object, says: string, answers: Answers = {}) {
  const { request, told, word } = await does(line, answers);
  expect(request).toMatchObject({
    line: endpoint,
    type: 'application/json',
    authorization: expect.stringMatching(/^Bearer ./),
  });
  expect(JSON.parse(request.text)).toStrictEqual(body);
  expect([word, told]).toEqual(['Confirmed', expect.stringContaining(says)]);
}

describe('what is read', () => {
  test.each([
    ['/db list', 'GET /database/list', ['21 databases', 'billing', 'All 21, by name']],
    ['/db list mysql running', 'GET /database/list', ['shop']],
    ['/db show orders', 'GET /database/MYSQL_LIVE_SERVER-1', ['mysql-prod', 'Snapshots', 'MYSQL_SNAPSHOT-4']],
    ['/db show orders-3320', 'GET /database/MYSQL_CLONE_SERVER-1', ['Source', 'orders', '3320']],
    ['/db show oracle_clone_database-1', 'GET /database/ORACLE_CLONE_DATABASE-1', ['PAYDEV', 'payroll']],
    ['/db env list', 'GET /environment/list', ['7 environments', 'perf-lab', 'DISABLED']],
    ['/db env show dev', 'GET /environment/HOST_ENVIRONMENT-4', ['dev.example.com', 'ENABLED']],
    ['/db user list', 'GET /user/list', ['7 users', 'frank', 'LOCKED']],
    ['/db user show ben', 'GET /user/user/USER-2', ['Ben Okafor', 'DEVELOPER']],
    ['/db project list', 'GET /project/list', ['4 projects', 'logistics']],
    ['/db project show finance', 'GET /project/PROJECT-2', ['Billing, payroll and the ledger']],
  ])('“%s” shows what the service answers, to the person who asked alone', async (line, request, facts) => {
    const [from, before] = [sent.length, ana.messages('#dev').length];
    await earth.clock.advance(20_000);
    await ana.types('#dev', line);
    await ana.until(() => ana.messages('#dev').length > before, 'an answer');
    const answer = ana.lastMessage('#dev');
    expect(answer.onlyFor).toBe(ana.id);
    for (const fact of facts) expect(JSON.stringify(answer.blocks)).toContain(fact);
    expect(sent.slice(from).map(entry => entry.line)).toContain(request);
    expect(writes(from)).toEqual([]);
  });
});

describe('a live database', () => {
  test.each([
    ['payroll', 'ORACLE_LIVE_DATABASE-1'],
    ['shop', 'MYSQL_LIVE_SERVER-2'],
    ['billing', 'MARIADB_LIVE_SERVER-1'],
  ])('the live database %s is backed up, and the request carries its identifier alone', async (name, id) => {
    await doesWith(`/db backup ${name}`, 'PUT /database/sync', { database: id }, 'There is a new snapshot');
  });
  test.each([
    ['payroll', 'ORACLE_LIVE_DATABASE-1'],
    ['shop', 'MYSQL_LIVE_SERVER-2'],
    ['billing', 'MARIADB_LIVE_SERVER-1'],
  ])('the live database %s has just its logs backed up by “/db backup-logs”', async (name, id) => {
    const body = { database: id, syncType: 'LOG' };
    await doesWith(`/db backup-logs ${name}`, 'PUT /database/sync', body, 'Its record shows a new time');
  });
  test('a live database is refreshed, disabled and enabled', async () => {
    await doesTo('/db refresh crm', 'PUT /database/refresh', 'ORACLE_LIVE_DATABASE-2', 'It was REFRESHING');
    await doesTo('/db disable crm', 'PUT /database/disable', 'ORACLE_LIVE_DATABASE-2', 'Its state is DISABLED');
    await doesTo('/db enable crm', 'PUT /database/enable', 'ORACLE_LIVE_DATABASE-2', 'Its state is RUNNING');
  });
  test('a live database is deleted once its name is typed', async () => {
    const typed = { name: 'archive_2023' };
    await doesTo('/db delete archive_2023', 'DELETE /database/delete', 'MARIADB_LIVE_SERVER-5', 'is gone', typed);
  });
  test.each([
    ['the latest', '/db mount warehouse', { database: 'ORACLE_LIVE_DATABASE-3' }],
    [
      'a chosen',
      '/db mount orders mysql_snapshot-2',
      { database: 'MYSQL_LIVE_SERVER-1', snapshot: 'MYSQL_SNAPSHOT-2' },
    ],
    ['the latest', '/db mount inventory', { database: 'MARIADB_LIVE_SERVER-2' }],
  ])('a live database has %s snapshot mounted (%s)', async (_, line, body) => {
    await doesWith(line, 'POST /database/snapshot/mount', body, 'is there; its state is RUNNING', { fields: {} });
  });
  test('a snapshot is deleted once its name is typed', async () => {
    const typed = { name: 'MYSQL_SNAPSHOT-1' };
    await doesTo('/db snapshot delete MYSQL_SNAPSHOT-1', 'PUT /snapshot/delete', 'MYSQL_SNAPSHOT-1', 'is gone', typed);
  });
});

/** What a new clone needs of each vendor, as a person types it and as the service must get it. */
const clones = [
  {
    vendor: 'ORACLE',
    source: 'payroll',
    live: 'ORACLE_LIVE_DATABASE-1',
    clone: 'ORACLE_CLONE_DATABASE-1',
    install: 'ORACLE_INSTALL-2',
    user: 'ENVIRONMENT_USER-7',
    typed: (at: number) => `databaseName=JRN${at} dbUniqueName=JRN${at}_U instanceName=jrn${at} rmanChannel=4`,
    sent: (at: number) => ({
      databaseName: `JRN${at}`,
      dbUniqueName: `JRN${at}_U`,
      instanceName: `jrn${at}`,
      rmanChannel: 4,
    }),
    record: (at: number) => `JRN${at}`,
  },
  {
    vendor: 'MYSQL',
    source: 'shop',
    live: 'MYSQL_LIVE_SERVER-2',
    clone: 'MYSQL_CLONE_SERVER-1',
    install: 'MYSQL_INSTALL-2',
    user: 'ENVIRONMENT_USER-8',
    typed: (at: number) => `port=${4_000 + at} parallel=8`,
    sent: (at: number) => ({ port: 4_000 + at, parallel: 8 }),
    record: (at: number) => `-${4_000 + at}`,
  },
  {
    vendor: 'MARIADB',
    source: 'billing',
    live: 'MARIADB_LIVE_SERVER-1',
    clone: 'MARIADB_CLONE_SERVER-1',
    install: 'MARIADB_INSTALL-2',
    user: 'ENVIRONMENT_USER-9',
    typed: (at: number) => `port=${4_100 + at} parallel=2`,
    sent: (at: number) => ({ port: 4_100 + at, parallel: 2 }),
    record: (at: number) => `-${4_100 + at}`,
  },
];

describe.each(clones)('a clone of $vendor', ({ vendor, source, live, clone, install, user, typed, sent, record }) => {
  test.each([
    ['VIRTUALCLONE', 'POST /database/clone/create', 1],
    ['PHYSICAL', 'POST /database/duplicate/create', 2],
  ])('a clone is created as %s with exactly the fields that its vendor takes', async (cloneType, endpoint, at) => {
    const base = `/mnt/${vendor.toLowerCase()}${at}`;
    const line = `/clone ${source} cloneType=${cloneType} targetEnvironment=dev install=${install} environmentUser=${user}`;
    const body = {
      vendor,
      cloneType,
      sourceDatabase: live,
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      install,
      environmentUser: user,
      mountBase: base,
      project: 'PROJECT-2',
      ...sent(at),
    };
    const words = `${line} mountBase=${base} project=finance ${typed(at)}`;
    await doesWith(words, endpoint, body, `${record(at)} is there; its state is RUNNING`, { fields: {} });
  });

  test('a clone is shared with exactly the fields that its vendor takes', async () => {
    const base = `/mnt/${vendor.toLowerCase()}3`;
    const line = `/db share ${clone} environment=HOST_ENVIRONMENT-4 install=${install} environmentUser=${user} mountBase=${base} ${typed(3)}`;
    const body = {
      vendor,
      sourceDatabase: clone,
      environment: 'HOST_ENVIRONMENT-4',
      install,
      environmentUser: user,
      mountBase: base,
      ...sent(3),
    };
    await doesWith(line, 'POST /database/clone/share', body, `${record(3)} is there; its state is RUNNING`, {
      fields: {},
    });
  });
});

describe('a virtual clone', () => {
  test('a virtual clone is stopped, started and reset', async () => {
    const id = 'MYSQL_CLONE_SERVER-1';
    await doesTo('/db stop orders-3320', 'PUT /database/stop', id, 'Its state is STOPPED; it was RUNNING');
    await doesTo('/db start orders-3320', 'PUT /database/start', id, 'Its state is RUNNING; it was STOPPED');
    await doesTo('/db reset orders-3320', 'PUT /database/reset', id, 'It was RESETTING and is RUNNING again');
  });
  test('a virtual clone of Oracle is stopped by the identifier that its record has', async () => {
    await doesTo('/db stop paydev', 'PUT /database/stop', 'ORACLE_CLONE_DATABASE-1', 'Its state is STOPPED');
  });
  test.each([
    [
      'of Oracle, addressed as a server',
      `/db convert WHDEV localDirectory=+DATA/wh dbFileNameConvert='/u01/wh', '+DATA/wh' logFileNameConvert=/data/logs`,
      {
        database: 'ORACLE_CLONE_SERVER-3',
        localDirectory: '+DATA/wh',
        dbFileNameConvert: "'/u01/wh', '+DATA/wh'",
        logFileNameConvert: '/data/logs',
      },
    ],
    [
      'of MySQL, without the fields of Oracle',
      '/db convert orders-3321 localDirectory=/data/o logFileNameConvert=/data/logs',
      { database: 'MYSQL_CLONE_SERVER-2', localDirectory: '/data/o' },
    ],
    [
      'of MariaDB',
      '/db convert inventory-3331 localDirectory=/data/i',
      { database: 'MARIADB_CLONE_SERVER-2', localDirectory: '/data/i' },
    ],
  ])('a virtual clone is converted to a physical one (%s)', async (_, line, body) => {
    await doesWith(line, 'POST /database/clone/switch', body, 'says that it is physical', { fields: {} });
  });
});

/** The parts of a database, with what a person chooses and types for each, and what the service must get for it. */
const restores = [
  {
    on: 'payroll',
    part: 'The whole database',
    typed: { autoRecovery: 'Yes', completeRecovery: 'No', fastRecovery: 'Yes' },
    body: {
      objectType: scopes[0],
      database: 'ORACLE_LIVE_DATABASE-1',
      autoRecovery: true,
      completeRecovery: false,
      fastRecovery: true,
    },
  },
  {
    on: 'warehouse',
    part: 'A pluggable database',
    typed: { pdb: 'STOCK', snapshot: 'ORACLE_SNAPSHOT-10', autoRecovery: 'No' },
    body: {
      objectType: scopes[1],
      database: 'ORACLE_LIVE_DATABASE-3',
      pdb: 'STOCK',
      snapshot: 'ORACLE_SNAPSHOT-10',
      autoRecovery: false,
    },
  },
  {
    on: 'warehouse',
    part: 'A tablespace',
    typed: { tablespaceName: 'STOCK_DATA', pdb: 'STOCK', completeRecovery: 'Yes' },
    body: {
      objectType: scopes[2],
      database: 'ORACLE_LIVE_DATABASE-3',
      tablespaceName: 'STOCK_DATA',
      pdb: 'STOCK',
      completeRecovery: true,
    },
  },
  {
    on: 'payroll',
    part: 'A data file',
    typed: { datafileName: 7 },
    body: { objectType: scopes[3], database: 'ORACLE_LIVE_DATABASE-1', datafileName: 7 },
  },
  {
    on: 'orders',
    part: 'The whole server',
    typed: {},
    body: { objectType: scopes[4], database: 'MYSQL_LIVE_SERVER-1' },
  },
  {
    on: 'orders',
    part: 'One database',
    typed: { databaseName: 'orders_archive', autoRecovery: 'Yes' },
    body: {
      objectType: scopes[5],
      database: 'MYSQL_LIVE_SERVER-1',
      databaseName: 'orders_archive',
      autoRecovery: true,
    },
  },
  {
    on: 'orders',
    part: 'One table',
    typed: { databaseName: 'orders', tableName: 'lines', snapshot: 'MYSQL_SNAPSHOT-3' },
    body: {
      objectType: scopes[6],
      database: 'MYSQL_LIVE_SERVER-1',
      databaseName: 'orders',
      tableName: 'lines',
      snapshot: 'MYSQL_SNAPSHOT-3',
    },
  },
  {
    on: 'billing',
    part: 'The whole server',
    typed: { autoRecovery: 'No' },
    body: { objectType: scopes[7], database: 'MARIADB_LIVE_SERVER-1', autoRecovery: false },
  },
  {
    on: 'billing',
    part: 'One database',
    typed: { databaseName: 'ledger' },
    body: { objectType: scopes[8], database: 'MARIADB_LIVE_SERVER-1', databaseName: 'ledger' },
  },
  {
    on: 'billing',
    part: 'One table',
    typed: { databaseName: 'ledger', tableName: 'entries' },
    body: {
      objectType: scopes[9],
      database: 'MARIADB_LIVE_SERVER-1',
      databaseName: 'ledger',
      tableName: 'entries',
    },
  },
];

describe('a restore', () => {
  test.each(restores)(
    'a restore of $on ($part) is sent with exactly its fields, as $body.objectType',
    async ({ on, part, typed, body }) => {
      await doesWith(
        `/restore ${on} backUpFirst=false`,
        'POST /database/restore',
        body,
        'It was RESTORING and is RUNNING again',
        {
          fields: { objectType: part, ...typed },
          name: on,
        },
      );
    },
  );
});

describe('an environment', () => {
  test('an environment is refreshed, disabled and enabled', async () => {
    const id = 'HOST_ENVIRONMENT-5';
    await doesTo('/db env refresh test', 'PUT /environment/refresh', id, 'It was REFRESHING');
    await doesTo('/db env disable test', 'PUT /environment/disable', id, 'Its state is DISABLED; it was ENABLED');
    await doesTo('/db env enable test', 'PUT /environment/enable', id, 'Its state is ENABLED; it was DISABLED');
  });
  test('an environment is deleted once its name is typed', async () => {
    const typed = { name: 'retired' };
    await doesTo('/db env delete retired', 'DELETE /environment/delete', 'HOST_ENVIRONMENT-7', 'is gone', typed);
  });
});

test('a user is deleted, once the name is typed', async () => {
  await doesTo('/db user delete frank', 'DELETE /user/user/delete', 'USER-7', 'is gone', { name: 'frank' });
});

test('a project is deleted, once its name is typed', async () => {
  const typed = { name: 'migration-2024' };
  await doesTo('/db project delete migration-2024', 'DELETE /project/delete', 'PROJECT-4', 'is gone', typed);
});

describe('a sign-in', () => {
  test('a sign-in asks for a token without the Authorization header', () => {
    const [request] = sent;
    expect(request).toMatchObject({ line: 'POST /user/user/token', type: 'application/json', authorization: null });
    expect(JSON.parse(request?.text ?? '')).toStrictEqual({ username: 'ana', password: 'ana-password' });
  });
  test('a sign-in asks the endpoint “signin” where the token endpoint gives no token, and works with its token', async () => {
    const from = sent.length;
    const empty = road.meets('/user/user/token', () => Response.json({ status: 'SUCCESS', object: null }));
    const full = road.meets('/user/user/signin', async (request, next) => {
      const body = await request.clone().text();
      const signedIn = await next();
      expect(signedIn.status).toBe(200);
      const token = new URL('/service/user/user/token', request.url);
      return next(new Request(token, { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
    });
    const dev = await earth.enters('Dev', 'dev');
    empty.leave();
    full.leave();
    const requests = sent.slice(from);
    expect(requests.map(({ line, authorization }) => [line, authorization])).toEqual([
      ['POST /user/user/token', null],
      ['POST /user/user/signin', null],
      // Who signed in is learned from the service's own list.
      ['GET /user/list', expect.stringMatching(/^Bearer ./)],
    ]);
    expect(JSON.parse(requests[1]?.text ?? '')).toStrictEqual({ username: 'dev', password: 'dev-password' });
    await dev.types('#dev', '/db show shop');
    await dev.reads('#dev', 'MYSQL_LIVE_SERVER-2');
  });
});

describe('a proof that fails tells the service’s reason:', () => {
  test.each([
    [
      'a clone',
      `/clone shop port=4200 mountBase=/mnt/fail targetEnvironment=HOST_ENVIRONMENT-4 install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8`,
      { fields: {} },
      'no space left on device',
    ],
    ['a backup', '/db backup failing_feed', {}, 'No space left on device'],
    ['a log backup', '/db backup-logs failing_feed', {}, 'No space left on device'],
    ['a refresh', '/db refresh failing_feed', {}, 'No space left on device'],
    [
      'a restore',
      '/restore failing_feed backUpFirst=false',
      { fields: { objectType: 'The whole server' }, name: 'failing_feed' },
      'No space left on device',
    ],
    ['a mount', '/db mount failing_feed', { fields: {} }, 'No space left on device'],
    ['a stop', '/db stop failing_feed-3332', {}, 'No space left on device'],
    ['a start', '/db start failing_feed-3332', {}, 'No space left on device'],
    ['a reset', '/db reset failing_feed-3332', {}, 'No space left on device'],
    ['a conversion', '/db convert failing_feed-3332 localDirectory=/data/x', { fields: {} }, 'No space left on device'],
    ['a deletion', '/db delete failing_feed-3332', { name: 'failing_feed-3332' }, 'No space left on device'],
    ['a disabling', '/db disable failing_feed', {}, 'did not commit the change'],
  ] satisfies [string, string, Answers, string][])(
    '%s that fails tells the service’s reason',
    async (_, line, answers, reason) => {
      const { told, ending } = await does(line, answers);
      expect([ending, told]).toEqual(['failed', expect.stringContaining(reason)]);
    },
  );

  test('a snapshot’s deletion that fails tells the reason, and one of which nothing is seen is unconfirmed', async () => {
    const snapshot = earth.service.service.estate.databases.get('MARIADB_LIVE_SERVER-1')?.snapshots[0];
    if (!snapshot) throw new Error('there is no snapshot');
    snapshot.name = 'fail-1';
    await earth.clock.advance(20_000);
    const { told, ending } = await does(`/db snapshot delete ${snapshot.id}`, { name: snapshot.id });
    expect([ending, told]).toEqual(['failed', expect.stringContaining('No space left on device')]);
    snapshot.name = 'vanish-1';
    await earth.clock.advance(20_000);
    const again = await does(`/db snapshot delete ${snapshot.id}`, { name: snapshot.id });
    expect([again.word, again.ending]).toEqual(['Unconfirmed', 'not seen']);
    expect(again.told).toContain('is still in');
  });

  test.each([
    ['an environment', '/db env refresh HOST_ENVIRONMENT-5', 'HOST_ENVIRONMENT-5', {}, 'Connection timed out'],
    ['an environment', '/db env disable HOST_ENVIRONMENT-5', 'HOST_ENVIRONMENT-5', {}, 'did not commit the change'],
    ['a project', '/db project delete PROJECT-3', 'PROJECT-3', { name: 'PROJECT-3' }, 'did not commit the change'],
  ] satisfies [string, string, string, Answers, string][])(
    'an operation on %s that fails tells the service’s reason (%s)',
    async (_, line, id, answers, reason) => {
      earth.service.service.rename(id, 'fail');
      await earth.clock.advance(20_000);
      const { told, ending } = await does(line, answers);
      expect([ending, told]).toEqual(['failed', expect.stringContaining(reason)]);
      change(id, { state: id.startsWith('PROJECT') ? 'ACTIVE' : 'ENABLED', error: undefined });
    },
  );
});

describe('a service that accepts and does nothing is not believed:', () => {
  test('a clone that the service accepts and never shows is unconfirmed', async () => {
    const line =
      '/clone shop port=4201 mountBase=/mnt/vanish targetEnvironment=HOST_ENVIRONMENT-4 install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8';
    const { told, word } = await does(line, { fields: {} });
    expect([word, told]).toEqual(['Unconfirmed', expect.stringContaining('did not show it while I looked')]);
  });

  test.each([
    ['a refresh is unconfirmed', '/db refresh vanish', 'Unconfirmed', 'I cannot say whether it is done'],
    ['a backup is unconfirmed', '/db backup vanish', 'Unconfirmed', 'I cannot say whether it is done'],
    [
      'a disabling is unconfirmed, with the state that stands,',
      '/db disable vanish',
      'Unconfirmed',
      'Its state is still RUNNING',
    ],
    ['a deletion is unconfirmed', '/db delete vanish', 'Unconfirmed', 'is still in the service'],
  ])('%s where the service accepts it and does nothing', async (_, line, expected, says) => {
    earth.service.service.rename('MYSQL_LIVE_SERVER-3', 'vanish');
    await earth.clock.advance(20_000);
    const { told, word, ending } = await does(line, line.includes('delete') ? { name: 'vanish' } : {});
    expect([word, ending, told]).toEqual([expected, 'not seen', expect.stringContaining(says)]);
  });

  test('a stop that the service accepts and does not do is unconfirmed, with the state that the record still shows', async () => {
    earth.service.service.rename('MARIADB_CLONE_SERVER-1', 'vanish-too');
    await earth.clock.advance(20_000);
    const { told, word } = await does('/db stop vanish-too');
    expect([word, told]).toEqual([
      'Unconfirmed',
      expect.stringContaining('Its state is still RUNNING. I cannot say whether it is done'),
    ]);
  });

  test('a conversion that the service accepts and does not do is unconfirmed', async () => {
    const line = '/db convert vanish-too localDirectory=/data/v';
    const { told, word } = await does(line, { fields: {} });
    expect([word, told]).toEqual(['Unconfirmed', expect.stringContaining('still says that it is virtual')]);
  });
});

test('the tests of the operations met every endpoint, vendor, scope and ending of a proof', () => {
  const { requests } = earth.service.service;
  const received = requests.filter(({ status }) => status !== undefined && status < 300);
  const met = endpoints.filter(endpoint => received.some(request => request.endpoint === endpoint));
  const logs = received.filter(({ body }) => JSON.stringify(body ?? '').includes('"syncType":"LOG"'));
  const bodies = received.filter(({ endpoint }) => endpoint === 'POST /database/restore').map(({ body }) => body);
  const metScopes = scopes.filter(scope => bodies.some(body => JSON.stringify(body).includes(`"${scope}"`)));
  const vendorsAt = (endpoint: string) => [
    ...new Set(
      received
        .filter(request => request.endpoint === endpoint)
        .map(({ body }) => /"(ORACLE|MYSQL|MARIADB)_(LIVE|CLONE)/.exec(JSON.stringify(body))?.[1]),
    ),
  ];
  const metVendors = vendorsDiffer.filter(endpoint => vendorsAt(endpoint).length === 3);
  const metEndings = proofs.map(proof => [proof, endings.filter(ending => ended.get(proof)?.has(ending))] as const);
  const rows = [
    ['endpoints', `${met.length}/${endpoints.length}`, `and sync with LOG, ${logs.length} times`],
    ['vendors', `${metVendors.length}/${vendorsDiffer.length}`, 'endpoints that differ by vendor, each with all three'],
    ['scopes', `${metScopes.length}/${scopes.length}`, 'of a restore'],
    ...metEndings.map(([proof, all]) => [proof, `${all.length}/${endings.length}`, all.join(', ')]),
  ];
  console.log(
    rows.map(([what = '', count = '', more = '']) => `${what.padEnd(10)} ${count.padEnd(6)} ${more}`).join('\n'),
  );
  expect(endpoints).toHaveLength(31);
  expect(met).toEqual(endpoints);
  expect(logs.length).toBeGreaterThan(0);
  expect(metVendors).toEqual(vendorsDiffer);
  expect(metScopes).toEqual(scopes);
  expect(metEndings).toEqual(proofs.map(proof => [proof, endings]));
  // Nothing else was asked of the service, and nothing that it found ill-formed.
  expect(requests.filter(({ endpoint, status }) => endpoint === undefined || status === 400)).toEqual([]);
});
