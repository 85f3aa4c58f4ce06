import type { Jobs } from '../../../src/store/jobs/jobs.ts';

/** The writes of a process that dies at one of them. */
const writes = ['apply', 'applyAlong', 'applyAll', 'beginStep', 'noChange'] as const;

/** The name of a write about `plan-1`: what it does, to which jobs. */
function nameOf(write: string, given: readonly unknown[]): string {
  return [write, ...(JSON.stringify(given).match(/"id":"plan-1[-\w]*"|"event":"\w+"/g) ?? [])].join(' ');
}

/** The jobs of a process that dies at the first write of this name, before it or after it. */
export function dying(jobs: Jobs, moment?: string, isAfter = true) {
  const names: string[] = [];
  let isDead = false;
  const act = async (name: string, write: () => Promise<unknown>) => {
    if (isDead || (name === moment && !isAfter)) isDead = true;
    if (isDead) throw new Error('killed');
    names.push(name);
    const result = await write();
    isDead ||= name === moment;
    if (isDead) throw new Error('killed');
    return result;
  };
  const dead = new Proxy(jobs, {
    get(of, name: keyof Jobs) {
      const does: unknown = Reflect.get(of, name);
      if (typeof does !== 'function') return does;
      const isWrite = writes.some(write => write === name);
      return (...given: unknown[]) =>
        isWrite ? act(nameOf(name, given), async () => Reflect.apply(does, of, given)) : Reflect.apply(does, of, given);
    },
  });
  return { jobs: dead, names, isDead: () => isDead };
}
