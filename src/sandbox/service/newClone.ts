import { type Beginning, fail, report } from './change.ts';
import type { Engine } from './engine.ts';
import { type Database, type Estate, nextIdentifier, type Snapshot } from './estate.ts';
import { cloneKinds } from './identifiers.ts';
import { Refusal } from './refusal.ts';

type NewClone = {
  make: 'createVirtual' | 'createPhysical' | 'mount' | 'share';
  /** Milliseconds that the simulated job takes. */
  lasts: number;
  source: Database;
  snapshot: Snapshot;
  clone: Omit<
    Database,
    'id' | 'vendor' | 'state' | 'usable' | 'snapshots' | 'contents' | 'facts' | 'simulated' | 'createdAt' | 'updatedAt'
  >;
};

/** Puts a clone into the estate, in CREATING, and starts the job that makes it. Resolves when the job has ended. */
export function startClone(
  { context: { estate, engines, jobs, clock }, operation, effects }: Beginning,
  { make, lasts, source, snapshot, clone: given }: NewClone,
): Promise<void> {
  const engine: Engine = engines[source.vendor];
  const now = clock.now();
  const clone: Database = {
    ...given,
    id: nextIdentifier(estate, cloneKinds[source.vendor]),
    vendor: source.vendor,
    state: 'CREATING',
    usable: false,
    sourceDatabase: source.id,
    snapshot: snapshot.id,
    snapshots: [],
    contents: {},
    facts: {},
    simulated: engine.simulated,
    createdAt: now,
    updatedAt: now,
  };
  estate.databases.set(clone.id, clone);
  return jobs.start({
    operation,
    target: clone.id,
    effects,
    lasts,
    work: task => engine[make]({ ...task, clone, source, snapshot }),
    done({ contents = {}, facts = {}, port = clone.port }) {
      Object.assign(clone, { state: 'RUNNING', usable: true, contents, facts, port, updatedAt: clock.now() });
      report(clone, operation, now, 'SUCCEEDED');
    },
    failed(message) {
      fail(clone, message, clock.now());
      report(clone, operation, now, 'FAILED');
    },
  });
}

/** The snapshot that a clone stands on: rule 3 keeps it. Throws Refusal where it is gone. */
export function snapshotOfClone(estate: Estate, clone: Database): Snapshot {
  for (const { snapshots } of estate.databases.values()) {
    const found = snapshots.find(({ id }) => id === clone.snapshot);
    if (found !== undefined) return found;
  }
  throw new Refusal('NO_SNAPSHOT', `the snapshot of ${clone.id} is gone`);
}

/** The fields of a request in which a person types freely. */
const typed: readonly string[] = [
  'databaseName',
  'mountBase',
  'dbUniqueName',
  'instanceName',
  'specificPostScriptPath',
  'localDirectory',
];

/** The words that a person typed, which may provoke. */
export function typedTexts(settings: object): readonly string[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    typed.includes(key) && typeof value === 'string' ? [value] : [],
  );
}
