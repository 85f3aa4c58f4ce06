import { expect, test } from 'vitest';
import { drawing } from './generator/draw.ts';
import { printJourney } from './generator/print.ts';
import { run } from './generator/run.ts';
import { drawView, excessOf } from './generator/view.ts';

/*
 * A relation that needs no oracle: whoever sees less may know less, and never more, nor the contrary. Each seed runs once with
 * a clear view and once with a poorer one: polls fail, lists and records come late, Dolly is stopped and started anew. Nobody
 * answers questions. `SEED=7` runs one seed, `SEEDS=300` so many from `FIRST` on.
 */
const { SEED, SEEDS, FIRST = '1' } = process.env;
const usual = [3];
const seeds = SEED
  ? [Number(SEED)]
  : SEEDS
    ? Array.from({ length: Number(SEEDS) }, (_, at) => Number(FIRST) + at)
    : usual;

test.each<readonly [clear: string, poor: string, states: readonly string[], excess: string | undefined]>([
  ['Confirmed', 'Unconfirmed', ['UP'], undefined],
  ['Confirmed', 'Failed', ['BUSY', 'UP'], 'opposite'],
  ['Unconfirmed', 'Finished', ['UP'], 'stronger'],
  ['Finished', 'Confirmed', ['UP', 'UP'], 'stronger'],
  ['Finished', 'Confirmed', ['FAILED', 'UP'], undefined],
])(
  'A job that is %s by a clear view and %s by a poorer one, of a record that was %j, is judged rightly',
  (clear, poor, states, excess) => {
    const said = (word: string) => [{ at: 9, word, text: '' }];
    const visible = states.map((state, at) => ({ at, id: 'A-1', record: { state } }));
    const found = excessOf({ said: said(clear), visible, work: { acceptedAt: 0 } }, { said: said(poor) });
    expect(found?.split(':')[0]).toBe(excess);
  },
);

test.each(seeds)(
  'a poorer view of the service of seed %i makes no judgement stronger, and none the contrary',
  async seed => {
    const view = drawView(drawing(seed + 1_000_000));
    const clear = await run(seed, { answers: 'never' });
    const poor = await run(seed, { answers: 'never', view });
    const excess = clear.told.flatMap((told, at) => {
      const other = poor.told[at];
      const found = other && excessOf(told, other);
      return other && found
        ? [`${found} (${JSON.stringify(view)})\n${printJourney(clear, told)}\n\n${printJourney(poor, other)}`]
        : [];
    });
    // Whoever stops a long run has what it found so far.
    if (SEEDS) process.stdout.write(`${seed}: ${excess.length === 0 ? 'nothing' : excess.join('\n\n')}\n`);
    expect(excess).toEqual([]);
  },
  600_000,
);
