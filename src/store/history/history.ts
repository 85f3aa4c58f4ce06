import { randomUUID } from 'node:crypto';
import type { Clock } from '../../ground/clock.ts';
import { hour, second } from '../../ground/durations.ts';
import { within } from '../../ground/within.ts';
import type { Store } from '../database.ts';
import { light } from '../light.ts';
import { insertOrSet } from '../statementParts.ts';
import type { Told } from '../tables/audit/audit.ts';
import { type PutBack, putBack } from './putBack.ts';
import { keepRecentRows } from './recentRows.ts';

/*
 * Processes that share a store go on when it has gone back: a standby took over without the last seconds, or a backup was put
 * back under them. No statement of a process runs on such a store before it has put back what it wrote since, and before
 * all others that it knows of have done so, or were silent for long: they may have sent what the store shows as waiting.
 */

/**
 * Where a store stands. `line` is new wherever a store goes on from an earlier state by another server; `start` is that of the
 * server; `position` grows with each write.
 */
export type StorePlace = Readonly<{ line: string; start: string; position: number }>;

/** Follows a store, so that nothing is done on one that went back before what is known of it was put back. */
export type History = Readonly<{
  /** Whether this process has come as far as the store that stands there. */
  isHere(place: StorePlace): boolean;
  /** Comes as far, which may take as long as others are silent. @throws Error where that takes longer than a statement waits */
  arrive(place: StorePlace): Promise<void>;
  /** Begins to work on the store, once this process may. */
  begin(): Promise<void>;
  stop(): Promise<void>;
}>;

/** `beside` is the same store, and waits for nobody. `wentBack` hears of what was put back. */
type HistoryNeeds = Readonly<{
  store: Store;
  beside: Store;
  place: () => Promise<StorePlace>;
  clock: Clock;
  told: Told;
  wentBack(put: readonly PutBack[]): void;
  faulty(error: unknown): void;
}>;

/** The pause between two signs of life of a process, and two looks for those of others. Milliseconds. */
const beatEvery = 5 * second;
const lookEvery = 250;
/** A process that was silent for so long stands still, or is gone. */
const longestSilence = 60 * second;
/** The longest wait of a statement for that. */
const longestWait = 5 * second;

/** More often than a job is taken in a while. */
const farFence = 1_000;

/** The kind under which the processes that work on the store stand in it; a release that does not know it passes it over. */
const kind = 'replica';

/** Follows where a store stands, for a process that works on it from now on. */
export function followHistory({
  store: followed,
  beside: store,
  place: look,
  clock,
  told,
  wentBack,
  faulty,
}: HistoryNeeds): History {
  const recent = keepRecentRows(followed);
  const self = randomUUID();
  const stopping = new AbortController();
  let here: StorePlace | undefined;
  let arriving: Promise<void> | undefined;
  const markOf = ({ line, start }: StorePlace) => JSON.stringify([line, start]);
  const beat = async (place: StorePlace) => {
    const row = { kind, id: self, team: '', person: '', channel: null, subject: markOf(place), state: 'on' };
    const rest = { revision: 1, plannedAt: null, waitsFor: null, createdAt: clock.now(), endedAt: null, body: '{}' };
    const set = { subject: row.subject, createdAt: rest.createdAt };
    await insertOrSet(store, 'things', ['kind', 'id'], { ...row, ...rest }, set)
      .modifyEnd(light)
      .execute();
  };
  /** Whether others that work on the store have not come as far as here. One that just began knows of the line alone. */
  const areOthersBehind = async (place: StorePlace, since: number, isNew: boolean) => {
    const others = await store
      .selectFrom('things')
      .select('subject')
      .where('kind', '=', kind)
      .where('id', '!=', self)
      .where('createdAt', '>', since - 2 * longestSilence)
      .execute();
    const passed = isNew ? JSON.stringify([place.line]).slice(0, -1) : markOf(place);
    return others.some(({ subject }) => !subject?.startsWith(passed));
  };
  /** Who only stood still may have a job in hand, by a fence that is counted anew since: none of these is to be met again. */
  const overtakeSilent = async () => {
    const jobs = store.updateTable('jobs').where('endedAt', 'is', null);
    await jobs.set(eb => ({ fence: eb('fence', '+', farFence) })).execute();
  };
  const compare = async (place: StorePlace, before: StorePlace | undefined) => {
    const since = clock.now();
    const put = [...(await putBack(store, told, recent(), { now: since, withUnsent: false }))];
    await beat(place);
    const wentOn = before?.line === place.line && before.position <= place.position && put.length === 0;
    if (!wentOn) {
      while (await areOthersBehind(place, since, before === undefined)) {
        // What one may have sent that is gone, nobody can know: what waited then is not put back.
        if (clock.now() - since >= longestSilence) {
          await overtakeSilent();
          return put;
        }
        await clock.wait(lookEvery);
      }
    }
    put.push(...(await putBack(store, told, recent(), { now: clock.now(), withUnsent: true })));
    return put;
  };
  const isHere = (place: StorePlace) => {
    const isKnown = here !== undefined && markOf(here) === markOf(place);
    if (isKnown) here = { ...place, position: Math.max(here?.position ?? 0, place.position) };
    return isKnown;
  };
  const come = async (place: StorePlace) => {
    if (isHere(place)) return;
    arriving ??= compare(place, here)
      .then(put => {
        here = place;
        if (put.length > 0) wentBack(put);
      })
      .finally(() => {
        arriving = undefined;
      });
    await arriving;
  };
  const beats = async () => {
    for (;;) {
      await clock.wait(beatEvery, stopping.signal);
      if (stopping.signal.aborted) return;
      await look()
        .then(async place => {
          await come(place);
          await beat(place);
        })
        .catch(faulty);
    }
  };
  const beating = beats();
  return {
    isHere,
    async arrive(place) {
      const coming = come(place).then(() => true);
      if (!(await within(clock, longestWait, coming)))
        throw new Error('the store went back, and other processes have not told yet what they know');
    },
    begin: async () => come(await look()),
    async stop() {
      stopping.abort();
      await beating;
      const own = store.deleteFrom('things').where('kind', '=', kind);
      await own
        .where(({ or, eb }) => or([eb('id', '=', self), eb('createdAt', '<', clock.now() - hour)]))
        .execute()
        .catch(faulty);
    },
  };
}
