import type { Button } from '@slack/types';
import { jobOperation } from '../../operations/catalogue.ts';
import { actionsRow, type Content, context, message, section, sectionsOf } from '../../slack/blocks/blocks.ts';
import { bold, localTimes, moment, momentAfter, plain } from '../../slack/blocks/limits.ts';
import { nowButton } from '../../slack/records/recordBlocks.ts';
import { type AlertItem, type AlertKind, alertKinds } from '../../store/tables/alerts/alertRows.ts';
import { alertActions } from './alertButtons.ts';
import { AlertNotice } from './alertNotice.ts';

type About<What extends AlertNotice['what']> = Extract<AlertNotice, { what: What }>;

/** The words of each kind: its heading, a record in it, and a record of which it is over. */
const kindWords = {
  failed: { heading: 'Failed', listed: 'what fails', short: 'failed', over: 'is not failed any more' },
  late: { heading: 'Backup late', listed: 'late backups', short: 'late', over: 'is backed up again' },
  never: {
    heading: 'Never backed up',
    listed: 'what was never backed up',
    short: 'never backed up',
    over: 'has a backup now',
  },
  lost: {
    heading: 'Backups gone',
    listed: 'backups that are gone',
    short: 'without its backups',
    over: 'has a backup again',
  },
  vanished: {
    heading: 'Vanished without a job of mine',
    listed: 'what vanishes',
    short: 'vanished',
    over: 'is there again',
  },
  lease: {
    heading: 'Lease at its end',
    listed: 'leases at their end',
    short: 'at the end of its lease',
    over: 'is not at the end of its lease any more',
  },
  disabled: { heading: 'Disabled', listed: 'what is disabled', short: 'disabled', over: 'is enabled again' },
} as const satisfies Record<AlertKind, object>;

/** Max lines of one kind, and max characters of a line. */
const maxLines = 10;
const maxLine = 600;

/**
 * The message of an alert or about alerts: a pure function of what it tells and of its outcome. `undefined` for one of
 * another release.
 */
export function alertMessage(data: unknown, outcome: string | null): Content | undefined {
  const told = AlertNotice.safeParse(data).data;
  switch (told?.what) {
    case undefined:
      return undefined;
    case 'alert':
      return alertContent(told, outcome);
    case 'mended':
      return mendedContent(told);
    case 'still':
      return stillContent(told);
    case 'reminder':
      return reminderContent(told);
    case 'blind':
      return blindContent(told, outcome);
    case 'on':
      return message([
        section(
          `:bell: <@${told.by}> turned alerts on here: ${kindList(told.kinds)}. I look every five minutes, ${readerWords(told)}. I report new problems only.`,
        ),
      ]);
    case 'test':
      return message([
        section(
          `:test_tube: <@${told.by}> tests the alerts of this channel. This is where they come: ${kindList(told.kinds)}. Nothing is wrong.`,
        ),
      ]);
    case 'off':
      return message([section(`:no_bell: <@${told.by}> turned the alerts of this channel off.`)]);
  }
}

/** Says kinds of alerts in a row. */
export function kindList(kinds: readonly AlertKind[]): string {
  return alertKinds
    .filter(kind => kinds.includes(kind))
    .map(kind => kindWords[kind].listed)
    .join(', ');
}

function readerWords({ isAccount }: About<'on'>): string {
  return isAccount ? 'with the service account' : 'with that person’s sign-in';
}

function alertContent(told: About<'alert'>, outcome: string | null): Content {
  const { items, counts, takenBy, snoozedBy, snoozedUntil } = told;
  const present = alertKinds.filter(kind => counts[kind] !== undefined);
  const left = present.reduce((sum, kind) => sum + (counts[kind]?.left ?? 0), 0);
  const closed = outcome !== null && outcome !== 'ended' ? outcome : undefined;
  const isOpen = outcome === null;
  const all = present.map(kind => `${counts[kind]?.all} ${kindWords[kind].short}`).join(', ');
  const heading =
    left === 0
      ? `:white_check_mark: *Over:* ${all}`
      : `:rotating_light: *${left === 1 ? '1 new problem' : `${left} new problems`}:* ${leftWords(counts, present)}`;
  const notes = [
    takenBy === null ? undefined : `<@${takenBy}> looks after it.`,
    snoozedUntil === null || snoozedBy === null || !isOpen
      ? undefined
      : `<@${snoozedBy}> wants to hear nothing of it ${momentAfter('until', snoozedUntil)}.`,
    closed,
  ].filter(note => note !== undefined);
  const kindLines = present.map(kind => kindSection(kind, items, counts[kind]?.all ?? 0));
  const blocks = [
    section(heading),
    ...kindLines.flatMap(lines => sectionsOf(lines, maxLine)),
    ...(notes.length > 0 ? [context(notes.join(' '))] : []),
    ...(isOpen ? actionsRow(buttonsOf(told), 'alert') : []),
  ];
  return message(blocks, 'all');
}

/** Says how many of each kind still stand: “2 failed, 1 of 3 late, 1 disabled (over)”. */
function leftWords(counts: About<'alert'>['counts'], present: readonly AlertKind[]): string {
  return present
    .map(kind => {
      const { all = 0, left = 0 } = counts[kind] ?? {};
      const { short } = kindWords[kind];
      if (left === 0) return `${all} ${short} (over)`;
      return left === all ? `${all} ${short}` : `${left} of ${all} ${short}`;
    })
    .join(', ');
}

function kindSection(kind: AlertKind, items: readonly AlertItem[], all: number): string[] {
  const own = items.filter(item => item.kind === kind);
  const shown = [
    ...own.filter(({ endedAt }) => endedAt === null),
    ...own.filter(({ endedAt }) => endedAt !== null),
  ].slice(0, maxLines);
  const more = all - shown.length;
  return [`*${kindWords[kind].heading}*`, ...shown.map(itemLine), ...(more > 0 ? [`…and ${more} more`] : [])];
}

function itemLine(item: AlertItem): string {
  const { words, isFlapping, since, endedAt } = item;
  if (endedAt !== null)
    return `:white_check_mark: ${overLine(item)}${moment(endedAt, ' ({date_short_pretty} {time})')}`;
  const said = words === null ? '' : ` · ${localTimes(plain(words, 300))}`;
  const flaps = isFlapping ? ' · it comes and goes, so I say nothing more of it until it was quiet for an hour' : '';
  return `• ${nameOf(item)}${said} · ${momentAfter('since', since)}${flaps}`;
}

function nameOf({ name, record }: Pick<AlertItem, 'name' | 'record'>): string {
  return bold(name ?? record, 100);
}

function overLine(item: AlertItem): string {
  return `${nameOf(item)} ${item.isGone ? 'is gone' : kindWords[item.kind].over}`;
}

/** Max buttons that mend something, below a message. */
const maxMends = 3;

/** The buttons that mend the first of what still stands. */
function mending(items: readonly AlertItem[]): Button[] {
  return items
    .filter(({ endedAt }) => endedAt === null)
    .flatMap(({ record, name, mend }) => {
      const operation = mend == null ? undefined : jobOperation(mend);
      return operation ? [nowButton(operation, { id: record, name: name ?? record })] : [];
    })
    .slice(0, maxMends);
}

function buttonsOf({ alert, takenBy, items }: About<'alert'>): Button[] {
  const snooze = (label: string, s: 'hour' | 'tomorrow' | 'week') =>
    alertActions.snooze.button(label, { a: alert, s }, { suffix: s });
  return [
    ...mending(items),
    ...(takenBy === null ? [alertActions.take.button('It’s mine', alert)] : []),
    snooze('Snooze 1 hour', 'hour'),
    snooze('Until tomorrow', 'tomorrow'),
    snooze('A week', 'week'),
  ];
}

function mendedContent({ items, more, left, takenBy }: About<'mended'>): Content {
  const lines = items.map(item => `:white_check_mark: ${overLine(item)}.`);
  const others = more > 0 ? [`:white_check_mark: …and ${more} more.`] : [];
  const rest =
    left > 0 ? [`${left} other${left === 1 ? '' : 's'} of this message still ${left === 1 ? 'stands' : 'stand'}.`] : [];
  const to = takenBy === null ? [] : [`<@${takenBy}>`];
  return message(sectionsOf([...lines, ...others, ...[...rest, ...to].slice(0, 2)], maxLine));
}

function stillContent({ items, more, by }: About<'still'>): Content {
  const lead = `:bell: ${by === null ? '' : `<@${by}> `}The snooze is over, and this still stands:`;
  return message(sectionsOf([lead, ...linesByKind(items, itemLine), ...moreLine(more)], maxLine));
}

function reminderContent({ items, more }: About<'reminder'>): Content {
  const line = (item: (typeof items)[number]) =>
    `${itemLine(item)}${item.takenBy === null ? '' : ` · <@${item.takenBy}> looks after it`}`;
  return message([
    section(':sunrise: *Still so this morning*'),
    ...sectionsOf([...linesByKind(items, line), ...moreLine(more)], maxLine),
    ...actionsRow(mending(items), 'alert'),
  ]);
}

function linesByKind<Item extends AlertItem>(items: readonly Item[], line: (item: Item) => string): string[] {
  return alertKinds.flatMap(kind => {
    const own = items.filter(item => item.kind === kind);
    return own.length === 0 ? [] : [`*${kindWords[kind].heading}*`, ...own.map(line)];
  });
}

function moreLine(more: number): string[] {
  return more > 0 ? [`…and ${more} more`] : [];
}

function blindContent({ why, person, detail, revision }: About<'blind'>, outcome: string | null): Content {
  const text = `:warning: I cannot look for the alerts of this channel: ${blindWords(why, person, detail)}`;
  if (outcome !== null) return message([section(text), context(`:white_check_mark: ${plain(outcome, 200)}`)]);
  const after =
    why === 'unreadable' ? 'I go on trying.' : 'Whoever takes it over looks with their own sign-in from then on.';
  const button = why === 'unreadable' ? [] : [alertActions.takeOver.button('Take it over', revision)];
  return message([section(`${text} ${after}`), ...actionsRow(button, 'alert')], 'all');
}

function blindWords(why: About<'blind'>['why'], person: string, detail: string | null): string {
  switch (why) {
    case 'left':
      return `<@${person}>, who turned them on, is no member of this workspace any more.`;
    case 'no approver':
      return `<@${person}>, who turned them on, is not among those who approve any more, and only for them I look with the service account.`;
    case 'signed out':
      return `<@${person}>, with whose sign-in I look, is not signed in. If they sign in, I go on.`;
    case 'account refused':
      return 'the service refuses the sign-in of the service account.';
    case 'unreadable':
      return `the lists cannot be read.${detail === null ? '' : ` ${plain(detail, 300)}`}`;
  }
}
