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
  let last: Promise<unknown> = Promise.resolve();
  const actNow = async (name: string, write: () => Promise<unknown>) => {
    if (isDead || (name === moment && !isAfter)) isDead = true;
    if (isDead) throw new Error('killed');
    names.push(name);
    const result = await write();
    isDead ||= name === moment;
    if (isDead) throw new Error('killed');
    return result;
  };
  /** One after the other: a write that was under way at the death would be a second one whose process did not go on. */
  const act = (name: string, write: () => Promise<unknown>) => {
    const turn = last.then(() => actNow(name, write));
    last = turn.catch(() => undefined);
    return turn;
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
