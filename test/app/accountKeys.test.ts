import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('without both keys there is no service account, and one of them asks for the other', () => {
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

test('the configuration keeps the place of the password, and not the password', () => {
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
])('%s', (_, text, expected) => {
  expect(readSecretFile(file('password', text))).toBe(expected);
});

describe('a password is not taken from', () => {
  test.each<[string, () => string, string]>([
    ['a file that is not there', () => join(folder, 'none'), 'does not exist'],
    ['a folder', () => folder, 'is no plain file'],
    ['a symbolic link', () => link(file('password', secret)), 'is a symbolic link; name the file itself'],
    ['a device', () => '/dev/null', 'is no plain file'],
    ['a file that its group can read', () => file('password', secret, 0o640), 'can be used by others than its owner'],
    ['a file that everybody can read', () => file('password', secret, 0o604), 'can be used by others than its owner'],
    ['a file that others can write', () => file('password', secret, 0o602), 'can be used by others than its owner'],
    ['an empty file', () => file('password', ''), 'is empty'],
    ['a file with blanks alone', () => file('password', ' \t\r\n\n'), 'is empty'],
    ['a file with a line break alone', () => file('password', '\n'), 'is empty'],
    ['a file that is too long', () => long(), 'is longer than 4096 bytes'],
  ])('%s', (_, path, why) => {
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

  function long(): string {
    const path = file('password', secret);
    truncateSync(path, 4_097);
    return path;
  }
});
