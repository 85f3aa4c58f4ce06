import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const root = new URL('../..', import.meta.url).pathname;

/** Seconds of processor time of all that run a program from outside of this folder, and of their children that ended. */
function foreignTime(): number {
  const processes = existsSync('/proc/self/stat') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : [];
  const times = processes.map(pid => {
    try {
      // The system's own threads, which work for all, run no program. The first process takes in whom another one left.
      const isOwn = [process.pid, process.ppid, 1].includes(Number(pid));
      if (isOwn || readlinkSync(`/proc/${pid}/exe`).startsWith(root)) return 0;
      // Both times of the process, and both of its children, in hundredths of a second (proc(5)).
      const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const used = fields.split(' ').slice(11, 15).map(Number);
      return used.reduce((all, one) => all + one, 0) / 100;
    } catch {
      // It has ended, or is of another user.
      return 0;
    }
  });
  return times.reduce((all, one) => all + one, 0);
}

/** Begins to watch what others do on this machine: gives the percentage of a core that they have used since then. */
export function watchOthers(): () => number {
  const [before, began] = [foreignTime(), performance.now()];
  return () => Math.max(0, (foreignTime() - before) / (performance.now() - began)) * 100_000;
}
