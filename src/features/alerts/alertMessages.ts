import type { Button, StaticSelect } from '@slack/types';
import { counted } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { choiceMenu } from '../../slack/blocks/action.ts';
import { actionsRow, context, section, sectionsOf } from '../../slack/blocks/blocks.ts';
import { mentioned, mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, message, wordsFor } from '../../slack/blocks/message.ts';
import { localTimes, moment, momentAfter } from '../../slack/blocks/moments.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import { nowButton } from '../../slack/records/recordBlocks.ts';
import { runCommand } from '../../slack/words/commandActions.ts';
import type { AlertItem, Incident, TroubleKind } from '../../store/tables/alerts/alertRows.ts';
import { alertActions } from './alertButtons.ts';
import { AlertNotice, rungByAlert } from './alertNotice.ts';
import { isRinging, leftIn } from './incidents/incidentStep.ts';
import { headline, presentKinds, verbed } from './incidents/incidentWords.ts';
import { kindList, kindOrder, servicePlace, troubles } from './troubleKinds.ts';

type About<What extends AlertNotice['what']> = Extract<AlertNotice, { what: What }>;

/** Max lines of one kind, and max characters of a line. */
const maxLines = 10;
const maxLine = 600;

/** The message of an incident or about alerts. */
export const alertMessage = wordsFor(
  AlertNotice,
  (told, outcome) => {
    switch (told.what) {
      case 'incident':
        return incidentContent(told, outcome);
      case 'news':
        return newsContent(told);
      case 'call':
        return callContent(told);
      case 'taker':
        return alertLine(
          `${mentionOf(told.person)} are you still on it? Without an answer, I notify the others in 30 minutes.`,
          [alertActions.take.button('I’m still on it', told.incident)],
        );
      case 'handed':
        return alertLine(`${mentionOf(told.by)} handed this over to ${mentionOf(told.to)}.`);
      case 'still': {
        const by = told.by === null ? '' : `${mentionOf(told.by)} `;
        return listed(`:bell: ${by}The snooze is over, and this is still a problem:`, told);
      }
      case 'morning':
        return morningContent(told);
      case 'on': {
        const watcher = told.isAccount ? 'the service account' : 'that person’s sign-in';
        const lead = `:bell: ${mentionOf(told.by)} *turned alerts on here*. Every five minutes I look with ${watcher}, report new problems here, and notify ${mentioned(told.called) || 'nobody'} of them.`;
        const kinds = `I report: ${kindList(told.kinds)}.`;
        return message([
          section(lead),
          ...(told.existing ? [section(existingWords(told.existing))] : []),
          ...actionsRow([runCommand.button('Show open problems', 'alerts')], 'alert'),
          context(kinds),
        ]);
      }
      case 'test':
        return alertLine(
          `:test_tube: ${mentioned(told.called)} ${mentionOf(told.by)} tests the alerts of this channel: ${kindList(told.kinds)}. Nothing is wrong.`,
        );
      case 'off':
        return alertLine(`:no_bell: ${mentionOf(told.by)} turned the alerts of this channel off.`);
    }
  },
  rungByAlert,
);

function alertLine(text: string, buttons: readonly Button[] = []): Content {
  return message([section(text), ...actionsRow(buttons, 'alert')]);
}

/** What stood already when alerts were turned on, in one line. */
function existingWords({ items, more }: NonNullable<About<'on'>['existing']>): string {
  const many = items.length + more;
  const said = kindOrder.flatMap(kind => {
    const names = items.flatMap(one => (one.kind === kind ? [bold(one.name ?? one.record, 60)] : []));
    return names.length === 0 ? [] : [`${names.join(', ')} ${verbed(kind, names.length === 1)}`];
  });
  const others = more > 0 ? [`${more} more`] : [];
  return many === 0
    ? ':white_check_mark: No existing problems.'
    : `:warning: ${counted(many, 'existing problem')}: ${[...said, ...others].join('; ')}. *Next*: look at them, because I notify nobody of existing problems.`;
}

function incidentContent(told: About<'incident'>, outcome: string | null): Content {
  const { items, counts, called, takenBy, takenUntil, snoozedBy, snoozedUntil, closedBy } = told;
  const left = leftIn(told);
  const isOpen = outcome === null;
  const closed = isOpen || outcome === 'ended' ? undefined : outcome;
  const sign =
    left === 0 || closedBy !== null ? ':white_check_mark:' : isRinging(told) ? ':rotating_light:' : ':warning:';
  const calls = called.length === 0 ? '' : `${mentioned(called)} `;
  const notes = [
    takenBy === null || !isOpen
      ? undefined
      : `${mentionOf(takenBy)} is on it${takenUntil === null ? '' : ` ${momentAfter('until', takenUntil)}`}.`,
    snoozedUntil === null || snoozedBy === null || !isOpen
      ? undefined
      : `${mentionOf(snoozedBy)} snoozed it ${momentAfter('until', snoozedUntil)}.`,
    closedBy === null
      ? undefined
      : `${mentionOf(closedBy)} closed it${left === 0 ? '' : `, and ${counted(left, 'problem was', 'problems were')} left`}.`,
    closed,
  ].filter(note => note !== undefined);
  const present = presentKinds(counts);
  const lines = present.map(kind => kindLines(kind, items, counts[kind]?.all ?? 0, present.length > 1));
  const blocks = [
    section(`${sign} ${calls}${headline(told)}`),
    ...lines.flatMap(some => sectionsOf(some, maxLine)),
    ...(notes.length > 0 ? [context(notes.join(' '))] : []),
    ...(isOpen ? actionsRow(buttonsOf(told), 'alert') : []),
  ];
  return message(blocks, 'all');
}

/** The lines of one kind: what still stands first. */
function kindLines(kind: TroubleKind, items: readonly AlertItem[], all: number, hasHeading: boolean): string[] {
  const own = items.filter(item => item.kind === kind);
  const isOver = ({ endedAt }: AlertItem) => endedAt !== null;
  const shown = [...own.filter(item => !isOver(item)), ...own.filter(isOver)].slice(0, maxLines);
  const heading = hasHeading ? [`*${troubles[kind].heading}*`] : [];
  return [...heading, ...shown.map(itemLine), ...moreLine(all - shown.length)];
}

function itemLine(item: AlertItem): string {
  const { kind, words, isFlapping, since, endedAt } = item;
  const said = words === null ? '' : ` · ${localTimes(plain(words, 300))}`;
  if (endedAt !== null) {
    const end = moment(endedAt, ' ({date_short_pretty} {time})');
    // The end of a missing sign-in is said of Dolly, and its beginning of the person.
    const who = kind === 'signIn' ? `${nameOf(item)} ` : '';
    const was = `${who}${verbed(kind, true, true)} ${momentAfter('from', since)}`;
    return `:white_check_mark: ${overLine(item)}${end} · ${was}${said}${doneBy(item)}`;
  }
  const flaps = isFlapping ? ' · it comes and goes, so I say no more about it until it has been quiet for an hour' : '';
  const from = kind === 'vanished' ? momentAfter('seen to be gone', since) : momentAfter('since', since);
  return `• ${nameOf(item)}${said} · ${from}${doneBy(item)}${flaps}`;
}

/** Says in which job of Dolly’s it began. */
function doneBy({ by }: AlertItem): string {
  const operation = by ? jobOperation(by.operation) : undefined;
  if (!by || !operation) return '';
  const whose =
    by.schedule === null ? `that ${mentionOf(by.person)} asked for` : `of ${mentionOf(by.person)}’s schedule`;
  return ` · in the ${operation.title({}).toLowerCase()} ${whose}`;
}

function nameOf({ name, record, kind }: AlertItem): string {
  if (kind === 'signIn' && name === null) return mentionOf(record);
  return record === servicePlace ? 'The service' : bold(name ?? record, 100);
}

function overLine(item: AlertItem): string {
  const { end, kind } = item;
  if (kind === 'signIn') return 'I look for new problems again';
  const ends = { over: troubles[kind].over, gone: 'is gone', hidden: 'is no longer shown to me' };
  return `${nameOf(item)} ${ends[end ?? 'over']}`;
}

function moreLine(more: number): string[] {
  return more > 0 ? [`…and ${more} more`] : [];
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

function buttonsOf({ incident, takenBy, items }: About<'incident'>): (Button | StaticSelect)[] {
  return [
    ...(takenBy === null ? [alertActions.take.button('I’m on it', incident, { style: 'primary' })] : []),
    ...mending(items),
    ...(items.some(({ kind, endedAt }) => kind === 'signIn' && endedAt === null)
      ? [alertActions.takeOver.button('Look with my sign-in', null)]
      : []),
    alertActions.handOver.button('Hand over…', incident),
    ...choiceMenu(alertActions.rest, 'Snooze or close', [
      { value: { does: 'hour', incident }, label: 'Snooze for 1 hour' },
      { value: { does: 'tomorrow', incident }, label: 'Snooze until tomorrow' },
      { value: { does: 'week', incident }, label: 'Snooze for a week' },
      { value: { does: 'close', incident }, label: 'Close: nothing to do' },
    ]),
  ];
}

/** A reply or the morning’s message: a line, and the records by kind. */
function listed(lead: string, { items, more }: Readonly<{ items: readonly AlertItem[]; more: number }>): Content {
  const lines = sectionsOf([lead, ...linesByKind(items), ...moreLine(more)], maxLine);
  return message([...lines, ...actionsRow(mending(items), 'alert')]);
}

/** What stands in a channel by the last look, who is on it, and how its alerts are set. */
export function standingMessage(
  { items, more, lookedAt, isBlind, open }: StandingTroubles,
  settings: string,
  buttons: readonly Button[],
): Content {
  const many = items.length + more;
  const when = lookedAt === null ? '' : ` · ${momentAfter('last look', lookedAt)}`;
  const lead =
    many > 0
      ? `:warning: *${counted(many, 'open problem')}*${when}`
      : lookedAt === null
        ? ':hourglass_flowing_sand: *Alerts are on*, but I have not looked yet.'
        : `${isBlind ? ':grey_question:' : ':white_check_mark:'} *No open problem*${when}. There is nothing to do: I report new ones here.`;
  const blind = isBlind ? [':warning: I can’t look at the moment: a message here says why.'] : [];
  const hands = open.flatMap(one => {
    const left = leftIn(one);
    const who = one.takenBy === null || left === 0 ? [] : [`${mentionOf(one.takenBy)} is on ${left} of them.`];
    const { snoozedUntil: until } = one;
    return [
      ...who,
      ...(until === null || left === 0 ? [] : [`${left} of them are snoozed ${momentAfter('until', until)}.`]),
    ];
  });
  const notes = [...hands, settings].join(' ');
  const mends = mending(items);
  const next = mends.length > 0 ? ['*Next*: fix these. What I can do about them is listed below.'] : [];
  const lines = sectionsOf([lead, ...blind, ...linesByKind(items), ...moreLine(more), ...next], maxLine);
  return message([...lines, ...actionsRow([...mends, ...buttons], 'alert'), context(notes)], 'all');
}

type StandingTroubles = Readonly<{
  items: readonly AlertItem[];
  more: number;
  lookedAt: number | null;
  isBlind: boolean;
  open: readonly Incident[];
}>;

function linesByKind(items: readonly AlertItem[]): string[] {
  return kindOrder.flatMap(kind => {
    const own = items.filter(item => item.kind === kind);
    return own.length === 0 ? [] : [`*${troubles[kind].heading}*`, ...own.map(itemLine)];
  });
}

function newsContent({ begun, ended, left, called }: About<'news'>): Content {
  const mentions = mentioned(called);
  const lines = [
    ...(mentions === '' ? [] : [mentions]),
    ...linesByKind(begun.items),
    ...moreLine(begun.more),
    ...ended.items.map(item => `:white_check_mark: ${overLine(item)}.`),
    ...(ended.more > 0 ? [`:white_check_mark: …and ${ended.more} more.`] : []),
    ...(ended.items.length + ended.more === 0
      ? []
      : [left === 0 ? 'Nothing else is left.' : `${counted(left, 'problem is', 'problems are')} left.`]),
  ];
  return message(sectionsOf(lines, maxLine));
}

function callContent(told: About<'call'>): Content {
  const { incident, after, called } = told;
  const lead =
    after === null
      ? 'Nobody is on this yet:'
      : `${mentionOf(after)} has not answered, so somebody else should take this:`;
  const lines = [`:bell: ${[mentioned(called), lead].filter(Boolean).join(' ')}`, ...linesByKind(told.items)];
  return message([
    ...sectionsOf([...lines, ...moreLine(told.more)], maxLine),
    ...actionsRow([alertActions.take.button('I’m on it', incident, { style: 'primary' })], 'alert'),
  ]);
}

function morningContent(told: About<'morning'>): Content {
  const lead = [mentioned(told.called), '*Still a problem this morning, and nobody is on it*'];
  return listed(`:sunrise: ${lead.filter(Boolean).join(' ')}`, told);
}
