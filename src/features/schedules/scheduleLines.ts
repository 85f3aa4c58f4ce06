import type { Button } from '@slack/types';
import { asClause } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { calledValues, fillPhrase } from '../../operations/phrases.ts';
import { moment, momentAfter } from '../../slack/blocks/moments.ts';
import { bold, code, plain, withinBlanks } from '../../slack/blocks/mrkdwn.ts';
import { timesToType } from '../../slack/messages/scheduleTimes.ts';
import type { Schedule } from './schedule.ts';
import { scheduleActions } from './scheduleActions.ts';

/* A schedule in words: pure functions of its row. */

/** The parts of a schedule that its title says. */
type Titled = Pick<Schedule, 'kind' | 'operation' | 'values' | 'labels' | 'target' | 'targetName'>;

/** A schedule in a few words, as text: “Backup of shop”, “Report on prod”. */
export function scheduleTitle({ kind, operation: name, values, target, targetName }: Titled): string {
  if (kind === 'report') {
    const { words } = values;
    return typeof words === 'string' && words !== '' ? `Report on ${words}` : 'Report';
  }
  const operation = jobOperation(name);
  return `${operation?.title(values) ?? name} of ${targetName ?? target}`;
}

/** The work of a schedule as a sentence without its end: “back up shop”. Mrkdwn. */
export function scheduleAsks({ operation: name, labels, values, target, targetName }: Titled): string {
  const operation = jobOperation(name);
  const texts = calledValues(values, text => plain(labels[text] ?? text, 80));
  const called = { ...texts, name: bold(targetName ?? target, 100) };
  return operation ? fillPhrase(operation.phrases.asks, called) : plain(name, 60);
}

/** A sentence about words of a command as mrkdwn: those that can be typed stand there as code. */
export function faultToType(fault: string): string {
  const typed = /\b(?:every|at|on|cron|zone|tells|as)=(?:"[^"]*"|[^\s"]*[^\s",.?])/g;
  let [said, from] = ['', 0];
  for (const { 0: words, index } of fault.matchAll(typed)) {
    const before = fault.slice(from, index);
    said += `${before.trim() === '' ? before : spaced(before)}${code(words, 120)}`;
    from = index + words.length;
  }
  const rest = fault.slice(from);
  return `${said}${rest === '' ? '' : spaced(rest)}`;
}

/** Plain text that keeps its blanks at both ends. */
function spaced(text: string): string {
  const { before, inner, after } = withinBlanks(text);
  return `${before}${inner === '' ? '' : plain(inner, 300)}${after}`;
}

/** A schedule in one line: “*Backup of shop* · every day at 02:00 (Europe/Berlin)”. Mrkdwn. */
export function scheduleLine(schedule: Titled & Pick<Schedule, 'rhythm' | 'zone'>): string {
  return `:calendar: ${bold(scheduleTitle(schedule), 150)} · ${timesToType(schedule)}`;
}

/** Says in a few words how a schedule stands: when it runs next, or why it does not. Mrkdwn. */
export function scheduleStanding(schedule: Pick<Schedule, 'state' | 'reason' | 'plannedAt'>): string {
  const { state, reason, plannedAt } = schedule;
  const why = reason === null ? '' : `: ${asClause(plain(reason, 300))}`;
  const words: Readonly<Record<Schedule['state'], string>> = {
    on: `${plannedAt === null ? 'without a next time' : momentAfter('next', plannedAt)}${why}`,
    waiting: `:lock: waits for approval${why}`,
    paused: `:double_vertical_bar: paused${why}`,
    deleted: 'deleted',
  };
  return words[state];
}

/** The last run in a few words, with a link to its message; `undefined` before the first one. Mrkdwn. */
export function lastRun(
  { lastAt, lastJob, lastOutcome }: Pick<Schedule, 'lastAt' | 'lastJob' | 'lastOutcome'>,
  link: string | undefined,
): string | undefined {
  if (lastAt === null) return undefined;
  const word =
    lastOutcome === null
      ? lastJob === null
        ? 'not run'
        : 'under way'
      : (outcomes[lastOutcome] ?? plain(lastOutcome, 100));
  return `last ${moment(lastAt)}: ${link === undefined ? word : `<${link}|${word}>`}`;
}

/** The words for the ends of a run that are said otherwise than they are stored. */
const outcomes: Readonly<Record<string, string>> = {
  succeeded: 'confirmed',
  finished: 'finished, not confirmed',
  void: 'approval void',
};

/** The reader of a schedule, who sees the buttons for what they may do. */
export type ScheduleReader = Readonly<{ person: string; isApprover: boolean }>;

/** The buttons of a schedule: its owner’s, or those of the people who approve. */
export function scheduleButtons(schedule: Schedule, { person, isApprover }: ScheduleReader): readonly Button[] {
  const { id, revision, state, person: owner } = schedule;
  if (state === 'deleted') return [];
  const seen = { s: id, n: revision };
  const isOwn = person === owner;
  const title = scheduleTitle(schedule);
  const remove: Button = {
    ...scheduleActions.delete.button('Delete…', seen, { suffix: id }),
    confirm: {
      title: { type: 'plain_text', text: 'Delete this schedule?' },
      text: {
        type: 'mrkdwn',
        text: `${bold(title, 150)} is no longer scheduled. A run that is under way goes on, and nothing changes at the service.`,
      },
      confirm: { type: 'plain_text', text: 'Delete' },
      deny: { type: 'plain_text', text: 'Keep' },
      style: 'danger',
    },
  };
  const pause = scheduleActions.pause.button('Pause', seen, { suffix: id });
  if (!isOwn)
    return isApprover
      ? [...(state === 'on' ? [pause] : []), scheduleActions.takeOver.button('Take over', seen, { suffix: id }), remove]
      : [];
  return [
    ...(state === 'waiting' || schedule.kind === 'report'
      ? []
      : [scheduleActions.runNow.button('Run now', seen, { suffix: id })]),
    ...(state === 'on' ? [pause] : []),
    ...(state === 'paused' ? [scheduleActions.resume.button('Resume', seen, { suffix: id, style: 'primary' })] : []),
    ...(schedule.kind === 'report' ? [] : [scheduleActions.change.button('Change…', seen, { suffix: id })]),
    remove,
  ];
}
