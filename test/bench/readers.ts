import { performance } from 'node:perf_hooks';
import { readers as all, type Reader } from '../steps/readers.ts';
import { type Shape, shapes } from '../steps/shapes.ts';
import { atMost, type Figure, type Part } from './part.ts';

/** Drawn texts beside those that are made of the pieces to which readers give a meaning. */
const drawn = 30;
/** Texts that were the slowest of a reader at their first reading, of which the slowest is measured. */
const slowest = 5;

/**
 * Whatever people type and whatever the service says, read once at the longest that its callers let through: one row a
 * reader, by the text of all the hostile ones on which it takes the longest. `test/steps` counts that nothing grows faster
 * than the text; this says what one such text costs everybody else.
 */
export const readers: Part = {
  name: 'readers',
  summary: 'each reader of foreign text, at its longest and slowest',
  group: 'Reading what others write',
  async measure({ quick, say }) {
    const hostile = shapes(quick ? 3 : drawn);
    return all.map(reader => {
      say(reader.name);
      return figureOf(reader, hostile, quick ? 3 : 9);
    });
  },
};

function figureOf({ name, longest, read }: Reader, hostile: readonly Shape[], times: number): Figure {
  const timed = (text: string) => {
    const began = performance.now();
    read(text);
    return performance.now() - began;
  };
  // Until its code is compiled, each text would tell of that.
  for (const shape of hostile) read(shape.of(Math.min(longest, 500)));
  const first = hostile.map(shape => shape.of(longest).slice(0, longest)).map(text => ({ text, took: timed(text) }));
  const worst = first.toSorted((one, other) => other.took - one.took).slice(0, slowest);
  const rounds = Array.from({ length: times }, () => ({ dolly: Math.max(...worst.map(({ text }) => timed(text))) }));
  const characters = longest.toLocaleString('en');
  return { name: `${name}, ${characters} characters`, unit: 'ms', rounds, aim: atMost('dolly', 20) };
}
