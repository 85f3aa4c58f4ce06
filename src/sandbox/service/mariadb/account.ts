import { chown, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** The operating system's user whom every program of the engine runs as, and whom its files belong to. */
export type Account = Readonly<{ name: string; uid: number; gid: number; isOther: boolean }>;

/** The users that root may become, in this order: MariaDB refuses to run as root. */
const stand = ['mysql', 'nobody'];

/** The user of this process, or the one that root drops to; undefined where root finds none. */
export async function findAccount(): Promise<Account | undefined> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { name: nameOf(uid), uid, gid, isOther: false };
  const rows = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'));
  for (const name of stand) {
    const [, , otherUid, otherGid] = rows.find(row => row[0] === name) ?? [];
    if (otherUid !== undefined && otherGid !== undefined)
      return { name, uid: Number(otherUid), gid: Number(otherGid), isOther: true };
  }
  return undefined;
}

/** A container may run as a number that nobody gave a name. */
function nameOf(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return String(uid);
  }
}

/** Gives a file or folder that this process made to the user who works with it. */
export async function handOver({ uid, gid, isOther }: Account, path: string): Promise<void> {
  if (isOther) await chown(path, uid, gid);
}
