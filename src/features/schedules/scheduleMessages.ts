import type { Button } from '@slack/types';
import { parseJson } from '../../ground/json.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { isOfEnvironment } from '../../operations/plans/batch.ts';
import { actionsRow, section } from '../../slack/blocks/blocks.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { message, wordsFor } from '../../slack/blocks/message.ts';
import { localTimes, moment, momentAfter } from '../../slack/blocks/moments.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import { whomItRings } from '../../slack/messages/ringing.ts';
import { timesToType } from '../../slack/messages/scheduleTimes.ts';
import { nowButton } from '../../slack/records/recordBlocks.ts';
import { scheduleActions } from './scheduleActions.ts';
import { scheduleTitle } from './scheduleLines.ts';
import { ScheduleActed, type ScheduleDeed, ScheduleNotice } from './scheduleNotice.ts';

/** The message of a schedule. Its outcome takes its buttons away. */
export const scheduleMessage = wordsFor(
  ScheduleNotice,
  (told, outcome) => {
    const { kind, operation, target, targetName = null } = told;
    const title = bold(scheduleTitle({ kind, operation, values: {}, labels: {}, target, targetName }), 150);
    if (outcome !== null) return message([section(`:calendar: ${title}: ${outcomeText(outcome)}`)]);
    return message([section(textOf(told, title)), ...actionsRow(buttonsOf(told), 'schedule')], 'all');
  },
  ({ what, person }) => (ringing.has(what) ? whomItRings('trouble', [person]) : []),
);

/** The messages of schedules that ring their owner: it is on them that something is done. */
const ringing: ReadonlySet<ScheduleNotice['what']> = new Set([
  ...(['failing', 'trouble', 'paused', 'signed out', 'member failing'] as const),
]);

/** Max members of which a message has a button. */
const mostLeftOut = 10;

function outcomeText(outcome: string): string {
  const acted = ScheduleActed.safeParse(parseJson(outcome)).data;
  return acted ? `${mentionOf(acted.by)} ${deeds[acted.did]}.` : localTimes(plain(outcome, 500));
}

const deeds: Readonly<Record<ScheduleDeed, string>> = {
  paused: 'paused it',
  resumed: 'lets it go on',
  changed: 'changed it',
  deleted: 'deleted it',
  'taken over': 'took it over',
  run: 'started a run',
};

function textOf(told: ScheduleNotice, title: string): string {
  const { person, nextAt, by } = told;
  const why = told.why ? ` ${localTimes(plain(told.why, 500))}` : '';
  const next = typeof nextAt === 'number' ? ` It runs again ${moment(nextAt)}.` : '';
  const run = `the run${plannedIn(told)}`;
  const texts: Readonly<Record<ScheduleNotice['what'], string>> = {
    failing: `:double_vertical_bar: ${mentionOf(person)} ${title} failed several times in a row, so I paused it.${why} See what is wrong, then let it go on.`,
    trouble: `:rotating_light: ${mentionOf(person)} ${title} failed several times in a row.${why} It goes on as scheduled, because it only backs up.`,
    paused: `:double_vertical_bar: ${mentionOf(person)} ${title} is paused.${why} Nothing runs until you let it go on.`,
    'signed out': `:key: ${mentionOf(person)} ${title} waits.${why || ' It runs with your sign-in, and you are not signed in.'}`,
    'owner left': `:double_vertical_bar: ${title} is paused: its owner ${mentionOf(person)} has left.${why} Take it over to run it with your sign-in, or leave it paused.`,
    skipped: `:fast_forward: ${title}: ${run} was skipped, because ${told.why ? plain(told.why, 300) : 'the one before was still under way'}.${next}`,
    unasked: `:warning: ${title}: I could not ask for ${run} yet.${why} I keep trying, for the other schedules of this channel, too.`,
    missed: `:fast_forward: ${title}: ${missedIn(told)} skipped.${why}${next}`,
    changed: `:calendar: ${mentionOf(by ?? person)} has changed your schedule ${title} (${timesToType(told)})${told.did ? `: ${bystander[told.did]}` : ''}.${why}`,
    lapsed: `:lock: ${title}: its approval to run with the service account has ended. It only backs up, so it goes on; I ask the approvers to approve it again.`,
    members: `:heavy_plus_sign: ${title}:${why}`,
    'member failing': `:rotating_light: ${mentionOf(person)} ${title}:${why} The others go on.`,
    daily: dailyLine(told),
  };
  return texts[told.what];
}

const bystander: Readonly<Record<ScheduleDeed, string>> = {
  paused: 'it is paused',
  resumed: 'it goes on',
  changed: 'its work or its times changed',
  deleted: 'it is deleted',
  'taken over': 'it is theirs now',
  run: 'a run was started',
};

/** The planned time of one run: “ of today 2:00”. */
function plannedIn({ plannedAt }: ScheduleNotice): string {
  return typeof plannedAt === 'number' ? ` ${momentAfter('of', plannedAt)}` : '';
}

function missedIn(told: ScheduleNotice): string {
  const { since, plannedAt } = told;
  if (typeof since !== 'number' || since === plannedAt) return `the run${plannedIn(told)} was`;
  return `the runs ${momentAfter('since', since)} were`;
}

/** The line of a day about the runs of which only failures are told. */
function dailyLine({ counts, until }: ScheduleNotice): string {
  const { well = 0, unshown = 0, unconfirmed = 0, failed = 0, open = 0, waits = 0, left = 0 } = counts ?? {};
  const bad = [
    [failed, ':x:', 'failed'],
    [unconfirmed, '', 'unconfirmed'],
    [unshown, '', 'finished, not confirmed'],
    [open, '', 'still under way'],
    [waits, '', 'waiting for a sign-in'],
    [left, '', 'skipped'],
  ] as const;
  const shown = bad.flatMap(([count, sign, words]) => (count > 0 ? [`${sign} ${count} ${words}`.trim()] : []));
  const day = until === undefined ? '' : ` in the day ${momentAfter('before', until)}`;
  // The green tick is for runs that went well: beside none of them it would say the opposite of the line.
  const [sign, went] =
    failed + unconfirmed + waits + left > 0
      ? [':warning:', 'went well']
      : well > 0
        ? [':white_check_mark:', 'went well']
        : open > 0
          ? [':hourglass_flowing_sand:', 'went well yet']
          : [':checkered_flag:', 'is known to have gone well'];
  return `${sign} ${[`${well > 0 ? well : 'None'} of the scheduled runs ${went}${day}`, ...shown].join(' · ')}.`;
}

function buttonsOf({ what, schedule, revision, operation: name, target, ...about }: ScheduleNotice): readonly Button[] {
  const operation = jobOperation(name);
  const seen = { s: schedule, n: revision };
  const { joined = {}, more = 0 } = about;
  const resume = scheduleActions.resume.button('Let it go on', seen, { style: 'primary' });
  const change = scheduleActions.change.button('Change…', seen);
  const leaveOut = ([id, called]: [string, string]) =>
    scheduleActions.leaveOut.button(`Leave out ${called}`, { s: schedule, d: id }, { suffix: id });
  const allow = scheduleActions.include.button(`Allow up to ${more}`, { s: schedule, n: more }, { style: 'primary' });
  const buttons: Readonly<Partial<Record<ScheduleNotice['what'], readonly Button[]>>> = {
    failing: [resume, scheduleActions.runNow.button('Run now', seen), change],
    paused: [resume, change],
    'signed out': [scheduleActions.signIn.button('Sign in', schedule, { style: 'primary' })],
    'owner left': [scheduleActions.takeOver.button('Take over', seen)],
    // What runs on an environment has no form of its own.
    trouble: operation && !isOfEnvironment(operation) ? [nowButton(operation, { id: target })] : [],
    members: [...Object.entries(joined).slice(0, mostLeftOut).map(leaveOut), ...(more > 0 ? [allow] : []), change],
  };
  return buttons[what] ?? [];
}
