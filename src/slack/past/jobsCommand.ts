import { day } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { isKeyOf } from '../../ground/keys.ts';
import { readAnyTime } from '../../ground/timeText.ts';
import { localTime, momentOf, zoneOrUtc } from '../../ground/zone.ts';
import { surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import { type PastReader, readPast } from '../../jobs/memory/readPast.ts';
import type { ChosenJobs } from '../../store/jobs/chosen.ts';
import { open } from '../../store/jobs/rows/job.ts';
import { personTyped } from '../audit/auditQuery.ts';
import { cut } from '../blocks/limits.ts';
import { isPersonId, mentionOf } from '../blocks/mentionPeople.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import type { Desk } from '../desk/desk.ts';
import type { CommandAnswer } from '../house.ts';
import { jobList, listedJobs } from '../messages/jobList.ts';
import type { Command } from '../words/commandText.ts';

/** Lists jobs, for those who may know of them. */
export type JobLister = PastReader & Desk<'workspace' | 'clock'>;

/** The states that can be chosen, by the words that people type. */
const statesTyped = {
  open,
  waiting: ['awaiting'],
  running: ['sending', 'running'],
  confirmed: ['succeeded'],
  done: ['succeeded'],
  finished: ['finished'],
  failed: ['failed'],
  unconfirmed: ['unconfirmed'],
  denied: ['denied'],
  void: ['void'],
  withdrawn: ['withdrawn'],
  expired: ['expired'],
} as const;

/** The days for which the jobs of all are listed where no day is named. */
const daysOfAll = 30;

/** The fields that `jobs` takes. */
export const jobFilters = ['state', 'by', 'record', 'day'] as const;

/**
 * Answers `jobs`: the person’s own latest ones, or those that the words and fields choose. Of others, those who approve see all,
 * and everybody those of this channel, those that they decided on, and those in the past of a record that they may read.
 * @throws {Failure} `input` for a field that cannot be read
 */
export const listJobs: CommandAnswer<JobLister> = async (desk, interaction, typed) => {
  const { team, person, channel } = interaction;
  const owner = { team, person };
  const zone = zoneOrUtc(await desk.people.zoneOf(owner));
  const wanted = readFilters(typed, { person, zone, now: desk.clock.now() });
  const { record, filter } = wanted;
  const mayReadAll = filter.person === person || (await surelyApproves(desk, owner));
  const restricted: ChosenJobs =
    record === ''
      ? { ...filter, ...(mayReadAll ? {} : { seenBy: { person, channel } }) }
      : { ...filter, ids: await jobsInPast(desk, { ...owner, channel }, record) };
  const jobs = await desk.jobs.chosen(team, restricted, listedJobs.inTable);
  const frame = { workspace: await desk.workspace(team), zone };
  if (wanted.words.length === 0) return jobList(jobs, frame);
  const notes = record !== '' || mayReadAll ? [] : ['only those that belong to this channel or that you decided on'];
  return jobList(jobs, { ...frame, chosenBy: [...wanted.words, ...notes].join(', ') });
};

/** What was typed behind `jobs`; `words` say it in mrkdwn, and are none where nothing was. */
type Filters = Readonly<{ record: string; filter: ChosenJobs; words: readonly string[] }>;

type FilterFrame = Readonly<{ person: string; zone: string; now: number }>;

/** @throws {Failure} `input` */
function readFilters({ words: [, ...words], inputs }: Command, { person, zone, now }: FilterFrame): Filters {
  const typed = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const { state, day: on } = typed;
  const record = [...words, typed.record ?? ''].join(' ').trim();
  const by = typed.by === undefined || typed.by === 'anyone' ? typed.by : personTyped(typed.by, person);
  const whose = personIs(by ?? (record === '' ? person : 'anyone'));
  const isOfAll = whose.person === undefined && record === '' && on === undefined;
  return {
    record,
    filter: {
      ...whose,
      ...(isOfAll ? { from: now - daysOfAll * day } : {}),
      ...(state === undefined ? {} : { states: statesIn(state) }),
      ...(on === undefined ? {} : dayIn(on, zone, now)),
    },
    words: [
      ...(record === '' ? [] : [`of ${code(record, 60)}`]),
      ...(by === undefined ? [] : [`by ${by !== 'anyone' && isPersonId(by) ? mentionOf(by) : plain(by, 40)}`]),
      ...(state === undefined ? [] : [`in the state ${code(state, 40)}`]),
      ...(on === undefined ? [] : [`asked for ${/^\d/.test(on) ? 'on ' : ''}${plain(on, 40)}`]),
      ...(isOfAll ? [`of the last ${daysOfAll} days`] : []),
    ],
  };
}

/** The jobs in the past of what is or was called so. */
async function jobsInPast(desk: JobLister, who: Parameters<typeof readPast>[1], record: string) {
  const pasts = await readPast(desk, who, record);
  return pasts.flatMap(({ deeds }) => deeds.map(({ job }) => job));
}

function personIs(by: string): Pick<ChosenJobs, 'person' | 'login'> {
  if (by === 'anyone') return {};
  return isPersonId(by) ? { person: by } : { login: by };
}

function statesIn(typed: string) {
  const wanted = typed.toLowerCase();
  if (isKeyOf(statesTyped, wanted)) return statesTyped[wanted];
  const known = Object.keys(statesTyped).join(', ');
  throw new Failure('input', `I do not know state=${cut(typed, 40)}. Use one of: ${known}.`);
}

/** The day in the person’s own time zone. */
function dayIn(typed: string, zone: string, now: number): Readonly<{ from: number; to: number }> {
  const today = Math.floor(localTime(zone, now) / day) * day;
  const written = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? readAnyTime(`${typed}T00:00Z`)?.at : undefined;
  const local = { today, yesterday: today - day }[typed.toLowerCase()] ?? written;
  if (local === undefined)
    throw new Failure('input', `I cannot read day=${cut(typed, 40)}. Write today, yesterday or 2026-11-30.`);
  return { from: momentOf(zone, local), to: momentOf(zone, local + day) };
}
