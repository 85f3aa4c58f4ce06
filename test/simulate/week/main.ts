import { Mistake, wholeNumber } from '../choice.ts';
import { tableOf } from './figures.ts';
import { playWeek } from './week.ts';

/* `npm run week`: plays the week of `SEED`, and prints what it rang. It measures, so that nothing it finds fails it. */

const { SEED = '1', DAYS = '7', VERBOSE } = process.env;
const began = Date.now();
try {
  const { figures, posts } = await playWeek({
    seed: String(wholeNumber('SEED', SEED)),
    days: wholeNumber('DAYS', DAYS),
    say: line => console.error(`${Math.round((Date.now() - began) / 1_000)} s: ${line}`),
  });
  if (VERBOSE)
    for (const { at, kind, isTop, rings, text } of posts)
      console.log([new Date(at).toISOString(), isTop ? 'top' : '', kind, rings.join(), text.split('\n')[0]].join('\t'));
  console.log(JSON.stringify({ seed: SEED, seconds: Math.round((Date.now() - began) / 1_000), ...figures }));
  console.log(tableOf(figures));
} catch (error) {
  if (!(error instanceof Mistake)) throw error;
  console.error(error.message);
}
