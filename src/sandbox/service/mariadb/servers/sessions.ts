import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, writeFor } from '../wall/account.ts';

/** The engine's account in the servers that it runs. */
const user = 'dolly';
/** It stands in the home until the server has carried it out, and beside the server's own files while it starts. */
export const initFile = 'account.sql';
/** The socket of a server that has no port, and the number of bytes that the path to one may have. */
export const socketName = 'mariadb.sock';
const longestSocket = 107;

/** The option file that opens a session with the server of a home, for the engine and for people. */
export function optionFile(home: string): string {
  return join(home, 'client.cnf');
}

function optionsFor(port: number, password: string): string {
  return `[client]\nprotocol=tcp\nhost=127.0.0.1\nport=${port}\nuser=${user}\npassword=${password}\n`;
}

/**
 * What opens a session with a server that has no port, in the folder in which its socket is.
 * @throws Error where the folder's path is too long for that
 */
export function sessionFile(folder: string, password: string): string {
  const socket = join(folder, socketName);
  if (Buffer.byteLength(socket) > longestSocket)
    throw new Error(`A script needs a shorter path than ${folder}: with at most ${longestSocket} bytes for ${socket}.`);
  return `[client]\nprotocol=socket\nsocket=${socket}\nuser=${user}\npassword=${password}\n`;
}

/** Where the server of a home listens. */
export async function portOf(home: string): Promise<number> {
  const file = optionFile(home);
  const [, port] = /^port=(\d+)$/m.exec(await readFile(file, 'utf8')) ?? [];
  if (port === undefined) throw new Error(`${file} names no port`);
  return Number(port);
}

/** Says where the server of a home will listen, and gives it an account of its own at its next start. */
export async function settle(account: Account, home: string, port: number): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await writeFor(account, optionFile(home), optionsFor(port, password));
  await writeFor(account, join(home, initFile), accountSql(password));
}

/**
 * Both, since a server may be told not to look up the name of an address. What the source demands of passwords, and when they
 * end, is for people: a password made by chance met it in half of the cases.
 */
function accountSql(password: string): string {
  const accounts = ['localhost', '127.0.0.1'].map(host => `'${user}'@'${host}'`);
  const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest();
  const hash = `*${sha1(sha1(password)).toString('hex').toUpperCase()}`;
  const known = accounts.map(name => `${name} IDENTIFIED VIA mysql_native_password USING '${hash}'`);
  // Each statement about accounts waits for the disk: two for all.
  return [
    'SET SESSION sql_log_bin = 0;',
    'SET @strict = @@GLOBAL.strict_password_validation;',
    'SET GLOBAL strict_password_validation = OFF;',
    `CREATE OR REPLACE USER ${known.join(', ')} PASSWORD EXPIRE NEVER;`,
    `GRANT ALL ON *.* TO ${accounts.join(', ')} WITH GRANT OPTION;`,
    'SET GLOBAL strict_password_validation = @strict;',
    '',
  ].join('\n');
}
