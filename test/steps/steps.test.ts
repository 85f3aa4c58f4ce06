import { expect, test } from 'vitest';
import { isWhole } from '../whole.ts';
import { readers } from './readers.ts';
import { type Shape, shapes } from './shapes.ts';
import { most, stepsOfCode, stepsOfText } from './steps.ts';

/*
 * Whatever people type, and whatever the service answers, is read in steps that grow with its length alone. Hostile texts
 * are made of the pieces to which readers give a meaning; in `npm run whole` some are drawn besides, and more are looked at.
 */

const hostile = shapes(isWhole ? 30 : 0);
/** How long the texts are of which those with the most steps are looked at, and how many these are. */
const [length, texts, codes] = isWhole ? [500, 12, 2] : [250, 5, 1];
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

test.each(readers)('$name: its steps grow with its text alone', async ({ read, longest }) => {
  const within = (text: string) => text.slice(0, longest);
  const count = (text: string) => stepsOfText(() => read(within(text)));
  // What is remembered of the first texts would count for these alone.
  for (const shape of hostile) read(within(shape.of(200)));
  const counted = hostile.map(shape => ({ shape, steps: count(shape.of(length)) })).sort((a, b) => b.steps - a.steps);
  const faster: Record<string, readonly number[]> = {};
  for (const { shape } of counted.slice(0, texts)) {
    const found = await growsFaster(shape, count);
    if (found) faster[shape.name] = found;
  }
  for (const { shape } of counted.slice(0, codes)) {
    const found = await growsFaster(shape, text => stepsOfCode(() => read(within(text))));
    if (found) faster[`code for ${shape.name}`] = found;
  }
  expect(faster).toEqual({});
});

test.each([
  ['a search that begins anew at each blank', (text: string) => /\s+$/.exec(text)],
  ['a loop in a loop', (text: string) => [...text].map(one => [...text].filter(other => other === one))],
  [
    'a list that is looked through for each element',
    (text: string) => [...text].map((_, at, all) => all.includes(`${at}`)),
  ],
])('the count shows %s', async (_, read) => {
  const blanks = { name: 'blanks', of: (length: number) => `${' '.repeat(length - 1)}x` };
  const found = [
    await growsFaster(blanks, text => stepsOfText(() => read(text))),
    await growsFaster(blanks, text => stepsOfCode(() => read(text))),
  ];
  expect(found.some(steps => steps !== undefined)).toBe(true);
});
