import { expect, test } from 'vitest';
import { threadAt, threadOf, writeThread } from '../../../src/slack/desk/thread.ts';

const at = (more: object) => ({ container: { type: 'message', message_ts: '2.2', channel_id: 'C1', ...more } });

test.each([
  [
    'a click on a private answer in a thread goes on in that thread',
    at({ is_ephemeral: true, thread_ts: '1.1' }),
    '1.1',
  ],
  ['a click on a private answer in a channel goes on outside of threads', at({ is_ephemeral: true }), undefined],
  [
    'a click on a public message in a thread goes on outside of threads',
    at({ is_ephemeral: false, thread_ts: '1.1' }),
    undefined,
  ],
  [
    'a form goes on in the thread where it was asked for',
    { view: { private_metadata: '{"channel":"C1","thread":"1.1"}' } },
    '1.1',
  ],
  [
    'a form of another release, which names no thread, goes on outside of threads',
    { view: { private_metadata: '{"channel":"C1"}' } },
    undefined,
  ],
  ['a form that carries only a word goes on outside of threads', { view: { private_metadata: 'login' } }, undefined],
  ['a click in Home goes on outside of threads', { container: { type: 'view' } }, undefined],
  ['an empty payload names no thread', {}, undefined],
])('Dolly finds the thread in which an answer goes on: %s', (_what, click, thread) => {
  expect(threadOf(click)).toBe(thread);
});

test('a click on an answer that everybody sees goes on in its thread', () => {
  const click = at({ is_ephemeral: false, thread_ts: '1.1' });
  expect([threadOf(click, true), threadAt(click)]).toEqual(['1.1', '1.1']);
});

test('a form carries its thread beside its other data, unless those are no JSON object', () => {
  const written = writeThread('{"r":"MYSQL_CLONE_SERVER-1","c":"C1"}', '1.1');
  expect(JSON.parse(written ?? '')).toEqual({ r: 'MYSQL_CLONE_SERVER-1', c: 'C1', thread: '1.1' });
  expect(threadOf({ view: { private_metadata: written ?? '' } })).toBe('1.1');
  for (const carried of ['login', '', '[1]', '"text"']) expect(writeThread(carried, '1.1')).toBeUndefined();
});
