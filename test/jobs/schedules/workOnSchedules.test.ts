import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/store/database.ts';
import { stores } from '../../store/folder.ts';
import { scheduleBoard } from './scheduleBoard.ts';

async function boardOn(store: Store, options?: Parameters<typeof scheduleBoard>[1]) {
  const here = await scheduleBoard(store, options);
  onTestFinished(() => here.end());
  return here;
}

describe.each(stores)('a schedule on %s', (_, open) => {
  test('runs each time once where two processes work on it, and counts how it ended', async () => {
    const here = await boardOn(await open());
    const { id } = await here.asks();
    const two = [here.parts, here.parts];
    for (const day of ['2026-11-22', '2026-11-23']) {
      await here.goTo(`${day}T01:59:50Z`);
      const before = (await here.runs(id)).length;
      await here.works(
        async () => (await here.runs(id)).length > before && (await here.schedule(id)).lastOutcome !== null,
        { at: two },
      );
    }
    expect(here.written()).toEqual(['PUT sync', 'PUT sync']);
    expect(await here.schedule(id)).toMatchObject({
      ...{ state: 'on', lastOutcome: 'succeeded', failures: 0, lastAt: Date.UTC(2026, 10, 23, 2) },
      ...{ nextAt: Date.UTC(2026, 10, 24, 2), dueAt: Date.UTC(2026, 10, 24, 2) },
    });
    expect(await here.events()).toEqual([
      'schedule asked: every day at 02:00 (UTC)',
      'run begun: 2026-11-22T02:00Z',
      'run begun: 2026-11-23T02:00Z',
    ]);
  });
});
