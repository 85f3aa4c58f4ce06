import { expect, test } from 'vitest';
import { threadAt, threadOf, writeThread } from '../../../src/slack/desk/thread.ts';

const at = (more: object) => ({ container: { type: 'message', message_ts: '2.2', channel_id: 'C1', ...more } });

test.each([
  ['an answer for the person alone in a thread goes on there', at({ is_ephemeral: true, thread_ts: '1.1' }), '1.1'],
  ['an answer for the person alone in a channel goes on there', at({ is_ephemeral: true }), undefined],
  [
    'a message for everybody in a thread begins something new',
    at({ is_ephemeral: false, thread_ts: '1.1' }),
    undefined,
  ],
  ['a form goes on where it was asked for', { view: { private_metadata: '{"channel":"C1","thread":"1.1"}' } }, '1.1'],
  ['a form of another release does not', { view: { private_metadata: '{"channel":"C1"}' } }, undefined],
  ['a form that carries something else does not', { view: { private_metadata: 'login' } }, undefined],
  ['Home has no threads', { container: { type: 'view' } }, undefined],
  ['neither has nothing', {}, undefined],
])('%s', (_what, click, thread) => {
  expect(threadOf(click)).toBe(thread);
});

test('an answer that everybody sees goes on in its thread', () => {
  const click = at({ is_ephemeral: false, thread_ts: '1.1' });
  expect([threadOf(click, true), threadAt(click)]).toEqual(['1.1', '1.1']);
});

test('a form carries its thread beside what it carries; what is no object stays as it is', () => {
  const written = writeThread('{"r":"MYSQL_CLONE_SERVER-1","c":"C1"}', '1.1');
  expect(JSON.parse(written ?? '')).toEqual({ r: 'MYSQL_CLONE_SERVER-1', c: 'C1', thread: '1.1' });
  expect(threadOf({ view: { private_metadata: written ?? '' } })).toBe('1.1');
  for (const carried of ['login', '', '[1]', '"text"']) expect(writeThread(carried, '1.1')).toBeUndefined();
});
