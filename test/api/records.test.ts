import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Noun, parseIdentifier } from '../../src/api/identifiers.ts';
import { mentionsIn, type RecordView, readList, readRecord } from '../../src/api/records.ts';
import { type StateClass, stateClass } from '../../src/api/states.ts';

const databases: readonly Noun[] = ['live', 'clone'];
const at = Date.UTC(2026, 10, 1, 10);

function id(text: string) {
  const parsed = parseIdentifier(text);
  if (!parsed) throw new Error(`${text} is no identifier`);
  return parsed;
}

function only(body: unknown, nouns = databases): RecordView {
  const { records } = readList(body, nouns);
  const [first] = records;
  if (!first || records.length !== 1) throw new Error(`expected one record, read ${records.length}`);
  return first;
}

function ids(body: unknown, nouns = databases): readonly string[] {
  return readList(body, nouns).records.map(record => record.id.text);
}

const stateOf = (record: object) => only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).state;

describe('lists', () => {
  const rows = [
    { id: 'MYSQL_LIVE_SERVER-1', name: 'orders' },
    { id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa' },
  ];
  test.each([
    ['bare', rows],
    ['at any key', { whatever: rows }],
    ['in the success envelope', { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: rows }],
    ['in a page of data', { data: { page: { number: 0 }, content: rows } }],
    ['split by kind', { live: [rows[0]], clones: [rows[1]] }],
    [
      'keyed by identifier',
      { 'MYSQL_LIVE_SERVER-1': { name: 'orders' }, 'MYSQL_CLONE_SERVER-2': { name: 'orders_qa' } },
    ],
    [
      'keyed inside an envelope',
      { result: { 'MYSQL_LIVE_SERVER-1': { name: 'orders' }, 'MYSQL_CLONE_SERVER-2': { name: 'orders_qa' } } },
    ],
    ['a list of lists', [[rows[0]], [rows[1]]]],
    ['each one wrapped', { items: rows.map(row => ({ database: row })) }],
    ['clones inside their live database', [{ ...rows[0], clones: [rows[1]] }]],
  ])('are read %s', (_, body) => {
    expect(readList(body, databases).records.map(record => [record.id.text, record.name])).toEqual([
      ['MYSQL_LIVE_SERVER-1', 'orders'],
      ['MYSQL_CLONE_SERVER-2', 'orders_qa'],
    ]);
  });

  test('of bare identifiers give records without facts', () => {
    expect(readList(['MYSQL_LIVE_SERVER-1', 'PROJECT-1'], databases).records).toMatchObject([
      { id: { text: 'MYSQL_LIVE_SERVER-1' }, name: undefined, state: undefined, values: [] },
    ]);
  });

  test('hold each record once, with the most that is shown of it', () => {
    const clone = { id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa', state: 'RUNNING', port: 3310 };
    const live = { id: 'MYSQL_LIVE_SERVER-1', clones: [{ id: 'MYSQL_CLONE_SERVER-2', name: 'orders_qa' }] };
    for (const body of [
      [clone, live],
      [live, clone],
    ]) {
      const { records } = readList(body, databases);
      expect(records).toHaveLength(2);
      expect(records.find(record => record.id.noun === 'clone')).toMatchObject({ port: 3310, state: { class: 'ok' } });
    }
  });

  test('give nothing for records of another noun, which only speak of the wanted', () => {
    const others = [
      { id: 'MYSQL_SNAPSHOT-1', database: 'MYSQL_LIVE_SERVER-1' },
      { id: 'HOST_ENVIRONMENT-1', server: 'MYSQL_LIVE_SERVER-1' },
    ];
    expect(ids(others)).toEqual([]);
    expect(ids({ lists: others })).toEqual([]);
  });

  test.each([
    [[]],
    [{}],
    [null],
    [undefined],
    [0],
    [''],
    ['MYSQL_LIVE_SERVER'],
    [{ status: 'SUCCESS', object: null }],
    [{ data: [] }],
    [[null, 1, 'x', [], {}]],
  ])('without records are empty: %j', body => {
    expect(readList(body, databases)).toEqual({ records: [], cut: false });
  });
});

describe('an identifier', () => {
  test.each([
    'id',
    '_id',
    '@id',
    'ID',
    'identifier',
    'reference',
    'ref',
    'oid',
    'objectId',
    'databaseId',
    'database_id',
    'DATABASE-ID',
    'serverId',
    'cloneId',
    'self',
    'database',
  ])('is found under %s', key => {
    expect(only([{ [key]: 'MYSQL_CLONE_SERVER-7', name: 'qa' }])).toMatchObject({
      id: { text: 'MYSQL_CLONE_SERVER-7' },
      name: 'qa',
    });
  });

  test('is found under a key nobody thought of, where it is the only one', () => {
    expect(ids([{ cosmicHandle: 'MYSQL_CLONE_SERVER-7', name: 'qa' }])).toEqual(['MYSQL_CLONE_SERVER-7']);
  });

  test.each([
    ['a number beside it', { id: 7, oid: 'MYSQL_CLONE_SERVER-7' }],
    ['a source beside it', { source: 'MYSQL_LIVE_SERVER-1', id: 'MYSQL_CLONE_SERVER-7' }],
    ['the live database under a lesser key', { databaseId: 'MYSQL_LIVE_SERVER-1', cloneId: 'MYSQL_CLONE_SERVER-7' }],
    ['the host under a like key', { hostId: 'HOST_ENVIRONMENT-1', serverId: 'MYSQL_CLONE_SERVER-7' }],
    ['a parent object', { parent: { id: 'MYSQL_LIVE_SERVER-1' }, reference: 'MYSQL_CLONE_SERVER-7' }],
    ['an environment object', { environment: { id: 'HOST_ENVIRONMENT-1' }, id: 'MYSQL_CLONE_SERVER-7' }],
    ['its own nested', { meta: { id: 'MYSQL_CLONE_SERVER-7' }, source: { id: 'MYSQL_LIVE_SERVER-1' } }],
    [
      'the clone beside its database',
      { clone: { id: 'MYSQL_CLONE_SERVER-7' }, database: { id: 'MYSQL_LIVE_SERVER-1' } },
    ],
  ])('is the own one: %s', (_, record) => {
    expect(ids([record])).toEqual(['MYSQL_CLONE_SERVER-7']);
  });

  test.each([
    ['a reference alone', { name: 'x', source: 'MYSQL_LIVE_SERVER-1' }],
    ['a referenced object alone', { name: 'x', parent: { id: 'MYSQL_LIVE_SERVER-1' } }],
    ['two of unknown keys', { first: 'MYSQL_LIVE_SERVER-1', second: 'MYSQL_LIVE_SERVER-2' }],
    ['one in lower case', { id: 'mysql_live_server-1' }],
    ['one with a tail', { id: 'MYSQL_LIVE_SERVER-1x' }],
    ['one without a number', { id: 'MYSQL_LIVE_SERVER-' }],
    ['one in a sentence', { id: 'see MYSQL_LIVE_SERVER-1' }],
  ])('is not taken from %s', (_, record) => {
    expect(ids([record])).toEqual([]);
  });
});

describe('a record by its identifier', () => {
  const own = { id: 'MYSQL_CLONE_SERVER-1', name: 'qa', state: 'FAILED' };
  test.each([
    ['bare', own],
    ['in the success envelope', { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: own }],
    ['beside errors and metadata', { status: 'SUCCESS', data: own, errors: [], meta: { took: 3 } }],
    ['beside links', { links: { self: '/x' }, record: own, state: 'OK' }],
    ['in a list of one', [own]],
    ['in a list of several', { list: [{ ...own, id: 'MYSQL_CLONE_SERVER-2', state: 'UP' }, own] }],
    ['keyed by its identifier', { 'MYSQL_CLONE_SERVER-1': { name: 'qa', state: 'FAILED' } }],
    ['without its identifier', { name: 'qa', state: 'FAILED' }],
    [
      'without its identifier, in envelopes',
      { status: 'OK', response: { code: 0, body: { name: 'qa', state: 'FAILED' } } },
    ],
  ])('is read %s', (_, body) => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))).toMatchObject({
      id: { text: 'MYSQL_CLONE_SERVER-1' },
      name: 'qa',
      state: { word: 'FAILED', class: 'failed' },
    });
  });

  test.each([
    [null],
    [[]],
    [{}],
    ['qa'],
    [3],
    [{ object: null }],
    [{ object: {} }],
    [{ id: 'MYSQL_CLONE_SERVER-2', name: 'other' }],
  ])('is not read out of %j', body => {
    expect(readRecord(body, id('MYSQL_CLONE_SERVER-1'))?.name).toBeUndefined();
  });

  test('of a kind that the specification does not name is read, too', () => {
    expect(readRecord({ data: { id: 'POSTGRES_CLONE-1', name: 'qa' } }, id('POSTGRES_CLONE-1'))?.name).toBe('qa');
  });
});

describe('a state', () => {
  const words: Record<StateClass, readonly string[]> = {
    ok: [
      'RUNNING',
      'running',
      'Active',
      'UP',
      'ONLINE',
      'Open',
      'AVAILABLE',
      'OK',
      'ENABLED',
      'healthy',
      'CREATE_COMPLETE',
      'CREATED',
      'provisioned',
      'READ-WRITE OPEN',
    ],
    busy: [
      'CREATING',
      'Creating…',
      'create_in_progress',
      'createInProgress',
      'PENDING',
      'Starting up',
      'SHUTTING_DOWN',
      'STOPPING',
      'BACKING_UP',
      'DISABLING',
      'NOT_READY',
      'not available',
      'UNAVAILABLE',
      'Waiting for host',
    ],
    failed: [
      'FAILED',
      'CREATE_FAILED',
      'createFailed',
      'Error',
      'COMPLETED_WITH_ERRORS',
      'ABORTED',
      'cancelled',
      'TIMED_OUT',
      'Stopped: error',
      'UNHEALTHY',
      'not healthy',
    ],
    stopped: [
      'STOPPED',
      'Down',
      'OFFLINE',
      'SHUTDOWN',
      'powered off',
      'NOT RUNNING',
      'notRunning',
      'paused',
      'not started',
    ],
    disabled: ['DISABLED', 'inactive', 'SUSPENDED', 'LOCKED'],
    unknown: [
      '',
      '3',
      'BLUE',
      'FROBNICATED',
      '走る',
      'upset',
      'knockdown',
      'no errors',
      'not open',
      '__proto__',
      'constructor',
    ],
  };
  test.each(Object.entries(words).flatMap(([meaning, all]) => all.map(word => [word, meaning] as const)))(
    '“%s” is understood as %s',
    (word, meaning) => {
      expect(stateClass(word)).toBe(meaning);
    },
  );

  test.each([
    ['state', { state: 'RUNNING' }],
    ['status', { status: 'RUNNING' }],
    ['lifecycle_state', { lifecycle_state: 'RUNNING' }],
    ['databaseStatus', { databaseStatus: 'RUNNING' }],
    ['a name inside', { state: { name: 'RUNNING', code: 3 } }],
    ['a description beside a code', { status: { code: 2, description: 'RUNNING' } }],
    ['what is current', { state: { current: 'RUNNING', previous: 'CREATING' } }],
    ['a text beside a number', { state: 3, stateText: 'RUNNING' }],
    ['everything nested', { info: { runtime: { state: 'RUNNING' } } }],
    ['a state beside an error object with its own', { error: { state: 'FAILED' }, state: 'RUNNING' }],
    ['a state beside a failed backup', { lastBackup: { status: 'FAILED' }, runtime: { state: 'RUNNING' } }],
    [
      'a state beside a source with its own',
      { source: { id: 'MYSQL_LIVE_SERVER-1', state: 'FAILED' }, state: 'RUNNING' },
    ],
    [
      'a state deeper than a source’s',
      { source: { id: 'MYSQL_LIVE_SERVER-1', state: 'FAILED' }, runtime: { state: 'RUNNING' } },
    ],
  ])('is found as %s', (_, record) => {
    expect(stateOf(record)).toEqual({ word: 'RUNNING', class: 'ok' });
  });

  test.each([
    [{ enabled: false }, 'disabled'],
    [{ enabled: true }, 'ok'],
    [{ disabled: true }, 'disabled'],
    [{ isDisabled: 'Y' }, 'disabled'],
    [{ running: true }, 'ok'],
    [{ is_running: false }, 'stopped'],
    [{ online: 'no' }, 'stopped'],
    [{ inProgress: true, enabled: true }, 'busy'],
    [{ state: 11, state_text: 'being created' }, 'busy'],
    [{ state: 'IN_TRANSITION' }, 'busy'],
    [{ state: 'In creation' }, 'busy'],
    [{ failed: true, running: true }, 'failed'],
    [{ state: 'RUNNING', enabled: false }, 'disabled'],
    [{ state: 'RUNNING', enabled: true }, 'ok'],
    [{ state: 'DISABLING', enabled: false }, 'busy'],
    [{ state: 'FAILED', disabled: true }, 'failed'],
    [{ state: 4 }, 'unknown'],
  ])('is understood by its flags: %j', (record, meaning) => {
    expect(stateOf(record)?.class).toBe(meaning);
  });

  test.each([
    [{}],
    [{ state: '' }],
    [{ state: null }],
    [{ state: [] }],
    [{ state: {} }],
    [{ replication: { state: 'UP' } }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', state: 'OK' }] }],
  ])('is absent where none is shown: %j', record => {
    expect(stateOf(record)).toBeUndefined();
  });
});

describe('an error', () => {
  const errorOf = (record: object) => only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).error;
  test.each([
    [{ error: 'disk full' }],
    [{ errorMessage: ' disk \n full ' }],
    [{ failure_reason: 'disk full' }],
    [{ error: { code: 28, message: 'disk full' } }],
    [{ errors: ['disk full'] }],
    [{ errors: [{ code: 'E28', message: 'disk full' }] }],
    [{ status: 'FAILED', message: 'disk full' }],
    [{ status: { state: 'ERROR', reason: 'disk full' } }],
    [{ lifecycle: { state: 'Error', reason: { code: 'E1', text: 'disk full' } } }],
    [{ job: { state: 'FAILED', error: 'disk full' } }],
  ])('is read from %j', record => {
    expect(errorOf(record)).toBe('disk full');
  });

  test.each([
    [{}],
    [{ error: null }],
    [{ error: '' }],
    [{ error: 'none' }],
    [{ error: 'N/A' }],
    [{ error: { code: 0, message: 'Success' } }],
    [{ errors: [] }],
    [{ state: 'RUNNING', message: 'all is well' }],
    [{ message: 'made by ben' }],
    [{ reason: 'asked for by ben' }],
    [{ source: { id: 'MYSQL_LIVE_SERVER-1', error: 'disk full' } }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', error: 'disk full' }] }],
  ])('is not read from %j', record => {
    expect(errorOf(record)).toBeUndefined();
  });
});

describe('times', () => {
  const createdAt = (value: unknown) => only([{ id: 'MYSQL_CLONE_SERVER-1', createdAt: value }]).createdAt;
  test.each([
    ['2026-11-01T10:00:00Z'],
    ['2026-11-01T10:00:00.000Z'],
    ['2026-11-01T12:00:00+02:00'],
    ['2026-11-01T10:00:00'],
    ['2026-11-01 10:00:00'],
    ['Sun, 01 Nov 2026 10:00:00 GMT'],
    [at],
    [at / 1000],
    [String(at)],
    [String(at / 1000)],
  ])('are read as %s, in UTC where no zone is said', value => {
    expect(createdAt(value)).toBe(at);
  });
  test.each([['yesterday'], [''], [7], [-5], [1e18], ['10:00'], [true], [null], [{}]])(
    'are not read out of %j',
    value => {
      expect(createdAt(value)).toBeUndefined();
    },
  );
});

describe('what a record mentions', () => {
  test('are snapshots with names and times, out of objects, identifiers and keys', () => {
    const body = {
      id: 'MYSQL_LIVE_SERVER-1',
      name: 'orders',
      snapshots: [
        { id: 'MYSQL_SNAPSHOT-1', name: 'nightly', createdAt: '2026-11-01T10:00:00Z' },
        { snapshotId: 'MYSQL_SNAPSHOT-2', timestamp: at / 1000 },
        'MYSQL_SNAPSHOT-3',
      ],
      bySnapshot: { 'MYSQL_SNAPSHOT-4': { label: 'weekly', taken: at } },
    };
    expect(mentionsIn(body, 'snapshot').map(({ id, label, time }) => [id.text, label, time])).toEqual([
      ['MYSQL_SNAPSHOT-1', 'nightly', at],
      ['MYSQL_SNAPSHOT-2', undefined, at],
      ['MYSQL_SNAPSHOT-3', undefined, undefined],
      ['MYSQL_SNAPSHOT-4', 'weekly', at],
    ]);
  });

  test('are installs and users inside environments, each with the best label at hand', () => {
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

  test('have a name that stands apart from the identifier, and one beside a key of any name', () => {
    const nested = { meta: { reference: 'MYSQL_INSTALL-2' }, spec: { displayName: 'MySQL 8.4' }, created: at };
    const account = { accountId: 'ENVIRONMENT_USER-7', login: 'oracle' };
    const body = { meta: { reference: 'HOST_ENVIRONMENT-1' }, software: [nested], accounts: [account] };
    expect(mentionsIn(body, 'install')).toMatchObject([{ label: 'MySQL 8.4', time: at }]);
    expect(mentionsIn(body, 'environmentUser')).toMatchObject([{ label: 'oracle' }]);
    expect(mentionsIn(body, 'environment')).toMatchObject([{ label: undefined, time: undefined }]);
  });

  test('are labelled once for all, by a name beside the reference too', () => {
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
  ])('tell the environment that a clone is on: %j', record => {
    expect(only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).environment?.id.text).toBe('HOST_ENVIRONMENT-4');
  });

  test('tell no environment that only its source is on', () => {
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
  ])('tell what a clone was made from: %j', record => {
    expect(only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).source?.id.text).toBe('MYSQL_LIVE_SERVER-1');
  });

  test('tell no source of a live database that speaks of its clones', () => {
    const live = { id: 'MYSQL_LIVE_SERVER-1', newestClone: 'MYSQL_CLONE_SERVER-3', clones: ['MYSQL_CLONE_SERVER-3'] };
    expect(only([live]).source).toBeUndefined();
  });
});

describe('a list that is cut', () => {
  const rows = [{ id: 'MYSQL_LIVE_SERVER-1' }, { id: 'MYSQL_CLONE_SERVER-1' }];
  test.each([
    [{ items: rows, total: 3 }],
    [{ items: rows, totalCount: '40' }],
    [{ _embedded: { databases: rows }, page: { totalElements: 40, number: 0 } }],
    [{ content: rows, totalPages: 2 }],
    [{ items: rows, hasMore: true }],
    [{ items: rows, next: '/database/list?page=2' }],
    [{ items: rows, links: { next: { href: '/database/list?page=2' } } }],
    [{ items: rows, meta: { nextPageToken: 'abc' } }],
    [{ items: rows, truncated: 'true' }],
  ])('says so: %j', body => {
    expect(readList(body, databases).cut).toBe(true);
  });
  test.each([
    [rows],
    [{ items: rows, total: 2 }],
    [{ live: [rows[0]], clones: [rows[1]], total: 2 }],
    [{ items: rows, hasMore: false, next: null }],
    [{ items: rows, nextPageToken: '' }],
    [{ content: rows, totalPages: 1, totalElements: 2 }],
    [{ 'MYSQL_LIVE_SERVER-1': { disk: { total: 500 } }, 'MYSQL_CLONE_SERVER-1': {} }],
    [{ id: 'MYSQL_LIVE_SERVER-1', total: 500 }],
    [rows.map(row => ({ ...row, next: 'tomorrow', total: 500 }))],
  ])('is not assumed: %j', body => {
    expect(readList(body, databases).cut).toBe(false);
  });
  test('is told by all that was answered, not by what was asked for', () => {
    expect(readList({ items: rows, total: 2 }, ['live'])).toMatchObject({ cut: false, records: [{}] });
  });
});

/* Services that might be: each tells the same clone in its own way. */
const services: Record<string, unknown> = {
  'a resource API': {
    data: [
      {
        type: 'database',
        id: 'MYSQL_CLONE_SERVER-1',
        attributes: { name: 'orders_qa', status: 'RUNNING', port: 3310 },
        relationships: {
          source: { data: { type: 'database', id: 'MYSQL_LIVE_SERVER-1' } },
          environment: { data: { type: 'environment', id: 'HOST_ENVIRONMENT-4' } },
          snapshots: {
            data: [{ type: 'snapshot', id: 'MYSQL_SNAPSHOT-3', meta: { takenAt: '2026-11-01T10:00:00Z' } }],
          },
        },
      },
    ],
    links: { self: '/database/list', next: null },
  },
  'an orchestrator': {
    kind: 'DatabaseList',
    items: [
      {
        metadata: { uid: 'MYSQL_CLONE_SERVER-1', name: 'orders_qa', creationTimestamp: '2026-11-01T10:00:00Z' },
        spec: {
          port: 3310,
          sourceRef: { id: 'MYSQL_LIVE_SERVER-1' },
          hostRef: { id: 'HOST_ENVIRONMENT-4', name: 'dev' },
        },
        status: { phase: 'Running', snapshots: [{ ref: 'MYSQL_SNAPSHOT-3', time: '2026-11-01T10:00:00Z' }] },
      },
    ],
  },
  'a hypermedia API': {
    _embedded: {
      databases: [
        {
          reference: 'MYSQL_CLONE_SERVER-1',
          dbName: 'ignored_for_name',
          name: 'orders_qa',
          status: { code: 2, description: 'RUNNING' },
          parent: 'MYSQL_LIVE_SERVER-1',
          host: { reference: 'HOST_ENVIRONMENT-4', hostname: 'dev-1' },
          listenPort: '3310',
          _embedded: { snapshots: [{ reference: 'MYSQL_SNAPSHOT-3', created: at }] },
          _links: { self: { href: '/database/1' } },
        },
      ],
    },
    page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
  },
  'an appliance': {
    type: 'ListResult',
    status: 'OK',
    result: [
      {
        type: 'MySQLDatabase',
        reference: 'MYSQL_CLONE_SERVER-1',
        namespace: null,
        name: 'orders_qa',
        provisionContainer: 'MYSQL_LIVE_SERVER-1',
        currentTimeflow: 'TIMEFLOW-3',
        runtime: { status: 'RUNNING', enabled: 'ENABLED', environment: 'HOST_ENVIRONMENT-4', port: 3310 },
        snapshots: { 'MYSQL_SNAPSHOT-3': { creationTime: '2026-11-01T10:00:00.000Z' } },
      },
    ],
    job: null,
  },
  'a report out of a database': {
    DATABASES: [
      {
        DATABASE_ID: 'MYSQL_CLONE_SERVER-1',
        DATABASE_NAME: 'orders_qa',
        DB_STATUS: 'OPEN',
        HOST_ID: 'HOST_ENVIRONMENT-4',
        SOURCE_DATABASE_ID: 'MYSQL_LIVE_SERVER-1',
        PORT_NUMBER: '3310',
        SNAPSHOTS: [{ SNAPSHOT_ID: 'MYSQL_SNAPSHOT-3', SNAP_TIME: '2026-11-01 10:00:00' }],
      },
    ],
    TOTAL_COUNT: 1,
  },
  'translated XML': {
    databases: {
      database: [
        {
          '@id': 'MYSQL_CLONE_SERVER-1',
          '@name': 'orders_qa',
          state: { '#text': 'Up' },
          origin: { '@ref': 'MYSQL_LIVE_SERVER-1' },
          environment: { '@ref': 'HOST_ENVIRONMENT-4' },
          connection: { port: '3310' },
          snapshot: [{ '@id': 'MYSQL_SNAPSHOT-3', '@taken': '2026-11-01T10:00:00Z' }],
        },
      ],
    },
  },
  'a joined view': {
    result: {
      rows: [
        {
          clone: { id: 'MYSQL_CLONE_SERVER-1', name: 'orders_qa', port: 3310 },
          sourceDatabase: { id: 'MYSQL_LIVE_SERVER-1', name: 'orders', port: 3306 },
          environment: { id: 'HOST_ENVIRONMENT-4', name: 'dev' },
          state: 'started',
          snapshots: [{ id: 'MYSQL_SNAPSHOT-3', createdAt: at }],
        },
      ],
    },
  },
  'a map with numbers for states': {
    'MYSQL_CLONE_SERVER-1': {
      label: 'orders_qa',
      state: 1,
      stateText: 'Running',
      source_id: 'MYSQL_LIVE_SERVER-1',
      environment_id: 'HOST_ENVIRONMENT-4',
      tcp_port: 3310,
      snapshots: [{ oid: 'MYSQL_SNAPSHOT-3', timestamp: at / 1000 }],
    },
  },
  'flags, and properties aside': {
    value: [
      {
        id: 'MYSQL_CLONE_SERVER-1',
        hostname: 'dev-1.example',
        properties: {
          displayName: 'orders_qa',
          online: true,
          enabled: 'true',
          port: 3310,
          createdFrom: { database: 'MYSQL_LIVE_SERVER-1', snapshot: 'MYSQL_SNAPSHOT-9' },
          targetEnvironment: 'HOST_ENVIRONMENT-4',
          snapshots: [{ id: 'MYSQL_SNAPSHOT-3', date: '2026-11-01T10:00:00Z' }],
        },
      },
    ],
    nextLink: '',
  },
  'a live database with its clones in it': {
    servers: [
      {
        id: 'MYSQL_LIVE_SERVER-1',
        name: 'orders',
        status: 'DISABLED',
        clones: [
          {
            id: 'MYSQL_CLONE_SERVER-1',
            name: 'orders_qa',
            status: 'RUNNING',
            source: 'MYSQL_LIVE_SERVER-1',
            environment: 'HOST_ENVIRONMENT-4',
            port: 3310,
            snapshots: [{ id: 'MYSQL_SNAPSHOT-3', time: at }],
          },
        ],
      },
    ],
  },
};

describe.each(Object.entries(services))('a service like %s', (_, body) => {
  const clone = readList(body, databases).records.find(record => record.id.text === 'MYSQL_CLONE_SERVER-1');
  test('is understood', () => {
    expect(clone).toMatchObject({
      name: 'orders_qa',
      vendor: 'MYSQL',
      state: { class: 'ok' },
      error: undefined,
      source: { id: { text: 'MYSQL_LIVE_SERVER-1' } },
      environment: { id: { text: 'HOST_ENVIRONMENT-4' } },
      port: 3310,
    });
    const snapshots = clone?.mentions.filter(mention => mention.id.noun === 'snapshot' && mention.inList);
    expect(snapshots?.map(({ id, time }) => [id.text, time])).toEqual([['MYSQL_SNAPSHOT-3', at]]);
    expect(readList(body, databases).cut).toBe(false);
  });
});

describe('hostile answers', () => {
  const long = 'x'.repeat(2000);
  test('are cut to a line of 300 characters', () => {
    const record = only([{ id: 'MYSQL_LIVE_SERVER-1', name: `a\u0000b\r\n${long}`, state: long, error: long }]);
    expect(record.name).toMatch(/^a b x{295}…$/);
    expect(record.state).toMatchObject({ class: 'unknown', word: expect.stringMatching(/^x{299}…$/) });
    expect(record.error).toHaveLength(300);
  });

  test.each(['', ' \t', '\u200b\u202e'])('give no name that cannot be seen: %j', name => {
    expect(only([{ id: 'MYSQL_LIVE_SERVER-1', name }]).name).toBeUndefined();
    expect(only([{ id: 'MYSQL_LIVE_SERVER-1', name, label: 'orders' }]).name).toBe('orders');
  });

  test('do not get at what every object has', () => {
    const text =
      '[{"id":"MYSQL_LIVE_SERVER-1","__proto__":{"name":"evil","state":"FAILED"},"constructor":{"id":"MYSQL_LIVE_SERVER-2"},"hasOwnProperty":"x"}]';
    expect(ids(JSON.parse(text))).toEqual(['MYSQL_LIVE_SERVER-1']);
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
    expect(JSON.parse('{"__proto__":{"id":"MYSQL_LIVE_SERVER-3"}}')).not.toHaveProperty('id');
  });

  test('nested 5,000 deep are given up, without harm', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(2500)}"MYSQL_LIVE_SERVER-1"${']}'.repeat(2500)}`);
    expect(ids(deep)).toEqual([]);
    expect(readRecord(deep, id('MYSQL_LIVE_SERVER-1'))).toMatchObject({ name: undefined });
    expect(mentionsIn(deep, 'live')).toEqual([]);
  });
});

const keys = fc.oneof(
  fc.constantFrom(
    'id',
    'reference',
    'name',
    'state',
    'status',
    'source',
    'environment',
    'error',
    'object',
    'data',
    '__proto__',
    'snapshots',
    'total',
    'next',
    'MYSQL_LIVE_SERVER-1',
  ),
  fc.string(),
);
const values = fc.oneof(
  fc.constantFrom(
    'MYSQL_LIVE_SERVER-1',
    'MYSQL_CLONE_SERVER-22',
    'HOST_ENVIRONMENT-3',
    'ORACLE_SNAPSHOT-4',
    'PROJECT-5',
    'RUNNING',
    '<!channel>',
  ),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 5 },
    values,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 5 }),
  ),
}));
const nouns = fc.subarray<Noun>(['live', 'clone', 'environment', 'project', 'user', 'snapshot'], { minLength: 1 });

describe('whatever JSON is answered', () => {
  test('reading never throws, and never gives an identifier that is not in it', () => {
    fc.assert(
      fc.property(json, nouns, (body, wanted) => {
        const text = JSON.stringify(body);
        const { records } = readList(body, wanted);
        for (const record of records) {
          expect(wanted).toContain(record.id.noun);
          expect(text).toContain(record.id.text);
          for (const mention of record.mentions) expect(text).toContain(mention.id.text);
        }
        expect(new Set(records.map(record => record.id.text)).size).toBe(records.length);
        for (const noun of wanted)
          for (const mention of mentionsIn(body, noun)) expect(text).toContain(mention.id.text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a record that is asked for is that record or none', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('MYSQL_LIVE_SERVER-1', 'PROJECT-5', 'OTHER-9'), (body, asked) => {
        const record = readRecord(body, id(asked));
        if (record) expect(record.id.text).toBe(asked);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a state is one of six classes', () => {
    const classes = ['ok', 'busy', 'failed', 'stopped', 'disabled', 'unknown'];
    fc.assert(fc.property(fc.string({ unit: 'binary' }), word => classes.includes(stateClass(word))));
  });
});
