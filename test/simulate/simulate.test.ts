import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { compiled } from '../compiled.ts';
import { scratchFolder } from '../scratch.ts';
import { keptFiles, keptFolder } from './kept.ts';
import { Tally } from './tally.ts';

/* Time and chance of the machine are tamed for a whole process, so each simulation has one of its own. */

const root = fileURLToPath(new URL('../..', import.meta.url));
/** By night there are 2,000 (`npm run night`). */
const seeds = 5;
/** What so many seeds reach wherever people can work at all: an oracle finds nothing where nothing happens. */
const reached = ['sign in taken', 'clone taken', 'back up taken', 'step sending → running', 'step running → succeeded'];

/** What a simulation said, and its exit code. */
type Said = Readonly<{ code: unknown; out: string; error: string }>;

async function simulated(env: Readonly<Record<string, string>>): Promise<Said> {
  const given = ['--disable-warning=DEP0204', 'test/simulate/main.ts'];
  const child = spawn(process.execPath, given, {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
  });
  const ended = new Promise(resolve => child.on('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, error };
}

/** The lines about the runs that found something. */
function foundBy({ out }: Said): readonly string[] {
  return out.match(/^.*\tFOUND\n(?: {2}.*\n)*/gm) ?? [];
}

/** The fingerprint of a run, by its seed or the file of its plan. */
function fingerprintsOf({ out }: Said): ReadonlyMap<string, string> {
  return new Map([...out.matchAll(/^(\S+)\t([0-9a-f]{16})\t/gm)].map(([, name = '', print = '']) => [name, print]));
}

/** A plan with two bots and a freeze, which must meet something. Others are run before it in the same process. */
const hard = join(keptFolder, '8-told-once-1.json');

describe('the simulator', () => {
  const summary = join(scratchFolder('seeds'), 'summary.json');
  let many: Said;
  let here: Said;
  let elsewhere: Said;
  let kept: Said;
  beforeAll(async () => {
    const one = { PLAN: hard, VERBOSE: '1' };
    [many, [kept, here, elsewhere]] = await Promise.all([
      simulated({ SEED: '1', SEEDS: String(seeds), SUMMARY: summary }),
      (async () => [
        await simulated({ PLAN: keptFolder }),
        await simulated({ ...one, TZ: 'UTC' }),
        await simulated({ ...one, TZ: 'Asia/Kathmandu' }),
      ])(),
    ]);
  });

  test(`the simulator finds nothing in ${seeds} seeds`, () => {
    expect(many.error).toBe('');
    expect(foundBy(many)).toEqual([]);
    expect(many.code).toBe(0);
    expect(fingerprintsOf(many).size).toBe(seeds);
    const { covered } = Tally.parse(JSON.parse(readFileSync(summary, 'utf8')));
    expect(reached.filter(what => !covered[what])).toEqual([]);
  });

  test('the simulator finds nothing in the kept plans, which still reach what they showed', () => {
    expect(kept.error).toBe('');
    expect(foundBy(kept)).toEqual([]);
    expect(kept.code).toBe(0);
    expect([...fingerprintsOf(kept).keys()]).toEqual(keptFiles(keptFolder));
  });

  test('the simulator runs a plan the same way again, alone, after others and in another time zone', () => {
    const print = fingerprintsOf(here).get(hard);
    expect(here.out).toMatch(/^ {2}fault freeze: /m);
    expect(print).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprintsOf(elsewhere).get(hard)).toBe(print);
    expect(fingerprintsOf(kept).get(hard)).toBe(print);
  });

  test('the simulator runs each seed in its own way', () => {
    expect(new Set(fingerprintsOf(many).values()).size).toBe(seeds);
  });
});

test('the simulator finds nothing where the service speaks another dialect in each seed, and confirms jobs there', async () => {
  const summary = join(scratchFolder('drawn'), 'summary.json');
  const drawn = await simulated({ SEED: '1', SEEDS: '2', DRAWN: '1', SUMMARY: summary });
  expect(drawn.error).toBe('');
  expect(foundBy(drawn)).toEqual([]);
  const { covered } = Tally.parse(JSON.parse(readFileSync(summary, 'utf8')));
  expect(reached.filter(what => !covered[what])).toEqual([]);
});

test('the simulator says in one sentence why it runs nothing, and exits with the code 2', async () => {
  const { code, out, error } = await simulated({ SEED: 'abc' });
  expect({ code, out, error }).toEqual({
    code: 2,
    out: '',
    error: 'SEED must be a whole number from 1 on, and is "abc".\n',
  });
});
