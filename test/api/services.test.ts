import { describe, expect, test } from 'vitest';
import { readList } from '../../src/api/reading/recordList.ts';
import { at, databases } from './reading.ts';

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
  test('a clone’s record is understood with all its facts in this service’s format', () => {
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
