import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { isWhole } from '../whole.ts';
import { readers, slow } from './readers.ts';
import { hostile, type Shape } from './shapes.ts';
import { most, stepsOfText } from './steps.ts';

/*
 * Whatever people type, and whatever the service answers, is read in steps that grow with its length alone. Hostile texts
 * are made of the pieces to which readers give a meaning; in `npm run whole` some are drawn besides, and more are looked at.
 */

/** How long the texts are of which those with the most steps are looked at, and how many these are. */
const [length, texts, codes] = isWhole ? [500, 12, 2] : [150, 3, 1];
/** Fewer steps for each character than this are few, however they come about. */
const few = 40;
/** Texts whose steps grow with their length alone take at most twice as many for twice the length, and a little more. */
const growth = 2.4;
/** Patterns that look some hundred characters ahead show that they go no further only in longer texts. */
const lengths = [
  [250, 500, 1_000],
  [1_000, 2_000, 4_000],
] as const;

type Count = (text: string) => number | Promise<number>;

const thread = new Worker(new URL('./codeThread.ts', import.meta.url), { execArgv: [] });
afterAll(() => thread.terminate());

/** The blocks of code that run where a reader reads a text. */
async function stepsOfCode(name: string, text: string): Promise<number> {
  thread.postMessage({ name, text });
  const [steps] = await once(thread, 'message');
  return Number(steps);
}

/** The steps for three lengths of a shape where they grow faster than the text; `undefined` where they do not. */
async function growsFaster(shape: Shape, count: Count, from = 0): Promise<readonly number[] | undefined> {
  const [one, two, four] = lengths[from] ?? [];
  if (one === undefined) return [];
  const last = await count(shape.of(four));
  if (last <= few * four) return undefined;
  const steps = [await count(shape.of(one)), await count(shape.of(two)), last];
  const isSteady = last <= growth * (steps[1] ?? 0) || last <= growth ** 2 * (steps[0] ?? 0);
  if (isSteady && last < most) return undefined;
  return from + 1 < lengths.length ? growsFaster(shape, count, from + 1) : steps;
}

test.each(readers)(
  'the reader “$name” takes steps that grow with the length of its text alone',
  async ({ name, read }) => {
    const count = (text: string) => stepsOfText(() => read(text));
    // What is remembered of the first texts would count for these alone.
    for (const shape of hostile) read(shape.of(200));
    const counted = hostile.map(shape => ({ shape, steps: count(shape.of(length)) })).sort((a, b) => b.steps - a.steps);
    const faster: Record<string, readonly number[]> = {};
    for (const { shape } of counted.slice(0, texts)) {
      const found = await growsFaster(shape, count);
      if (found) faster[shape.name] = found;
    }
    for (const { shape } of counted.slice(0, codes)) {
      const found = await growsFaster(shape, text => stepsOfCode(name, text));
      if (found) faster[`code for ${shape.name}`] = found;
    }
    expect(faster).toEqual({});
  },
);

test.each(slow)('the count of steps shows that a reader is slow: $name', async ({ name, read }) => {
  const blanks = { name: 'blanks', of: (length: number) => `${' '.repeat(length - 1)}x` };
  const found = [
    await growsFaster(blanks, text => stepsOfText(() => read(text))),
    await growsFaster(blanks, text => stepsOfCode(name, text)),
  ];
  expect(found.some(steps => steps !== undefined)).toBe(true);
});
