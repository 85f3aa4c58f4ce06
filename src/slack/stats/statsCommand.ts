import { mapInSlices } from '../../ground/slices.ts';
import { hasWords } from '../../ground/wording.ts';
import { readTimings } from '../../jobs/timing/readTimings.ts';
import type { CountedJob } from '../../jobs/timing/spread.ts';
import type { Desk } from '../desk/desk.ts';
import type { CommandAnswer } from '../house.ts';
import { statsMessage } from './statsMessage.ts';

/** Counts how long jobs took. */
type Timekeeper = Desk<'jobs' | 'records' | 'clock' | 'names' | 'jobsDays'>;

/**
 * Answers `stats`: how long the confirmed jobs took of which this person may know, by operation and environment.
 * @throws {Failure} `signed-out`
 */
export const stats: CommandAnswer<Timekeeper> = async (desk, interaction, { words: [, ...words] }) => {
  const { team, person, channel } = interaction;
  const { jobs, ...reach } = await readTimings(
    { jobs: desk.jobs, records: desk.records.of(interaction) },
    { team, person, channel, now: desk.clock.now() },
  );
  const textOf = ({ title, environment }: CountedJob) => `${title} ${environment ?? ''}`;
  const fitting = await mapInSlices(jobs, job => (hasWords([textOf(job)], words) ? [job] : []));
  const names = new Set(jobs.flatMap(({ title, environment }) => [title, environment ?? []].flat()));
  return statsMessage(fitting.flat(), { ...reach, words, jobsDays: desk.jobsDays, names: [...names] });
};
