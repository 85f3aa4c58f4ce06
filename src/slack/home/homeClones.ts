import { LRUCache } from 'lru-cache';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { ageOf, type Moment, thisMoment, wasSetSince } from '../../ground/clock.ts';
import { sentence } from '../../ground/failure.ts';
import { compareNames } from '../../records/find.ts';
import { lastPageOr, type Page } from '../../store/jobs/reading.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk } from '../desk/desk.ts';

/** What Home shows of clones: a page of them, of which `mine` come first; or why there is none. */
export type Clones =
  | Readonly<{ type: 'looking' }>
  | Readonly<{ type: 'fault'; sentence: string }>
  | Readonly<{ type: 'shown'; page: Page<RecordView>; mine: number; isCut: boolean }>;

export const clonesPerPage = 8;

/** A page of the clones in a list: what the person's jobs made first, then all others, each by name. */
export function pageOfClones({ records, cut }: RecordList, made: ReadonlySet<string>, page: number): Clones {
  // What a physical clone is recorded as is not shown (spec §2), so what a job made may count as a live database.
  const mine = records.filter(({ id }) => made.has(id.text)).toSorted(byName);
  const others = records.filter(({ id }) => id.noun === 'clone' && !made.has(id.text)).toSorted(byName);
  const all = [...mine, ...others];
  const at = lastPageOr(page, all.length, clonesPerPage);
  const rows = all.slice(at * clonesPerPage, (at + 1) * clonesPerPage);
  const shown = { rows, all: all.length, page: at, size: clonesPerPage };
  return { type: 'shown', page: shown, mine: mine.length, isCut: cut };
}

function byName(one: RecordView, other: RecordView): number {
  return compareNames(one.name ?? one.id.text, other.name ?? other.id.text);
}

/** How long a page of clones may stand in Home while other things there change, in milliseconds. */
const servesFor = 60_000;
/** Who opens Home sees what is no older than this, or sees it soon. */
const freshFor = 15_000;
/** How long a Home that is there already waits for the service before it says that it waits. */
const grace = 1_000;
const mostKept = 1_000;

/** Which clones are wanted: for whom, with which sign-in, and no older than what a job of theirs last changed. */
export type Wanted = Owner & Readonly<{ signedInAt: number; page: number; notBefore: number; isOpening: boolean }>;

/** Clones as Home can show them now, and, where the service has not answered yet, those that it answers later. */
export type Seen = Readonly<{ clones: Clones; later?: Promise<unknown> }>;

/**
 * Reads clones for Homes, with each person's own token. Home never waits for long: what is not there yet comes `later`,
 * and the last page that was read serves until then, as does a failure, so that no service is asked again and again.
 */
export function clonesFor(desk: Desk): (wanted: Wanted, made: () => Promise<ReadonlySet<string>>) => Promise<Seen> {
  const kept = new LRUCache<string, Wanted & { at: Moment; clones: Clones }>({ max: mostKept });
  const isOlder = (at: Moment, most: number) => ageOf(desk.clock, at) >= most || wasSetSince(desk.clock, at);
  return async (wanted, made) => {
    const { team, person, signedInAt, page, notBefore, isOpening } = wanted;
    const key = `${team} ${person}`;
    const now = thisMoment(desk.clock);
    const before = kept.get(key);
    const isSame = before?.signedInAt === signedInAt && before.page === page && before.at.now >= notBefore;
    const serving = before && isSame && !isOlder(before.at, servesFor) ? before : undefined;
    const isFresh = serving?.clones.type === 'shown' && !isOlder(serving.at, freshFor);
    if (serving && (!isOpening || isFresh)) return { clones: serving.clones };
    const reading = read(desk, wanted, made).then(clones => {
      kept.set(key, { ...wanted, at: now, clones });
      return clones;
    });
    if (serving) return { clones: serving.clones, later: reading };
    if (isOpening) return { clones: { type: 'looking' }, later: reading };
    const clones = await Promise.race([reading, desk.clock.wait(grace)]);
    return clones ? { clones } : { clones: { type: 'looking' }, later: reading };
  };
}

async function read(desk: Desk, wanted: Wanted, made: () => Promise<ReadonlySet<string>>): Promise<Clones> {
  try {
    const list = await desk.records.of(wanted, wanted.notBefore).list(['live', 'clone']);
    return pageOfClones(list, await made(), wanted.page);
  } catch (error) {
    desk.log.info({ error, person: wanted.person }, 'clones could not be read for Home');
    return { type: 'fault', sentence: sentence(error) };
  }
}
