import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { asksForClone, ends, opensForm, quickLine } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const common = [
  'sourceDatabase',
  'cloneType',
  'targetEnvironment',
  'mountBase',
  'environmentUser',
  'install',
  'snapshot',
  'project',
  'databaseParams',
  'specificPostScriptPath',
  'keepFor',
];
const oracleOnly = ['databaseName', 'dbUniqueName', 'instanceName', 'rmanChannel'];
const serverOnly = ['port', 'parallel'];

/** What is particular to a vendor: its form, what a person types there, and what the service must receive for it. */
const vendors = [
  {
    vendor: 'ORACLE',
    source: 'payroll',
    fields: [...common, 'backUpFirst', ...oracleOnly],
    typed: (at: number) => ({
      databaseName: `QAPAY${at}`,
      dbUniqueName: `QAPAY${at}_DEV`,
      instanceName: `qapay${at}`,
      rmanChannel: 0,
      mountBase: `+DATA/QAPAY${at}`,
      databaseParams: 'processes = 300 # raised\n*.audit_trail=DB',
    }),
    sent: (at: number) => ({
      databaseName: `QAPAY${at}`,
      dbUniqueName: `QAPAY${at}_DEV`,
      instanceName: `qapay${at}`,
      rmanChannel: 0,
      mountBase: `+DATA/QAPAY${at}`,
      databaseParams: [
        { name: 'processes', type: 'NUMBER', value: 300 },
        { name: '*.audit_trail', type: 'STRING', value: 'DB' },
      ],
      sourceDatabase: 'ORACLE_LIVE_DATABASE-1',
      snapshot: 'ORACLE_SNAPSHOT-2',
      install: 'ORACLE_INSTALL-2',
      environmentUser: 'ENVIRONMENT_USER-7',
    }),
    record: (at: number) => `QAPAY${at}`,
  },
  {
    vendor: 'MYSQL',
    source: 'orders',
    fields: [...common, 'backUpFirst', ...serverOnly],
    typed: (at: number) => ({ port: 3400 + at, parallel: 0, databaseParams: 'max_connections=200\nread_only=false' }),
    sent: (at: number) => ({
      port: 3400 + at,
      parallel: 0,
      databaseParams: [
        { name: 'max_connections', type: 'NUMBER', value: 200 },
        { name: 'read_only', type: 'BOOLEAN', value: 'false' },
      ],
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      snapshot: 'MYSQL_SNAPSHOT-2',
      install: 'MYSQL_INSTALL-2',
      environmentUser: 'ENVIRONMENT_USER-8',
    }),
    record: (at: number) => `orders-${3400 + at}`,
  },
  {
    vendor: 'MARIADB',
    source: 'billing',
    fields: [...common, 'backUpFirst', ...serverOnly],
    typed: (at: number) => ({ port: 3500 + at, parallel: 2, databaseParams: 'server_id:STRING=7\n# a comment\n' }),
    sent: (at: number) => ({
      port: 3500 + at,
      parallel: 2,
      databaseParams: [{ name: 'server_id', type: 'STRING', value: '7' }],
      sourceDatabase: 'MARIADB_LIVE_SERVER-1',
      snapshot: 'MARIADB_SNAPSHOT-2',
      install: 'MARIADB_INSTALL-2',
      environmentUser: 'ENVIRONMENT_USER-9',
    }),
    record: (at: number) => `billing-${3500 + at}`,
  },
];
const types = [
  { type: 'Virtual', cloneType: 'VIRTUALCLONE', path: '/service/database/clone/create', at: 1 },
  { type: 'Physical', cloneType: 'PHYSICAL', path: '/service/database/duplicate/create', at: 2 },
];

describe.each(types)('a $cloneType clone', ({ type, cloneType, path, at }) => {
  test.each(vendors)('a clone of $vendor carries every field of the specification and ends confirmed', async vendor => {
    const before = earth.writes().length;
    const card = await asksForClone(earth, ana, '#databases', `/clone ${vendor.source}`, {
      cloneType: type,
      targetEnvironment: 'dev',
      install: vendor.vendor,
      environmentUser: vendor.vendor,
      mountBase: `/mnt/${vendor.source}-${at}`,
      snapshot: `${vendor.vendor}_SNAPSHOT-2`,
      project: 'finance',
      specificPostScriptPath: '/opt/scripts/after.sh',
      ...vendor.typed(at),
    });
    const told = await ends(earth, card, 'Confirmed');

    const sent = earth.writes().slice(before);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`POST ${path}`]);
    expect(sent[0]?.body).toEqual({
      vendor: vendor.vendor,
      cloneType,
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      mountBase: `/mnt/${vendor.source}-${at}`,
      project: 'PROJECT-2',
      specificPostScriptPath: '/opt/scripts/after.sh',
      ...vendor.sent(at),
    });

    const made = [...earth.service.service.estate.databases.values()].find(({ name }) => name === vendor.record(at));
    expect(made?.state).toBe('RUNNING');
    for (const fact of [made?.id, made?.name, 'RUNNING', 'dev']) expect(told).toContain(fact);
    const [reply, ...more] = earth.replies(card);
    expect(more).toEqual([]);
    for (const fact of [`<@${ana.id}>`, 'confirmed', vendor.record(at)])
      expect(earth.text(reply ?? card)).toContain(fact);
  });
});

describe('the form', () => {
  test('the clone form asks for the source first and then for what its vendor needs', async () => {
    await opensForm(ana, '#databases', '/clone');
    expect(Object.keys((await ana.modal()).fields)).toEqual(['sourceDatabase', 'cloneType', 'targetEnvironment']);
    await ana.presses('More options');
    await ana.until(() => common.every(name => JSON.stringify(ana.sees().views).includes(`"${name}`)), 'the others');
    expect(Object.keys((await ana.modal()).fields).sort()).toEqual(common.toSorted());
    for (const { source, fields } of vendors) {
      await ana.fills({ sourceDatabase: source });
      await ana.until(
        () => fields.every(name => JSON.stringify(ana.sees().views).includes(`"${name}`)),
        `the fields of ${source}`,
      );
      const names = Object.keys((await ana.modal()).fields).map(name => name.replace(/:.*/, ''));
      expect(names.sort()).toEqual(fields.toSorted());
    }
    await ana.cancels();
  });

  test('the clone form keeps what still applies when the source’s vendor changes, and empties what does not', async () => {
    await opensForm(ana, '#databases', '/clone orders');
    await ana.fills({
      targetEnvironment: 'dev',
      install: 'MYSQL',
      port: 3410,
      mountBase: '/mnt/kept',
      project: 'finance',
    });
    await ana.fills({ sourceDatabase: 'payroll' });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('databaseName'), 'the fields of Oracle');
    const { fields } = await ana.modal();
    expect(JSON.stringify(fields)).toContain('/mnt/kept');
    expect(JSON.stringify(fields)).toContain('HOST_ENVIRONMENT-4');
    expect(JSON.stringify(fields)).toContain('PROJECT-2');
    expect(JSON.stringify(fields)).not.toContain('MYSQL_INSTALL');
    expect(JSON.stringify(fields)).not.toContain('3410');
    await ana.cancels();
  });

  test('the clone form offers what fits while a person types, of the chosen vendor and target only', async () => {
    await opensForm(ana, '#databases', '/clone');
    expect(await ana.choices('sourceDatabase', 'bill')).toEqual(['billing']);
    expect(await ana.choices('sourceDatabase', 'mysql-prod')).toEqual(['orders', 'shop', 'slow_reports']);
    expect(await ana.choices('sourceDatabase', 'MARIADB_LIVE_SERVER-4711')).toEqual(['MARIADB_LIVE_SERVER-4711']);
    expect(await ana.choices('targetEnvironment', 'te')).toEqual(['test']);
    expect(await ana.choices('project', 'shop')).toEqual(['web-shop']);
    await ana.fills({ sourceDatabase: 'billing', targetEnvironment: 'dev' });
    expect(await ana.choices('install', '')).toEqual(['MARIADB 10.11.9']);
    expect(await ana.choices('environmentUser', '')).toEqual(['backup', 'mariadb', 'mysql', 'oracle']);
    const snapshots = await ana.choices('snapshot', '');
    expect(snapshots).toHaveLength(4);
    expect(snapshots[0]).toContain('billing-2026-11-21');
    expect(await ana.choices('snapshot', '11-18')).toEqual(['billing-2026-11-18T02:00']);
    await ana.cancels();
  });

  test('the clone form is filled in by words of the command, in any case and with names for records', async () => {
    await opensForm(
      ana,
      '#databases',
      '/clone SHOP port=3411 MountBase="/mnt/two words" targetenvironment=dev project=finance cloneType=physical',
    );
    const { fields } = await ana.modal();
    for (const value of [
      'MYSQL_LIVE_SERVER-2',
      '3411',
      '/mnt/two words',
      'HOST_ENVIRONMENT-4',
      'PROJECT-2',
      'PHYSICAL',
    ])
      expect(JSON.stringify(fields)).toContain(value);
    await ana.cancels();
  });

  test('the clone form sends no field that was left empty', async () => {
    const before = earth.writes().length;
    const card = await asksForClone(earth, ana, '#databases', '/clone shop', {
      targetEnvironment: 'dev',
      install: 'MYSQL',
      environmentUser: 'mysql',
      mountBase: '/mnt/few',
      port: 3412,
    });
    await ends(earth, card, 'Confirmed');
    expect(
      earth
        .writes()
        .slice(before)
        .map(({ body }) => body),
    ).toEqual([
      {
        vendor: 'MYSQL',
        cloneType: 'VIRTUALCLONE',
        sourceDatabase: 'MYSQL_LIVE_SERVER-2',
        targetEnvironment: 'HOST_ENVIRONMENT-4',
        install: 'MYSQL_INSTALL-2',
        environmentUser: 'ENVIRONMENT_USER-8',
        mountBase: '/mnt/few',
        port: 3412,
      },
    ]);
  });
});

describe('the message of a job', () => {
  test('a job’s message is posted once the service has accepted the job, and is then updated until the end', async () => {
    await opensForm(ana, '#dev', quickLine(3600));
    const list = road.holds('/database/list', 'before');
    const create = road.holds('/database/clone/create', 'after');
    const before = earth.cards('#dev').length;
    await ana.submits();
    await list.arrived;
    expect((await answerTo(ana, '/db jobs', '#dev')).text).toContain('Not sent yet');

    list.lets();
    await create.arrived;
    expect((await answerTo(ana, '/db jobs', '#dev')).text).toContain('Sending');
    expect(earth.cards('#dev').slice(before)).toEqual([]);

    create.lets();
    const card = await earth.until(() => earth.cards('#dev')[before], 'the message');
    expect(earth.text(card)).toContain('Running');
    expect(earth.text(card)).toContain('shop');
    expect(earth.replies(card)).toEqual([]);

    await ends(earth, card, 'Confirmed');
    expect(earth.cards('#dev').slice(before)).toHaveLength(1);
    expect(earth.replies(card)).toHaveLength(1);
    expect(earth.writes().filter(({ body }) => JSON.stringify(body).includes('/mnt/c3600'))).toHaveLength(1);
  });

  test('a job’s message is the same for everybody in the channel, and its reply mentions only the requester', async () => {
    const ben = await earth.enters('Ben');
    const [card] = earth.cards('#dev').slice(-1);
    if (!card) throw new Error('there is no message');
    const seenBy = (someone: Someone) => someone.messages('#dev').find(({ ts }) => ts === card.ts)?.blocks;
    expect(seenBy(ben)).toEqual(seenBy(ana));
    expect(ben.thread(card).map(({ text }) => text.includes(ana.id) && !text.includes(ben.id))).toEqual([true]);
  });
});
