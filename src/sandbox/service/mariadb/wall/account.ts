import { execFile } from 'node:child_process';
import { lchown, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

/** The operating system's user whom every program of the engine runs as, and whom its files belong to. */
export type Account = Readonly<{ name: string; uid: number; gid: number; isOther: boolean }>;

/** The users that root may become, in this order: MariaDB refuses to run as root. */
const stand = ['mysql', 'nobody'];

/** The user of this process, or the one that root drops to; undefined where root finds none. */
export async function findAccount(): Promise<Account | undefined> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { name: nameOf(uid), uid, gid, isOther: false };
  const rows = await users();
  for (const name of stand) {
    const [, , otherUid, otherGid] = rows.find(row => row[0] === name) ?? [];
    if (otherUid !== undefined && otherGid !== undefined)
      return { name, uid: Number(otherUid), gid: Number(otherGid), isOther: true };
  }
  return undefined;
}

/** The first number that is tried for {@link findGuest}: Debian gives those from 60000 to its own users. */
const guests = 59_316;

/** The user for what works on the data of clones: as root one that is nobody else, else the given one. */
export async function findGuest(account: Account): Promise<Account> {
  if (!account.isOther) return account;
  const taken = new Set((await users()).flatMap(row => [row[2], row[3]]));
  let uid = guests;
  while (taken.has(String(uid))) uid += 1;
  return { name: String(uid), uid, gid: uid, isOther: true };
}

async function users(): Promise<readonly (readonly string[])[]> {
  return (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'));
}

/** A container may run as a number that nobody gave a name. */
function nameOf(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return String(uid);
  }
}

/** Gives a file or folder that this process made to the user who works with it; a link itself, never where it leads. */
export async function handOver({ uid, gid, isOther }: Account, path: string): Promise<void> {
  if (isOther) await lchown(path, uid, gid);
}

/** As {@link handOver}, with all that is in it. */
export async function handOverTree({ uid, gid, isOther }: Account, path: string): Promise<void> {
  if (isOther) await promisify(execFile)('chown', ['-hR', '-P', '--', `${uid}:${gid}`, path]);
}

/** Writes a file for a user, and for nobody else. */
export async function writeFor(user: Account, path: string, text: string): Promise<void> {
  await writeNew(path, text, 0o600);
  await handOver(user, path);
}

/** Writes a file anew: it may be another user's, and a link that somebody put there is not followed. */
export async function writeNew(path: string, text: string, mode = 0o644): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' });
}
