import type { Calendar } from '../../ground/calendar.ts';
import { notedIn } from '../../ground/failure.ts';
import { readRhythm, sayCalendar, writeRhythm } from '../../ground/rhythmWords.ts';
import { readZone, zoneOrUtc } from '../../ground/zone.ts';
import { mayUseAccount } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { Judge, Mover } from '../../jobs/parts.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said, wordsFor } from '../../slack/blocks/message.ts';
import { momentAfter } from '../../slack/blocks/moments.ts';
import { code, plain } from '../../slack/blocks/mrkdwn.ts';
import { channelFault } from '../../slack/desk/channelFault.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import type { Command } from '../../slack/words/commandText.ts';
import { buttonsFor, saidVain } from '../../slack/words/meantButtons.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
import type { Owner } from '../../store/vault.ts';
import { byNextRun, type Schedule, schedules } from '../schedules/schedule.ts';
import { askReport, deleteSchedule } from '../schedules/scheduleActs.ts';
import { calendarOf } from '../schedules/scheduleRules.ts';
import { meantNow } from './readSummary.ts';
import { ReportNotice, reportValues } from './runReport.ts';
import { statusMessage } from './statusMessage.ts';

/** A report as a command asks for it. */
type AskedReport = Readonly<{ words: string; only: 'wrong' | 'all' }> & Calendar;

/** Puts reports on schedules. */
type Reporter = Judge & Mover & Desk<'records' | 'account' | 'things' | 'log' | 'slack' | 'names'>;

/**
 * Answers `report`: subscribes a channel to the protection report each day or week, ends that, or says how it stands.
 * @throws {Failure} `busy` where Slack does not tell who approves
 */
export async function report(desk: Reporter, interaction: Interaction, typed: Command): Promise<Content> {
  const [, first = '', ...words] = typed.words;
  const { team, channel } = interaction;
  const all = await desk.things.list(schedules, { team, channel });
  const here = all.filter(({ kind }) => kind === 'report').toSorted(byNextRun);
  const what = first.toLowerCase();
  if (what === 'off') return end(desk, interaction, here, words);
  if (what !== 'daily' && what !== 'weekly') return said([...here.map(line), usage(desk)].join('\n'));
  const zone = zoneOrUtc(await desk.people.zoneOf(interaction));
  const asked = readReport({ words: [first, ...words], inputs: typed.inputs }, { zone, now: desk.clock.now() });
  if ('fault' in asked) return said(`${plain(asked.fault, 500)} Nothing was subscribed.`);
  return subscribe(desk, interaction, here, asked);
}

/** Reads `daily at=08:30 only=wrong prod` or `weekly on=mon at=08:30`; else says what to type. */
export function readReport(
  { words: [every = '', ...words], inputs }: Command,
  { zone: usual, now }: Readonly<{ zone: string; now: number }>,
): AskedReport | Readonly<{ fault: string }> {
  const named = Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name.toLowerCase(), text]));
  const { at, on, only = 'all', zone: typed = usual } = named;
  if (at === undefined) return { fault: 'Say at what time: at=08:30.' };
  if (only !== 'wrong' && only !== 'all')
    return { fault: 'Type only=wrong for a message only when something is wrong, or leave it out.' };
  const isWeekly = every.toLowerCase() === 'weekly';
  if (!isWeekly && on !== undefined) return { fault: 'on= names the day of a weekly report, such as on=mon.' };
  const zone = readZone(typed);
  if ('fault' in zone) return zone;
  const read = readRhythm({ every: isWeekly ? (on ?? 'mon') : 'day', at }, { zone: zone.zone, now });
  return 'fault' in read ? read : { rhythm: read.rhythm, zone: zone.zone, only, words: words.join(' ') };
}

async function subscribe(desk: Reporter, interaction: Interaction, here: readonly Schedule[], asked: AskedReport) {
  const { words, only, rhythm, zone } = asked;
  const { team, person, channel } = interaction;
  const [same] = here.filter(known => reportValues(known).words === words);
  const by = { team, person, channel };
  // The same command twice leaves the report as it is; another time or choice takes its place.
  if (same && isSame(same, asked)) return said(same.person === person ? told(same, desk) : line(same));
  const closed = await channelFault(desk, team, channel);
  if (closed !== undefined) return said(`${closed} Nothing was subscribed.`);
  const may = await mayUseAccount(desk, { team, person });
  if (may === undefined)
    return said('Slack cannot tell me at the moment who the approvers are. Nothing was subscribed; please try again.');
  const runsAs = may ? 'service' : 'owner';
  const vain = await vainReport(desk, may ? accountOwner(team) : { team, person }, asked);
  if (vain) return vain;
  if (same) {
    const ended = await deleteSchedule(desk, { ...by, id: same.id, revision: same.revision });
    if (ended.type === 'refused') return said(`${line(same)}\n${plain(ended.sentence, 300)} Nothing was changed.`);
  }
  const wish = { rhythm, zone, channel, tells: 'all', runsAs } as const;
  const outcome = await askReport(desk, by, { ...wish, request: interaction.id, values: { words, only } });
  if (outcome.type === 'refused') return said(plain(outcome.sentence, 500));
  return said(told(outcome.schedule, desk));
}

/** Says that the words of a report match nothing; `undefined` where they match some record, or nothing can be read now. */
async function vainReport(desk: Desk<'records' | 'log'>, reader: Owner, { words, only, rhythm, zone }: AskedReport) {
  const typed = words.split(/\s+/).filter(Boolean);
  const unknown = notedIn(desk.log, 'nobody knows yet whether the words of a report match anything');
  const meant = await meantNow(desk, reader, typed).catch(unknown);
  if (meant === undefined) return undefined;
  const { every = 'day', ...times } = writeRhythm(rhythm);
  const isDaily = every === 'day';
  const inputs = { ...(isDaily ? {} : { on: every }), at: times.at ?? '', zone, ...(only === 'wrong' ? { only } : {}) };
  const buttons = buttonsFor({ command: ['report', isDaily ? 'daily' : 'weekly'], inputs }, meant);
  return saidVain(`Nothing matches ${code(words, 80)}, so I subscribed nothing.`, buttons);
}

function isSame(schedule: Schedule, { only, rhythm, zone }: AskedReport): boolean {
  const known = calendarOf(schedule);
  return (
    schedule.state === 'on' &&
    reportValues(schedule).only === only &&
    known.zone === zone &&
    JSON.stringify(known.rhythm) === JSON.stringify(rhythm)
  );
}

/** Ends the reports of a channel, or those for these words; people end their own, and approvers those of others. */
async function end(desk: Reporter, interaction: Interaction, here: readonly Schedule[], words: readonly string[]) {
  const { team, person, channel } = interaction;
  const meant = words.length === 0 ? here : here.filter(known => reportValues(known).words === words.join(' '));
  if (meant.length === 0)
    return said([`No such report comes to this channel.`, ...here.map(line), usage(desk)].join('\n'));
  const outcomes: string[] = [];
  for (const { id, revision } of meant) {
    const outcome = await deleteSchedule(desk, { team, person, channel, id, revision });
    outcomes.push(outcome.type === 'set' ? `${ended} ${titleOf(outcome.schedule)}` : plain(outcome.sentence, 300));
  }
  return said(outcomes.join('\n'));
}

const ended = ':white_check_mark: This channel no longer gets:';

/** Says what a channel gets, and with whose reader: its readers then see what that sign-in sees. */
function told(schedule: Schedule, { account }: Desk<'account'>): string {
  const { runsAs, plannedAt } = schedule;
  const whose =
    runsAs === 'service' && account
      ? `I read it with the service account (${code(account.username)}), because you are an approver: everybody in this channel then sees what that account sees.`
      : 'I read it with your own sign-in: everybody in this channel then sees what you see. When your sign-in ends, the report waits, and I tell you once.';
  const next = plannedAt === null ? '' : ` ${momentAfter('The next one comes', plannedAt)}.`;
  return `:white_check_mark: This channel gets ${titleOf(schedule)}.${next} ${whose}`;
}

/** A report in a few words: “the protection report of `prod` every day at 08:30 (Europe/Berlin)”. */
function titleOf(schedule: Schedule): string {
  const { words, only } = reportValues(schedule);
  const about = words === '' ? '' : ` of ${code(words, 80)}`;
  const when = only === 'wrong' ? ', when something is wrong' : '';
  return `the protection report${about} ${plain(sayCalendar(calendarOf(schedule)), 120)}${when}`;
}

function line(schedule: Schedule): string {
  const { person, runsAs, state, reason } = schedule;
  const whose = runsAs === 'service' ? 'with the service account, subscribed by' : 'with the sign-in of';
  const waits =
    state === 'on' && reason === null
      ? ''
      : ` It is ${state === 'on' ? 'waiting' : state}: ${plain(reason ?? 'nobody said why.', 200)}`;
  return `:bar_chart: This channel gets ${titleOf(schedule)}, ${whose} ${mentionOf(person)}.${waits}`;
}

function usage({ names }: Desk<'names'>): string {
  return `${code(`${names.db} report daily at=08:30`)} brings the protection report here each day, ${code('weekly on=mon at=08:30')} each week, ${code('only=wrong')} only when something is wrong, and ${code('off')} ends it. Further words narrow it: ${code('prod')}.`;
}

/** The message of a report that a channel subscribed. */
export const reportMessage = wordsFor(ReportNotice, told =>
  'summary' in told
    ? statusMessage(told.summary, { reader: told.reader })
    : said(
        `:warning: I could not make the protection report of ${mentionOf(told.person)}: ${plain(told.fault, 500)} So I do not know what is protected now.`,
      ),
);
