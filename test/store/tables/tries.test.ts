import { expect, test } from 'vitest';
import { triesIn } from '../../../src/store/tables/tries.ts';
import { ben, folder, storeIn } from '../folder.ts';

const eva = { team: 'T1', person: 'U2' };
const hour = 3_600_000;
const may = { id: expect.any(String) };

test('a person may have ten passwords refused in an hour, under whatever user names', async () => {
  const tries = triesIn(await storeIn(folder()));
  for (let at = 1; at <= 10; at += 1) expect(await tries.begin(ben, `ben${at}`, at)).toEqual(may);
  // The eleventh may be made when the first is an hour old.
  expect(await tries.begin(ben, 'ben', 20)).toEqual({ until: 1 + hour });
  expect(await tries.begin(ben, 'ben', hour)).toEqual({ until: 1 + hour });
  expect(await tries.begin(ben, 'ben', hour + 1)).toEqual(may);
  expect(await tries.begin(ben, 'ben', hour + 1)).toEqual({ until: 2 + hour });
});

test('passwords that others try for a user name do not count for anybody else', async () => {
  const tries = triesIn(await storeIn(folder()));
  for (const at of Array(40).keys())
    expect(await tries.begin({ team: 'T1', person: `U${at}` }, at % 2 ? 'root' : ' ROOT', 5)).toEqual(may);
  expect(await tries.begin(eva, 'Root', 6)).toEqual(may);
});

test('a password try above the limit does not make the wait longer', async () => {
  const tries = triesIn(await storeIn(folder()));
  for (const _ of Array(10)) await tries.begin(ben, 'ben', 5);
  for (const _ of Array(30)) await tries.begin(ben, 'ben', 1_000);
  expect(await tries.begin(ben, 'ben', 5 + hour)).toEqual(may);
});

test('no more than ten of many password tries at the same moment pass', async () => {
  const tries = triesIn(await storeIn(folder()));
  const made = await Promise.all(Array.from({ length: 25 }, () => tries.begin(ben, 'ben', 5)));
  expect(made.filter(one => 'id' in one).length).toBeLessThanOrEqual(10);
  expect(made.some(one => 'until' in one)).toBe(true);
});

test('after the clock was set back, the wait for a new password try is an hour from the first try since', async () => {
  const tries = triesIn(await storeIn(folder()));
  const back = 10 * hour;
  for (const _ of Array(10)) await tries.begin(ben, 'ben', 30 * hour);
  expect(await tries.begin(ben, 'ben', back)).toEqual({ until: back + hour });
  expect(await tries.begin(ben, 'ben', back + hour - 1)).toEqual({ until: back + hour });
  expect(await tries.begin(ben, 'ben', back + hour)).toEqual(may);
});

test('a password try that is taken back does not count', async () => {
  const tries = triesIn(await storeIn(folder()));
  for (const _ of Array(30)) {
    const made = await tries.begin(ben, 'ben', 5);
    expect(made).toEqual(may);
    if ('id' in made) await tries.forgive(made.id);
  }
});

test('a sign-in clears the person’s tries under that user name, and not those under another, however written', async () => {
  const tries = triesIn(await storeIn(folder()));
  const written = ['root', 'ROOT ', 'rооt', 'ro\u200bot', 'röot', 'ｒｏｏｔ', 'root', 'r\u0301oot', 'Root'];
  for (const name of written) expect(await tries.begin(ben, name, 5)).toEqual(may);
  await tries.clear(ben, 'ben');
  expect(await tries.begin(ben, 'ben', 6)).toEqual(may);
  expect(await tries.begin(ben, 'root', 7)).toEqual(may);
  expect(await tries.begin(ben, 'rοot', 8)).toEqual({ until: 5 + hour });
});

test('the count of password tries survives a restart, names nobody, and is swept after an hour', async () => {
  const dataDir = folder();
  const before = await storeIn(dataDir);
  for (const _ of Array(10)) await triesIn(before).begin(ben, 'my-password', 5);
  await before.destroy();
  const store = await storeIn(dataDir);
  expect(await triesIn(store).begin(ben, 'ben', 6)).toEqual({ until: 5 + hour });
  const rows = await store.selectFrom('tries').selectAll().execute();
  expect(rows).toHaveLength(20);
  expect(JSON.stringify(rows)).not.toMatch(/my-password|U1\b/);
  await triesIn(store).begin(eva, 'eva', 5 + hour);
  expect(await store.selectFrom('tries').select('id').execute()).toHaveLength(2);
});
