import { habitNames } from './generator/habits.ts';
import { run } from './generator/run.ts';
import { writeRecording } from './recorded/recording.ts';

/*
 * Draws services as `npm run variants` does, and keeps what each would have answered to every GET at any time, for
 * `npm run replay`. `SEEDS=300` is the number of services, from the seed `FIRST` on; `TROUBLE` and `KIND` are as there.
 */
const { SEEDS = '100', FIRST = '1', TROUBLE, KIND } = process.env;
const choices = [...habitNames, 'any', 'none'] as const;
const habit = choices.find(one => one === KIND) ?? 'any';
const trouble = TROUBLE === 'often' ? 'often' : 'usual';
for (let seed = Number(FIRST); seed < Number(FIRST) + Number(SEEDS); seed++) {
  let size = 0;
  const records = (one: Parameters<typeof writeRecording>[0]) => {
    size = writeRecording(one);
  };
  // A few services cannot be asked for what was drawn.
  const said = await run(seed, { trouble, habit, records }).then(
    ({ told }) => `${told.length} journeys, ${Math.round(size / 1_024)} KiB`,
    (error: unknown) => String(error),
  );
  process.stdout.write(`seed ${seed}: ${said}\n`);
}
