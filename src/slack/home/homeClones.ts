import { LRUCache } from 'lru-cache';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isOlder, type Moment, thisMoment } from '../../ground/clock.ts';
import { sentence } from '../../ground/failure.ts';
import { sortInSlices } from '../../ground/slices.ts';
import { ownersOfClones } from '../../jobs/approval/people/cloneOwner.ts';
import { namesPerson } from '../../jobs/evidence/whose.ts';
import { byName } from '../../records/find.ts';
import { type Page, pageIn } from '../../store/jobs/reading.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk, Seeker } from '../desk/desk.ts';

/** The clones in Home: a page of them, of which `mine` come first, or why there is none. */
export type Clones =
  | Readonly<{ type: 'looking' }>
  | Readonly<{ type: 'fault'; sentence: string }>
  | Readonly<{ type: 'shown'; page: Page<RecordView>; mine: number; isCut: boolean }>;

export const clonesPerPage = 8;

/** A page of the clones in a list: the person's `own` ones first, then all others, each by name. */
export async function pageOfClones(
  { records, cut }: RecordList,
  own: ReadonlySet<string>,
  page: number,
): Promise<Clones> {
  const mine = records.filter(({ id }) => own.has(id.text)).toSorted(byName);
  const others = records.filter(({ id }) => id.noun === 'clone' && !own.has(id.text));
  const all = [...mine, ...(await sortInSlices(others, byName))];
  return { type: 'shown', page: pageIn(all, page, clonesPerPage), mine: mine.length, isCut: cut };
}

/** Max age of a page of clones while other parts of Home change, in milliseconds. */
const servesFor = 60_000;
/** Max age of clones for a person who opens Home, in milliseconds; older ones are read anew at once. */
const freshFor = 15_000;
/** Max wait of an already published Home for the service, in milliseconds; then Home says that it is looking. */
const grace = 1_000;
const maxKept = 1_000;

/**
 * A request for clones: the person, their sign-in, the page, and the time before which no reading counts (`notBefore`),
 * since a job of theirs may have changed clones.
 */
export type Wanted = Owner &
  Readonly<{ login: string; signedInAt: number; page: number; notBefore: number; isOpening: boolean }>;

/** Clones for Home now; `later` resolves when the service has answered a request that is still in flight. */
export type Seen = Readonly<{ clones: Clones; later?: Promise<unknown> }>;

/**
 * Reads clones for Homes, with each person's own token. Home never waits for long: missing clones come `later`. The
 * last page that was read, or the last failure, serves until then, so that the service is not asked again and again.
 */
export function clonesFor(desk: CloneReader): (wanted: Wanted) => Promise<Seen> {
  const kept = new LRUCache<string, Wanted & { at: Moment; clones: Clones }>({ max: maxKept });
  return async wanted => {
    const { team, person, signedInAt, page, notBefore, isOpening } = wanted;
    const key = `${team} ${person}`;
    const now = thisMoment(desk.clock);
    const before = kept.get(key);
    const isSame = before?.signedInAt === signedInAt && before.page === page && before.at.now >= notBefore;
    const serving = before && isSame && !isOlder(desk.clock, before.at, servesFor) ? before : undefined;
    const isFresh = serving?.clones.type === 'shown' && !isOlder(desk.clock, serving.at, freshFor);
    if (serving && (!isOpening || isFresh)) return { clones: serving.clones };
    const reading = read(desk, wanted).then(clones => {
      kept.set(key, { ...wanted, at: now, clones });
      return clones;
    });
    if (serving) return { clones: serving.clones, later: reading };
    if (isOpening) return { clones: { type: 'looking' }, later: reading };
    const clones = await Promise.race([reading, desk.clock.wait(grace)]);
    return clones ? { clones } : { clones: { type: 'looking' }, later: reading };
  };
}

/** Reads clones, and whose they are. */
type CloneReader = Seeker & Desk<'jobs' | 'keepersOf'>;

async function read(desk: CloneReader, wanted: Wanted): Promise<Clones> {
  const { team, person, login, page } = wanted;
  try {
    const list = await desk.records.of(wanted, wanted.notBefore).list(['live', 'clone']);
    // The specification does not say what a physical clone is recorded as (spec §2). So a job's clone may be in the list
    // as a live database.
    const made = await desk.jobs.made(wanted);
    const clones = list.records.filter(({ id }) => id.noun === 'clone' || made.has(id.text));
    const ownerOf = await ownersOfClones(desk, team, clones);
    const mine = clones.filter(clone => {
      const owner = ownerOf(clone);
      return owner.person === undefined ? namesPerson({ by: clone.askedBy }, login) === true : owner.person === person;
    });
    return await pageOfClones(list, new Set(mine.map(({ id }) => id.text)), page);
  } catch (error) {
    desk.log.info({ error, person: wanted.person }, 'clones could not be read for Home');
    return { type: 'fault', sentence: sentence(error) };
  }
}
