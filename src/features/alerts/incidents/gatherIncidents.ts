import { mapInSlices, sortInSlices } from '../../../ground/slices.ts';
import type { Dealing } from '../../../store/jobs/dealings.ts';
import {
  type AlertItem,
  alertKinds,
  countByKind,
  families,
  type Incident,
  type IncidentBeginning,
  type IncidentStep,
  type KeptSight,
  type NewIncident,
  type Subscription,
} from '../../../store/tables/alerts/alertRows.ts';
import type { WatcherRow } from '../../../store/things/rows.ts';
import { noticeOfIncident } from '../alertNotice.ts';
import { kindOrder, troubles } from '../troubleKinds.ts';
import { cutWords, wordsOfState } from '../troublesOf.ts';
import { maxItems, type Over, stepByLook, troubleKey } from './incidentByLook.ts';
import { firstCallAt, isRinging, isSnoozed, joinEnd } from './incidentStep.ts';

/** All that happens to incidents by one look. */
type LookFacts = Readonly<{
  watcher: Pick<WatcherRow, 'id' | 'person' | 'turn'>;
  /** The channels that hear of it. */
  subscriptions: readonly Subscription[];
  /** The sights with news of this turn. */
  news: readonly KeptSight[];
  /** The incidents of before that have not ended. */
  open: readonly Incident[];
  /** The sights of the records that these name and that still stood, by record. */
  kept: ReadonlyMap<string, KeptSight>;
  /** The names of places. */
  names: ReadonlyMap<string, string>;
  /** The messages that opened the day, by channel. */
  opened: ReadonlyMap<string, string | undefined>;
  /** The jobs of Dolly’s that are under way or ended since the look before. */
  dealings: readonly Dealing[];
  at: number;
}>;

/** What a look begins, and the steps of the incidents that it changes. */
type GatheredIncidents = Readonly<{
  begun: readonly IncidentBeginning[];
  changed: readonly (readonly [Incident, IncidentStep])[];
}>;

/** Max places of which one look makes an incident each in a channel: trouble at more of them is one. */
const maxPlaces = 3;

/**
 * Gathers what a look saw into incidents, in slices: trouble joins the one that is open at its place, or begins one, and
 * what is over is over there.
 */
export async function gatherIncidents(facts: LookFacts): Promise<GatheredIncidents> {
  const { open, subscriptions, watcher, at } = facts;
  const turn = watcher.turn + 1;
  const wantedBy = wantedOf(await begunIn(facts));
  const over = await overIn(facts);
  const gathered = await mapInSlices(subscriptions, subscription => {
    const own = open.filter(({ channel }) => channel === subscription.channel);
    const wanted = subscription.sinceTurn >= turn ? [] : wantedBy(subscription.kinds);
    const { joining, beginning } = placed(untold(wanted, subscription.channel, facts.dealings), own, at);
    return {
      begun: beginning.map(begins => beginIncident(subscription, begins, facts)),
      changed: own.flatMap(incident => {
        const step = stepByLook(incident, { ...facts, turn, over, subscription, joined: joining.get(incident) ?? [] });
        return step ? [[incident, step] as const] : [];
      }),
    };
  });
  return { begun: gathered.flatMap(({ begun }) => begun), changed: gathered.flatMap(({ changed }) => changed) };
}

const byName = new Intl.Collator('en');

/** A trouble that began, and the time at which it last came or went before: it began after that. */
type Begun = Readonly<{ item: AlertItem; isAfter: number }>;

/** The troubles that began, by kind and then by name. */
async function begunIn({ news, watcher }: LookFacts): Promise<readonly Begun[]> {
  const turn = watcher.turn + 1;
  const items = await mapInSlices(news, ({ record, name, place, troubles: seen }) =>
    alertKinds.flatMap((kind): Begun[] => {
      const trouble = seen[kind];
      if (!trouble || trouble.told !== turn || trouble.ended === turn) return [];
      if (trouble.state !== 'stands' && kind !== 'vanished') return [];
      const { since, words, mend, by, heldUntil, changes, isQuiet = false } = trouble;
      const known = { record, name, kind, place: place ?? record, since, words, mend, by };
      const item = { ...known, isFlapping: heldUntil !== null, isQuiet, endedAt: null, end: null };
      return [{ item, isAfter: changes.at(-2) ?? 0 }];
    }),
  );
  const rank = ({ item }: Begun) => kindOrder.indexOf(item.kind);
  const called = ({ item: { name, record } }: Begun) => name ?? record;
  return sortInSlices(items.flat(), (a, b) => rank(a) - rank(b) || byName.compare(called(a), called(b)));
}

/** Chooses the troubles of some kinds, once for all channels that want the same kinds. */
function wantedOf(begun: readonly Begun[]): (kinds: Subscription['kinds']) => readonly Begun[] {
  const known = new Map<string, readonly Begun[]>();
  return kinds => {
    const key = alertKinds.filter(kind => kinds.includes(kind)).join(' ');
    const wanted = known.get(key) ?? begun.filter(({ item }) => kinds.some(kind => kind === item.kind));
    known.set(key, wanted);
    return wanted;
  };
}

/** The troubles that no message of a job in the channel tells of. */
function untold(begun: readonly Begun[], channel: string, dealings: readonly Dealing[]): readonly AlertItem[] {
  const heard = Map.groupBy(
    dealings.filter(({ toldIn }) => toldIn === channel),
    ({ evidence }) => evidence?.id,
  );
  return begun.flatMap(one => (heard.get(one.item.record)?.some(job => tellsOf(job, one)) ? [] : [one.item]));
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

/** An incident that begins: its family, its place, and the trouble there. */
type Begins = Readonly<{ family: Incident['family']; place: string | null; items: readonly AlertItem[] }>;

/** The incidents that troubles join, and those that they begin. What comes again of one that is snoozed joins it. */
function placed(items: readonly AlertItem[], open: readonly Incident[], at: number) {
  const joining = new Map<Incident, AlertItem[]>();
  const beginning: Begins[] = [];
  const snoozed = new Map(
    open.filter(one => isSnoozed(one, at)).flatMap(one => one.items.map(item => [troubleKey(item), one] as const)),
  );
  for (const family of families) {
    const ofFamily = items.filter(({ kind }) => troubles[kind].family === family);
    // Somebody is on it: what comes there meanwhile is theirs, too.
    const joinable = open.filter(one => one.family === family && (at < joinEnd(one) || one.takenBy !== null));
    const fresh = new Map<string, AlertItem[]>();
    for (const item of ofFamily) {
      const incident =
        snoozed.get(troubleKey(item)) ??
        joinable.find(({ place }) => place === item.place) ??
        joinable.find(({ place }) => place === null);
      if (incident) joining.set(incident, [...(joining.get(incident) ?? []), item]);
      else fresh.set(item.place, [...(fresh.get(item.place) ?? []), item]);
    }
    if (fresh.size > maxPlaces) beginning.push({ family, place: null, items: [...fresh.values()].flat() });
    else for (const [place, some] of fresh) beginning.push({ family, place, items: some });
  }
  return { joining, beginning };
}

/**
 * The message that begins an incident. It calls people where one of its kinds rings; what calls nobody stands in the thread
 * of the day.
 */
export function beginIncident(
  { id, team, channel, person, called }: Pick<Subscription, 'id' | 'team' | 'channel' | 'person' | 'called'>,
  { family, place, items }: Begins,
  { watcher, names, opened, at }: Pick<LookFacts, 'watcher' | 'names' | 'opened' | 'at'>,
): IncidentBeginning {
  const turn = watcher.turn + 1;
  const counts = countByKind(items);
  const rings = isRinging({ counts, items });
  const own = items.find(({ record }) => record === place)?.name ?? null;
  const rest = { snoozedUntil: null, snoozedBy: null, takenBy: null, takenAt: null, takenUntil: null, askedAt: null };
  const base = { waitsFor: null, createdAt: at, endedAt: null, closedBy: null } as const;
  const calls = rings ? called : [];
  const incident: NewIncident = {
    ...{ ...rest, ...base, id: incidentId(id, watcher, { family, place }), team, person, channel },
    ...{ state: 'open', watcher: watcher.id, family, place, at, lastAt: at, counts },
    placeName: place === null ? null : (names.get(place) ?? own),
    ...{ items: items.slice(0, maxItems), turns: items.length > maxItems ? [turn] : [] },
    ...{ called: calls, calls: Number(rings), callAt: rings ? firstCallAt(at) : null },
    plannedAt: rings ? firstCallAt(at) : null,
  };
  const message = { id: incident.id, subject: incident.id, team, kind: 'alert', createdAt: at };
  const thread = rings ? null : (opened.get(channel) ?? null);
  const notice = { ...message, data: noticeOfIncident(incident), to: { channel, person, thread } };
  return { as: incident, dueAt: incident.plannedAt, notices: [notice] };
}

/** Of one look, each family has one incident at a place. A menu carries the id: it must stay short. */
function incidentId(
  subscription: string,
  { person, turn }: LookFacts['watcher'],
  { family, place }: Pick<Begins, 'family' | 'place'>,
): string {
  return `${subscription} ${person} ${turn + 1} ${family} ${place?.slice(-60) ?? '*'}`;
}

async function overIn({ news, watcher }: LookFacts): Promise<readonly Over[]> {
  const turn = watcher.turn + 1;
  const found = await mapInSlices(news, ({ record, place, troubles: seen }) =>
    alertKinds.flatMap((kind): Over[] => {
      const { told = null, ended = null } = seen[kind] ?? {};
      // What began and ended before anybody could be told is no news.
      return ended !== turn || told === null || told === turn ? [] : [{ record, kind, place: place ?? record, told }];
    }),
  );
  return found.flat();
}
