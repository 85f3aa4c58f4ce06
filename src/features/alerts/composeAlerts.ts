import { day } from '../../ground/durations.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import type { Dealing } from '../../store/jobs/dealings.ts';
import {
  type Alert,
  type AlertItem,
  type AlertKind,
  alertKinds,
  type KeptSight,
  type NewAlert,
  type Subscription,
} from '../../store/tables/alerts/alertRows.ts';
import { type AlertChange, type LookStep, turnOfOthers } from '../../store/tables/alerts/alerts.ts';
import type { NewNotice } from '../../store/tables/outbox.ts';
import type { WatcherRow } from '../../store/things/rows.ts';
import type { AlertNotice } from './alertNotice.ts';
import { maxNamed, reminderFor } from './mornings.ts';
import { cutWords, wordsOfState } from './troublesOf.ts';

/** All that the messages of one look follow from. */
export type LookFacts = Readonly<{
  watcher: Pick<WatcherRow, 'id' | 'team' | 'turn' | 'lookedAt'>;
  /** The channels that hear of it. */
  subscriptions: readonly Subscription[];
  /** The sights with news of this turn. */
  news: readonly KeptSight[];
  /** The alerts of before that have not ended. */
  open: readonly Alert[];
  /** The sights of what was told by another watcher. */
  kept: readonly KeptSight[];
  /** The jobs of Dolly’s that are under way or ended since the look before. */
  dealings: readonly Dealing[];
  at: number;
}>;

/** The messages of one look, as they are written. */
export type Composed = Required<Pick<LookStep, 'alerts' | 'changed' | 'subscriptions' | 'notices'>>;

/** Max records that an alert keeps by name. */
const maxItems = 100;
/** The longest snooze; a later end was set before a clock was set back. In milliseconds. */
const longestSnooze = 8 * day;
/** The time after which a message of records that vanished loses its buttons, in milliseconds. */
const vanishedFor = 7 * day;

/** An end of a trouble, and the turn whose message told it. */
type Ending = Readonly<{ record: string; name: string | null; kind: AlertKind; told: number; isGone: boolean }>;

/** Puts the messages of a look together, in slices: one a channel, and one reply a message that changed. */
export async function composeAlerts(facts: LookFacts): Promise<Composed> {
  const { open, subscriptions, kept, at } = facts;
  const wantedBy = wantedOf(await begunIn(facts));
  const ended = await endedIn(facts);
  const sights = new Map(kept.map(sight => [sight.record, sight]));
  const silent = Map.groupBy(
    open.filter(alert => isSnoozed(alert, at)),
    ({ channel }) => channel,
  );
  const told = await mapInSlices(subscriptions, subscription =>
    alertFor(subscription, wantedBy(subscription.kinds), { ...facts, silent: silent.get(subscription.channel) ?? [] }),
  );
  const again = new Map(told.flatMap(({ silenced }) => [...silenced]));
  const happened = await mapInSlices(open, alert =>
    changeOf(alert, { ended, sights, again: again.get(alert.id) ?? [], at }),
  );
  const changed = happened.flat();
  const changes = new Map(changed.map(({ change }) => [change.alert.id, change.changes]));
  const standing = Map.groupBy(
    // A snooze that is over is told in its own thread.
    open.flatMap(alert => (alert.snoozedUntil === null ? [{ ...alert, ...changes.get(alert.id) }] : [])),
    ({ channel }) => channel,
  );
  const reminders = subscriptions.flatMap(one => reminderFor(one, standing.get(one.channel) ?? [], at));
  return {
    alerts: told.flatMap(({ alerts }) => alerts),
    changed: changed.map(({ change }) => change),
    subscriptions: reminders.map(({ change }) => change),
    notices: [...told, ...changed, ...reminders].flatMap(({ notices }): readonly NewNotice[] => notices),
  };
}

const byName = new Intl.Collator('en');

/** A trouble that began, and the time at which it last came or went before: it began after that. */
type Begun = Readonly<{ item: AlertItem; isAfter: number }>;

/** The troubles that began, by kind and then by name. */
async function begunIn({ news, watcher }: LookFacts): Promise<readonly Begun[]> {
  const turn = watcher.turn + 1;
  const items = await mapInSlices(news, ({ record, name, troubles }) =>
    alertKinds.flatMap((kind): Begun[] => {
      const trouble = troubles[kind];
      if (!trouble || trouble.told !== turn || trouble.ended === turn) return [];
      if (trouble.state !== 'stands' && kind !== 'vanished') return [];
      const { since, words, mend, heldUntil, changes } = trouble;
      const item = {
        record,
        name,
        kind,
        since,
        words,
        mend,
        isFlapping: heldUntil !== null,
        endedAt: null,
        isGone: false,
      };
      return [{ item, isAfter: changes.at(-2) ?? 0 }];
    }),
  );
  const rank = ({ item }: Begun) => alertKinds.indexOf(item.kind);
  const called = ({ item: { name, record } }: Begun) => name ?? record;
  return sortInSlices(items.flat(), (a, b) => rank(a) - rank(b) || byName.compare(called(a), called(b)));
}

/** Chooses the troubles of some kinds, once for all channels that want the same kinds. */
function wantedOf(begun: readonly Begun[]): (kinds: readonly AlertKind[]) => readonly Begun[] {
  const known = new Map<string, readonly Begun[]>();
  return kinds => {
    const key = alertKinds.filter(kind => kinds.includes(kind)).join(' ');
    const wanted = known.get(key) ?? begun.filter(({ item }) => kinds.includes(item.kind));
    known.set(key, wanted);
    return wanted;
  };
}

/** The name of a trouble of a record, for the same look in any list. */
const keyOf = ({ kind, record }: Pick<AlertItem, 'kind' | 'record'>) => `${kind} ${record}`;

/** The message to one channel: of what it wants to hear of, all that no job told it and that it has not silenced. */
function alertFor(
  { id, team, channel, person, sinceTurn }: Subscription,
  begun: readonly Begun[],
  { watcher, dealings, silent, at }: LookFacts & { silent: readonly Alert[] },
) {
  const turn = watcher.turn + 1;
  if (begun.length === 0 || sinceTurn >= turn)
    return { alerts: [], notices: [], silenced: new Map<string, AlertItem[]>() };
  const heard = Map.groupBy(
    dealings.filter(({ toldIn }) => toldIn === channel),
    ({ evidence }) => evidence?.id,
  );
  const wanted = begun.flatMap(one => (heard.get(one.item.record)?.some(job => tellsOf(job, one)) ? [] : [one.item]));
  const silenced = new Map(silent.map(alert => [alert.id, wanted.filter(isAbout(alert))]));
  const quiet = new Set([...silenced.values()].flat());
  const items = quiet.size === 0 ? wanted : wanted.filter(item => !quiet.has(item));
  if (items.length === 0) return { alerts: [], notices: [], silenced };
  const counts: Partial<Record<AlertKind, { all: number; left: number }>> = {};
  for (const { kind } of items) {
    const all = (counts[kind]?.all ?? 0) + 1;
    counts[kind] = { all, left: all };
  }
  const own = { id: `alert ${id} ${watcher.id} ${turn}`, items: items.slice(0, maxItems), counts };
  const rest = { snoozedUntil: null, snoozedBy: null, takenBy: null, endedAt: null, plannedAt: null, waitsFor: null };
  const about = { team, person, channel, watcher: watcher.id, turn, at, createdAt: at };
  const alert: NewAlert = { ...own, ...rest, ...about, state: 'open' };
  const message = { id: alert.id, subject: alert.id, team, kind: 'alert', createdAt: at, to: { channel, person } };
  return { alerts: [alert], notices: [{ ...message, data: noticeOfAlert(alert) }], silenced };
}

/**
 * Whether a job's message tells of this very trouble: its end showed the record in the same words, and came after the
 * trouble had last come or gone. A job explains one beginning: what comes again comes by something else.
 */
function tellsOf({ state, evidence, endedAt }: Dealing, { item, isAfter }: Begun): boolean {
  const end = item.kind === 'failed' ? 'failed' : item.kind === 'disabled' ? 'succeeded' : undefined;
  if (state !== end || evidence?.state === undefined || endedAt === null || endedAt <= isAfter) return false;
  // A list may not show the error that the record itself shows.
  const { state: word, error } = evidence;
  return [word, wordsOfState(word, error)].some(words => cutWords(words) === item.words);
}

/** Whether an alert tells of the same trouble of the same record; where it names only some, any of the kind counts. */
function isAbout({ items, counts }: Alert): (item: AlertItem) => boolean {
  const named = new Set(items.map(keyOf));
  const cut = alertKinds.filter(kind => (counts[kind]?.all ?? 0) > items.filter(item => item.kind === kind).length);
  return item => named.has(keyOf(item)) || cut.includes(item.kind);
}

/** Whether nothing is told of an alert at the moment. */
export function isSnoozed({ snoozedUntil }: Pick<Alert, 'snoozedUntil'>, at: number): boolean {
  return snoozedUntil !== null && snoozedUntil > at && snoozedUntil <= at + longestSnooze;
}

/** The data of the message of an alert. */
export function noticeOfAlert({ id, items, counts, snoozedUntil, snoozedBy, takenBy }: NewAlert): AlertNotice {
  return { what: 'alert', alert: id, items: [...items], counts, snoozedUntil, snoozedBy, takenBy };
}

/** The ends of a look, by the trouble that ended; and how many there are, by their turn and kind. */
type Ended = Readonly<{ byTrouble: ReadonlyMap<string, Ending>; many: ReadonlyMap<string, number> }>;

async function endedIn({ news, watcher }: LookFacts): Promise<Ended> {
  const turn = watcher.turn + 1;
  const many = new Map<string, number>();
  const byTrouble = new Map<string, Ending>();
  await mapInSlices(news, ({ record, name, troubles, goneAt }) => {
    for (const kind of alertKinds) {
      const { told = null, ended = null } = troubles[kind] ?? {};
      // What began and ended before anybody could be told is no news.
      if (ended !== turn || told === null || told === turn) continue;
      many.set(`${told} ${kind}`, (many.get(`${told} ${kind}`) ?? 0) + 1);
      byTrouble.set(keyOf({ kind, record }), { record, name, kind, told, isGone: goneAt !== null });
    }
  });
  return { byTrouble, many };
}

/** What happened to an alert of before: some of it ended, some began again while it was snoozed. */
type Happened = Readonly<{
  ended: Ended;
  sights: ReadonlyMap<string, KeptSight>;
  again: readonly AlertItem[];
  at: number;
}>;

/** The change of an alert of before, with its replies; the end of its snooze is one, too. */
function changeOf(alert: Alert, happened: Happened) {
  const { at, again } = happened;
  const { items, counts, ended, more } = nextItems(alert, happened);
  const leftOf = (kind: AlertKind) => counts[kind]?.left ?? 0;
  const left = alertKinds.reduce((sum, kind) => sum + leftOf(kind), 0);
  const isWoken = alert.snoozedUntil !== null && !isSnoozed(alert, at);
  const isLasting = alertKinds.some(kind => kind !== 'vanished' && leftOf(kind) > 0);
  const isOver = left === 0 || (!isLasting && at - alert.at > vanishedFor);
  const isOther = ended.length + more + again.length > 0;
  if (!isOther && !isWoken && isOver === (alert.endedAt !== null)) return [];
  const changes: AlertChange['changes'] = {
    ...(isOther ? { items, counts } : {}),
    ...(isWoken ? { snoozedUntil: null } : {}),
    endedAt: isOver ? (alert.endedAt ?? at) : null,
  };
  const standing = items.filter(({ endedAt, kind }) => endedAt === null && kind !== 'vanished');
  const notices = [
    ...(ended.length + more > 0
      ? [replyTo(alert, at, { what: 'mended', ...namedOf(ended, more), left, takenBy: alert.takenBy })]
      : []),
    ...(isWoken && standing.length > 0
      ? [replyTo(alert, at, { what: 'still', ...namedOf(standing, 0), by: alert.snoozedBy })]
      : []),
  ];
  return [{ change: { alert, changes, data: noticeOfAlert({ ...alert, ...changes }) }, notices }];
}

/** As many items as a text names, and the number of the others. */
function namedOf<Item>(items: readonly Item[], more: number): { items: Item[]; more: number } {
  return { items: items.slice(0, maxNamed), more: Math.max(0, items.length - maxNamed) + more };
}

function replyTo({ id, team }: Alert, at: number, data: AlertNotice): NewNotice {
  return {
    id: `${id} ${data.what} ${at}`,
    subject: id,
    team,
    kind: 'alert',
    createdAt: at,
    data,
    isNews: true,
    to: { thread: id },
  };
}

/** The end of what another watcher told, as a sight shows it; nobody knows of what is not seen. */
function endingIn(sight: KeptSight | undefined, kind: AlertKind): Pick<Ending, 'name' | 'isGone'> | undefined {
  const isOver = sight && (kind === 'vanished' ? sight.goneAt === null : sight.troubles[kind]?.state !== 'stands');
  return isOver ? { name: sight.name, isGone: sight.goneAt !== null } : undefined;
}

/** The items and the counts of an alert after a look; `more` are those that ended and that it does not name. */
function nextItems(alert: Alert, { ended: { byTrouble, many }, sights, again, at }: Happened) {
  const isOfOthers = alert.turn === turnOfOthers;
  const endingOf = (item: AlertItem) =>
    isOfOthers ? endingIn(sights.get(item.record), item.kind) : byTrouble.get(keyOf(item));
  const begun = new Map(again.map(item => [keyOf(item), item]));
  const items = alert.items.map(item => {
    const ending = item.endedAt === null ? endingOf(item) : undefined;
    if (ending) return { ...item, name: ending.name ?? item.name, endedAt: at, isGone: ending.isGone };
    return (item.endedAt === null ? undefined : begun.get(keyOf(item))) ?? item;
  });
  const ended = items.filter(({ endedAt }, index) => endedAt !== null && alert.items[index]?.endedAt === null);
  const named = new Set(alert.items.map(keyOf));
  let more = 0;
  const counts: Partial<Record<AlertKind, { all: number; left: number }>> = {};
  for (const kind of alertKinds) {
    const count = alert.counts[kind];
    if (!count) continue;
    const isOpen = (item: AlertItem) => item.kind === kind && item.endedAt === null;
    const unnamedLeft = count.left - alert.items.filter(isOpen).length;
    const ownEnds = ended.filter(item => item.kind === kind && byTrouble.get(keyOf(item))?.told === alert.turn).length;
    const others = Math.min((many.get(`${alert.turn} ${kind}`) ?? 0) - ownEnds, unnamedLeft);
    const back = again.filter(item => item.kind === kind && !named.has(keyOf(item))).length;
    more += others;
    counts[kind] = {
      all: Math.max(count.all, unnamedLeft + back),
      left: unnamedLeft - others + back + items.filter(isOpen).length,
    };
  }
  return { items, counts, ended, more };
}
