import { chmodSync, lchownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountIn } from '../../src/app/config/accountKeys.ts';
import { readSecretFile } from '../../src/ground/secretFile.ts';
import { scratchFolder } from '../scratch.ts';

const secret = 'hunter2-of-the-service';
let folder = '';
beforeEach(() => {
  folder = scratchFolder('secret');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file of the folder with these rights. */
function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function read(keys: Record<string, string | undefined>) {
  const faults: string[] = [];
  return { account: accountIn(keys, faults), faults };
}

test('the service account needs both of its keys, and one alone asks for the other', () => {
  expect(read({})).toEqual({ account: undefined, faults: [] });
  expect(read({ SERVICE_USER: 'svc' })).toEqual({
    account: undefined,
    faults: ['SERVICE_PASSWORD_FILE: is missing; it names the file with the password of SERVICE_USER'],
  });
  expect(read({ SERVICE_PASSWORD_FILE: file('password', secret) })).toEqual({
    account: undefined,
    faults: ['SERVICE_USER: is missing; SERVICE_PASSWORD_FILE has the password of this user'],
  });
});

test('the configuration keeps the place of the service account’s password, and not the password', () => {
  const path = file('password', `${secret}\n`, 0o400);
  const { account, faults } = read({ SERVICE_USER: ' svc ', SERVICE_PASSWORD_FILE: path });
  expect(faults).toEqual([]);
  expect(account).toEqual({ username: 'svc', passwordFile: path });
});

test.each([
  ['one line break at the end is left out', `${secret}\n`, secret],
  ['also that of another system', `${secret}\r\n`, secret],
  ['and that of a third', `${secret}\r`, secret],
  ['blanks around it and within it are kept', `\t${secret} of ours \n`, `\t${secret} of ours `],
  ['a second one belongs to the password, as do blanks', ` ${secret} \n\n`, ` ${secret} \n`],
  ['letters of any script are kept', 'пароль-密码\n', 'пароль-密码'],
])('a password file is read as it stands, but for one line break at its end: %s', (_, text, expected) => {
  expect(readSecretFile(file('password', text))).toBe(expected);
});

describe('a password is not taken from', () => {
  test.each<[string, () => string, string]>([
    ['a file that is not there', () => join(folder, 'none'), 'does not exist'],
    ['a folder', () => folder, 'is not a plain file'],
    ['a link to nothing', () => link(join(folder, 'none')), 'does not exist'],
    ['a link to itself', () => link(join(folder, 'links', 'password')), 'is a symbolic link that leads to itself'],
    ['a link to a file that its group can read', () => link(file('password', secret, 0o640)), 'can be used by others'],
    [
      'a link in a folder of everybody',
      () => opened(link(file('password', secret))),
      'can be replaced by users other than root',
    ],
    ['a device', () => '/dev/null', 'is not a plain file'],
    [
      'a file that its group can read',
      () => file('password', secret, 0o640),
      'can be used by others, not only by its owner',
    ],
    [
      'a file that everybody can read',
      () => file('password', secret, 0o604),
      'can be used by others, not only by its owner',
    ],
    [
      'a file that others can write',
      () => file('password', secret, 0o602),
      'can be used by others, not only by its owner',
    ],
    ['an empty file', () => file('password', ''), 'is empty'],
    ['a file with blanks alone', () => file('password', ' \t\r\n\n'), 'is empty'],
    ['a file with a line break alone', () => file('password', '\n'), 'is empty'],
    ['a file that is too long', () => long(), 'is longer than 4096 bytes'],
  ])('The service account’s password is not taken from %s', (_, path, why) => {
    const { account, faults } = read({ SERVICE_USER: 'svc', SERVICE_PASSWORD_FILE: path() });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^SERVICE_PASSWORD_FILE: the file .* /);
    expect(faults[0]).toContain(why);
    expect(faults.join()).not.toContain(secret);
    expect(account).toBeDefined();
  });

  function link(to: string): string {
    mkdirSync(join(folder, 'links'));
    const path = join(folder, 'links', 'password');
    symlinkSync(to, path);
    return path;
  }

  function opened(path: string): string {
    chmodSync(dirname(path), 0o777);
    return path;
  }

  function long(): string {
    const path = file('password', secret);
    truncateSync(path, 4_097);
    return path;
  }
});

/* Only root can make files of root's. Dolly runs as another user then, as it does in a container. */
describe.runIf(process.getuid?.() === 0)('a secret that is mounted', () => {
  const [dolly, stranger] = [1000, 1001];

  /** As Kubernetes mounts it: links lead to the newest folder of files, in a folder of everybody's in which names stay. */
  function kubernetes(mode = 0o644): string {
    chmodSync(folder, 0o1777);
    mkdirSync(join(folder, '..2026_11_29'));
    file('..2026_11_29/password', `${secret}\n`, mode);
    symlinkSync('..2026_11_29', join(folder, '..data'));
    symlinkSync('..data/password', join(folder, 'password'));
    return join(folder, 'password');
  }

  /** As Docker mounts it. */
  function docker(mode = 0o444): string {
    chmodSync(folder, 0o755);
    return file('password', secret, mode);
  }

  test.each([
    ['by Kubernetes', () => kubernetes()],
    ['by Kubernetes for a group', () => kubernetes(0o440)],
    ['by Docker', () => docker()],
    ['by Docker, with a link to its folder', () => linked(docker())],
    ['as a file of the user who runs Dolly', () => given(docker(0o400), dolly)],
    ['as such a file behind links', () => given(kubernetes(0o600), dolly, '..2026_11_29/password')],
  ])('a secret that is mounted %s is read', (_, path) => {
    expect(readSecretFile(path(), dolly)).toBe(secret);
  });

  test.each([
    ['whose folder is open to everybody', () => changed(docker(), 0o777), 'can be replaced by users other than root'],
    ['whose folder is open to a group', () => changed(docker(), 0o775), 'can be replaced by users other than root'],
    ['whose folder is a stranger’s', () => given(docker(), stranger, '.'), 'can be replaced by users other than root'],
    ['that a group can write', () => docker(0o464), 'can be replaced by users other than root'],
    [
      'to which a link of a stranger leads',
      () => given(kubernetes(), stranger, '..data'),
      'can be replaced by users other than root',
    ],
    ['that is a stranger’s', () => given(docker(), stranger), 'belongs to a user other than Dolly’s'],
    [
      'that is a stranger’s, behind links',
      () => given(kubernetes(), stranger, '..2026_11_29/password'),
      'a user other than Dolly’s',
    ],
    [
      'that is the user’s own, and open to all',
      () => given(docker(0o444), dolly),
      'can be used by others, not only by its owner',
    ],
  ])('A mounted secret is not taken from a file %s', (_, path, why) => {
    expect(() => readSecretFile(path(), dolly)).toThrow(why);
  });

  test.each([
    ['Kubernetes', kubernetes],
    ['Docker', docker],
  ])('a mounted secret must be a private file of root’s where Dolly runs as root (%s)', (_, mounts) => {
    const path = mounts(0o444);
    expect(() => readSecretFile(path)).toThrow('can be used by others, not only by its owner');
    chmodSync(path, 0o400);
    expect(readSecretFile(path)).toBe(secret);
  });

  function given(path: string, owner: number, what = 'password'): string {
    lchownSync(join(folder, what), owner, owner);
    return path;
  }

  function changed(path: string, mode: number): string {
    chmodSync(dirname(path), mode);
    return path;
  }

  function linked(path: string): string {
    symlinkSync('.', join(folder, 'here'));
    return join(folder, 'here', 'here', path.slice(folder.length));
  }
});
