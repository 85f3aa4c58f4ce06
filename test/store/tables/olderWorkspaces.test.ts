import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { stores } from '../folder.ts';

describe.each(stores)('in %s', (_, open) => {
  test('a workspace that refused a kind of block counts as an older one for a day, for every replica', async () => {
    const store = await open();
    const [here, there] = [olderWorkspacesIn(store), olderWorkspacesIn(store)];
    const now = Date.UTC(2026, 10, 21);
    expect(await here.refuses('T1', ['plan'], now)).toBe(false);
    await Promise.all([here.note('T1', ['plan'], now), there.note('T1', ['plan'], now)]);
    expect(await there.refuses('T1', ['card', 'plan'], now)).toBe(true);
    expect(await there.refuses('T2', ['plan'], now)).toBe(false);
    expect(await here.refuses('T1', ['plan'], now + day - 1)).toBe(true);
    expect(await here.refuses('T1', ['plan'], now + day)).toBe(false);
    await there.note('T1', ['plan'], now + day);
    expect(await here.refuses('T1', ['plan'], now + day + minute)).toBe(true);
  });

  test('each kind of block counts as refused from its own refusal on, and other kinds are not refused', async () => {
    const older = olderWorkspacesIn(await open());
    const now = Date.UTC(2026, 10, 21);
    await older.note('T1', ['container'], now);
    await older.note('T1', ['plan', 'alert'], now + 5 * hour);
    expect(await older.refuses('T1', ['data_table'], now + 6 * hour)).toBe(false);
    expect(await older.refuses('T1', [], now + 6 * hour)).toBe(false);
    expect(await older.refuses('T1', ['container'], now + day)).toBe(false);
    expect(await older.refuses('T1', ['alert'], now + day)).toBe(true);
  });

  test('a refusal of a block that was noted before the clock was set back does not count', async () => {
    const older = olderWorkspacesIn(await open());
    await older.note('T1', ['plan'], Date.UTC(2030, 0, 1));
    expect(await older.refuses('T1', ['plan'], Date.UTC(2026, 10, 21))).toBe(false);
  });
});
