import { mapInSlices } from '../../ground/slices.ts';
import { readTimings } from '../../jobs/timing/readTimings.ts';
import type { CountedJob } from '../../jobs/timing/spread.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { code } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import type { Command } from '../words/commandWords.ts';
import { statsMessage } from './statsMessage.ts';

/** Counts how long jobs took. */
type Timekeeper = Desk<'jobs' | 'records' | 'clock' | 'names' | 'jobsDays'>;

/**
 * Answers `stats`: how long the confirmed jobs took of which this person may know, by operation and environment.
 * @throws {Failure} `signed-out`
 */
export async function stats(
  desk: Timekeeper,
  interaction: Interaction,
  { words: [, ...words], inputs }: Command,
): Promise<Content> {
  const [stray] = Object.keys(inputs);
  if (stray !== undefined)
    return said(
      `${code('stats')} has no field ${code(stray, 60)}. It takes words alone: ${code(`${desk.names.db} stats clone`)}.`,
    );
  const { team, person, channel } = interaction;
  const { jobs, ...reach } = await readTimings(
    { jobs: desk.jobs, records: desk.records.of(interaction) },
    { team, person, channel, now: desk.clock.now() },
  );
  const fitting = await mapInSlices(jobs, job => (fits(job, words) ? [job] : []));
  const names = new Set(jobs.flatMap(({ title, environment }) => [title, environment ?? []].flat()));
  return statsMessage(fitting.flat(), { ...reach, words, jobsDays: desk.jobsDays, names: [...names] });
}

/** Whether a job's title and environment contain all words. */
function fits({ title, environment }: CountedJob, words: readonly string[]): boolean {
  const text = `${title} ${environment ?? ''}`.toLowerCase();
  return words.every(word => text.includes(word.toLowerCase()));
}
