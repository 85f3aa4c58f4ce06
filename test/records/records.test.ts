import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { post } from '../../src/api/call.ts';
import type { Service } from '../../src/api/connection/serviceClient.ts';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import type { Mapping } from '../../src/api/reading/recordMapping.ts';
import { Failure } from '../../src/ground/failure.ts';
import { noMeter } from '../../src/ground/meter.ts';
import { openRecords, type Records } from '../../src/records/records.ts';
import type { Credential } from '../../src/store/tables/credentials.ts';
import { testClock } from '../clock.ts';

const ana = { team: 'T1', person: 'U0ANA' };
const live = [{ id: 'MYSQL_LIVE_SERVER-1', name: 'orders', state: 'RUNNING' }];

/** One person, signed in; the service honours the token until it `refuses` it. */
function office({ mapping = {}, record = live[0] }: Readonly<{ mapping?: Mapping; record?: object | undefined }> = {}) {
  const clock = testClock(1_000_000);
  const asked: string[] = [];
  const dropped: string[] = [];
  const state: { refuses: boolean; lastEnd: number; credential: Credential | undefined } = {
    refuses: false,
    lastEnd: 0,
    credential: { username: 'ana', token: 'of-ana', since: 1 },
  };
  const answer = async (path: string) => {
    asked.push(path);
    if (state.refuses) throw new Failure('signed-out', 'Your sign-in at the service is no longer valid.');
    return path.endsWith('/list') ? (path === '/database/list' ? live : []) : record;
  };
  const service: Service = {
    url: 'http://service.invalid',
    signIn: async () => '',
    ahead: () => 0,
    submit: async (_, { path }) => void (await answer(path)),
    fetch: (_, { path }) => answer(path),
    close: async () => undefined,
  };
  const credentials = {
    find: async () => state.credential,
    drop: async (_: unknown, token: string) => void dropped.push(token),
  };
  const lastEnd = async () => state.lastEnd;
  const log = pino({ level: 'silent' });
  const records = openRecords({ service, credentials, lastEnd, mapping, clock, log, meter: noMeter });
  return { records, clock, asked, dropped, state };
}

const one = parseIdentifier('MYSQL_LIVE_SERVER-1');
if (!one) throw new Error('no identifier');

describe('a token that the service refuses', () => {
  test.each<[string, (records: Records) => Promise<unknown>]>([
    ['a list for a picker', records => records.of(ana).list(['environment'])],
    ['a record for a picker', records => records.of(ana).alone(one)],
    ['a list for a job', async records => (await records.session(ana))?.records.list('live')],
    ['a record for a job', async records => (await records.session(ana))?.records.one(one)],
    ['a follow-up', async records => (await records.session(ana, { jobs: 100 }))?.records.one(one)],
    ['a write', async records => (await records.session(ana))?.submit(post('/database/stop', 'x'))],
  ])('a token that the service refuses is forgotten once: %s', async (_, interaction) => {
    const { records, dropped, state } = office();
    state.refuses = true;
    await expect(interaction(records)).rejects.toMatchObject({ kind: 'signed-out' });
    expect(dropped).toEqual(['of-ana']);
  });

  test('a refused token is forgotten once by all who share the request, and not a newer one', async () => {
    const { records, dropped, state } = office();
    state.refuses = true;
    const readers = [1, 2, 3].map(() => records.of(ana).list(['environment']));
    // A new sign-in that comes meanwhile is another token.
    await Promise.resolve();
    state.credential = { username: 'ana', token: 'new', since: 2 };
    expect((await Promise.allSettled(readers)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(dropped).toEqual(['of-ana']);
  });

  test('a token on trial that the service refuses is not forgotten, since it is no sign-in yet', async () => {
    const { records, dropped, state } = office();
    state.refuses = true;
    await expect(records.trial('new').list('user')).rejects.toMatchObject({ kind: 'signed-out' });
    expect(dropped).toEqual([]);
  });
});

test('a person who is not signed in has no session, and is shown nothing', async () => {
  const { records, state, asked } = office();
  state.credential = undefined;
  expect(await records.session(ana)).toBeUndefined();
  await expect(records.of(ana).list(['live'])).rejects.toMatchObject({ kind: 'signed-out' });
  expect(asked).toEqual([]);
});

test('a picker’s records are remembered until a job of the person ends', async () => {
  const { records, state, clock, asked } = office();
  const lists = () => asked.filter(path => path === '/database/list').length;
  for (const _ of [1, 2]) await records.of(ana).list(['live']);
  expect(lists()).toBe(1);
  await clock.advance(1_000);
  state.lastEnd = clock.now();
  await records.of(ana).list(['live']);
  expect(lists()).toBe(2);
});

test('a job’s session reads the records anew, whatever is remembered', async () => {
  const { records, asked } = office();
  await records.of(ana).list(['live']);
  for (const _ of [1, 2]) {
    const session = await records.session(ana);
    for (const __ of [1, 2]) await session?.records.list('live');
  }
  expect(asked.filter(path => path === '/database/list')).toHaveLength(3);
});

test('a name that a remembered list lacks is looked for once in a new list', async () => {
  const { records, clock, asked } = office();
  await records.of(ana).list(['live']);
  await clock.advance(1_000);
  expect(await records.of(ana).find('orders', ['live'])).toMatchObject({ type: 'one', id: 'MYSQL_LIVE_SERVER-1' });
  expect(asked.filter(path => path === '/database/list')).toHaveLength(1);
  expect(await records.of(ana).find('nothing like it', ['live'])).toMatchObject({ type: 'none' });
  expect(asked.filter(path => path === '/database/list')).toHaveLength(2);
});

test('a picker offers only the snapshots at the place that an operator’s mapping names', async () => {
  const record = {
    ...live[0],
    snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }],
    points: [{ ref: 'MYSQL_SNAPSHOT-2', tag: 'nightly' }],
  };
  const parts = async (mapping: Mapping) => {
    const found = await office({ mapping, record }).records.of(ana).parts(one, 'snapshot');
    return found.parts.map(({ id, label }) => `${id.text} ${label}`);
  };
  expect(await parts({})).toHaveLength(2);
  const mapping = { database: { snapshots: { at: 'points', id: 'ref', name: 'tag' } } };
  expect(await parts(mapping)).toEqual(['MYSQL_SNAPSHOT-2 nightly']);
});
