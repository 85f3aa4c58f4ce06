import { describe, expect, test } from 'vitest';
import { mentionsIn } from '../../../src/api/reading/mentions.ts';
import { at, only } from '../reading.ts';

describe('what a record mentions', () => {
  test('a record mentions snapshots with names and times, in objects, identifiers and keys', () => {
    const body = {
      id: 'MYSQL_LIVE_SERVER-1',
      name: 'orders',
      snapshots: [
        { id: 'MYSQL_SNAPSHOT-1', name: 'nightly', createdAt: '2026-11-01T10:00:00Z' },
        { snapshotId: 'MYSQL_SNAPSHOT-2', timestamp: at / 1000 },
        'MYSQL_SNAPSHOT-3',
      ],
      bySnapshot: { 'MYSQL_SNAPSHOT-4': { label: 'weekly', taken: at }, 'MYSQL_SNAPSHOT-5': '2026-11-01T10:00:00Z' },
    };
    expect(mentionsIn(body, 'snapshot').map(({ id, label, time }) => [id.text, label, time])).toEqual([
      ['MYSQL_SNAPSHOT-1', 'nightly', at],
      ['MYSQL_SNAPSHOT-2', undefined, at],
      ['MYSQL_SNAPSHOT-3', undefined, undefined],
      ['MYSQL_SNAPSHOT-4', 'weekly', at],
      ['MYSQL_SNAPSHOT-5', undefined, at],
    ]);
  });

  test.each<[string, object, number | undefined]>([
    ['a short key', { ts: String(at / 1000) }, at],
    ['a key that nobody listed', { consistentAt: '2026-11-01T10:00:00Z' }, at],
    ['when its making began, where it shows two', { startTime: at, endTime: at + 60_000 }, at],
    ['when its making ended, where it shows no more', { finishedOn: at }, at],
    ['none where two times say no more', { firstPoint: 'a', frozenAt: at, thawedAt: at + 60_000 }, undefined],
    ['none where only its end is told', { expiresAt: at, retainedUntil: at }, undefined],
    ['none where other numbers and words stand there', { size: at, format: 'FULL', lastSeenAt: at }, undefined],
  ])('a snapshot that a record mentions has its time: %s', (_, facts, time) => {
    const body = { id: 'MYSQL_LIVE_SERVER-1', snapshots: [{ id: 'MYSQL_SNAPSHOT-1', ...facts }] };
    expect(mentionsIn(body, 'snapshot').map(snapshot => snapshot.time)).toEqual([time]);
  });

  test.each<[string, (at: number) => Record<string, string>]>([
    [
      'beside its name',
      at => ({ [`part${at}Environment`]: `HOST_ENVIRONMENT-${at}`, [`part${at}EnvironmentName`]: `place ${at}` }),
    ],
    ['that is its own', at => ({ id: 'HOST_ENVIRONMENT-1', name: 'lab', [`part${at}`]: 'HOST_ENVIRONMENT-1' })],
  ])('the name of a mentioned record is found without listing the keys anew for each identifier %s', (_, factsAt) => {
    // V8 lists keys by itself, so the count of steps (test/steps) does not see how often it does.
    const listedFor = (count: number) => {
      let listed = 0;
      const facts = Array.from({ length: count }, (_, at) => factsAt(at));
      const held = new Proxy(Object.assign({}, ...facts), {
        ownKeys(target) {
          listed += 1;
          return Reflect.ownKeys(target);
        },
      });
      expect(mentionsIn({ held }, 'environment').at(-1)?.label).toMatch(/^lab$|^place \d+$/);
      return listed;
    };
    expect(listedFor(200)).toBe(listedFor(2));
  });

  test('a record mentions installs and users inside environments, each with its best label', () => {
    const body = {
      environments: [
        {
          id: 'HOST_ENVIRONMENT-4',
          name: 'dev-1',
          users: [{ id: 'ENVIRONMENT_USER-8', userName: 'mysql' }],
          software: {
            installs: [
              { reference: 'MYSQL_INSTALL-2', version: '8.4', home: '/opt/mysql' },
              { reference: 'ORACLE_INSTALL-1', name: 'db_1' },
            ],
          },
        },
      ],
    };
    expect(mentionsIn(body, 'install').map(({ id, label }) => [id.text, label])).toEqual([
      ['MYSQL_INSTALL-2', '/opt/mysql'],
      ['ORACLE_INSTALL-1', 'db_1'],
    ]);
    expect(mentionsIn(body, 'environmentUser').map(({ id, label }) => [id.text, label])).toEqual([
      ['ENVIRONMENT_USER-8', 'mysql'],
    ]);
    expect(only(body, ['environment'])).toMatchObject({ id: { text: 'HOST_ENVIRONMENT-4' }, name: 'dev-1' });
  });

  test('a mentioned record has a name that stands apart from its identifier, or beside a key of any name', () => {
    const nested = { meta: { reference: 'MYSQL_INSTALL-2' }, spec: { displayName: 'MySQL 8.4' }, created: at };
    const account = { accountId: 'ENVIRONMENT_USER-7', login: 'oracle' };
    const body = { meta: { reference: 'HOST_ENVIRONMENT-1' }, software: [nested], accounts: [account] };
    expect(mentionsIn(body, 'install')).toMatchObject([{ label: 'MySQL 8.4', time: at }]);
    expect(mentionsIn(body, 'environmentUser')).toMatchObject([{ label: 'oracle' }]);
    expect(mentionsIn(body, 'environment')).toMatchObject([{ label: undefined, time: undefined }]);
  });

  test('a mentioned record is labelled once for all, also by a name beside its reference', () => {
    const body = [
      { id: 'MYSQL_LIVE_SERVER-1', project: 'PROJECT-2' },
      { id: 'MYSQL_LIVE_SERVER-2', projectId: 'PROJECT-2', projectName: 'shop' },
    ];
    expect(mentionsIn(body, 'project')).toMatchObject([{ id: { text: 'PROJECT-2' }, label: 'shop' }]);
  });

  test.each([
    [{ environment: 'HOST_ENVIRONMENT-4' }],
    [{ environment: { id: 'HOST_ENVIRONMENT-4', name: 'dev' } }],
    [{ hostId: 'HOST_ENVIRONMENT-4' }],
    [{ sourceEnvironment: 'HOST_ENVIRONMENT-1', targetEnvironment: 'HOST_ENVIRONMENT-4' }],
    [{ sourceEnvironment: 'HOST_ENVIRONMENT-1', environment: 'HOST_ENVIRONMENT-4' }],
    [{ network: { host: 'HOST_ENVIRONMENT-1' }, environment: 'HOST_ENVIRONMENT-4' }],
    [{ source: { id: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-1' }, environment: 'HOST_ENVIRONMENT-4' }],
    [
      {
        source: { id: 'MYSQL_LIVE_SERVER-1', host: { id: 'HOST_ENVIRONMENT-1' } },
        placement: { hosts: { id: 'HOST_ENVIRONMENT-4' } },
      },
    ],
    [
      {
        lastSnapshot: { id: 'MYSQL_SNAPSHOT-1', environment: 'HOST_ENVIRONMENT-1' },
        environment: 'HOST_ENVIRONMENT-4',
      },
    ],
  ])('a record tells the environment that a clone is on: %j', record => {
    expect(only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).environment?.id.text).toBe('HOST_ENVIRONMENT-4');
  });

  test('a clone is not said to be on the environment of its source', () => {
    const source = { id: 'MYSQL_LIVE_SERVER-1', environment: { id: 'HOST_ENVIRONMENT-1' } };
    expect(only([{ id: 'MYSQL_CLONE_SERVER-1', source }]).environment).toBeUndefined();
  });

  test.each([
    [{ source: 'MYSQL_LIVE_SERVER-1' }],
    [{ sourceDatabase: { id: 'MYSQL_LIVE_SERVER-1' } }],
    [{ parentId: 'MYSQL_LIVE_SERVER-1' }],
    [{ database: 'MYSQL_LIVE_SERVER-1' }],
    [{ clonedFrom: { database: { reference: 'MYSQL_LIVE_SERVER-1' } } }],
    [{ provisionContainer: 'MYSQL_LIVE_SERVER-1' }],
  ])('a record tells what a clone was made from: %j', record => {
    expect(only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).source?.id.text).toBe('MYSQL_LIVE_SERVER-1');
  });

  test('a live database that mentions its clones has no source', () => {
    const live = { id: 'MYSQL_LIVE_SERVER-1', newestClone: 'MYSQL_CLONE_SERVER-3', clones: ['MYSQL_CLONE_SERVER-3'] };
    expect(only([live]).source).toBeUndefined();
  });
});
