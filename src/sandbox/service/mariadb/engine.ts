import type { Engine, Fault, Host } from '../engine.ts';
import type { CloneSettings, Database } from '../estate.ts';
import { backUp, backUpLogs, removeSnapshot } from './backup/backups.ts';
import { convert, createPhysical, createVirtual, mount, refresh, remove, share, start, stop } from './clones/clones.ts';
import { reset } from './clones/resets.ts';
import { placeFault, scriptFault } from './places.ts';
import { recover } from './recovery.ts';
import { dropInTime, turnOf } from './restores/kept.ts';
import { restore, restoreFault } from './restores/restore.ts';
import { discover, type Example, isOwn, liveOf, makeExample, observe } from './servers/lives.ts';
import { portFault } from './servers/ports.ts';
import { paramFault } from './servers/variables.ts';
import { notes, type Workshop } from './workshop.ts';

type Parts = {
  workshop: Workshop;
  host: Host;
  example: Example;
  /** Aborts when the engine closes. */
  signal: AbortSignal;
  close(): Promise<void>;
};

/** The engine: which piece of work does what the service asks for. */
export function engineOf({ workshop, host, example, signal, close }: Parts): Engine {
  const { inTurn } = workshop;
  let dropping = Promise.resolve();
  return {
    simulated: false,
    host,
    check: wanted => checkSettings(workshop, wanted),
    checkRestore: (database, scope) => restoreFault(workshop, database, scope),
    async createVirtual({ clone, source, snapshot, ...task }) {
      checkWall(workshop, source);
      return createVirtual(workshop, clone, snapshot, task.signal);
    },
    async createPhysical({ clone, source, snapshot, ...task }) {
      checkWall(workshop, source);
      return createPhysical(workshop, clone, snapshot, task.signal);
    },
    async mount({ clone, source, snapshot, ...task }) {
      checkWall(workshop, source);
      return mount(workshop, clone, snapshot, task.signal);
    },
    share: ({ clone, source, ...task }) => inTurn(source.id, () => share(workshop, clone, source, task.signal)),
    convert: ({ clone, localDirectory, ...task }) =>
      inTurn(clone.id, () => convert(workshop, clone, localDirectory, task.signal)),
    stop: ({ clone }) => inTurn(clone.id, () => stop(workshop, clone)),
    start: ({ clone, ...task }) => inTurn(clone.id, () => start(workshop, clone, task.signal)),
    reset: ({ clone, snapshot, ...task }) => inTurn(clone.id, () => reset(workshop, clone, snapshot, task.signal)),
    async remove({ database }) {
      if (database.cloneType !== undefined) return inTurn(database.id, () => remove(workshop, database));
      // A live server is only forgotten, and its backups with it.
      for (const snapshot of database.snapshots) await removeSnapshot(workshop, snapshot);
    },
    backup: ({ database, id, ...task }) => backUp(workshop, database, id, task.signal),
    async backupLogs({ database, ...task }) {
      const { logs, last } = await backUpLogs(workshop, liveOf(workshop, database), database, task.signal);
      return { facts: { fetchedLogs: logs, lastLog: last ?? null } };
    },
    removeSnapshot: ({ snapshot }) => removeSnapshot(workshop, snapshot),
    async restore({ database, snapshot, scope, ...task }) {
      const lines = await inTurn(turnOf(database.name), () =>
        restore(workshop, database, snapshot, scope, task.signal),
      );
      const observed = await observe(workshop, liveOf(workshop, database), task.signal);
      const said = notes([...lines, recoveryNote(scope.autoRecovery)]);
      // The notes of an earlier restore are over.
      const before = database.facts.notes === undefined ? {} : { notes: null };
      return { ...observed, facts: { ...observed.facts, ...before, ...said } };
    },
    refresh({ database, ...task }) {
      return database.cloneType === undefined
        ? observe(workshop, liveOf(workshop, database), task.signal)
        : refresh(workshop, database, task.signal);
    },
    discover: async ({ environment, known, ...task }) => {
      if (environment.name !== host.name) return { found: [] };
      await makeExample(workshop, example, task.signal);
      const lives = known.flatMap(({ name, cloneType }) => (cloneType === undefined ? [name] : []));
      return discover(workshop, lives, task.signal);
    },
    async recover(databases) {
      const found = await recover(workshop, databases, signal);
      dropping = dropInTime(workshop, signal);
      return found;
    },
    async close() {
      await Promise.all([close(), dropping]);
    },
  };
}

/** @throws Error where the clone would stand beside somebody's live data, with nothing between */
function checkWall(workshop: Workshop, { name }: Readonly<Database>): void {
  if (workshop.wall.kind === 'none' && !isOwn(workshop, { name }))
    throw new Error(
      `${name} cannot be cloned here, since nothing would keep the clone from the files of live servers: install bubblewrap, allow user namespaces, or run the sandbox as root`,
    );
}

/** Why a clone cannot be made with these settings, for people; undefined where it can be tried. */
function checkSettings(
  { places, variables }: Workshop,
  {
    mountBase,
    localDirectory,
    port,
    specificPostScriptPath,
    databaseParams,
  }: Readonly<CloneSettings & { localDirectory?: string | undefined }>,
): Fault | undefined {
  const faults: readonly [string, string | undefined][] = [
    ['mountBase', mountBase && placeFault(places, mountBase)],
    ['localDirectory', localDirectory && placeFault(places, localDirectory)],
    ['port', port === undefined ? undefined : portFault(port)],
    ['specificPostScriptPath', specificPostScriptPath && scriptFault(places, specificPostScriptPath)],
    ['databaseParams', paramFault(places, variables, databaseParams ?? [])],
  ];
  for (const [field, message] of faults) if (message) return { field, message };
  return undefined;
}

function recoveryNote(autoRecovery: boolean | undefined): string | undefined {
  if (autoRecovery === undefined) return undefined;
  return 'autoRecovery had no effect: InnoDB recovers by itself when it starts.';
}
