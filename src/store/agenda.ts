import type { Kysely, Transaction } from 'kysely';
import type { Schema, Store } from './database.ts';

/*
 * What is due stands in the store alone. Beside that, a process hears which of its queues has something due by when, once
 * that is committed. Such a hint spares loops vain looks, and may get lost: every loop looks by itself each few seconds.
 */

/** The queues of the jobs' rows, for their next step and for their message; App Homes; and the kinds of the table `due`. */
export type HintQueue = 'jobs' | 'jobs to tell' | 'homes' | (string & {});

/** Something is due in a queue from `at` on (milliseconds since the epoch). A Home tells whose; without that, anybody's. */
export type Hint = Readonly<{
  queue: HintQueue;
  at: number;
  whose?: Readonly<{ team: string; person?: string | undefined }> | undefined;
}>;

type Agenda = {
  atOnce: Map<HintQueue, Set<(hint: Hint) => void>>;
  listeners: Map<HintQueue, Set<(hint: Hint) => void>>;
  written: Set<(hints: readonly Hint[]) => void>;
  waiting: Hint[];
};

const agendas = new WeakMap<object, Agenda>();
/** What a transaction that is under way makes due, and what is done once it is committed. */
type UnderWay = { readonly hints: Hint[]; readonly acts: (() => void)[] };
const underWay = new WeakMap<object, UnderWay>();

function agendaOf(store: Pick<Kysely<Schema>, 'getExecutor'>): Agenda {
  // A transaction has the adapter of its store.
  const { adapter } = store.getExecutor();
  const agenda = agendas.get(adapter) ?? { atOnce: new Map(), listeners: new Map(), written: new Set(), waiting: [] };
  agendas.set(adapter, agenda);
  return agenda;
}

/** Does all of a transaction, or nothing. What it makes due is heard once it is committed. */
export async function inTransaction<T>(store: Store, work: (changes: Transaction<Schema>) => Promise<T>): Promise<T> {
  const own: UnderWay = { hints: [], acts: [] };
  const done = await store.transaction().execute(changes => {
    underWay.set(changes, own);
    return work(changes);
  });
  for (const act of own.acts) act();
  tellAll(agendaOf(store), own.hints);
  return done;
}

/** Does something once a transaction is committed; at once after a statement alone. */
export function onceCommitted(changes: Kysely<Schema>, act: () => void): void {
  const own = underWay.get(changes);
  if (own) own.acts.push(act);
  else act();
}

/** Notes that something was made due, in the transaction that did so or right after a statement alone. `null`: never. */
export function noteDue(
  changes: Kysely<Schema>,
  queue: HintQueue,
  at: number | null | undefined,
  whose?: Hint['whose'],
) {
  if (at === null || at === undefined) return;
  const hint = { queue, at, whose };
  const own = underWay.get(changes);
  if (own) own.hints.push(hint);
  else tellAll(agendaOf(changes), [hint]);
}

/** Calls `hear` with each hint for a queue. */
export function listenToQueue(store: Store, queue: HintQueue, hear: (hint: Hint) => void): void {
  const { listeners } = agendaOf(store);
  listeners.set(queue, new Set([...(listeners.get(queue) ?? []), hear]));
}

/** The same, before whoever wrote it goes on: for what is remembered of it. */
export function listenAtOnce(store: Store, queue: HintQueue, hear: (hint: Hint) => void): void {
  const { atOnce } = agendaOf(store);
  atOnce.set(queue, new Set([...(atOnce.get(queue) ?? []), hear]));
}

/** Calls `hear` with what this process has made due, to be passed on to the others. */
export function listenToWritten(store: Store, hear: (hints: readonly Hint[]) => void): void {
  agendaOf(store).written.add(hear);
}

/** Tells this process what another one has made due. */
export function hearFromOthers(store: Store, hints: readonly Hint[]): void {
  const { atOnce, listeners } = agendaOf(store);
  for (const queues of [atOnce, listeners]) tellQueues(queues, hints);
}

/** People wait for the answer to what they did, so the work that follows from it begins right behind. */
function tellAll(agenda: Agenda, hints: readonly Hint[]): void {
  if (hints.length === 0) return;
  tellQueues(agenda.atOnce, hints);
  const isFirst = agenda.waiting.length === 0;
  agenda.waiting.push(...hints);
  if (!isFirst) return;
  setImmediate(() => {
    const all = agenda.waiting.splice(0);
    tellQueues(agenda.listeners, all);
    for (const hear of agenda.written) hear(all);
  });
}

function tellQueues(queues: Agenda['listeners'], hints: readonly Hint[]): void {
  for (const hint of hints) for (const hear of queues.get(hint.queue) ?? []) hear(hint);
}
