import { createHash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import { isToCome } from '../../ground/clock.ts';
import { hour, minute } from '../../ground/durations.ts';
import { lockTime } from '../../ground/loop.ts';
import { type Hint, listenToQueue, noteDue } from '../agenda.ts';
import { compiledOnce } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { light, lightTaking } from '../light.ts';
import { isAnyOf, isTheirs } from '../lists.ts';
import { isFree } from '../lock.ts';
import { equals, insertOrSet, oneMore, wrote } from '../statementParts.ts';
import type { Owner } from '../vault.ts';
import type { FirstSteps, HomeRow } from './rows.ts';

/** Time for which a Home is kept up to date after its opening, in milliseconds: Slack does not tell when it is left. */
export const attention = hour;
/** Max pause of a Home that is put off, in milliseconds. */
const maxPause = 15 * minute;
/** Max jobs of a team that wait for approval and count as news for those who may approve. */
const maxAwaiting = 500;

/** A Home that a process took. `version` changes with the data in the store that it is made from. */
export type Home = HomeRow & Readonly<{ version: string }>;

/** Every person's App Home: the time of its opening, and the version that Slack has. */
export type Homes = Readonly<{
  /** Notes that something made it old that no table shows: it is published again when its time has come. */
  ask(owner: Owner): Promise<void>;
  /** Notes that the person opened it: it is published in any case, with its first pages after a long absence. */
  opened(owner: Owner, now: number): Promise<void>;
  /** Notes that the person turned a page: `pages` are the pages at which the lists stand now. */
  turned(owner: Owner, pages: string, now: number): Promise<void>;
  /** Notes how far the person is with the first steps. It never leads back: what is over stays over. */
  stepped(owner: Owner, steps: Exclude<FirstSteps, 'open'>): Promise<void>;
  /** Calls `hear` with whose Home may be behind by what was just written; `undefined`: anybody's. */
  listen(hear: (whose: Whose | undefined, at: number) => void): void;
  /**
   * Takes up to `max` Homes that were opened lately and are behind, and locks them. It looks at those of `whose`, or else at
   * the next ones of all: as many as one look can do. What is said of a Home after another process took it changes nothing.
   */
  take(now: number, max: number, whose?: readonly Whose[]): Promise<TakenHomes>;
  /** Extends the locks of Homes that were taken. */
  renew(taken: readonly Home[], lockedUntil: number): Promise<void>;
  /** Notes that Slack has the Home of `home.version`, and frees it. */
  published(home: Home, digest: string, nextAt: number): Promise<void>;
  /** Puts it off until `nextAt`, and frees it. `failed` counts a failed try, and anything else begins the count anew. */
  putOff(home: Home, nextAt: number, failed?: 'failed'): Promise<void>;
  /** Ends all pauses, since the time of day was set. */
  recall(now: number): Promise<void>;
  /** Forgets the Home of a person who has none any more. */
  forget(owner: Owner): Promise<void>;
}>;

/**
 * The Homes that were taken. `later` are behind, too, and `nextAt` is the time at which the first of them may be published;
 * `undefined` where there are none.
 */
type TakenHomes = Readonly<{ taken: readonly Home[]; later: readonly Home[]; nextAt: number | undefined }>;

export type Whose = NonNullable<Hint['whose']>;

/** Max Homes that one look compares. */
const looked = 500;

export function homesIn(store: Store): Homes {
  /** The time of the opening up to which the last look at all of them came. */
  let lookedTo = 0;
  const asked = ({ team, person }: Owner, set: Partial<HomeRow> = {}) =>
    store
      .updateTable('homes')
      .set({ ...set, asked: oneMore('asked') })
      .where(equals({ team, person }));
  const ask = async ({ team, person }: Owner, set?: Partial<HomeRow>) => {
    await asked({ team, person }, set).modifyEnd(light).execute();
    noteDue(store, 'homes', 0, { team, person });
  };
  const change = async (taken: readonly Home[], set: Partial<HomeRow>) => {
    if (taken.length === 0) return;
    await store
      .updateTable('homes')
      .set(set)
      .where(({ or, and }) => or(taken.map(({ team, person, fence }) => and({ team, person, fence }))))
      .modifyEnd(light)
      .execute();
  };
  return {
    listen: hear => listenToQueue(store, 'homes', ({ whose, at }) => hear(whose, at)),
    async opened(owner, now) {
      await openIn(store, owner, now);
      noteDue(store, 'homes', now, owner);
    },
    turned: (owner, pages, now) => ask(owner, { pages, openedAt: now, nextAt: 0 }),
    async stepped({ team, person }, steps) {
      const before = asked({ team, person }, { steps, nextAt: 0 });
      await before.where('steps', 'in', steps === 'over' ? ['open', 'seen'] : ['open']).execute();
      noteDue(store, 'homes', 0, { team, person });
    },
    ask: owner => ask(owner),
    async take(now, max, whose) {
      const since = now - attention;
      // Mostly nobody has opened one lately, and to compare none takes ten times as long.
      if (!whose && (await selectOpen(store, since)).rows.length === 0)
        return { taken: [], later: [], nextAt: undefined };
      const all = openedIn(store, now);
      const rows = await (whose
        ? all.where('openedAt', '>', since).where(isOfThese(whose))
        : all.where('openedAt', '>', Math.max(since, lookedTo)).orderBy('openedAt')
      )
        .limit(looked)
        .execute();
      if (!whose) lookedTo = rows.length < looked ? 0 : (rows.at(-1)?.openedAt ?? 0);
      const behind = (await withVersions(store, rows))
        .filter(({ seen, version }) => seen !== version)
        .toSorted((one, other) => one.nextAt - other.nextAt);
      const due = behind.filter(({ nextAt }) => !isToCome(nextAt, now, maxPause)).slice(0, max);
      const taken = await Promise.all(
        due.map(async home => ((await lockIn(store, home, now)) ? [{ ...home, fence: home.fence + 1 }] : [])),
      );
      const later = behind.filter(home => !due.includes(home));
      const [next] = later;
      return { taken: taken.flat(), later, nextAt: next && Math.max(now, next.nextAt) };
    },
    renew: (taken, lockedUntil) => change(taken, { lockedUntil }),
    published: (home, digest, nextAt) =>
      change([home], { seen: home.version, digest, nextAt, lockedUntil: 0, tries: 0 }),
    putOff: (home, nextAt, failed) => change([home], { nextAt, lockedUntil: 0, tries: failed ? home.tries + 1 : 0 }),
    async recall(now) {
      await store.updateTable('homes').set({ nextAt: now }).where('nextAt', '>', now).execute();
    },
    async forget({ team, person }) {
      await store.deleteFrom('homes').where(equals({ team, person })).execute();
    },
  };
}

const selectOpen = compiledOnce(
  (store, since: number) => store.selectFrom('homes').select('team').where('openedAt', '>', since).limit(1),
  since => [since, 1],
);

async function openIn(store: Store, { team, person }: Owner, now: number) {
  const again = { openedAt: now, digest: '', nextAt: 0 };
  const first = { team, person, pages: '{}', asked: 0, seen: '', lockedUntil: 0, fence: 0, tries: 0 } as const;
  const isOld = sql`homes.opened_at <= ${now - attention}`;
  const pages = sql<string>`case when ${isOld} then '{}' else homes.pages end`;
  const set = { ...again, asked: oneMore('homes.asked'), pages };
  const home = insertOrSet(store, 'homes', ['team', 'person'], { ...first, ...again, steps: 'open' }, set);
  // Slack waits for this, and whoever sees an old Home after a loss of power opens it once more.
  await home.modifyEnd(light).execute();
}

/** Locks a Home unless another process took it, or somebody opened it, meanwhile; tells whether it is locked now. */
function lockIn(store: Store, { team, person, fence, nextAt }: Home, now: number): Promise<boolean> {
  const lock = store.updateTable('homes').set({ lockedUntil: now + lockTime, fence: fence + 1 });
  return wrote(lock.where(equals({ team, person, fence, nextAt })).modifyEnd(lightTaking));
}

/** Selects the Homes that nobody has, each with what its version follows from. */
function openedIn(store: Store, now: number) {
  return store
    .selectFrom('homes')
    .selectAll()
    .select(({ selectFrom }) => {
      const jobs = selectFrom('jobs')
        .whereRef('jobs.team', '=', 'homes.team')
        .whereRef('jobs.person', '=', 'homes.person');
      return [
        jobs
          .select(({ fn }) => fn.sum('revision').as('changes'))
          .where('jobs.endedAt', 'is', null)
          .as('changes'),
        jobs
          .select(({ fn }) => fn.max('endedAt').as('lastEnd'))
          .where('jobs.endedAt', 'is not', null)
          .as('lastEnd'),
        selectFrom('credentials')
          .select('credentials.createdAt')
          .whereRef('credentials.team', '=', 'homes.team')
          .whereRef('credentials.person', '=', 'homes.person')
          .as('signedInAt'),
      ];
    })
    .where(isFree('lockedUntil', now, lockTime));
}
type OpenedHomes = Awaited<ReturnType<ReturnType<typeof openedIn>['execute']>>;

function isOfThese(whose: readonly Whose[]) {
  return ({ or, and }: ExpressionBuilder<Schema, 'homes'>) => {
    const people = whose.flatMap(({ team, person }) => (person === undefined ? [] : [{ team, person }]));
    const teams = whose.flatMap(({ team, person }) => (person === undefined ? [team] : []));
    const [inTeams, names] = [people.map(({ team }) => team), people.map(({ person }) => person)];
    return or([
      // PostgreSQL compares pairs with all rows, unless an index finds each half.
      ...(people.length > 0
        ? [and([isAnyOf('homes.team', inTeams), isAnyOf('homes.person', names), isTheirs(people)])]
        : []),
      ...(teams.length > 0 ? [isAnyOf('homes.team', teams)] : []),
    ]);
  };
}

/** Gives the Homes with their versions as of now. */
async function withVersions(store: Store, rows: OpenedHomes): Promise<Home[]> {
  const teams = [...new Set(rows.map(({ team }) => team))];
  const awaiting = new Map(await Promise.all(teams.map(async team => [team, await awaitingIn(store, team)] as const)));
  return rows.map(({ changes, lastEnd, signedInAt, ...home }) => {
    const parts = [home.asked, changes, lastEnd, signedInAt, awaiting.get(home.team)];
    return { ...home, version: createHash('sha256').update(JSON.stringify(parts)).digest('base64url') };
  });
}

/** Makes a text that changes whenever a job of the team begins or ceases to wait for approval, or changes meanwhile. */
async function awaitingIn(store: Store, team: string): Promise<string> {
  const rows = await store
    .selectFrom('jobs')
    .select(['id', 'revision'])
    .where(equals({ team, state: 'awaiting' }))
    .orderBy('id')
    .limit(maxAwaiting)
    .execute();
  return rows.map(({ id, revision }) => `${id} ${revision}`).join('\n');
}
