import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

/** A program of ours in a process of its own. */
export type Child = Readonly<{
  /** By `performance.now()` of this process, in milliseconds. */
  spawnedAt: number;
  /** What the first group of `ready` matched in the line that told that it is ready. */
  told: string;
  /** Resident memory now, in MB (10⁶ bytes). */
  memory(): number;
  /** Processor time that it has used so far, on all cores, in seconds. */
  processorTime(): number;
  pid: number;
  signal(name: NodeJS.Signals): void;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}>;

export type ChildOptions = Readonly<{
  /** All that it finds in its environment beside PATH: what is set here or in a `.env` must not change what is measured. */
  environment: Readonly<Record<string, string>>;
  /** Where it runs. */
  folder: string;
  /** A line of its output that tells that it is ready. */
  ready: RegExp;
  /** Milliseconds that it may take until then; half a minute when left out. */
  patience?: number;
  nodeOptions: readonly string[];
  /** The core on which alone it runs; any when left out. */
  core?: number | undefined;
}>;

const running = new Set<ChildProcess>();
const folders = new Set<string>();
const undoings = new Set<() => void>();
/** Milliseconds. */
const longestStart = 30_000;
const longestStop = 10_000;

/** Starts a file with this Node and waits until it says that it is ready. @throws Error with its last words, if it ends before */
export async function startChild(file: URL, options: ChildOptions): Promise<Child> {
  const spawnedAt = performance.now();
  const command = [process.execPath, ...options.nodeOptions, file.pathname];
  // taskset becomes the program that it begins.
  const [program = '', ...args] =
    options.core === undefined ? command : ['taskset', '-c', `${options.core}`, ...command];
  const child = spawn(program, args, {
    cwd: options.folder,
    env: { PATH: process.env.PATH ?? '', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  void ended.then(() => running.delete(child));

  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-4_000);
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  // Its output is read to the end: a full pipe would hold it up.
  createInterface({ input: child.stdout }).on('line', line => {
    const match = options.ready.exec(line);
    if (match) resolve(match[1] ?? '');
  });
  void ended.then(() => reject(new Error(`${file.pathname} ended before it was ready.\n${lastWords}`)));
  const late = setTimeout(
    () => reject(new Error(`${file.pathname} was not ready in time.\n${lastWords}`)),
    options.patience ?? longestStart,
  );
  const told = await ready.finally(() => clearTimeout(late));

  return {
    spawnedAt,
    told,
    memory: () => residentMemory(child.pid ?? 0),
    processorTime: () => processorTime(child.pid ?? 0),
    pid: child.pid ?? 0,
    signal: name => void child.kill(name),
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), longestStop);
      await ended;
      clearTimeout(force);
    },
  };
}

/** A folder of its own for a child's data, gone when this process ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-bench-'));
  folders.add(folder);
  return folder;
}

/**
 * Has `undo` called, without waiting, when this process ends: after its children, before its folders are removed. The function
 * that is given back does it now instead.
 */
export function atEnd(undo: () => void): () => void {
  undoings.add(undo);
  return () => {
    if (undoings.delete(undo)) undo();
  };
}

/** Leaves no process and no data behind, however this one ends. */
export function leaveNothingBehind(): void {
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    for (const undo of undoings) undo();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

function residentMemory(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kilobytes) * 1_024) / 1e6;
}

/** Processor time that a process has used so far, in seconds. */
export function processorTime(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) {
    // The fields after the name, which may hold anything: utime and stime are in hundredths of a second (proc(5)).
    const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(stat, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
  }
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return time.split(/[:-]/).reduce((total, part) => total * 60 + Number(part), 0);
}
