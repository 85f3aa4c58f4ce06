import { describe, expect, test } from 'vitest';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { stores } from '../folder.ts';
import { noticeOf } from './aNotice.ts';

const lockTime = 20_000;

describe.each(stores)('a notice in %s', (_, open) => {
  test('a notice is added once, told once, and told again when its outcome is known', async () => {
    const store = await open();
    const notices = outboxIn(store);
    const queue = notices.queue();
    await notices.add([noticeOf('n'), noticeOf('n'), noticeOf('m', { to: { job: 'j' } })]);
    const taken = (await Promise.all([queue.take(1_000, 10), queue.take(1_000, 10)])).flat();
    expect(taken.map(({ row }) => row.id).toSorted()).toEqual(['m', 'n']);
    const due = taken.find(({ row }) => row.id === 'n')?.due;
    if (!due) throw new Error('it was not taken');
    expect(await notices.keep(due, 31_000, { part: 'notice', place: 'D1', since: 1_000 })).toBe(true);
    expect((await notices.find('n'))?.posting).toEqual({ part: 'notice', place: 'D1', since: 1_000 });
    // The outcome comes while it is posted: the post is noted all the same.
    await notices.close('a thing', { outcome: 'Kept.', now: 2_000 });
    await notices.posted(due, { place: 'D1', ts: '1.2', arrivedAt: 1_000 });
    await notices.told(due, 1, 2_000);
    const posted = { place: 'D1', ts: '1.2', posting: undefined, shown: 1, revision: 2, tellAt: 2_000 };
    expect(await notices.find('n')).toMatchObject(posted);
    const [again] = await queue.take(2_000, 10);
    if (again) await notices.told(again.due, again.row.revision, 2_000);
    expect(await notices.find('n')).toMatchObject({ outcome: 'Kept.', shown: 2, tellAt: null });
    expect(await notices.sweep(1_000)).toBe(0);
    expect(await notices.sweep(2_000)).toBe(1);
    expect(await store.selectFrom('due').select('id').execute()).toEqual([{ id: 'm' }]);
  });

  test('a process that has lost a notice to another one can change nothing of it', async () => {
    const store = await open();
    const notices = outboxIn(store);
    await notices.add([noticeOf('n')]);
    const [late] = await notices.queue().take(1_000, 1);
    const [held] = await notices.queue().take(1_000 + lockTime, 1);
    if (!late || !held) throw new Error('it was not taken');
    expect(await notices.keep(late.due, 99_000, { part: 'notice', place: 'D9', since: 1_000 })).toBe(false);
    await notices.posted(late.due, { place: 'D9', ts: '9.9', arrivedAt: 1_000 });
    await notices.told(late.due, 1, 2_000);
    expect(await notices.find('n')).toMatchObject({ place: null, ts: null, shown: 0, posting: undefined });
    expect(await notices.keep(held.due, 99_000)).toBe(true);
  });

  test('a notice on which nothing follows is not closed, and goes with the history', async () => {
    const store = await open();
    const notices = outboxIn(store);
    await notices.add([noticeOf('n', { isNews: true, to: { channel: 'C1' } }), noticeOf('question')]);
    await notices.close('a thing', { outcome: 'Kept.', now: 1_000 });
    expect((await notices.find('n'))?.outcome).toBeNull();
    expect(await notices.sweep(2_000)).toBe(0);
    for (const { due, row } of await notices.queue().take(1_000, 10)) await notices.told(due, row.revision, 1_000);
    expect(await notices.sweep(1_000)).toBe(0);
    expect(await notices.sweep(2_000)).toBe(2);
  });

  test('a notice without an outcome, on which something may follow, stays in the outbox', async () => {
    const notices = outboxIn(await open());
    await notices.add([noticeOf('n')]);
    for (const { due } of await notices.queue().take(1_000, 10)) await notices.told(due, 1, 1_000);
    expect(await notices.sweep(9_000)).toBe(0);
  });
});
