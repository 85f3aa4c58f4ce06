import { describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import { Failure, type FailureKind } from '../../src/ground/failure.ts';
import { recordReader } from '../../src/records/recordReader.ts';
import { asUnread, isHidden, readWhole } from '../../src/records/shown.ts';
import { holderOf } from '../../src/records/snapshotHolder.ts';

const idOf = (text: string) => parseIdentifier(text) ?? expect.fail();
const first = { id: 'MYSQL_LIVE_SERVER-1', state: 'RUNNING', name: 'orders' };
const second = { id: 'MYSQL_LIVE_SERVER-2', state: 'RUNNING', snapshots: [{ id: 'MYSQL_SNAPSHOT-7' }] };
const bare = [first, second].map(({ id, state }) => ({ id, state }));

/** A reader of a service that answers each path as said; with a failure where that is one. */
const reader = (answers: Readonly<Record<string, unknown>>) =>
  recordReader(async ({ path }) => {
    const answer = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    if (answer === undefined || answer instanceof Failure) throw answer ?? new Failure('missing', 'It is not there.');
    return answer;
  }, {});
const failure = (kind: FailureKind, message = 'No.') => new Failure(kind, message);

test.each([
  ['missing', 'No.', true],
  ['forbidden', 'No.', true],
  ['refused', 'The service refused: “No such path”.', true],
  ['refused', 'The service refused: “It is locked”.', false],
  ['unreadable', 'The service answered with an error (HTTP 502): “Host not found”.', false],
  ['busy', 'No.', false],
  ['unsent', 'No.', false],
  ['signed-out', 'No.', false],
] as const)('a reading that is %s, in the words %j, tells that nothing is shown: %s', (kind, words, is) => {
  expect(isHidden(failure(kind, words))).toBe(is);
});

test('a refused reading counts as one without an answer, and keeps the words of the service', () => {
  expect(asUnread(failure('refused', 'It is locked.'))).toMatchObject({ kind: 'unreadable', message: 'It is locked.' });
  const others = [failure('busy'), failure('signed-out'), new Error('a defect')];
  expect(others.map(asUnread)).toEqual(others);
});

describe('a whole record', () => {
  const own = '/database/MYSQL_LIVE_SERVER-1';
  const read = (answer: unknown, list: unknown = bare) =>
    readWhole(reader({ [own]: answer, '/list': list }), idOf(first.id));

  test('a whole record is its own answer, or that of the list where the service hides its own', async () => {
    expect((await read(first))?.name).toBe('orders');
    for (const hidden of [failure('missing'), failure('forbidden')])
      expect(await read(hidden)).toMatchObject({ id: { text: first.id }, name: undefined });
  });

  test.each(['unreadable', 'busy', 'unsent', 'refused', 'signed-out'] as const)(
    'a whole record is neither the list’s nor gone where its own answer is %s',
    async kind => {
      await expect(read(failure(kind))).rejects.toMatchObject({ kind });
      for (const list of [failure('forbidden'), failure('missing')])
        await expect(read(failure(kind), list)).rejects.toMatchObject({ kind });
    },
  );

  test('a whole record is gone where a fault says so and no list shows it, and fails where one does', async () => {
    const fault = failure('unreadable', 'The service answered with an error (HTTP 500): “No such database”.');
    expect(await read(fault, [])).toBeUndefined();
    await expect(read(fault)).rejects.toBe(fault);
  });

  test('a whole record is not told as gone where its own answer is missing and the list was not read', async () => {
    await expect(read(failure('missing'), failure('unreadable'))).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

describe('the holder of a snapshot, which no list shows,', () => {
  const holder = (answers: Readonly<Record<string, unknown>>) =>
    holderOf(reader({ '/list': bare, ...answers }), idOf('MYSQL_SNAPSHOT-7'), {});
  const [one, two] = ['/database/MYSQL_LIVE_SERVER-1', '/database/MYSQL_LIVE_SERVER-2'];

  test('a snapshot’s database is found although another record cannot be read', async () => {
    expect((await holder({ [one]: failure('unreadable'), [two]: second }))?.text).toBe(second.id);
  });

  test('a snapshot’s database stays unknown while a record that may be it cannot be read', async () => {
    await expect(holder({ [one]: first, [two]: failure('unreadable') })).rejects.toMatchObject({ kind: 'unreadable' });
  });
});
