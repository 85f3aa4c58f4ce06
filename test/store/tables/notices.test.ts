import { describe, expect, test } from 'vitest';
import { noticesIn } from '../../../src/store/tables/notices.ts';
import { stores } from '../folder.ts';
import { noticeOf } from './aNotice.ts';

const lockTime = 20_000;

describe.each(stores)('a notice in %s', (_, open) => {
  test('is added once, told once, and told again when its outcome is known', async () => {
    const store = await open();
    const notices = noticesIn(store);
    await notices.add([noticeOf('n'), noticeOf('n'), noticeOf('m', { to: { job: 'j' } })]);
    const taken = await Promise.all([notices.take(1_000, lockTime, 10), notices.take(1_000, lockTime, 10)]);
    expect(
      taken
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['m', 'n']);
    const [first] = taken.flat().filter(({ id }) => id === 'n');
    if (!first) throw new Error('it was not taken');
    const kept = await notices.keep(first, 31_000, { part: 'notice', place: 'D1', since: 1_000 });
    if (!kept) throw new Error('it is not kept');
    expect((await notices.find('n'))?.posting).toEqual({ part: 'notice', place: 'D1', since: 1_000 });
    await notices.posted(kept, 'D1', '1.2', 1_000);
    await notices.close('a thing', { outcome: 'Kept.', now: 2_000 });
    // What is noted late by a process whose lock was over changes nothing.
    expect(await notices.keep(first, 99_000)).toBeUndefined();
    await notices.putOff(first, 50_000, true);
    // The outcome came while it was posted.
    await notices.told(kept);
    expect(await notices.find('n')).toMatchObject({
      place: 'D1',
      ts: '1.2',
      posting: undefined,
      shown: 1,
      revision: 2,
      tellAt: 2_000,
    });
    const [again] = await notices.take(2_000, lockTime, 10);
    if (again) await notices.told(again);
    expect(await notices.find('n')).toMatchObject({ outcome: 'Kept.', shown: 2, tellAt: null });
    expect(await notices.sweep(1_000)).toBe(0);
    expect(await notices.sweep(2_000)).toBe(1);
  });

  test.each(['alert', 'report', 'schedule'])(
    'of the kind %s, on which nothing follows, goes with the history',
    async kind => {
      const notices = noticesIn(await open());
      await notices.add([noticeOf('n', { kind, to: { channel: 'C1' } })]);
      expect(await notices.sweep(2_000)).toBe(0);
      const [taken] = await notices.take(1_000, lockTime, 10);
      if (taken) await notices.told(taken);
      expect(await notices.sweep(1_000)).toBe(0);
      expect(await notices.sweep(2_000)).toBe(1);
    },
  );
});
