import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/database.ts';
import { light } from '../../src/store/light.ts';
import { type Disk, type Mishap, newDisk } from './disk.ts';
import { type Host, type Kernel, newKernel, type Watching } from './kernel.ts';

/** A store of notes, and two processes that work on it. */
type Rig = Readonly<{
  kernel: Kernel;
  disk: Disk;
  one: Host;
  other: Host;
  /** Lets a process work at a time, in milliseconds. What comes of it is said. */
  works(host: Host, ms: number, name: string, work: (store: Store) => Promise<unknown>): void;
  said: string[];
  commits(): number;
  notes(): readonly string[];
  run(): Promise<void>;
}>;

type Options = Partial<Watching> &
  Readonly<{ seed?: string; isEmbedded?: boolean; mishap?: (host: Host, isCommit: boolean) => Mishap }>;

const image = (() => {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec('create table notes (text text not null)');
  return sqlite.serialize();
})();

function rigOf({ seed = '1', isEmbedded = true, mishap = () => undefined, ...watching }: Options = {}): Rig {
  const said: string[] = [];
  let commits = 0;
  const kernel = newKernel(seed, 0, { passes: () => undefined, happened: () => undefined, ...watching });
  const committed = () => {
    commits += 1;
  };
  const disk = newDisk(kernel, { image, isEmbedded, mishap, committed });
  return {
    kernel,
    disk,
    one: kernel.raise('one'),
    other: kernel.raise('other'),
    works(host, ms, name, work) {
      kernel.after(ms, host, name, () => {
        work(disk.open()).then(
          () => said.push(`${name} done`),
          error => said.push(`${name} failed: ${error instanceof Error ? error.message : error}`),
        );
      });
    },
    said,
    commits: () => commits,
    notes: () => disk.rows('select text from notes order by rowid').map(({ text }) => String(text)),
    run: () => kernel.run(() => false, 10_000),
  };
}

const notes = (text: string) => sql`insert into notes values (${text})`;
const notesLightly = (text: string) => sql`insert into notes values (${text}) ${light}`;

let rig: Rig;
beforeEach(() => {
  rig = rigOf();
});

describe('a transaction', () => {
  test('in the simulated store, a transaction begins only when the one before has ended', async () => {
    const { works, one, other, said } = rig;
    const both = (name: string) => (store: Store) =>
      store.transaction().execute(async own => {
        for (const part of ['first', 'second']) {
          await notes(`${part} of ${name}`).execute(own);
          said.push(`${part} of ${name}`);
        }
      });
    works(one, 1, 'one', both('one'));
    works(other, 1, 'other', both('other'));
    await rig.run();
    expect(said).toEqual([
      'first of one',
      'second of one',
      'one done',
      'first of other',
      'second of other',
      'other done',
    ]);
    expect(rig.commits()).toBe(2);
  });

  test('in the simulated store, a single statement waits for the end of a transaction', async () => {
    const { works, one, other } = rig;
    works(one, 1, 'one', store =>
      store.transaction().execute(async own => {
        await notes('first').execute(own);
        await notes('second').execute(own);
      }),
    );
    works(other, 2, 'other', store => notes('alone').execute(store));
    await rig.run();
    expect(rig.notes()).toEqual(['first', 'second', 'alone']);
  });

  test('in the simulated store, a transaction that throws leaves nothing', async () => {
    const { works, one } = rig;
    works(one, 1, 'one', store =>
      store.transaction().execute(async own => {
        await notes('lost').execute(own);
        throw new Error('changed my mind');
      }),
    );
    await rig.run();
    expect(rig.notes()).toEqual([]);
    expect(rig.said).toEqual(['one failed: changed my mind']);
    expect(rig.commits()).toBe(0);
  });
});

describe('a process that dies', () => {
  test('a simulated process that dies leaves nothing of what it had begun, and lets the others go on', async () => {
    const { works, one, other, kernel, disk } = rig;
    works(one, 1, 'one', store =>
      store.transaction().execute(async own => {
        await notes('lost').execute(own);
        await new Promise<void>(() => undefined);
      }),
    );
    works(other, 2, 'other', store => notes('kept').execute(store));
    kernel.after(100, other, 'kill', () => {
      one.isUp = false;
      disk.died(one);
    });
    await rig.run();
    expect(rig.notes()).toEqual(['kept']);
    expect(rig.said).toEqual(['other done']);
  });

  test('a simulated process that dies before its commit leaves nothing, and after it everything', async () => {
    for (const [side, left] of [
      ['before', []],
      ['after', ['kept']],
    ] as const) {
      const own = rigOf({
        passes(host, point, at, errand) {
          // The second thing that is written is the commit.
          if (host !== own.one || point !== 'statement' || errand !== 'write' || at !== side || ++passed < 2) return;
          host.isUp = false;
          own.disk.died(host);
        },
      });
      let passed = 0;
      own.works(own.one, 1, 'one', store => store.transaction().execute(inOne => notes('kept').execute(inOne)));
      own.works(own.other, 50, 'other', store => sql`select 1`.execute(store));
      await own.run();
      expect(own.notes(), side).toEqual(left);
      expect(own.said, side).toEqual(['other done']);
    }
  });
});

describe('a power cut', () => {
  /** What is left of durable and light notes, in which process and power end at once. */
  async function leftOf(seed: string, isEmbedded: boolean, work: (store: Store) => Promise<unknown>) {
    const own = rigOf({ seed, isEmbedded });
    own.works(own.one, 1, 'one', work);
    own.kernel.after(1_000, own.other, 'power cut', () => {
      own.one.isUp = false;
      own.disk.died(own.one);
      own.disk.losePower();
    });
    await own.run();
    return own.notes().join(' ');
  }
  const seeds = Array.from({ length: 40 }, (_, seed) => String(seed));
  const allLeft = async (isEmbedded: boolean, work: (store: Store) => Promise<unknown>) => {
    const left = new Set<string>();
    for (const seed of seeds) left.add(await leftOf(seed, isEmbedded, work));
    return [...left].sort();
  };

  test('a simulated power cut may take the latest commits that did not wait for the disk, and none from between', async () => {
    const left = await allLeft(true, async store => {
      await notes('durable').execute(store);
      for (const text of ['a', 'b', 'c']) await notesLightly(text).execute(store);
    });
    expect(left).toEqual(['durable', 'durable a', 'durable a b', 'durable a b c']);
  });

  test('a simulated power cut takes no commit that a durable one followed', async () => {
    const left = await allLeft(true, async store => {
      await notesLightly('light').execute(store);
      await notes('durable').execute(store);
    });
    expect(left).toEqual(['light durable']);
  });

  test('a durable statement that changes nothing saves no earlier light commit from a simulated power cut', async () => {
    const left = await allLeft(true, async store => {
      await notesLightly('light').execute(store);
      await sql`delete from notes where text = 'none'`.execute(store);
      await store.transaction().execute(own => sql`delete from notes where text = 'none'`.execute(own));
    });
    expect(left).toEqual(['', 'light']);
  });

  test('a simulated power cut takes nothing from a store that is not embedded', async () => {
    expect(await allLeft(false, store => notesLightly('light').execute(store))).toEqual(['light']);
  });
});

describe('trouble', () => {
  const inOne = (text: string) => (store: Store) => store.transaction().execute(own => notes(text).execute(own));

  test.each([
    ['a transaction', inOne('kept')],
    ['a statement alone', (store: Store) => notes('kept').execute(store)],
  ] as const)(
    'a simulated connection that breaks at the commit of %s keeps it, and the process hears of a failure',
    async (_what, work) => {
      let commits = 0;
      const own = rigOf({
        isEmbedded: false,
        mishap: (_, isCommit) => (isCommit && ++commits === 1 ? 'unknown' : undefined),
      });
      own.works(own.one, 1, 'one', work);
      own.works(own.one, 50, 'next', store => notes('next').execute(store));
      await own.run();
      expect(own.notes()).toEqual(['kept', 'next']);
      expect(own.said).toEqual([expect.stringMatching(/^one failed: /), 'next done']);
      expect(own.commits()).toBe(2);
    },
  );

  test.each(['full', 'away'] as const)(
    'a simulated store that is %s keeps nothing, and the next work is done',
    async kind => {
      let commits = 0;
      const own = rigOf({ mishap: (_, isCommit) => (isCommit && ++commits === 1 ? kind : undefined) });
      own.works(own.one, 1, 'one', inOne('lost'));
      own.works(own.other, 50, 'next', inOne('next'));
      await own.run();
      expect(own.notes()).toEqual(['next']);
      expect(own.said).toEqual([expect.stringMatching(/^one failed: /), 'next done']);
    },
  );
});

test('the simulated store does the same at the same millisecond for the same seed', async () => {
  const told = async (seed: string) => {
    const own = rigOf({ seed });
    for (const text of ['a', 'b', 'c']) own.works(own.one, 1, text, store => notes(text).execute(store));
    await own.run();
    return own.kernel.fingerprint();
  };
  expect(await told('1')).toBe(await told('1'));
  expect(await told('1')).not.toBe(await told('2'));
});
