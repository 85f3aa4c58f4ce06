import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** The programs of a MariaDB installation that the engine works with, as absolute paths. */
export type Tools = Readonly<Record<'server' | 'client' | 'backup' | 'dump' | 'binlog' | 'install', string>>;

/** Servers lie where ordinary users do not look. */
const beside = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/usr/bin', '/sbin', '/bin'];

/** Looks for all programs in `path` (as in PATH) and in the usual folders. `missing` names those that are not there. */
export async function findTools(path: string): Promise<{ tools: Tools } | { missing: readonly string[] }> {
  const missing: string[] = [];
  const find = async (name: string): Promise<string> => {
    const file = await findProgram(name, path);
    if (file === undefined) missing.push(name);
    return file ?? '';
  };
  const tools: Tools = {
    server: await find('mariadbd'),
    client: await find('mariadb'),
    backup: await find('mariadb-backup'),
    dump: await find('mariadb-dump'),
    binlog: await find('mariadb-binlog'),
    install: await find('mariadb-install-db'),
  };
  return missing.length === 0 ? { tools } : { missing };
}

/** Where a program is, as an absolute path; undefined where it is not. */
export async function findProgram(name: string, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of new Set([...path.split(':').filter(folder => folder.startsWith('/')), ...beside])) {
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
