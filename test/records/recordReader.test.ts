import { describe, expect, test } from 'vitest';
import { type Identifier, parseIdentifier } from '../../src/api/identifiers.ts';
import { Failure, type FailureKind } from '../../src/ground/failure.ts';
import { beforeOf } from '../../src/jobs/evidence/baseline.ts';
import { type ListDepth, openListDepth } from '../../src/records/listDepth.ts';
import { type RecordReader, recordReader } from '../../src/records/recordReader.ts';
import { holderOf } from '../../src/records/snapshotHolder.ts';
import { type TestClock, testClock } from '../clock.ts';
import { recordOf } from '../jobs/rows.ts';

function id(text: string): Identifier {
  const parsed = parseIdentifier(text);
  if (!parsed) throw new Error(`${text} is no identifier`);
  return parsed;
}

/** A service that answers so by path, and fails where it answers with a failure; `asked` are the paths that were read. */
function service(
  answers: Readonly<Record<string, unknown>>,
  depth?: ListDepth,
  isFirst = true,
): { records: RecordReader; asked: string[] } {
  const asked: string[] = [];
  const fetch = async ({ path }: { path: string }) => {
    asked.push(path);
    const answer = answers[path];
    if (answer instanceof Failure) throw answer;
    if (!(path in answers)) throw failure('missing', 'It is not there.');
    return answer;
  };
  return { records: recordReader(fetch, {}, depth && { depth, isFirst }), asked };
}

function failure(kind: FailureKind, message: string): Failure {
  return new Failure(kind, message);
}

describe('a record whose own answer shows no state', () => {
  const answers = {
    '/database/MYSQL_CLONE_SERVER-1': {
      ...{ id: 'MYSQL_CLONE_SERVER-1', name: 'orders-3310', port: 3310, updatedAt: '2026-11-21T09:00:00Z' },
      ...{ sourceDatabase: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-2' },
    },
    '/database/list': [{ id: 'MYSQL_CLONE_SERVER-1', state: 'FAILED', error: 'no space left' }],
  };

  test('a record that shows no state has that of its place in the list, and keeps all else of its own', async () => {
    const record = await service(answers).records.one(id('MYSQL_CLONE_SERVER-1'));
    expect(record?.state).toEqual({ word: 'FAILED', class: 'failed' });
    expect(record?.error).toBe('no space left');
    expect(record?.name).toBe('orders-3310');
    expect(record?.port).toBe(3310);
    expect(record?.source?.id.text).toBe('MYSQL_LIVE_SERVER-1');
    expect(record?.environment?.id.text).toBe('HOST_ENVIRONMENT-2');
    expect(record?.times).toEqual({ updatedAt: Date.UTC(2026, 10, 21, 9) });
    expect(record?.values.map(({ path }) => path)).toEqual(['id', 'name', 'port', 'updatedAt', 'environment']);
    expect(record?.mentions.map(mention => mention.id.text)).toEqual(['MYSQL_LIVE_SERVER-1', 'HOST_ENVIRONMENT-2']);
  });
});

test('a record whose own state is blank does not take its state from the list', async () => {
  const answers = (state: string) => ({
    '/database/MYSQL_CLONE_SERVER-1': { id: 'MYSQL_CLONE_SERVER-1', state },
    '/database/list': [{ id: 'MYSQL_CLONE_SERVER-1', state: 'ONLINE' }],
  });
  const { records } = service(answers(''));
  expect((await records.one(id('MYSQL_CLONE_SERVER-1')))?.state).toBeUndefined();
});

describe('a record that the list lacks', () => {
  const wanted = id('MYSQL_CLONE_SERVER-1');
  const without = (answer: unknown) => ({
    '/database/list': [{ id: 'MYSQL_LIVE_SERVER-1', state: 'RUNNING' }],
    '/database/MYSQL_CLONE_SERVER-1': answer,
  });
  test.each([
    ['the service does not know it', failure('missing', 'The service has no MYSQL_CLONE_SERVER-1.')],
    ['a 500 says so', failure('unclear', 'The service failed: Object MYSQL_CLONE_SERVER-1 not found')],
    ['a 400 says so', failure('refused', 'The service refused: no such database')],
    ['it does not exist', failure('refused', 'The service refused: The database does not exist.')],
    ['it could not be found', failure('refused', 'Clone could not be found in the repository')],
    ['it is unknown', failure('unclear', 'Unknown identifier MYSQL_CLONE_SERVER-1')],
    ['the answer holds nothing', { status: 'SUCCESS', object: null }],
    ['the answer holds an empty list', { data: [] }],
    ['the answer is empty', ''],
    ['its state is that it was deleted', { id: wanted.text, state: 'DELETED' }],
  ])('a record that the list lacks is gone where %s', async (_, answer) => {
    expect(await service(without(answer)).records.one(wanted)).toBeUndefined();
    expect(await service(without(answer), openListDepth(testClock())).records.one(wanted)).toBeUndefined();
  });

  test.each([
    ['the service is busy', failure('busy', 'The service is busy.')],
    ['a 500 says something else', failure('unclear', 'The service failed: NullPointerException')],
    ['a 403 says something else', failure('forbidden', 'You may not read it.')],
    [
      'a 403 speaks of a right',
      failure('forbidden', 'Not allowed: “You have no permission for MYSQL_CLONE_SERVER-1”.'),
    ],
    ['it is not found, or not permitted', failure('refused', 'The object was not found, or you lack the right to it.')],
    ['a 500 does not know why', failure('unreadable', 'HTTP 500: “An unknown error occurred”.')],
    ['the sign-in is lost, whatever it says', failure('signed-out', 'Your session was not found.')],
  ])('a record that the list lacks is not told as gone where %s', async (_, answer) => {
    await expect(service(without(answer)).records.one(wanted)).rejects.toBe(answer);
  });

  test('a record is there where only the list lacks it, or where only its own answer fails', async () => {
    const alone = await service(without({ id: wanted.text, state: 'RUNNING' })).records.one(wanted);
    expect(alone?.state?.word).toBe('RUNNING');
    const listed = {
      '/database/list': [{ id: wanted.text, state: 'RUNNING' }],
      '/database/MYSQL_CLONE_SERVER-1': failure('unclear', 'not found'),
    };
    const { records } = service(listed);
    expect((await records.one(wanted))?.state?.word).toBe('RUNNING');
    expect(records.isDenied(wanted)).toBe(true);
    const hidden = service({
      ...listed,
      '/database/MYSQL_CLONE_SERVER-1': failure('forbidden', 'You may not read it.'),
    });
    await hidden.records.one(wanted);
    expect(hidden.records.isDenied(wanted)).toBe(false);
  });

  test('a record is not told as gone where the list cannot be read', async () => {
    const list = failure('busy', 'The service is busy.');
    const answers = { ...without(failure('missing', 'not found')), '/database/list': list };
    await expect(service(answers).records.one(wanted)).rejects.toBe(list);
  });
});

describe('a list for many jobs', () => {
  const wanted = id('MYSQL_LIVE_SERVER-1');
  const other = id('MYSQL_LIVE_SERVER-2');
  const full = { state: 'RUNNING', restoredAt: '2026-11-21T09:00:00Z', snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }] };
  /** A look at the service by jobs that share what is known of its lists. */
  const look = (depth: ListDepth, listed: object, alone: object) => {
    const records = (more: object) => [wanted, other].map(({ text }) => ({ id: text, ...more }));
    const own = Object.fromEntries(records(alone).map(record => [`/database/${record.id}`, record]));
    return service({ '/database/list': records(listed), ...own }, depth);
  };
  const singles = (asked: readonly string[]) => asked.filter(path => path !== '/database/list');
  const known = (): { clock: TestClock; depth: ListDepth } => {
    const clock = testClock();
    return { clock, depth: openListDepth(clock) };
  };

  test('a list for many jobs is compared with one record, and serves the others where it shows as much', async () => {
    const { clock, depth } = known();
    const first = look(depth, full, full);
    for (const record of [wanted, other]) await first.records.one(record);
    expect(singles(first.asked)).toEqual(['/database/MYSQL_LIVE_SERVER-1']);
    const second = look(depth, full, full);
    for (const record of [wanted, other]) await second.records.one(record);
    expect(second.asked).toEqual(['/database/list']);
    // What records show may depend on what was done to them.
    await clock.advance(5 * 60_000);
    const third = look(depth, full, full);
    for (const record of [wanted, other]) await third.records.one(record);
    expect(singles(third.asked)).toEqual(['/database/MYSQL_LIVE_SERVER-1']);
  });

  test.each([
    ['snapshots', { snapshots: full.snapshots }],
    ['times', { restoredAt: full.restoredAt }],
    ['counters', { restoreCount: 3 }],
    ['reports of work', { lastJob: { id: 7, type: 'RESTORE', status: 'OK' } }],
    ['errors', { error: 'disk full' }],
    ['the kind of a clone', { cloneType: 'PHYSICAL' }],
  ])('a list that shows no %s where a record does is not used in its place', async (_, more) => {
    const { clock, depth } = known();
    const state = { state: 'RUNNING' };
    await look(depth, state, { ...state, ...more }).records.one(wanted);
    const second = look(depth, state, { ...state, ...more });
    const seen = await second.records.one(other);
    expect(singles(second.asked)).toEqual(['/database/MYSQL_LIVE_SERVER-2']);
    expect(seen && beforeOf(seen)).toEqual(beforeOf(recordOf(other.text, { ...state, ...more })));
    await clock.advance(5 * 60_000);
    await look(depth, state, state).records.one(wanted);
    const last = look(depth, state, { ...state, ...more });
    await last.records.one(other);
    expect(singles(last.asked)).toEqual(['/database/MYSQL_LIVE_SERVER-2']);
  });

  test('a list does not serve for a record that is wanted whole, or that it shows without a state', async () => {
    const { depth } = known();
    await look(depth, full, full).records.one(wanted);
    const whole = look(depth, full, full);
    await whole.records.one(other, true);
    expect(whole.asked).toEqual(['/database/MYSQL_LIVE_SERVER-2']);
    const stateless = look(depth, { name: 'orders' }, full);
    expect((await stateless.records.one(other))?.state?.word).toBe('RUNNING');
  });
});

describe('a list for few jobs', () => {
  const wanted = id('MYSQL_LIVE_SERVER-1');
  const record = { id: wanted.text, state: 'RUNNING' };
  const answers = { '/database/list': [record], [`/database/${wanted.text}`]: record };
  const known = () => {
    const depth = openListDepth(testClock());
    depth.compare('live', recordOf(wanted.text, record), recordOf(wanted.text, record));
    return depth;
  };

  test('a list is not read for few jobs, but serves them where it was read for another reason', async () => {
    const alone = service(answers, known(), false);
    await alone.records.one(wanted);
    expect(alone.asked).toEqual([`/database/${wanted.text}`]);
    const listed = service(answers, known(), false);
    await listed.records.list('live');
    expect((await listed.records.one(wanted))?.state?.word).toBe('RUNNING');
    expect(listed.asked).toEqual(['/database/list']);
  });

  test('a record is read from its own answer where its list could not be read', async () => {
    const { records } = service({ ...answers, '/database/list': failure('busy', 'Too busy.') }, known(), false);
    await records.list('live').catch(() => undefined);
    expect((await records.one(wanted))?.state?.word).toBe('RUNNING');
  });
});

describe('whose snapshot it is', () => {
  const snapshot = id('MYSQL_SNAPSHOT-7');
  const live = (number: number, more: object = {}) => ({
    id: `MYSQL_LIVE_SERVER-${number}`,
    state: 'RUNNING',
    ...more,
  });
  const held = { snapshots: [{ id: 'MYSQL_SNAPSHOT-6' }, { id: snapshot.text }] };
  /** A service with these live databases, where the list shows them so and each alone so. */
  const answers = (listed: readonly { id: string }[], alone: readonly { id: string }[]) => ({
    '/database/list': listed,
    ...Object.fromEntries(alone.map(record => [`/database/${record.id}`, record])),
  });

  test('a snapshot’s database is found in each record’s own answer where the list shows no snapshots', async () => {
    const listed = [live(1), live(2), live(3)];
    const { records, asked } = service(answers(listed, [live(1), live(2, held), live(3)]));
    expect((await holderOf(records, snapshot, {}))?.text).toBe('MYSQL_LIVE_SERVER-2');
    expect(asked).not.toContain('/database/MYSQL_LIVE_SERVER-3');
  });

  test('a snapshot’s database is found in the records’ own answers for many jobs, too', async () => {
    const depth = openListDepth(testClock());
    const poor = recordOf('MYSQL_LIVE_SERVER-1', { state: 'RUNNING' });
    depth.compare('live', poor, poor);
    expect(depth.isEnough('live')).toBe(true);
    const { records } = service(answers([live(1), live(2)], [live(1), live(2, held)]), depth);
    expect((await holderOf(records, snapshot, {}))?.text).toBe('MYSQL_LIVE_SERVER-2');
  });

  test('a snapshot’s database is found in the list alone where that shows snapshots', async () => {
    const listed = [live(1, { snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }] }), live(2, held)];
    const { records, asked } = service(answers(listed, []));
    expect((await holderOf(records, snapshot, {}))?.text).toBe('MYSQL_LIVE_SERVER-2');
    expect(asked).toEqual(['/database/list']);
  });

  test('a snapshot’s database is the one that shows it, else the one that was chosen', async () => {
    const all = [live(1, held), live(2)];
    const chosen = (database: string) => holderOf(service(answers(all, all)).records, snapshot, { database });
    expect((await chosen('MYSQL_LIVE_SERVER-1'))?.text).toBe('MYSQL_LIVE_SERVER-1');
    expect((await chosen('MYSQL_LIVE_SERVER-2'))?.text).toBe('MYSQL_LIVE_SERVER-1');
    const nowhere = service(answers([live(1), live(2)], [live(1), live(2)])).records;
    expect((await holderOf(nowhere, snapshot, { database: 'MYSQL_LIVE_SERVER-2' }))?.text).toBe('MYSQL_LIVE_SERVER-2');
    expect(await holderOf(nowhere, snapshot, {})).toBeUndefined();
  });

  test('a snapshot’s database is not looked for among those of another vendor', async () => {
    const oracle = { id: 'ORACLE_LIVE_DATABASE-1', state: 'OPEN' };
    const { records, asked } = service(answers([oracle, live(2)], [oracle, live(2, held)]));
    expect((await holderOf(records, snapshot, {}))?.text).toBe('MYSQL_LIVE_SERVER-2');
    expect(asked).not.toContain('/database/ORACLE_LIVE_DATABASE-1');
  });
});
