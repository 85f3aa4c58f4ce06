import { expect, test } from 'vitest';
import { type Call, get, lists } from '../../src/api/call.ts';
import type { Service } from '../../src/api/connection/serviceClient.ts';
import { openRecentAnswers } from '../../src/records/recentAnswers.ts';
import { type TestClock, testClock } from '../clock.ts';

const ben = { team: 'T1', person: 'U1' };
const eva = { team: 'T1', person: 'U2' };
const signIn = { token: 'of-ben', since: 1 };

function memoryOf(service: Service, clock: TestClock = testClock()) {
  return openRecentAnswers<typeof signIn>(clock, (_, { token }, call, measured) =>
    service.fetch(token, call, measured),
  );
}

/** Answers each request with its number, or refuses where told. */
function numbering(size = 100): { service: Service; asked: string[]; refuse(error: Error | undefined): void } {
  const asked: string[] = [];
  let fault: Error | undefined;
  const service: Service = {
    url: 'http://service.invalid',
    signIn: async () => 'token',
    ahead: () => 0,
    submit: async () => undefined,
    async fetch(token: string, call: Call, measured?: (size: number) => void) {
      asked.push(`${token} ${call.path}`);
      if (fault) throw fault;
      measured?.(size);
      return asked.length;
    },
    close: async () => undefined,
  };
  return {
    service,
    asked,
    refuse(error) {
      fault = error;
    },
  };
}

test('a remembered answer serves for 15 seconds, and readers who ask at once share one request', async () => {
  const { service, asked } = numbering();
  const clock = testClock();
  const memory = memoryOf(service, clock);
  expect(await Promise.all([1, 2, 3].map(() => memory.read(ben, signIn, lists.databases)))).toEqual([1, 1, 1]);
  await clock.advance(14_999);
  expect(await memory.read(ben, signIn, lists.databases)).toBe(1);
  await clock.advance(1);
  expect(await memory.read(ben, signIn, lists.databases)).toBe(2);
  expect(asked).toHaveLength(2);
});

test('a reader who must see a change is given no answer from before it', async () => {
  const { service } = numbering();
  const clock = testClock(1_000);
  const memory = memoryOf(service, clock);
  expect(await memory.read(ben, signIn, lists.databases, 1_000)).toBe(1);
  await clock.advance(500);
  expect(await memory.read(ben, signIn, lists.databases, 1_000)).toBe(1);
  expect(await memory.read(ben, signIn, lists.databases, 1_001)).toBe(2);
  expect(await memory.read(ben, signIn, lists.databases)).toBe(2);
});

test('no reader is given the answer to another person, another team or an earlier sign-in', async () => {
  const { service } = numbering();
  const memory = memoryOf(service);
  const readers = [
    [ben, signIn],
    [eva, { token: 'of-eva', since: 1 }],
    [{ team: 'T2', person: 'U1' }, signIn],
    [{ team: 'T1","U1', person: '' }, signIn],
    [ben, { token: 'new', since: 2 }],
  ] as const;
  const answers = await Promise.all(readers.map(([who, how]) => memory.read(who, how, lists.databases)));
  expect(answers).toEqual([1, 2, 3, 4, 5]);
});

test('a failed reading is told to its reader, and is not remembered', async () => {
  const { service, refuse } = numbering();
  const memory = memoryOf(service);
  refuse(new Error('down'));
  await expect(memory.read(ben, signIn, lists.databases)).rejects.toThrow('down');
  refuse(undefined);
  expect(await memory.read(ben, signIn, lists.databases)).toBe(2);
});

test('thousands of short answers are remembered, each as one of 4 KiB, and the oldest goes first', async () => {
  const { service, asked } = numbering();
  const memory = memoryOf(service);
  const most = (64 * 1024) / 4;
  for (let number = 0; number <= most; number++)
    await memory.read(ben, signIn, get('/database', `MYSQL_LIVE_SERVER-${number}`));
  expect(asked).toHaveLength(most + 1);
  await memory.read(ben, signIn, get('/database', 'MYSQL_LIVE_SERVER-1'));
  expect(asked).toHaveLength(most + 1);
  await memory.read(ben, signIn, get('/database', 'MYSQL_LIVE_SERVER-0'));
  expect(asked).toHaveLength(most + 2);
});

test('answers are remembered up to 64 MiB of text, and the newest in any case', async () => {
  const { service, asked } = numbering(30 * 1024 * 1024);
  const memory = memoryOf(service);
  const [first, second, third] = [lists.databases, lists.environments, lists.users];
  for (const list of [first, second, second, first]) await memory.read(ben, signIn, list);
  expect(asked).toHaveLength(2);
  for (const list of [third, third, second, first]) await memory.read(ben, signIn, list);
  expect(asked.map(line => line.split(' ')[1])).toEqual([first, second, third, first].map(({ path }) => path));

  const huge = numbering(65 * 1024 * 1024);
  const one = memoryOf(huge.service);
  for (const list of [first, first, second, second, first]) await one.read(ben, signIn, list);
  expect(huge.asked).toHaveLength(3);
});
