import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Room } from '../wall/wall.ts';
import { initFile, socketName } from './sessions.ts';

/** A server that the engine runs: what it is for, and its home, whose option file says on which port it listens. */
export type Server = Readonly<{
  role: 'live' | 'clone' | 'scratch';
  home: string;
  /** More options, as the server takes them. */
  options?: readonly string[] | undefined;
  /** Where it is reached: on a port of this machine where left out, else on a socket in its home alone. */
  door?: 'socket' | undefined;
}>;

/** Options that keep a clone small: a start on the defaults writes 108 MB, a start on these 7 MB (measured). */
export const lean = [
  '--skip-log-bin',
  '--innodb-log-file-size=4M',
  '--innodb-temp-data-file-path=ibtmp1:1M:autoextend',
  '--innodb-autoextend-increment=1',
  '--innodb-buffer-pool-load-at-startup=OFF',
  '--innodb-buffer-pool-dump-at-shutdown=OFF',
  // The source may be a replica. A clone of it must not replicate.
  '--skip-slave-start',
  '--event-scheduler=OFF',
  // Else a table could be made, or opened, at a place that is lost with the wall.
  '--skip-symbolic-links',
];

const byRole: Record<Server['role'], readonly string[]> = {
  live: [
    '--log-bin=../binlog/binlog',
    '--server-id=1',
    '--innodb-buffer-pool-size=128M',
    // A restore of a part copies all files, and half of a small server's would be these.
    '--innodb-log-file-size=16M',
    // So would be a file of temporary tables that grows by 64 MB at a time.
    '--innodb-temp-data-file-path=ibtmp1:1M:autoextend',
    '--innodb-autoextend-increment=1',
  ],
  clone: lean,
  // A scratch server is thrown away, so it need not outlive a power cut.
  scratch: [...lean, '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF', '--sync-frm=OFF'],
};

/** Names of sockets from the data directory: as a whole, a path to one may be too long for the system. */
const sockets = { port: 'mariadb.sock', socket: `../tmp/${socketName}` } as const;

export const pidFileOf = ({ role, home }: Pick<Server, 'role' | 'home'>) =>
  join(home, role === 'live' ? '.' : 'tmp', 'mariadbd.pid');

export const socketOf = ({ home, door }: Server) => join(home, 'data', sockets[door ?? 'port']);

/** The options with which a server is started on this port. */
export function argsOf({ role, home, options = [], door }: Server, port: number): string[] {
  // Options of the snapshot's own server that its files depend on, such as the page size.
  const basis = join(home, 'data', 'backup-my.cnf');
  return [
    existsSync(basis) ? `--defaults-file=${basis}` : '--no-defaults',
    `--datadir=${join(home, 'data')}`,
    ...byRole[role],
    ...options,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${sockets[door ?? 'port']}`,
    ...(door === 'socket' ? ['--skip-networking'] : []),
    `--pid-file=${pidFileOf({ role, home })}`,
    `--tmpdir=${join(home, 'tmp')}`,
    `--secure-file-priv=${join(home, 'tmp')}`,
    ...(existsSync(join(home, initFile)) ? [`--init-file=${join(home, 'tmp', initFile)}`] : []),
  ];
}

/** The home of the server that this command runs, or leads to through a wall; undefined where it is no server. */
export function homeIn(command: readonly string[]): string | undefined {
  const data = command.find(word => word.startsWith('--datadir='))?.slice('--datadir='.length);
  return command.some(isServer) && data !== undefined ? dirname(data) : undefined;
}

/** Whether a word of a command is the server. */
export function isServer(word: string | undefined): boolean {
  return word !== undefined && basename(word) === 'mariadbd';
}

/** What a server behind the wall sees of its home: the rest, such as the file that opens sessions, it cannot change. */
export function roomOf(home: string): Room {
  return { writes: [join(home, 'data'), join(home, 'tmp')] };
}
