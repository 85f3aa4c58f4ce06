import { until } from '../programs/until.ts';
import { type Live, liveOf } from '../servers/lives.ts';
import { identifier } from '../servers/sql.ts';
import type { Workshop } from '../workshop.ts';
import type { Definition } from './definitions.ts';
import { finish } from './finish.ts';
import { holdersOf } from './holders.ts';
import { allUnderWay, forget, type Journal, loaded, replaced, setAside, underWay, type Wanted } from './journal.ts';
import { keep, release } from './kept.ts';
import { nameOf } from './parts.ts';
import { askAlone, endEarlier, FullError, isGone, isHeld, isPassing } from './session.ts';
import { HeldError, hasExchanged, swap, takeAway } from './swap.ts';

/** What a restore of a part works on: `id` is the record of the live server. */
export type Work = Readonly<{ workshop: Workshop; live: Live; id: string; signal: AbortSignal }>;

/** When that which is left to be done is tried again. */
const atNext = 'before the next restore, and when the service starts.';

/** Brings a source in, and keeps what it replaces. Before the exchange a failure changes nothing; after it all is brought to its end. */
export async function bring(work: Work, journal: Journal): Promise<readonly string[]> {
  const { workshop, live, id, signal } = work;
  try {
    await swap(workshop, live, id, journal, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FullError) throw error;
    const isUnseen = (cause: unknown) => {
      signal.throwIfAborted();
      throw new Error(
        `${sentence(error)} I could not see whether the ${nameOf(journal.part)} was replaced. I look again ${atNext}`,
        { cause },
      );
    };
    if (!(await hasExchanged(live, journal, signal).catch(isUnseen))) {
      const isHeldUp = error instanceof HeldError;
      const begun = await latest(workshop, id);
      await leave(work, journal, isHeldUp || journal.source !== loaded(journal.stamp)).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new Error(
          `${sentence(error)} ${unchanged(begun)} What was loaded could not be taken away yet: ${sentence(cause)} I try that again ${atNext}`,
          { cause },
        );
      });
      const words = isHeldUp && journal.source === loaded(journal.stamp) ? await keepLoaded(workshop, journal) : '';
      throw new Error(`${sentence(error)} ${unchanged(begun)} ${words}`.trim(), { cause: error });
    }
  }
  return complete(work, await latest(workshop, id));
}

/** What stands of the target where a restore was taken back. */
function unchanged({ lost }: Journal): string {
  return lost.length === 0 ? 'Nothing was changed.' : `Damaged files were removed: ${lost.join(', ')}.`;
}

async function latest(workshop: Workshop, id: string): Promise<Journal> {
  const journal = await underWay(workshop, id);
  if (journal === undefined) throw new Error(`The journal of the restore of ${id} is gone.`);
  return journal;
}

const keepLoaded = (workshop: Workshop, { server, source, part, wanted }: Journal) =>
  keep(workshop, { server, database: source, part, wanted }, 'What was loaded and verified for the');

/** Finishes after the exchange. What cannot be finished now is finished later: the journal stays. */
async function complete({ workshop, live, id, signal }: Work, journal: Journal): Promise<readonly string[]> {
  const { server, part } = journal;
  let told: readonly string[];
  try {
    told = await finish(workshop, live, id, journal, signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = isHeld(error) ? `somebody holds a lock: ${await holdersOf(live.ask, signal)}.` : sentence(error);
    throw new Error(
      `The ${nameOf(part)} is restored, but something is left to be done: ${reason} It is done ${atNext}`,
      { cause: error },
    );
  }
  const database = replaced(journal);
  const wanted = withoutLost(journal);
  const wasThere = wanted.definitions.length > 0;
  const words = wasThere
    ? await keep(workshop, { server, database, part, wanted }, 'What was there before of the')
    : '';
  const damaged = journal.lost.map(name => `The files of ${name} were damaged, so nothing of it could be kept.`);
  if (!wasThere) await live.ask(`DROP DATABASE IF EXISTS ${identifier(database)}`, signal);
  // Where what was kept was brought in, it is in its place.
  await release(workshop, { server, database: journal.source });
  await forget(workshop, id);
  return [...told, ...damaged, words].filter(line => line !== '');
}

/** What was there, but for what nobody could bring back. */
function withoutLost({ before, lost }: Journal): Wanted {
  const isThere = ({ kind, name, table, text }: Definition) =>
    !lost.includes(table || name) && (text !== '' || kind === 'table' || kind === 'sequence');
  return {
    ...before,
    definitions: before.definitions.filter(isThere),
    plain: before.plain.filter(isThere),
    keys: before.keys.filter(({ table }) => !lost.includes(table)),
    defaults: before.defaults.filter(({ table }) => !lost.includes(table)),
  };
}

/** Leaves the target as it is, with nothing of ours in it, and the source where it is to be kept. */
export async function leave(
  { workshop, live, id, signal }: Work,
  journal: Journal,
  isSourceKept: boolean,
): Promise<void> {
  await takeAway(live, journal, signal);
  if (!isSourceKept)
    await askAlone(live, journal.stamp)(`DROP DATABASE IF EXISTS ${identifier(journal.source)}`, signal);
  await forget(workshop, id);
}

/** The end of a restore that was cut off: it is done or was taken back, or neither can be yet. */
export type Settled = Readonly<{
  end: 'done' | 'taken back' | 'open';
  words: string;
  snapshot?: string;
  objectType?: string;
}>;

/** Brings a restore that was cut off, by the end of `whom`, to one of its two ends. */
async function settle(
  workshop: Workshop,
  id: string,
  signal: AbortSignal,
  whom = 'The service',
): Promise<Settled | undefined> {
  const journal = await underWay(workshop, id);
  if (journal === undefined) return undefined;
  const { stamp, step, part, source, snapshot } = journal;
  const live = liveOf(workshop, { name: journal.server });
  if (live.home !== undefined) await workshop.servers.start({ role: 'live', home: live.home }, signal);
  const work = { workshop, live, id, signal };
  await endEarlier(live, stamp, signal);
  const isBefore = step === 'loading' || step === 'placing';
  if (isBefore || (step === 'exchanging' && !(await hasExchanged(live, journal, signal)))) {
    await leave(work, journal, source !== loaded(stamp));
    return {
      end: 'taken back',
      words: `${whom} stopped before the ${nameOf(part)} was restored. ${unchanged(journal)}`,
    };
  }
  const lines = await complete(work, journal);
  const objectType = `MARIADB_${part.tableName === undefined ? 'DATABASE' : 'TABLE'}_RECOVERY_PARAMS`;
  const words = [`The earlier restore of the ${nameOf(part)} was not at its end, and is now.`, ...lines].join(' ');
  return { end: 'done', words, snapshot, objectType };
}

/** Milliseconds in which a server that has ended may come back: those who run it start it anew. */
const absence = 60_000;

/** Lets a restore go on to one of its two ends where the server itself has ended in the middle of it. */
export async function throughCrash(
  { workshop, live, id, signal }: Work,
  restoring: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await restoring();
  } catch (error) {
    signal.throwIfAborted();
    const journal = await underWay(workshop, id);
    if (!isGone(error) || journal === undefined) throw error;
    const later = `Whether the ${nameOf(journal.part)} is restored is settled when the server is back: before the next restore, or when the service starts.`;
    if (live.home === undefined)
      await until(() => answers(live, signal), absence, `${sentence(error)} ${later}`, 1_000);
    const settled = await settle(workshop, id, signal, live.name);
    if (settled?.end !== 'done') throw new Error(settled?.words, { cause: error });
    return [settled.words];
  }
}

const answers = ({ ask }: Live, signal: AbortSignal): Promise<boolean> =>
  ask('SELECT 1', signal).then(
    () => true,
    () => signal.aborted,
  );

/**
 * As {@link settle}, before another restore. One that fails for good is left as it is, and hinders nobody any more: somebody has changed
 * what it worked on. Gives what people have to know.
 */
export async function settleFirst({ workshop, id, signal }: Work): Promise<readonly string[]> {
  try {
    const settled = await settle(workshop, id, signal);
    return settled?.end === 'done' ? [settled.words] : [];
  } catch (error) {
    signal.throwIfAborted();
    const journal = isPassing(error) ? undefined : await underWay(workshop, id);
    if (journal === undefined) throw error;
    const file = await setAside(workshop, id, journal);
    return [
      `${sentence(error)} That failed for good, so it is left as it is: ${file} tells what it was at, and what it left has ${journal.stamp} in its name.`,
    ];
  }
}

/** Brings every restore that was cut off to its end. Says by the identifier of the database which. */
export async function settleAll(workshop: Workshop, signal: AbortSignal): Promise<ReadonlyMap<string, Settled>> {
  const ends = new Map<string, Settled>();
  for (const id of await allUnderWay(workshop)) {
    const end = await settle(workshop, id, signal).catch((error: unknown): Settled => {
      const later =
        'A restore that the stop of the service cut off is not at its end yet. That is tried again before the next restore there.';
      return { end: 'open', words: `${later} ${sentence(error)}` };
    });
    if (end !== undefined) ends.set(id, end);
  }
  return ends;
}

/** The words of an error as a whole sentence. */
export function sentence(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
