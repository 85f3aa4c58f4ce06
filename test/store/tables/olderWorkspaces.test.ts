import { describe, expect, test } from 'vitest';
import { day } from '../../../src/ground/durations.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { stores } from '../folder.ts';

describe.each(stores)('in %s', (_, open) => {
  test('a workspace that refused newer blocks counts as an older one for a day, for every replica', async () => {
    const store = await open();
    const [here, there] = [olderWorkspacesIn(store), olderWorkspacesIn(store)];
    const now = Date.UTC(2026, 10, 21);
    expect(await here.has('T1', now)).toBe(false);
    await Promise.all([here.note('T1', now), there.note('T1', now)]);
    expect(await there.has('T1', now)).toBe(true);
    expect(await there.has('T2', now)).toBe(false);
    expect(await here.has('T1', now + day - 1)).toBe(true);
    expect(await here.has('T1', now + day)).toBe(false);
    await there.note('T1', now + day);
    expect(await here.has('T1', now + day + 1)).toBe(true);
  });

  test('a refusal that was noted before the clock was set back does not count', async () => {
    const older = olderWorkspacesIn(await open());
    await older.note('T1', Date.UTC(2030, 0, 1));
    expect(await older.has('T1', Date.UTC(2026, 10, 21))).toBe(false);
  });
});
