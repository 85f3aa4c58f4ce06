import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Observed } from '../../engine.ts';
import type { Database, Snapshot } from '../../estate.ts';
import { copyTree, type Means, meansBetween, refuseElsewhere } from '../backup/copying.ts';
import { keyFiles } from '../backup/keys.ts';
import { beginHome, dropHome, homeOf, removeHome, settleHome } from '../places.ts';
import { connection } from '../servers/lives.ts';
import { freePort, isFree } from '../servers/ports.ts';
import type { Server } from '../servers/serverCommand.ts';
import { optionFile } from '../servers/sessions.ts';
import { differences, notedIn, settingsFile, settingsOf, settingsQuestion } from '../servers/settings.ts';
import type { Ask } from '../servers/sql.ts';
import { changedParams, optionsOf } from '../servers/variables.ts';
import { notes, ofPeople, type Workshop } from '../workshop.ts';
import { mask } from './masking.ts';

type Clone = Readonly<Database>;

/** Fills the data directory `data` of a home. Resolves when it is whole, with how it is stored and what had no effect. */
type Fill = (data: string) => Promise<{ storage: string; without?: string | undefined }>;

const stored = {
  reflink: 'shared with its source until it changes (reflink)',
  copy: 'a copy: no blocks can be shared here',
} as const satisfies Record<Means, string>;

/** The record's word for the storage of a clone that shares nothing. */
export const fullCopy = 'a full copy';

/** A clone that shares its blocks with the snapshot, as far as the file system can. */
export async function createVirtual(
  workshop: Workshop,
  clone: Clone,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): Promise<Observed> {
  const { places } = workshop;
  return create(workshop, clone, signal, async data => {
    const means = await workshop.meansTo(data, signal);
    await copyTree(workshop, means, join(places.snapshots, snapshot.id), data, signal);
    return {
      storage: stored[means],
      without: ignored('parallel', clone.parallel, 'a virtual clone is made in one step'),
    };
  });
}

const unmasked = 'Its data is as in the live server: no script has masked it.';

/** As {@link createVirtual}, on a port that is free where the service's choice is not: nobody named it. */
export async function mount(
  workshop: Workshop,
  clone: Clone,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): Promise<Observed> {
  const port = clone.port !== undefined && (await isFree(clone.port)) ? clone.port : await freePort();
  const observed = await createVirtual(workshop, { ...clone, port }, snapshot, signal);
  return { ...observed, facts: { ...observed.facts, ...notes([unmasked]) }, port };
}

/** A clone that shares nothing with anything. */
export async function createPhysical(
  workshop: Workshop,
  clone: Clone,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): Promise<Observed> {
  const { commands, tools, places } = workshop;
  const tree = join(places.snapshots, snapshot.id);
  return create(workshop, clone, signal, async data => {
    const args = ['--no-defaults', '--copy-back', `--parallel=${clone.parallel || 1}`];
    await refuseElsewhere(workshop, tree, signal);
    const room = { reads: [tree], writes: [data] };
    await commands.run(tools.backup, [...args, `--target-dir=${tree}`, `--datadir=${data}`], { signal, room });
    const beside = ['backup-my.cnf', settingsFile, ...keyFiles].map(name => join(tree, name)).filter(existsSync);
    await commands.run('cp', ['--reflink=never', '--', ...beside, data], { signal, asGuest: true });
    return { storage: fullCopy };
  });
}

/** A clone of a clone as it is now, whether it runs or not. */
export async function share(workshop: Workshop, clone: Clone, source: Clone, signal: AbortSignal): Promise<Observed> {
  const { servers, commands, account } = workshop;
  const home = await homeMust(workshop, source);
  return create(
    workshop,
    clone,
    signal,
    async data => {
      const means = await meansBetween(commands, account, home, dirname(data), signal);
      const copy = () => copyTree(workshop, means, join(home, 'data'), data, signal);
      // Sharing blocks takes milliseconds, so the source is held still; for a copy it would stand too long, and is stopped.
      if (means === 'reflink' || !(await servers.isRunning(home))) await servers.frozen(home, copy);
      else {
        await servers.stop(home);
        try {
          await copy();
        } finally {
          if (!signal.aborted) await servers.start(serverOf(workshop, source, home), signal);
        }
      }
      return {
        storage: stored[means],
        without: ignored('parallel', clone.parallel, 'a clone is shared in one step'),
      };
    },
    true,
  );
}

async function create(
  workshop: Workshop,
  clone: Clone,
  signal: AbortSignal,
  fill: Fill,
  isShared = false,
): Promise<Observed> {
  const { servers } = workshop;
  const home = await makeHome(workshop, clone, placeOf(clone), signal);
  try {
    const { storage, without } = await fill(join(home, 'data'));
    await servers.settle(home, portOf(clone));
    const server = serverOf(workshop, clone, home);
    // What is shared has been masked already.
    const script = isShared ? {} : await mask(workshop, clone, server, signal);
    const answer = await servers.start(server, signal, question);
    const observed = observedOf(workshop, clone, home, answer);
    const params = clone.databaseParams ?? [];
    const changed = [
      ...(await changedParams(servers.ask(home), params, signal)),
      ...differences(
        await settingsOf(join(home, 'data')),
        notedIn(answer),
        params.map(({ name }) => name),
      ),
    ];
    await settleHome(workshop.places, clone.id);
    return { ...observed, facts: { ...observed.facts, storage, ...notes([without, ...changed]), ...script } };
  } catch (error) {
    await discard(workshop, clone, home);
    throw error;
  }
}

/** Makes a home for a clone that nothing leads to yet. */
async function makeHome(
  { places, account, wall, commands, inTurn }: Workshop,
  { id }: Clone,
  place: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    // One after the other: else one could come to lie within another.
    return await inTurn('places', () =>
      beginHome(places, { account, guest: wall.guest }, id, place, folder =>
        commands.run('mkdir', ['-m', account.isOther ? '711' : '700', '--', folder], { signal }),
      ),
    );
  } catch (error) {
    await removeHome(places, id, 'pending');
    throw error;
  }
}

async function discard({ servers, places }: Workshop, { id }: Clone, home: string): Promise<void> {
  await servers.kill(home);
  await removeHome(places, id, 'pending');
}

/** Moves a clone onto a full copy of its own at `localDirectory`. It is down while the copy is made. */
export async function convert(
  workshop: Workshop,
  clone: Clone,
  localDirectory: string,
  signal: AbortSignal,
): Promise<Observed> {
  const { servers, places } = workshop;
  const old = await homeMust(workshop, clone);
  const home = await makeHome(workshop, clone, localDirectory, signal);
  const wasRunning = await servers.isRunning(old);
  try {
    await servers.stop(old);
    await copyTree(workshop, 'copy', join(old, 'data'), join(home, 'data'), signal);
    await servers.settle(home, portOf(clone));
    const observed = observedOf(
      workshop,
      clone,
      home,
      await servers.start(serverOf(workshop, clone, home), signal, question),
    );
    await settleHome(places, clone.id);
    await dropHome(old);
    return { ...observed, facts: { ...observed.facts, storage: fullCopy } };
  } catch (error) {
    if ((await homeOf(places, clone.id)) !== home) {
      await discard(workshop, clone, home);
      if (wasRunning && !signal.aborted) await servers.start(serverOf(workshop, clone, old), signal);
    }
    throw error;
  }
}

/** Ends the server of a clone in order. */
export async function stop(workshop: Workshop, clone: Clone): Promise<Observed> {
  await workshop.servers.stop(await homeMust(workshop, clone));
  return {};
}

/** Starts the server of a clone. */
export async function start(workshop: Workshop, clone: Clone, signal: AbortSignal): Promise<Observed> {
  const home = await homeMust(workshop, clone);
  return observedOf(
    workshop,
    clone,
    home,
    await workshop.servers.start(serverOf(workshop, clone, home), signal, question),
  );
}

/** Looks at the content of a clone; nothing is learnt of one that is stopped. */
export async function refresh(workshop: Workshop, clone: Clone, signal: AbortSignal): Promise<Observed> {
  const home = await homeMust(workshop, clone);
  return (await workshop.servers.isRunning(home)) ? observe(workshop, clone, home, signal) : {};
}

/** Removes a clone with all that is on disk of it. */
export async function remove({ places, servers }: Workshop, { id }: Pick<Clone, 'id'>): Promise<void> {
  for (const state of ['pending', 'settled'] as const) {
    const home = await homeOf(places, id, state);
    if (home !== undefined) await servers.kill(home);
    await removeHome(places, id, state);
  }
}

/** The server of a clone at home there. */
export function serverOf({ variables }: Workshop, { databaseParams = [] }: Clone, home: string): Server {
  return { role: 'clone', home, options: optionsOf(variables, databaseParams) };
}

/** The question whose answer fills a clone's record. It is the first one after a start, so that the clone is not asked twice. */
const question = `SELECT VERSION(); SHOW DATABASES; ${settingsQuestion}`;

/** Looks at a clone that runs. */
export async function observe(workshop: Workshop, clone: Clone, home: string, signal: AbortSignal) {
  return observedOf(workshop, clone, home, await workshop.servers.ask(home)(question, signal));
}

function observedOf({ places }: Workshop, clone: Clone, home: string, answer: Awaited<ReturnType<Ask>>) {
  const [[version = ''] = [], ...databases] = answer.filter(({ length }) => length === 1);
  return {
    contents: { databases: ofPeople(databases) },
    facts: {
      host: '127.0.0.1',
      version,
      // Through its link: the command stays the same wherever the clone moves.
      connection: connection(optionFile(join(places.clones, clone.id))),
      dataDirectory: join(home, 'data'),
    },
  };
}

/** Where a clone is at home. @throws Error where its files are gone */
export async function homeMust({ places }: Workshop, { id, name }: Clone): Promise<string> {
  const home = await homeOf(places, id);
  if (home === undefined || !existsSync(home))
    throw new Error(`The files of ${name} (${id}) are gone: delete it, and nothing is left of it.`);
  return home;
}

/** The service asks for both in every request for a MariaDB clone. */
function placeOf({ id, mountBase }: Clone): string {
  if (mountBase === undefined) throw new Error(`${id} has no mountBase`);
  return mountBase;
}

export function portOf({ id, port }: Clone): number {
  if (port === undefined) throw new Error(`${id} has no port`);
  return port;
}

function ignored(field: string, value: number | undefined, why: string): string | undefined {
  return value === undefined ? undefined : `${field} had no effect: ${why}.`;
}
