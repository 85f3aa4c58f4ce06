import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { until } from './until.ts';

/** In the environment of everything that the engine starts, so that strays are known even after a crash. */
export const mark = 'DOLLY_SANDBOX_ENGINE';

/** A process that the engine, or an earlier run of it, started. */
export type Process = Readonly<{ pid: number; command: readonly string[] }>;

/** Every living process marked with this state folder. */
export function marked(state: string): Promise<readonly Process[]> {
  return withVariable(`${mark}=${state}`);
}

/** Every living process that has this in its environment, written `name=value`. */
export async function withVariable(variable: string): Promise<readonly Process[]> {
  const found = await Promise.all(
    (await pids()).map(async pid => {
      const variables = await words(pid, 'environ');
      return variables.includes(variable) ? [{ pid, command: await words(pid, 'cmdline') }] : [];
    }),
  );
  // A process that has ended and waits to be noticed has no command any more.
  return found.flat().filter(({ command }) => command.length > 0);
}

/** The living process marked with this state folder whose command is the wanted one; undefined where there is none. */
export async function markedAs(
  state: string,
  isWanted: (command: readonly string[]) => boolean,
): Promise<number | undefined> {
  for (const pid of await pids())
    if (isWanted(commandOf(pid)) && (await words(pid, 'environ')).includes(`${mark}=${state}`)) return pid;
  return undefined;
}

/** It is in memory: read at once it takes microseconds, and a clone's start waits for some hundreds of them. */
function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

async function pids(): Promise<readonly number[]> {
  return (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
}

/** Sends a signal to a process, or to a group by its negative number; nothing happens where it is gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

/** Resolves when a process is gone, and what it held is free. Rejects after `limit` milliseconds. */
export function gone(pid: number, limit: number): Promise<void> {
  return until(() => hasEnded(pid), limit, `process ${pid} did not end in ${limit / 1_000} seconds`);
}

/** Its command is lost with its first thread. The last one gives back files and ports. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (stat === '') return true;
  // After the name, which may hold anything: the state, and as the eighteenth the number of threads (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return (fields[0] === 'Z' || fields[0] === 'X') && Number(fields[17]) <= 1;
}

function words(pid: number, file: 'environ' | 'cmdline'): Promise<readonly string[]> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').then(
    text => text.split('\0').filter(word => word !== ''),
    () => [],
  );
}
