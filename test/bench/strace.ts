/** The calls of fsync and fdatasync in a summary of `strace -c`: columns of time, seconds, microseconds a call, calls. */
export function waitsIn(summary: string): number {
  return summary
    .split('\n')
    .filter(line => /\bf(data)?sync$/.test(line))
    .reduce((sum, line) => sum + Number(line.trim().split(/\s+/)[3]), 0);
}
