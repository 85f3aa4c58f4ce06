import { afterEach, describe, expect, test } from 'vitest';
import { readAnyList } from '../../../src/api/longLists/listAnswer.ts';
import { type LongLists, openLongLists } from '../../../src/api/longLists/longLists.ts';
import { concealer } from '../../../src/api/secrets/conceal.ts';
import { inTurn, type Urgency } from '../../../src/ground/slices.ts';
import { testClock } from '../../clock.ts';
import { databases } from '../reading.ts';

const token = 'tok-4711-abcdef-0815';
const open: LongLists[] = [];
afterEach(async () => {
  for (const lists of open.splice(0)) await lists.close();
});

function openLists(clock = testClock(), code?: URL): LongLists {
  const lists = openLongLists(clock, code);
  open.push(lists);
  return lists;
}
const frail = () => openLists(testClock(), new URL('./frailThread.ts', import.meta.url));

const how = { path: '/database/list', nouns: databases, mapping: {} };

function shared(text: string) {
  const written = Buffer.from(text);
  const bytes = new SharedArrayBuffer(written.length);
  written.copy(Buffer.from(bytes));
  return { bytes, size: written.length };
}

function answerOf(count: number, note = 'plain', before = ''): string {
  const all = Array.from({ length: count }, (_, at) => ({
    id: `MYSQL_LIVE_SERVER-${at}`,
    name: `orders-${at}`,
    state: 'RUNNING',
    note,
  }));
  return before + JSON.stringify(all);
}

const read = (lists: LongLists, text: string, urgency: Urgency = 'asked') =>
  inTurn({ urgency }, () => lists.read(shared(text), { ...how, token }));

async function notesIn(reading: unknown): Promise<readonly (string | undefined)[]> {
  const { records } = await readAnyList(reading, databases, {});
  return records.map(({ values }) => values.find(({ path }) => path === 'note')?.value);
}

describe('a long list', () => {
  test.each([
    ['as it stands', token],
    ['in part', `made with ${token.slice(2, 14)}`],
    ['in base64', Buffer.from(`x${token}`).toString('base64')],
    ['in capital letters and escaped', encodeURIComponent(token.toUpperCase()).replaceAll('-', '%2D')],
  ])('shows no token, in the thread as elsewhere: %s', async (_, note) => {
    const text = answerOf(3_000, note);
    const body: unknown = JSON.parse(text);
    await concealer()({ text, body }, token);
    const notes = await notesIn(await read(openLists(), text));
    expect(notes).toEqual(await notesIn(body));
    expect(new Set(notes)).toEqual(new Set(['(left out: it quotes a sign-in)']));
  });

  test('of the same bytes is the same list, for the same sign-in and for six minutes', async () => {
    const clock = testClock();
    const lists = openLists(clock);
    const first = await read(lists, answerOf(2_000));
    expect(await read(lists, answerOf(2_000))).toBe(first);
    expect(await read(lists, answerOf(2_001))).not.toBe(first);
    const second = await read(lists, answerOf(2_000));
    expect(await lists.read(shared(answerOf(2_000)), { ...how, token: 'another-12345' })).not.toBe(second);
    await clock.advance(7 * 60_000);
    expect(await read(lists, answerOf(2_000))).not.toBe(second);
  });

  test('that is no JSON, or nested too deep, is no record', async () => {
    const lists = openLists();
    for (const text of [
      answerOf(9_000).slice(0, -2),
      `${answerOf(9_000)}]`,
      'x'.repeat(600_000),
      JSON.stringify('x'.repeat(600_000)),
      `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
    ])
      expect(await read(lists, text)).toBe('no record');
  });

  test('that says that the service refuses is left to those who tell why', async () => {
    expect(await read(openLists(), JSON.stringify({ error: 'x'.repeat(600_000), list: [1, 2, 3] }))).toBe('refusal');
  });

  test('whose values would take too much memory fails alone, with a sentence', async () => {
    const lists = openLists();
    const [hostile, other] = await Promise.allSettled([
      read(lists, `[${'[],'.repeat(9_000_000)}[]]`),
      read(lists, answerOf(2_000)),
    ]);
    expect(hostile).toMatchObject({
      reason: { message: 'The service’s list is too large for Dolly: its records do not fit into memory.' },
    });
    expect(other.status).toBe('fulfilled');
  });

  test('is read once more where the thread died; what it dies of again fails alone, with a sentence', async () => {
    const lists = frail();
    const [once, again, beside] = await Promise.allSettled([
      read(lists, answerOf(2_000, 'once', '!'), 'watching'),
      read(lists, answerOf(2_000, 'again', '?')),
      read(lists, answerOf(2_000)),
    ]);
    expect(await notesIn(once.status === 'fulfilled' ? once.value : 'no record')).toContain('once');
    expect(again).toMatchObject({
      reason: { message: 'The service’s list could not be read: the thread that reads it died.' },
    });
    expect(beside.status).toBe('fulfilled');
    expect(await notesIn(await read(lists, answerOf(2_000, 'later')))).toContain('later');
  });

  test('is read before others where somebody types and waits for it', async () => {
    const lists = openLists();
    const done: string[] = [];
    const note = (name: string, urgency: Urgency) =>
      read(lists, answerOf(20_000, name), urgency).then(() => done.push(name));
    await Promise.all([
      note('a look', 'watching'),
      note('another look', 'watching'),
      note('a list', 'asked'),
      note('another list', 'asked'),
      note('letters', 'typing'),
    ]);
    expect(done.indexOf('letters')).toBeLessThan(done.indexOf('another list'));
    expect(done.at(-1)).toBe('another look');
  });

  test('ends with the thread at a stop, and is read by a new thread after a rest', async () => {
    const clock = testClock();
    const lists = openLists(clock);
    await read(lists, answerOf(2_000));
    await clock.advance(61_000);
    expect(await notesIn(await read(lists, answerOf(2_000, 'after the rest')))).toContain('after the rest');
    const [under, waits] = [read(lists, answerOf(20_000, 'under way')), read(lists, answerOf(20_000, 'waits'))];
    const stopped = { message: 'Dolly was stopped while it read the service’s list.' };
    const both = Promise.all([
      expect(under).rejects.toMatchObject(stopped),
      expect(waits).rejects.toMatchObject(stopped),
    ]);
    await lists.close();
    await both;
    await expect(read(lists, answerOf(2_000))).rejects.toMatchObject(stopped);
  });
});
