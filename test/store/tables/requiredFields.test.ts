import { describe, expect, test } from 'vitest';
import { requiredFieldsIn } from '../../../src/store/tables/requiredFields.ts';
import { stores } from '../folder.ts';

const clones = { operation: 'clone.create', vendor: 'MYSQL' };

describe.each(stores)('in %s', (_, open) => {
  test('a lesson belongs to one service, operation and vendor, and is forgotten in part or whole', async () => {
    const store = await open();
    const [here, there] = [requiredFieldsIn(store, 'http://here'), requiredFieldsIn(store, 'http://there')];
    await here.learn(clones, [], 1);
    expect(await here.all()).toEqual([]);
    await here.learn(clones, ['port', 'install'], 1);
    await Promise.all([here.learn(clones, ['port'], 2), here.learn(clones, ['port', 'mountBase'], 2)]);
    expect(await here.of(clones)).toEqual(['install', 'mountBase', 'port']);
    expect(await here.of({ ...clones, vendor: 'MARIADB' })).toEqual([]);
    expect(await here.of({ ...clones, operation: 'clone.share' })).toEqual([]);
    expect(await there.of(clones)).toEqual([]);
    expect(await here.all()).toContainEqual({ service: 'http://here', ...clones, field: 'port', seenAt: 2 });
    await there.forget(clones);
    await here.forget(clones, []);
    await here.forget(clones, ['port', 'project']);
    expect(await here.of(clones)).toEqual(['install', 'mountBase']);
    await here.forget(clones);
    expect(await here.of(clones)).toEqual([]);
  });
});
