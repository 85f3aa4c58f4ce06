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
  ])('a long list that another thread reads shows no token: %s', async (_, note) => {
    const text = answerOf(3_000, note);
    const body: unknown = JSON.parse(text);
    await concealer()({ text, body }, token);
    const notes = await notesIn(await read(openLists(), text));
    expect(notes).toEqual(await notesIn(body));
    expect(new Set(notes)).toEqual(new Set(['(left out: it quotes a sign-in)']));
  });

  test('a long list of the same bytes is remembered for its sign-in and for up to six minutes', async () => {
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

  test('a long list that is not JSON, or nested too deep, is not read as records', async () => {
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

  test('a long answer that is a refusal is read as one', async () => {
    expect(await read(openLists(), JSON.stringify({ error: 'x'.repeat(600_000), list: [1, 2, 3] }))).toBe('refusal');
  });

  test('a list that would take too much memory fails alone, with a sentence', async () => {
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

  test('a long list is read once more where its thread died, and fails alone where that dies again', async () => {
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

  test('a long list for which somebody types is read before others', async () => {
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

  test('a long list under way ends with a sentence at a stop, and is read by a new thread after a rest', async () => {
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
