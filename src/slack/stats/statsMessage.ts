import { day, hour, minute, second } from '../../ground/durations.ts';
import { counted } from '../../ground/wording.ts';
import { type CountedJobs, timingReach } from '../../jobs/timing/readTimings.ts';
import { type CountedJob, type SpreadRow, spreadOf, spreadRows, spreadWeeks } from '../../jobs/timing/spread.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { groupOf } from '../../operations/operation.ts';
import { context, section } from '../blocks/blocks.ts';
import { type MessageBlock, seriesChart } from '../blocks/chart.ts';
import { dataTable } from '../blocks/dataTable.ts';
import { grouped, tookWords } from '../blocks/durationWords.ts';
import { cut, limits } from '../blocks/limits.ts';
import { type Content, message } from '../blocks/message.ts';
import { bold, code } from '../blocks/mrkdwn.ts';
import { meantButtons, saidVain } from '../words/meantButtons.ts';

/** The reach of what is counted, and the words that it matches. */
type StatsFrame = Readonly<
  Omit<CountedJobs, 'jobs'> & {
    words: readonly string[];
    /** The number of days for which jobs are kept. */
    jobsDays: number;
    /** What the words could have matched, where they match nothing. */
    names?: readonly string[];
  }
>;

/** Kinds of jobs that are told in a line, and drawn over the weeks; rows on a page; characters of a name in a cell. */
const most = { lines: 3, charts: limits.charts, page: 10, name: 40 } as const;
/** The number of jobs from which on 95 % of them are fewer than all. */
const enough = 20;
const none = '–';

/** How long jobs took: the most frequent kinds in a line each, all of them as a table, and their weeks as charts. */
export function statsMessage(jobs: readonly CountedJob[], frame: StatsFrame): Content {
  const { words, weeks } = frame;
  const matching = words.length > 0 ? ` that match ${code(words.join(' '), 80)}` : '';
  if (jobs.length === 0)
    return saidVain(
      `:stopwatch: Of the jobs${matching} you may see, none was confirmed in the last ${timingReach.weeks} weeks.${blindNote(frame)}`,
      meantButtons({ command: ['stats'], words }, frame.names ?? []),
    );
  const rows = spreadRows(jobs);
  const kinds = kindsOf(jobs);
  const lines = kinds.slice(0, most.lines).map(({ title, jobs: some }) => {
    const { median, most: upTo } = spreadOf(some.map(({ took }) => took));
    return `${bold(title, 60)}: half of them within ${tookWords(median)}, 95 % within ${tookWords(upTo)}`;
  });
  return message([
    section(
      [`:stopwatch: *How long it takes*  ·  ${counted(jobs.length, 'confirmed job')}${matching}`, ...lines].join('\n'),
    ),
    ...dataTable({
      caption: 'By operation and environment, the most frequent first',
      header: ['Operation', 'Environment', 'Median', '95 %', 'Jobs'],
      rows: rows.map(row => cellsOf(row, kinds)),
      pageSize: most.page,
    }),
    ...kinds.flatMap(kind => weeksChart(kind, weeks)).slice(0, most.charts),
    context(footer(jobs, rows, frame)),
  ]);
}

/** The jobs of one operation, with a title that no other operation has. */
type Kind = Readonly<{ operation: string; plainTitle: string; title: string; jobs: readonly CountedJob[] }>;

/** The kinds of jobs, the most frequent first. Where titles of several operations are the same, their group tells them apart. */
function kindsOf(jobs: readonly CountedJob[]): Kind[] {
  const byKind = Map.groupBy(jobs, ({ operation, title }) => JSON.stringify([operation, title]));
  const kinds = [...byKind.values()].flatMap(some => (some[0] ? [{ ...some[0], jobs: some }] : []));
  return kinds
    .map(({ operation, title, jobs: some }) => {
      const isAlone = kinds.every(other => other.title !== title || other.operation === operation);
      const known = jobOperation(operation);
      const group = known ? groupOf(known).toLowerCase() : operation;
      return { operation, plainTitle: title, title: isAlone ? title : `${title} (${group})`, jobs: some };
    })
    .toSorted((one, other) => other.jobs.length - one.jobs.length || (one.title < other.title ? -1 : 1));
}

function cellsOf({ operation, title, environment, jobs, median, most: upTo }: SpreadRow, kinds: readonly Kind[]) {
  const kind = kinds.find(one => one.operation === operation && one.plainTitle === title);
  const timed = (value: number) => ({ text: tookWords(value), value });
  const names = [cut(kind?.title ?? title, most.name), cut(environment ?? none, most.name)];
  return [...names, timed(median), timed(upTo), { text: grouped(jobs), value: jobs }];
}

/** The weeks of one kind of jobs as two lines; none where there are not two weeks to join. */
function weeksChart({ title, jobs }: Kind, weeks: readonly number[]): MessageBlock[] {
  const spreads = spreadWeeks(jobs, weeks);
  if (spreads.length < 2) return [];
  const longest = Math.max(...spreads.map(({ most: upTo }) => upTo));
  const [unit, name] = units.find(([length]) => longest >= 2 * length) ?? ([second, 'seconds'] as const);
  const inUnits = (time: number) => Math.round((time / unit) * 10) / 10;
  return seriesChart({
    type: 'line',
    title: `${title}, week by week`,
    categories: spreads.map(({ from }) => dayOf(from)),
    series: [
      { name: 'Median', values: spreads.map(({ median }) => inUnits(median)) },
      { name: '95 %', values: spreads.map(({ most: upTo }) => inUnits(upTo)) },
    ],
    x: 'week from',
    y: name,
  });
}

const units = [
  [day, 'days'],
  [hour, 'hours'],
  [minute, 'minutes'],
] as const;

function footer(jobs: readonly CountedJob[], rows: readonly SpreadRow[], frame: StatsFrame): string {
  const { isPart, isBlind, jobsDays } = frame;
  const reach = Math.min(jobsDays, timingReach.weeks * 7);
  const span = reach < timingReach.weeks * 7 ? `${reach} days, as long as jobs are kept` : `${timingReach.weeks} weeks`;
  const isSmall = rows.some(({ jobs: many }) => many < enough);
  return [
    `From the request until I saw it done in the records, in the last ${span}.`,
    ...(isPart ? [`I read the workspace’s latest ${grouped(timingReach.jobsOfWeek)} jobs of each week.`] : []),
    isBlind
      ? blindNote(frame).trim()
      : 'These are your own jobs, those of this channel, and those on environments that you see.',
    ...(isSmall && jobs.length > 1 ? [`With fewer than ${enough} jobs, 95 % means the longest.`] : []),
  ].join(' ');
}

function blindNote({ isBlind }: Pick<StatsFrame, 'isBlind'>): string {
  return isBlind
    ? ' The service does not show me your records at the moment, so only your own jobs count, and those of this channel.'
    : '';
}

function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
