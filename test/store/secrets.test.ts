import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { linksIn } from '../../src/store/tables/links.ts';
import { openVault } from '../../src/store/vault.ts';
import { ben, folder, storeIn, stores } from './folder.ts';

const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const token = 'tok-en.of-ben.0123456789';
const eva = { team: 'T1', person: 'U2' };

function bytesIn(dataDir: string): string {
  return readdirSync(dataDir)
    .map(file => readFileSync(join(dataDir, file), 'latin1'))
    .join('');
}

test('a token is found again by its owner, and stands nowhere in the files of the store', async () => {
  const dataDir = folder();
  const credentials = credentialsIn(await storeIn(dataDir), openVault([first]));
  await credentials.keep(ben, 'ben', token, 7);
  expect(await credentials.find(ben)).toEqual({ username: 'ben', token, since: 7 });
  expect(await credentials.find(eva)).toBeUndefined();
  const bytes = bytesIn(dataDir);
  // The seal itself is there, so the right files were read.
  expect(bytes).toContain('eyJ');
  expect(bytes).not.toContain(token);
  expect(bytes).not.toContain(Buffer.from(token).toString('base64').slice(0, 24));
});

test('a token that is put into another person’s row does not open', async () => {
  const store = await storeIn(folder());
  const credentials = credentialsIn(store, openVault([first]));
  await credentials.keep(ben, 'ben', token, 7);
  await credentials.keep(eva, 'eva', 'hers', 7);
  const { token: sealed } = await store
    .selectFrom('credentials')
    .select('token')
    .where('person', '=', 'U1')
    .executeTakeFirstOrThrow();
  await store.updateTable('credentials').set({ token: sealed }).where('person', '=', 'U2').execute();
  expect(await credentials.find(eva)).toBeUndefined();
  expect(await credentials.find(ben)).toMatchObject({ token });
});

test('a token that was sealed with an old key opens only while that key is named', async () => {
  const store = await storeIn(folder());
  await credentialsIn(store, openVault([first])).keep(ben, 'ben', token, 7);
  expect(await credentialsIn(store, openVault([second, first])).find(ben)).toMatchObject({ token });
  expect(await credentialsIn(store, openVault([second])).find(ben)).toBeUndefined();
});

test.each(stores)(
  'a token that was sealed with an old key is sealed anew, and then needs only the new one: in %s',
  async (_, open) => {
    const store = await open();
    await credentialsIn(store, openVault([first])).keep(ben, 'ben', token, 7);
    const both = credentialsIn(store, openVault([second, first]));
    expect([await both.renew(), await both.renew()]).toEqual([1, 0]);
    expect(await credentialsIn(store, openVault([second])).find(ben)).toEqual({ username: 'ben', token, since: 7 });
    expect(await credentialsIn(store, openVault([first])).renew()).toBe(0);
  },
);

test('a sealed token does not open once the user name beside it was changed', async () => {
  const store = await storeIn(folder());
  const credentials = credentialsIn(store, openVault([first]));
  await credentials.keep(ben, 'ben', token, 7);
  await store.updateTable('credentials').set({ username: 'ana' }).execute();
  expect(await credentials.find(ben)).toBeUndefined();
});

test('a sign-in is unsealed once, and not given from memory after it was changed, replaced or forgotten', async () => {
  const store = await storeIn(folder());
  const vault = openVault([first]);
  let unsealed = 0;
  const open: typeof vault.open = (owner, sealed) => {
    unsealed += 1;
    return vault.open(owner, sealed);
  };
  const counting = { ...vault, open };
  const [one, other] = [credentialsIn(store, counting), credentialsIn(store, vault)];
  await one.keep(ben, 'ben', token, 7);
  const both = [await one.find(ben), await one.find(ben)];
  expect([both.map(found => found?.token), unsealed]).toEqual([[token, token], 1]);

  await other.keep(ben, 'ben', 'new', 8);
  expect(await one.find(ben)).toEqual({ username: 'ben', token: 'new', since: 8 });
  await store.updateTable('credentials').set({ username: 'ana' }).execute();
  expect(await one.find(ben)).toBeUndefined();
  await store.updateTable('credentials').set({ username: 'ben', person: 'U2' }).execute();
  expect(await one.find(eva)).toBeUndefined();
  await store.updateTable('credentials').set({ person: 'U1' }).execute();
  await other.forget(ben, 9);
  expect(await one.find(ben)).toBeUndefined();
});

test('the vault tells why a seal does not open, and nothing of what it holds', async () => {
  const told: unknown[] = [];
  const vault = openVault([first], (owner, why) => told.push([owner, why]));
  const sealed = await vault.seal(ben, token);
  await vault.open(eva, sealed);
  await vault.open(
    ben,
    // The first letter of what is sealed: the last of a text may hold bits that mean nothing.
    sealed.replace(/\.([^.])([^.]+\.[^.]+)$/, (_, head, rest) => `.${head === 'A' ? 'B' : 'A'}${rest}`),
  );
  await vault.open(ben, await openVault([second]).seal(ben, token));
  expect(told).toEqual([
    [eva, 'of another person'],
    [ben, 'tampered with'],
    [ben, 'unknown key'],
  ]);
});

test('the vault seals with the first of its keys', async () => {
  const sealed = await openVault([second, first]).seal(ben, token);
  expect(await openVault([second]).open(ben, sealed)).toBe(token);
  expect(await openVault([first]).open(ben, sealed)).toBeUndefined();
});

test('all texts that one key sealed begin alike for all people, and those of another key do not', async () => {
  const [one, other] = [openVault([first]), openVault([second])];
  for (const owner of [ben, { team: 'E0123456789', person: 'W' }]) {
    expect((await one.seal(owner, token)).startsWith(one.currentBeginning)).toBe(true);
    expect((await other.seal(owner, token)).startsWith(one.currentBeginning)).toBe(false);
  }
});

test('the same token is sealed differently each time, and does not open in another workspace', async () => {
  const vault = openVault([first]);
  const [one, two] = [await vault.seal(ben, token), await vault.seal(ben, token)];
  expect(one).not.toBe(two);
  expect(await vault.open({ team: 'T2', person: 'U1' }, one)).toBeUndefined();
  expect(await vault.open({ team: 'T1","U1', person: '' }, one)).toBeUndefined();
});

test.each([
  ['nothing', () => ''],
  ['nonsense', () => 'a.b.c.d.e'],
  [
    'a changed text',
    (sealed: string) => sealed.replace(/\.([^.])([^.]*)$/, (_, head, tail) => `.${head === 'A' ? 'B' : 'A'}${tail}`),
  ],
  [
    'a changed header',
    (sealed: string) =>
      `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')}${sealed.slice(sealed.indexOf('.'))}`,
  ],
  ['half of it', (sealed: string) => sealed.slice(0, sealed.length / 2)],
])('A seal that is replaced by %s does not open', async (_, change) => {
  const vault = openVault([first]);
  expect(await vault.open(ben, change(await vault.seal(ben, token)))).toBeUndefined();
});

test('a vault without a key is refused', () => {
  expect(() => openVault([])).toThrow('needs a key');
});

test('a sign-in replaces the one before, and to forget one tells whether there was one', async () => {
  const credentials = credentialsIn(await storeIn(folder()), openVault([first]));
  await credentials.keep(ben, 'ben', 'old', 1);
  await credentials.keep(ben, 'benjamin', 'new', 2);
  expect(await credentials.find(ben)).toEqual({ username: 'benjamin', token: 'new', since: 2 });
  expect([await credentials.forget(ben, 3), await credentials.forget(ben, 3)]).toEqual([true, false]);
  expect(await credentials.find(ben)).toBeUndefined();
});

test('a token that the service refused is dropped, but not one that came since', async () => {
  const credentials = credentialsIn(await storeIn(folder()), openVault([first]));
  await credentials.keep(ben, 'ben', 'new', 2);
  await credentials.drop(ben, 'old', 3);
  expect(await credentials.find(ben)).toMatchObject({ token: 'new' });
  await credentials.drop(ben, 'new', 3);
  expect(await credentials.find(ben)).toBeUndefined();
});

const link = { ...ben, channel: 'C1', intent: 'clone orders' };
const minute = 60_000;

test('a sign-in link leads to who made it for ten minutes, and only its hash is kept', async () => {
  const dataDir = folder();
  const links = linksIn(await storeIn(dataDir), openVault([first]));
  const secret = await links.make(link, 0);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await links.make(link, 0)).not.toBe(secret);
  expect(await links.find(secret, 10 * minute - 1)).toMatchObject(link);
  expect(await links.find(secret, 10 * minute)).toBeUndefined();
  expect(await links.take(secret, 10 * minute)).toBeUndefined();
  expect(await links.find(`${secret.slice(0, -1)}!`, 0)).toBeUndefined();
  expect(bytesIn(dataDir)).not.toContain(secret);
});

test.each(stores)('a sign-in link is used once, even by five at once, in %s', async (_, open) => {
  const links = linksIn(await open(), openVault([first]));
  const secret = await links.make(link, 0);
  const taken = await Promise.all(Array.from({ length: 5 }, () => links.take(secret, 1)));
  expect(taken.filter(one => one !== undefined)).toEqual([expect.objectContaining(link)]);
  expect(await links.find(secret, 1)).toBeUndefined();
  expect(await links.take(secret, 1)).toBeUndefined();
});

test('a sign-in link allows five tries', async () => {
  const links = linksIn(await storeIn(folder()), openVault([first]));
  const secret = await links.make(link, 0);
  for (let count = 1; count <= 5; count++) {
    expect(await links.find(secret, 1)).toMatchObject(link);
    const taken = await links.take(secret, 1);
    expect(taken && (await links.putBack(taken))).toBe(count < 5);
  }
  expect(await links.find(secret, 1)).toBeUndefined();
});

test('the command behind a sign-in link is sealed, and is lost with its key, while the link still works', async () => {
  const dataDir = folder();
  const store = await storeIn(dataDir);
  const secret = await linksIn(store, openVault([first])).make({ ...link, intent: 'restore payroll pdb=HR' }, 0);
  const bytes = bytesIn(dataDir);
  expect(bytes).toContain('eyJ');
  for (const word of ['payroll', 'pdb=HR']) expect(bytes).not.toContain(word);
  expect(await linksIn(store, openVault([second])).find(secret, 1)).toMatchObject({ ...ben, intent: null });
  expect(await linksIn(store, openVault([second, first])).take(secret, 1)).toMatchObject({
    intent: 'restore payroll pdb=HR',
  });
});

test('Sign-in links that expired are swept when one is made', async () => {
  const store = await storeIn(folder());
  const links = linksIn(store, openVault([first]));
  await links.make(link, 0);
  await links.make(link, 10 * minute);
  expect(await store.selectFrom('links').selectAll().execute()).toHaveLength(1);
});
