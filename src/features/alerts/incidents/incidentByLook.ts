import type {
  AlertItem,
  Incident,
  IncidentStep,
  KeptSight,
  Subscription,
  TroubleKind,
} from '../../../store/tables/alerts/alertRows.ts';
import { named, replyTo } from '../alertNotice.ts';
import { kindOrder, troubles } from '../troubleKinds.ts';
import { firstCallAt, incidentStep, isSnoozed, leftIn } from './incidentStep.ts';

/** Max records that an incident keeps by name. */
export const maxItems = 100;

/** The name of a trouble of a record, for the same look in any list. */
export const troubleKey = ({ kind, record }: Pick<AlertItem, 'kind' | 'record'>) => `${kind} ${record}`;

/** A trouble that is over, and the turn whose message told it. */
export type Over = Pick<AlertItem, 'record' | 'kind' | 'place'> & Readonly<{ told: number }>;

/** What a look means for an incident of before: what joined it, and what of it is over. */
type Happened = Readonly<{
  /** The sights of the records that it names and that still stood. */
  kept: ReadonlyMap<string, KeptSight>;
  over: readonly Over[];
  joined: readonly AlertItem[];
  subscription: Pick<Subscription, 'called'>;
  /** The turn of the look, and its time. */
  turn: number;
  at: number;
}>;

/** The step of an incident by a look, with the reply in its thread. */
export function stepByLook(incident: Incident, happened: Happened): IncidentStep | undefined {
  const { joined, at, subscription, turn } = happened;
  const after = itemsAfter(incident, happened);
  const { items, counts, ended, unnamed } = after;
  if (joined.length === 0 && ended.length + unnamed === 0) return undefined;
  const wasNamed = new Set(incident.items.map(troubleKey));
  // What was named when somebody snoozed it is what they want to hear nothing of.
  const isKept = isSnoozed(incident, at) && joined.every(item => wasNamed.has(troubleKey(item)));
  const told = isKept ? [] : joined;
  const isNews = told.length > 0 && incident.snoozedUntil !== null;
  const isNew = told.some(({ kind }) => incident.counts[kind] === undefined);
  const rings = told.some(item => troubles[item.kind].rings && !item.isQuiet);
  // Whoever is on it hears of what is worse, and all of what is gone.
  const isLoss = told.some(({ kind }) => kind === 'vanished' || kind === 'lost');
  const isForAll = incident.takenBy === null || isLoss;
  const calls = rings && (isNew || isNews) && isForAll ? subscription.called : [];
  const taken = incident.takenBy === null ? [] : [incident.takenBy];
  const mentions = calls.length > 0 ? calls : told.length > 0 || leftIn({ counts }) === 0 ? taken : [];
  const turns = after.isCut ? [...new Set([...incident.turns, turn])] : incident.turns;
  const changes = {
    ...{ items, counts, turns },
    ...(told.length > 0 ? { lastAt: at } : {}),
    ...(isNews ? { snoozedUntil: null, snoozedBy: null } : {}),
    ...(rings && incident.takenBy === null && (calls.length > 0 || incident.callAt === null || leftIn(incident) === 0)
      ? { calls: 1, callAt: firstCallAt(at) }
      : {}),
  };
  const reply = { what: 'news', begun: named(told), ended: named(ended, unnamed), left: leftIn({ counts }) } as const;
  const isTold = told.length + ended.length + unnamed > 0;
  return incidentStep(incident, changes, {
    notices: isTold ? [replyTo(incident, at, { ...reply, called: [...mentions] })] : [],
  });
}

/** Says whether trouble that an incident names is over, by how its record is seen now. */
function endOf({ record, kind, since }: AlertItem, { kept }: Pick<Happened, 'kept'>): AlertItem['end'] {
  // Whoever looks reads the service, with a sign-in.
  if (kind === 'away' || kind === 'signIn') return 'over';
  const sight = kept.get(record);
  // What vanished and did not come back within a week is forgotten.
  if (!sight) return kind === 'vanished' ? 'gone' : 'hidden';
  // Another record may have its identifier now.
  if (kind === 'vanished') return sight.goneAt === null && sight.since < since ? 'over' : null;
  if (sight.goneAt !== null) return 'gone';
  const trouble = sight.troubles[kind];
  return !trouble || (trouble.state === 'over' && trouble.heldUntil === null) ? 'over' : null;
}

/** The records and the numbers of an incident after a look; `unnamed` of those that ended it does not name. */
function itemsAfter(incident: Incident, { joined, over, kept, at }: Happened) {
  const begun = new Map(joined.map(item => [troubleKey(item), item]));
  const items = incident.items.map(item => {
    const again = begun.get(troubleKey(item));
    if (again) return again;
    const end = item.endedAt === null ? endOf(item, { kept }) : null;
    return end === null ? item : { ...item, name: kept.get(item.record)?.name ?? item.name, endedAt: at, end };
  });
  const ended = items.filter(({ endedAt }, index) => endedAt !== null && incident.items[index]?.endedAt === null);
  const names = new Set(incident.items.map(troubleKey));
  const fresh = joined.filter(item => !names.has(troubleKey(item)));
  const kinds = new Set<TroubleKind>([
    ...kindOrder.filter(kind => incident.counts[kind]),
    ...fresh.map(one => one.kind),
  ]);
  const room = Math.max(0, maxItems - items.length);
  const isOwn = ({ told, record, kind, place }: Over) =>
    incident.turns.includes(told) &&
    (incident.place === null || incident.place === place) &&
    !names.has(troubleKey({ kind, record }));
  const unnamedOver = incident.turns.length === 0 ? [] : over.filter(isOwn);
  let unnamed = 0;
  const counts: Partial<Record<TroubleKind, { all: number; left: number }>> = {};
  for (const kind of kinds) {
    const isOpen = (item: AlertItem) => item.kind === kind && item.endedAt === null;
    const { all = 0, left = 0 } = incident.counts[kind] ?? {};
    const more = left - incident.items.filter(isOpen).length;
    const others = Math.min(unnamedOver.filter(one => one.kind === kind).length, more);
    const joins = fresh.filter(item => item.kind === kind).length;
    unnamed += others;
    counts[kind] = { all: all + joins, left: more - others + joins + items.filter(isOpen).length };
  }
  return {
    items: [...items, ...fresh.slice(0, room)],
    ...{ counts, ended, unnamed, isCut: fresh.length > room },
  };
}
