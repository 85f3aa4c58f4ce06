import { createHash } from 'node:crypto';
import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { HomeRow, Store } from '../database.ts';
import { isFree } from '../lock.ts';
import type { Owner } from '../vault.ts';
import { asJob, type Job, open } from './job.ts';

/** Slack does not tell when Home is left, so it is kept up to date for this long after it was opened, in milliseconds. */
export const attention = hoursToMilliseconds(1);
/** No Home is put off for longer than this, in milliseconds. */
const longestPause = minutesToMilliseconds(15);
/** So many of a team's jobs that wait for approval count as news for those who may approve. */
const mostAwaiting = 500;

/** A Home that may be behind. `version` stands for all in the store that it is made from. */
export type Home = HomeRow & Readonly<{ version: string }>;

/** A page of something longer: what is on it, how many there are in all, and which page it is, from 0. */
export type Page<T> = Readonly<{ rows: readonly T[]; all: number; page: number; size: number }>;

/** Every person's App Home: when it was opened, and what of it Slack has. */
export type Homes = {
  /** The person opened it: it is published whatever it was, and at its first pages after some absence. */
  opened(owner: Owner, now: number): Promise<void>;
  /** The person turned a page: `pages` is where the lists stand now. */
  turned(owner: Owner, pages: string, now: number): Promise<void>;
  /** Something that no table shows made it old: it is published again when its time has come. */
  ask(owner: Owner): Promise<void>;
  /**
   * Takes up to `most` Homes for `lease` milliseconds that were opened lately and are behind; `nextAt` is when the next
   * one that is behind may be published.
   */
  take(now: number, lease: number, most: number): Promise<{ taken: readonly Home[]; nextAt: number | undefined }>;
  /** Slack has what is in the store as of `home.version`. */
  published(home: Home, digest: string, nextAt: number): Promise<void>;
  /** Slack did not take it; it is tried again. */
  putOff(home: Home, nextAt: number): Promise<void>;
  /** Nothing is put off any more: the time of day was set. */
  recall(now: number): Promise<void>;
  /** There is no Home of this person any more. */
  forget(owner: Owner): Promise<void>;
  /** A page of the person's jobs that have not ended, the newest first. */
  underWay(owner: Owner, page: number, size: number): Promise<Page<Job>>;
  /** A page of the person's jobs that have ended, the latest first. */
  ended(owner: Owner, page: number, size: number): Promise<Page<Job>>;
  /** When the person's latest job ended; 0 where none has. */
  lastEnd(owner: Owner): Promise<number>;
  /** The identifiers of the records that this person's jobs made. */
  made(owner: Owner): Promise<ReadonlySet<string>>;
};

/** Keeps Homes in the store. */
export function homesIn(store: Store): Homes {
  const jobsOf = ({ team, person }: Owner) =>
    store.selectFrom('jobs').where('team', '=', team).where('person', '=', person);
  const change = async ({ team, person }: Owner, set: Partial<HomeRow>, isAsked: boolean) => {
    await store
      .updateTable('homes')
      .set(set)
      .$if(isAsked, query => query.set(eb => ({ asked: eb('asked', '+', 1) })))
      .where('team', '=', team)
      .where('person', '=', person)
      .execute();
  };
  const pageOf = async (owner: Owner, isOpen: boolean, page: number, size: number): Promise<Page<Job>> => {
    const fitting = jobsOf(owner).where('state', isOpen ? 'in' : 'not in', open);
    const { many } = await fitting.select(eb => eb.fn.countAll().as('many')).executeTakeFirstOrThrow();
    const all = Number(many);
    const at = lastPageOr(page, all, size);
    const rows = await fitting
      .selectAll()
      .orderBy(isOpen ? 'createdAt' : 'endedAt', 'desc')
      .orderBy('id')
      .limit(size)
      .offset(at * size)
      .execute();
    return { rows: rows.map(asJob), all, page: at, size };
  };
  const awaitingIn = async (team: string) => {
    const rows = await store
      .selectFrom('jobs')
      .select(['id', 'revision'])
      .where('team', '=', team)
      .where('state', '=', 'awaiting')
      .orderBy('id')
      .limit(mostAwaiting)
      .execute();
    return rows.map(({ id, revision }) => `${id} ${revision}`).join('\n');
  };
  /** All that were opened lately, each with what it would be made from now. */
  const opened = async (now: number): Promise<Home[]> => {
    const rows = await store
      .selectFrom('homes')
      .selectAll()
      .select(eb => [
        eb
          .selectFrom('jobs')
          .select(({ fn }) => fn.sum('revision').as('changes'))
          .whereRef('jobs.team', '=', 'homes.team')
          .whereRef('jobs.person', '=', 'homes.person')
          .as('changes'),
        eb
          .selectFrom('credentials')
          .select('credentials.createdAt')
          .whereRef('credentials.team', '=', 'homes.team')
          .whereRef('credentials.person', '=', 'homes.person')
          .as('signedInAt'),
      ])
      .where('openedAt', '>', now - attention)
      .orderBy('nextAt')
      .execute();
    const teams = [...new Set(rows.map(({ team }) => team))];
    const awaiting = new Map(await Promise.all(teams.map(async team => [team, await awaitingIn(team)] as const)));
    return rows.map(({ changes, signedInAt, ...home }) => {
      const parts = [home.asked, changes, signedInAt, awaiting.get(home.team)];
      return { ...home, version: digestOf(JSON.stringify(parts)) };
    });
  };
  return {
    async opened({ team, person }, now) {
      const again = { openedAt: now, digest: '', nextAt: 0 };
      const fresh = { team, person, pages: '{}', asked: 0, seen: '', leaseUntil: 0, tries: 0 };
      await store
        .insertInto('homes')
        .values({ ...fresh, ...again })
        .onConflict(conflict =>
          conflict.columns(['team', 'person']).doUpdateSet(eb => ({
            ...again,
            asked: eb('homes.asked', '+', 1),
            pages: eb
              .case()
              .when('homes.openedAt', '<=', now - attention)
              .then('{}')
              .else(eb.ref('homes.pages'))
              .end(),
          })),
        )
        .execute();
    },
    turned: (owner, pages, now) => change(owner, { pages, openedAt: now, nextAt: 0 }, true),
    ask: owner => change(owner, {}, true),
    async take(now, lease, most) {
      const behind = (await opened(now)).filter(({ seen, version }) => seen !== version);
      const due = behind.filter(({ nextAt }) => isDue(Number(nextAt), now)).slice(0, most);
      const taken = await Promise.all(
        due.map(async home => {
          const mine = await store
            .updateTable('homes')
            .set({ leaseUntil: now + lease })
            .where('team', '=', home.team)
            .where('person', '=', home.person)
            .where(isFree('leaseUntil', now, lease))
            .where('nextAt', '=', home.nextAt)
            .returning('person')
            .executeTakeFirst();
          return mine ? [home] : [];
        }),
      );
      const later = behind.find(home => !due.includes(home));
      return { taken: taken.flat(), nextAt: later && Math.max(now, Number(later.nextAt)) };
    },
    published: (home, digest, nextAt) =>
      change(home, { seen: home.version, digest, nextAt, leaseUntil: 0, tries: 0 }, false),
    putOff: (home, nextAt) => change(home, { nextAt, leaseUntil: 0, tries: home.tries + 1 }, false),
    async recall(now) {
      await store.updateTable('homes').set({ nextAt: now }).where('nextAt', '>', now).execute();
    },
    async forget({ team, person }) {
      await store.deleteFrom('homes').where('team', '=', team).where('person', '=', person).execute();
    },
    underWay: (owner, page, size) => pageOf(owner, true, page, size),
    ended: (owner, page, size) => pageOf(owner, false, page, size),
    async lastEnd(owner) {
      const row = await jobsOf(owner)
        .select(eb => eb.fn.max('endedAt').as('at'))
        .executeTakeFirst();
      return Number(row?.at ?? 0);
    },
    async made(owner) {
      const rows = await jobsOf(owner).select('claimed').where('claimed', 'is not', null).execute();
      return new Set(rows.flatMap(({ claimed }) => claimed ?? []));
    },
  };
}

/** That page where there is one, else the last. */
export function lastPageOr(page: number, all: number, size: number): number {
  return Math.max(0, Math.min(page, Math.ceil(all / size) - 1));
}

/** Whether that time has come; one that no pause reaches was set before the clock was set back. */
function isDue(at: number, now: number): boolean {
  return at <= now || at > now + longestPause;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
