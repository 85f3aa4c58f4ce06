import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';

/** The means by which what works on people's data is kept from everything else, the strongest first. */
export const wallKinds = ['bubblewrap', 'unshare', 'user', 'none'] as const;
export type WallKind = (typeof wallKinds)[number];

/** All that a program behind the wall sees, beside the programs of the system. A folder that it may write in keeps its path. */
export type Room = Readonly<{
  /** Folders. */
  writes: readonly string[];
  /** Folders. */
  reads?: readonly string[] | undefined;
  file?: string | undefined;
  /** A folder in which the program begins, and which is small enough a path for a socket: {@link Wall.deskAt} says where. */
  desk?: string | undefined;
}>;

/** A command with the variables that it needs. */
export type Launch = Readonly<{ program: string; args: readonly string[]; env: Readonly<Record<string, string>> }>;

export type Wall = Readonly<{
  kind: WallKind;
  /** The user behind the wall: as root one of its own, else the one of the service. */
  guest: Account;
  /** Whether the program has a root and a network of its own. Then a port has to be handed in as a socket that listens. */
  isClosed: boolean;
  /** What the wall is, for people. */
  words: string;
  launch(program: string, args: readonly string[], room: Room): Launch;
  /** Where a program behind the wall finds its desk. */
  deskAt(desk: string): string;
}>;

const words: Record<WallKind, string> = {
  bubblewrap: 'namespaces (bubblewrap): clones see their own files and no network',
  unshare: 'namespaces (unshare): clones see their own files and no network',
  user: 'a user of their own: clones cannot read the files of live servers, but reach the network',
  none: 'no wall: only the sandbox’s own example can be cloned',
};

/** The programs that build the wall, as absolute paths; undefined where one is not there. */
export type Builders = Readonly<Partial<Record<'bwrap' | 'unshare' | 'mount' | 'chroot' | 'setpriv' | 'env', string>>>;

/** Parts of an installation. Its data may lie beside them, and is not to be seen. */
const parts = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share'];
/** Files of /etc that programs cannot do without: none of them names a server or a password. */
const settings = ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache', 'ld.so.conf', 'localtime', 'alternatives'];
const devices = ['null', 'zero', 'full', 'random', 'urandom'];
const deskFolder = '/run/clone';
/** What is written elsewhere is gone with the program, and takes so many megabytes of memory at most. */
const memoryMb = 64;

/** Whoever takes the machine's last memory behind the wall is ended first (proc(5)). */
const first = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; ';

type Parts = Readonly<{
  /** A folder of the state folder, for what the walls are built of. */
  folder: string;
  account: Account;
  guest: Account;
  builders: Builders;
  /** The server's program: what is installed beside it is to be seen, too. */
  server: string;
}>;

/** Makes the parts that all walls have in common, in an empty folder. */
export async function makeWallFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ['root', 'etc', 'dev/shm']) await mkdir(join(folder, name), { recursive: true });
  for (const name of settings)
    if (existsSync(join('/etc', name)))
      await cp(join('/etc', name), join(folder, 'etc', name), { recursive: true, verbatimSymlinks: true });
  for (const name of devices) writeFileSync(join(folder, 'dev', name), '');
}

/** A wall of a kind, whether it stands on this machine or not. */
export function wallOf(kind: WallKind, { folder, account, guest, builders, server }: Parts): Wall {
  const isRoot = account.isOther;
  const folders = [...new Set(['/', '/usr', '/usr/local', dirname(dirname(server))])]
    .flatMap(root => parts.map(part => join(root, part)))
    .filter(path => existsSync(path));
  const isClosed = kind === 'bubblewrap' || kind === 'unshare';
  const common = {
    kind,
    guest: kind === 'none' ? account : guest,
    isClosed,
    words: words[kind],
    deskAt: (desk: string) => (isClosed ? deskFolder : desk),
  };
  // The first process of a namespace has the number 1.
  const env = { LISTEN_PID: '1' };

  function bubblewrap(program: string, args: readonly string[], { reads = [], writes, file, desk }: Room): Launch {
    const see = (path: string, at = path) => ['--ro-bind', path, at];
    const files = file === undefined ? [] : [file];
    const privileged = '--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP'.split(' ');
    // It makes the folders above one for root alone.
    const passable = (paths: readonly string[]) => above(paths).flatMap(path => ['--perms', '0755', '--dir', path]);
    const bwrap = [
      ...[needed('bwrap'), '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--as-pid-1'],
      ...(isRoot ? privileged : ['--unshare-user', '--cap-drop', 'ALL']),
      ...passable(folders),
      ...folders.flatMap(path => see(path)),
      ...see(join(folder, 'etc'), '/etc'),
      ...`--proc /proc --dev /dev --size ${memoryMb * 1024 ** 2} --perms 1777 --tmpfs /tmp`.split(' '),
      ...passable([...reads, ...writes, ...files, deskFolder]),
      ...[...reads, ...files].flatMap(path => see(path)),
      ...writes.flatMap(path => ['--bind', path, path]),
      ...(desk === undefined ? [] : ['--bind', desk, deskFolder]),
      ...['--chdir', '/'],
      '--',
    ];
    const drop = [`--reuid=${guest.uid}`, `--regid=${guest.gid}`, '--clear-groups', '--bounding-set=-all'];
    // Root has given up its right to enter what is another user's.
    const enter = desk === undefined ? [] : [needed('env'), '-C', deskFolder];
    const own = [...(isRoot ? [needed('setpriv'), ...drop, '--'] : []), ...enter];
    return { program: '/bin/sh', args: ['-c', `${first}exec "$@"`, 'sh', ...bwrap, ...own, program, ...args], env };
  }

  function unshare(program: string, args: readonly string[], room: Room): Launch {
    const table = tableOf(room);
    const file = join(folder, `${createHash('sha256').update(table).digest('hex').slice(0, 32)}.mounts`);
    if (!existsSync(file)) writeFileSync(file, table);
    const root = join(folder, 'root');
    const start = room.desk === undefined ? '/' : deskFolder;
    const script = `${first}${needed('mount')} -a -T "$1" && shift && exec "$@"`;
    const own = isRoot
      ? [needed('chroot'), `--userspec=${guest.uid}:${guest.gid}`, '--groups=', root, needed('env'), '-C', start]
      : [
          ...[needed('unshare'), '--user', `--map-user=${guest.uid}`, `--map-group=${guest.gid}`],
          ...[`--root=${root}`, `--wd=${start}`],
        ];
    return {
      program: needed('unshare'),
      args: [
        ...(isRoot ? [] : ['--user', '--map-root-user']),
        ...['--mount', '--net', '--pid', '--ipc', '--uts', '--fork'],
        ...['/bin/sh', '-c', script, 'sh', file, ...own, program, ...args],
      ],
      env,
    };
  }

  /**
   * What is mounted, as fstab(5) writes it. A single program does it all: each one more takes milliseconds. An ordinary user
   * may take no option from a mount that the system made, so that a mount is bound there as it is; the programs are root's.
   */
  function tableOf({ reads = [], writes, file, desk }: Room): string {
    const root = join(folder, 'root');
    const line = (what: string, at: string, type: string, ...options: readonly string[]) =>
      `${escaped(what)} ${escaped(join(root, at))} ${type} ${options.join(',')} 0 0\n`;
    const bind = (what: string, at: string, ...options: readonly string[]) =>
      line(what, at, 'none', 'bind', ...(isRoot ? options : []), 'X-mount.mkdir');
    const see = (what: string, at = what) => bind(what, at, 'ro', 'nosuid', 'nodev');
    const own = (what: string, at = what) => bind(what, at, 'nosuid', 'nodev');
    const memory = (at: string, mode: string) =>
      line('wall', at, 'tmpfs', `size=${memoryMb}m,mode=${mode}`, 'nosuid', 'nodev', 'X-mount.mkdir');
    return [
      memory('/', '755'),
      ...folders.map(path => see(path)),
      see(join(folder, 'etc'), '/etc'),
      bind(join(folder, 'dev'), '/dev', 'ro', 'nosuid'),
      ...devices.map(name => line(`/dev/${name}`, `/dev/${name}`, 'none', 'bind')),
      memory('/dev/shm', '1777'),
      line('proc', '/proc', 'proc', 'nosuid', 'nodev', 'noexec', 'X-mount.mkdir'),
      memory('/tmp', '1777'),
      ...reads.map(path => see(path)),
      ...(file === undefined ? [] : [see(placeFor(file), dirname(file)), line(file, file, 'none', 'bind')]),
      ...writes.map(path => own(path)),
      ...(desk === undefined ? [] : [own(desk, deskFolder)]),
    ].join('');
  }

  /** A folder with an empty file of this name, on which the file can be mounted. */
  function placeFor(file: string): string {
    const place = join(folder, 'files', basename(file));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, basename(file)), '');
    return place;
  }

  function plain(program: string, args: readonly string[]): Launch {
    return { program: '/bin/sh', args: ['-c', `${first}exec "$@"`, 'sh', program, ...args], env: {} };
  }

  function needed(name: keyof Builders): string {
    const file = builders[name];
    if (file === undefined) throw new Error(`${name} not found`);
    return file;
  }

  return { ...common, launch: { bubblewrap, unshare, user: plain, none: plain }[kind] };
}

/** The folders above these paths, each before those in it. */
function above(paths: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) all.add(folder);
  return [...all].toSorted((one, other) => one.length - other.length);
}

/** A path as fstab(5) writes it. */
function escaped(path: string): string {
  return path.replace(/[\s\\]/g, letter => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
