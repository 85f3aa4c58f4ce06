import { describe, expect, test } from 'vitest';
import { type Host, type Kernel, newKernel, type Watching } from './kernel.ts';

const quiet: Watching = { passes: () => undefined, happened: () => undefined };
const never = () => false;
/** An end that no test reaches. Milliseconds. */
const later = 100_000;

function world(watching: Partial<Watching> = {}, seed = 'seed'): { kernel: Kernel; host: Host } {
  const kernel = newKernel(seed, 0, { ...quiet, ...watching });
  return { kernel, host: kernel.raise('bot') };
}

describe('time', () => {
  test('simulated time goes from one event to the next, in the order in which they are due', async () => {
    const { kernel, host } = world();
    const seen: string[] = [];
    for (const [what, ms] of Object.entries({ late: 30, early: 10, between: 20 }))
      kernel.after(ms, host, what, () => seen.push(`${what} ${kernel.now()}`));
    await kernel.run(never, later);
    expect(seen).toEqual(['early 10', 'between 20', 'late 30']);
  });

  test('simulated events that are due at the same time happen in the order in which they were asked for', async () => {
    const { kernel, host } = world();
    const seen: number[] = [];
    const all = Array.from({ length: 50 }, (_, number) => number);
    for (const number of all) kernel.after(10, host, 'number', () => seen.push(number));
    await kernel.run(never, later);
    expect(seen).toEqual(all);
  });

  test('simulated time stops at the end, and as soon as the world is over', async () => {
    const { kernel, host } = world();
    const seen: string[] = [];
    for (const ms of [10, 20, 30]) kernel.after(ms, host, 'event', () => seen.push(`${ms}`));
    await kernel.run(() => seen.length === 1, later);
    expect(seen).toEqual(['10']);
    await kernel.run(never, 25);
    expect(seen).toEqual(['10', '20']);
  });

  test('a simulated event that is called off does not happen', async () => {
    const { kernel, host } = world();
    const seen: string[] = [];
    const alarm = kernel.after(20, host, 'called off', () => seen.push('called off'));
    kernel.after(10, host, 'calls off', () => {
      alarm.isOver = true;
    });
    await kernel.run(never, later);
    expect(seen).toEqual([]);
  });

  test('simulated time goes on only after all promises that can be kept are kept', async () => {
    const { kernel, host } = world();
    const seen: string[] = [];
    kernel.after(10, host, 'first', async () => {
      for (let turn = 0; turn < 100; turn++) await undefined;
      seen.push(`promises of ${kernel.now()}`);
    });
    kernel.after(11, host, 'second', () => seen.push('second'));
    await kernel.run(never, later);
    expect(seen).toEqual(['promises of 10', 'second']);
  });

  test('a simulation whose time stands still for 20,000 events fails', async () => {
    const { kernel, host } = world();
    let count = 0;
    const again = () => {
      count += 1;
      kernel.after(0, host, 'busy loop', again);
    };
    kernel.after(1, host, 'busy loop', again);
    await expect(kernel.run(never, later)).rejects.toThrow('the world stands still at busy loop of bot');
    expect(count).toBe(20_001);
  });

  test('a simulation whose time goes on after 19,000 events does not fail', async () => {
    const { kernel, host } = world();
    let count = 0;
    const again = () => {
      if (++count < 40_000) kernel.after(count % 19_000 === 0 ? 1 : 0, host, 'work', again);
    };
    kernel.after(1, host, 'work', again);
    await kernel.run(never, later);
    expect(count).toBe(40_000);
  });
});

describe('a process', () => {
  test('a simulated process is the one in whose name its callbacks run, also after they have waited', async () => {
    const { kernel, host } = world();
    const other = kernel.raise('other');
    const seen: string[] = [];
    const says = async () => {
      await undefined;
      seen.push(kernel.host().name);
    };
    kernel.after(1, host, 'says', says);
    kernel.after(1, other, 'says', says);
    await kernel.run(never, later);
    expect(seen).toEqual(['bot', 'other']);
  });

  test('a simulated process that is dead does nothing any more', async () => {
    const { kernel, host } = world();
    const seen: string[] = [];
    kernel.after(10, host, 'dies', () => {
      host.isUp = false;
      kernel.after(1, host, 'asked for when dead', () => seen.push('asked for when dead'));
    });
    kernel.after(20, host, 'asked for before', () => seen.push('asked for before'));
    await kernel.run(never, later);
    expect(seen).toEqual([]);
  });

  test('a simulated process that is frozen does everything later in its order, while others go on', async () => {
    const { kernel, host } = world();
    const other = kernel.raise('other');
    const seen: string[] = [];
    const says = (who: Host, ms: number) =>
      kernel.after(ms, who, 'says', () => seen.push(`${who.name} ${ms} at ${kernel.now()}`));
    host.frozenUntil = 50;
    for (const ms of [10, 20]) says(host, ms);
    says(other, 15);
    await kernel.run(never, later);
    expect(seen).toEqual(['other 15 at 15', 'bot 10 at 50', 'bot 20 at 50']);
  });

  test('a simulated process can be killed before a timer of its own, which then does nothing', async () => {
    const seen: string[] = [];
    const { kernel, host } = world({
      passes: (passing, point, side) => {
        if (point === 'timer' && side === 'before') passing.isUp = false;
      },
    });
    kernel.after(10, host, 'timer', () => seen.push('timer'));
    await kernel.run(never, later);
    expect(seen).toEqual([]);
  });

  test('a simulated process can be frozen before a timer of its own, which then comes later', async () => {
    const seen: number[] = [];
    let isFrozen = false;
    const { kernel, host } = world({
      passes: passing => {
        if (!isFrozen) passing.frozenUntil = 500;
        isFrozen = true;
      },
    });
    kernel.after(10, host, 'timer', () => seen.push(kernel.now()));
    await kernel.run(never, later);
    expect(seen).toEqual([500]);
  });
});

describe('the fingerprint', () => {
  const fingerprintOf = async (seed: string, notes: readonly string[], ms = 10) => {
    const { kernel, host } = world({}, seed);
    kernel.after(ms, host, 'notes', () => notes.forEach(note => void kernel.note(note)));
    await kernel.run(never, later);
    return kernel.fingerprint();
  };

  test('the fingerprint of a simulation is the same for the same events', async () => {
    expect(await fingerprintOf('seed', ['one', 'other'])).toBe(await fingerprintOf('seed', ['one', 'other']));
  });

  test.each([
    ['another order', ['other', 'one'], 10],
    ['other contents', ['one', 'othes'], 10],
    ['another time', ['one', 'other'], 11],
  ] as const)('the fingerprint of a simulation changes by %s', async (_what, notes, ms) => {
    expect(await fingerprintOf('seed', notes, ms)).not.toBe(await fingerprintOf('seed', ['one', 'other']));
  });
});
