import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** What a reader must know of the machine to make sense of the figures. */
export type Machine = Readonly<{
  cpu: string;
  cores: number;
  /** GB (10⁹ bytes). */
  memory: number;
  system: string;
  node: string;
  /** Processes that wanted to run in the minute before, on average: others at work make the figures noisy. */
  load: number;
}>;

export function machineFacts(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory: Math.round(totalmem() / 1e8) / 10,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
