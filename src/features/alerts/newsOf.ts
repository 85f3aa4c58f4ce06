import { isToCome } from '../../ground/clock.ts';
import { day, hour } from '../../ground/durations.ts';
import {
  type AlertKind,
  alertKinds,
  type DoneBy,
  type KeptSight,
  type Trouble,
  type Troubles,
} from '../../store/tables/alerts/alertRows.ts';

/*
 * What changed about a record between two looks. Nothing here reads a clock, a list or the store: the same sight and the
 * same look always give the same next sight.
 */

/**
 * Whether a record is in trouble of one kind now. `maybe` needs a second look: the service’s word does not say it for
 * certain. `unknown` says nothing, so all stays as it was. `since` is the time at which it began, where that is known.
 */
export type Shown = Readonly<{
  is: 'yes' | 'maybe' | 'no' | 'unknown';
  words?: string | undefined;
  since?: number | undefined;
  /** The operation that mends it. */
  mend?: string | undefined;
  /** The job of Dolly’s in which it began. */
  by?: DoneBy | undefined;
  /** Whether nobody is called for it. */
  isQuiet?: boolean;
  /** Whether a job of Dolly’s did it as it was asked: that is no news. */
  isAsked?: boolean;
}>;

/** A record as one look shows it. */
export type RecordSeen =
  | Readonly<{
      type: 'shown';
      name: string | null;
      madeAt: number | null;
      /** The identifier of its environment, as far as it is shown. */
      place: string | null;
      /** Whether it shows a snapshot. */
      isBacked: boolean;
      troubles: Readonly<Record<AlertKind, Shown>>;
    }>
  /** It is not there any more. A job of Dolly’s may have done that. */
  | Readonly<{ type: 'gone'; isOurs: boolean }>
  /** Another record has its identifier now. */
  | Readonly<{ type: 'replaced'; isOurs: boolean; name: string | null; madeAt: number | null }>
  /** It may be there, but this watcher does not see it any more. */
  | Readonly<{ type: 'hidden' }>
  | Readonly<{ type: 'unknown' }>;

/** The look itself: its time, its turn, and whether it is the first one of this watcher, which tells nothing. */
export type Look = Readonly<{ at: number; turn: number; isFirst: boolean }>;

/** A trouble that comes and goes is held after so many changes within an hour, and for as long as it goes on, in hours. */
const manyChanges = 3;
const memory = hour;
/** The time for which a record that vanished may come back, in milliseconds. */
const mayComeBack = 7 * day;

/**
 * Gives the next sight of a record: the same object where nothing changed, `undefined` where it is forgotten. Its `news`
 * is the turn of the look where there is something to tell.
 */
export function newsOf(
  before: KeptSight | undefined,
  record: string,
  seen: RecordSeen,
  look: Look,
): KeptSight | undefined {
  switch (seen.type) {
    case 'unknown':
      return before;
    case 'hidden':
      return undefined;
    case 'gone':
      return before && goneSight(before, seen, look);
    case 'replaced':
      return before && replacedSight(before, seen, look);
    case 'shown':
      return shownSight(before ?? unseen(record, look), seen, look, before === undefined);
  }
}

function unseen(record: string, { at }: Look): KeptSight {
  const none = { name: null, madeAt: null, goneAt: null, backedAt: null, place: null, news: null };
  return { record, since: at, ...none, troubles: {} };
}

function shownSight(before: KeptSight, seen: RecordSeen & { type: 'shown' }, look: Look, isNew: boolean): KeptSight {
  const changed = alertKinds.flatMap(kind => {
    const earlier = before.troubles[kind];
    const { trouble, isNews } = nextOfTrouble(earlier, seen.troubles[kind], look);
    return trouble === earlier ? [] : [{ kind, trouble, isNews }];
  });
  const name = seen.name ?? before.name;
  const madeAt = seen.madeAt ?? before.madeAt;
  const backedAt = before.backedAt ?? (seen.isBacked ? look.at : null);
  const place = seen.place ?? before.place;
  const isSame =
    name === before.name && madeAt === before.madeAt && backedAt === before.backedAt && place === before.place;
  if (!isNew && changed.length === 0 && isSame && before.goneAt === null) return before;
  const troubles = { ...before.troubles };
  for (const { kind, trouble } of changed)
    if (trouble) troubles[kind] = trouble;
    else delete troubles[kind];
  const isNews = changed.some(change => change.isNews);
  return { ...before, name, madeAt, goneAt: null, backedAt, place, troubles, news: isNews ? look.turn : before.news };
}

/** A record that is gone has no trouble any more but that it vanished, unless Dolly’s own job took it away. */
function goneSight(before: KeptSight, { isOurs }: Readonly<{ isOurs: boolean }>, look: Look): KeptSight | undefined {
  const { at, turn, isFirst } = look;
  if (isFirst) return undefined;
  if (before.goneAt !== null) {
    const mayReturn = before.troubles.vanished?.state === 'stands' && at - before.goneAt < mayComeBack;
    // What is still to be told of it stays until it is told.
    return mayReturn || before.news === turn ? before : undefined;
  }
  const troubles = endedTroubles(before.troubles, turn);
  const all = isOurs ? troubles : { ...troubles, vanished: vanishing(look, null) };
  return isOurs && Object.keys(troubles).length === 0
    ? undefined
    : { ...before, goneAt: at, troubles: all, news: turn };
}

/** One look tells the end of the record that was there; the next one begins with the record that is there now. */
function replacedSight(before: KeptSight, seen: RecordSeen & { type: 'replaced' }, look: Look): KeptSight {
  const { name, madeAt, isOurs } = seen;
  const fresh = { ...unseen(before.record, look), name, madeAt, place: before.place };
  if (look.isFirst || before.goneAt !== null) return fresh;
  const troubles = endedTroubles(before.troubles, look.turn);
  const was = before.name ?? before.record;
  const vanished = {
    ...vanishing(look, `It was ${was}. Another record now has its identifier.`),
    state: 'over' as const,
  };
  const all = isOurs ? troubles : { ...troubles, vanished };
  return { ...fresh, goneAt: look.at, troubles: all, news: Object.keys(all).length > 0 ? look.turn : null };
}

function vanishing({ at, turn }: Look, words: string | null): Trouble {
  return { state: 'stands', since: at, words, told: turn, ended: null, changes: [], heldUntil: null };
}

/** Ends the troubles of which somebody was told; the others are forgotten. */
function endedTroubles(troubles: Troubles, turn: number): Troubles {
  const ended = Object.entries(troubles).flatMap(([kind, trouble]) =>
    trouble.told === null || trouble.ended !== null || trouble.state === 'doubtful'
      ? []
      : [[kind, { ...trouble, state: 'over' as const, ended: turn, heldUntil: null }] as const],
  );
  return Object.fromEntries(ended);
}

type Next = Readonly<{ trouble: Trouble | undefined; isNews: boolean }>;
const silently = (trouble: Trouble | undefined): Next => ({ trouble, isNews: false });

/** Takes one kind of trouble a look further. */
function nextOfTrouble(before: Trouble | undefined, shown: Shown, look: Look): Next {
  const { is, words = null, since = look.at, mend, by, isQuiet = false, isAsked = false } = shown;
  const facts = { since, words, mend, by, isQuiet };
  if (is === 'unknown') return silently(before);
  const stands = is !== 'no';
  switch (before?.state) {
    case undefined:
    case 'over':
      if (!stands) return before ? calm(before, look) : silently(undefined);
      if (look.isFirst || isAsked) return silently({ ...fresh(since, words), ...facts, state: 'stands' });
      if (is === 'maybe') return silently({ ...(before ?? fresh(since, words)), ...facts, state: 'doubtful' });
      return begun(before, facts, look);
    case 'doubtful':
      if (stands) return begun(before, { ...facts, since: before.since }, look);
      return silently(before.told === null && before.changes.length === 0 ? undefined : { ...before, state: 'over' });
    case 'stands':
      return stands ? calm(before, look) : ended(before, look);
  }
}

function fresh(at: number, words: string | null): Trouble {
  return { state: 'doubtful', since: at, words, told: null, ended: null, changes: [], heldUntil: null };
}

/** The changes of the last hour, with one of now. A clock that was set back forgets those that lie ahead. */
function changesWith(before: Trouble | undefined, at: number): number[] {
  return [...(before?.changes ?? []).filter(time => time > at - memory && time <= at), at];
}

/** The end of the time in which nothing is told; a change after it begins it anew. */
function holdAt({ heldUntil }: Trouble, at: number): number | null {
  if (heldUntil === null) return null;
  return isToCome(heldUntil, at, memory) ? heldUntil : at + memory;
}

function begun(
  before: Trouble | undefined,
  from: Pick<Trouble, 'since' | 'words' | 'mend' | 'by' | 'isQuiet'>,
  { at, turn }: Look,
): Next {
  const changes = changesWith(before, at);
  const heldUntil = before ? holdAt(before, at) : null;
  const begins = { ...fresh(at, null), ...before, ...from, state: 'stands' as const, changes };
  if (heldUntil !== null) return silently({ ...begins, heldUntil });
  const isMany = changes.length >= manyChanges;
  return { trouble: { ...begins, told: turn, ended: null, heldUntil: isMany ? at + memory : null }, isNews: true };
}

function ended(before: Trouble, { at, turn }: Look): Next {
  const over = { ...before, state: 'over' as const, changes: changesWith(before, at) };
  const heldUntil = holdAt(before, at);
  if (heldUntil !== null) return silently({ ...over, heldUntil });
  return before.told === null ? silently(over) : { trouble: { ...over, ended: turn }, isNews: true };
}

/** A trouble that is as it was: the time in which nothing is told may be over, and what it did may be forgotten. */
function calm(before: Trouble, { at, turn }: Look): Next {
  const { heldUntil, state, told } = before;
  const recent = before.changes.filter(time => time > at - memory && time <= at);
  if (heldUntil === null) return silently(state === 'over' && recent.length === 0 ? undefined : before);
  if (isToCome(heldUntil, at, memory)) return silently(before);
  // It went on while nothing was told: that lasts until an hour has been calm.
  if (recent.length > 0) return silently({ ...before, changes: recent, heldUntil: Math.max(...recent) + memory });
  const settled = { ...before, changes: [], heldUntil: null };
  if (state === 'stands' || told === null || before.ended !== null) return silently(settled);
  return { trouble: { ...settled, ended: turn }, isNews: true };
}
